import { isDayIn } from '../base/calendar.ts';
import type { ChangeReason } from '../books/roll-forward.ts';
import type { CloseRecord } from '../model/close.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import { type Money, rescale } from '../money/money.ts';

interface ChangeSinceClose {
  readonly settlementId: string;
  readonly date: string;
  readonly reason: Exclude<ChangeReason, 'bank'>;
  /** The change of the pay-ins of the range. */
  readonly difference: Money;
}

/** A close over days of a report, and the changes since then. */
export interface ClosedRange {
  readonly record: CloseRecord;
  readonly changes: readonly ChangeSinceClose[];
}

/** The closes over a range, each with the changes since, judged by the settled settlements now. */
export function closedRanges(
  closes: readonly CloseRecord[],
  range: DateRange,
  settled: readonly Settlement[],
): readonly ClosedRange[] {
  return closes
    .filter(({ from, to }) => from <= range.to && range.from <= to)
    .map((record) => ({ record, changes: changesSince(record, range, settled) }));
}

function changesSince(
  record: CloseRecord,
  range: DateRange,
  settled: readonly Settlement[],
): readonly ChangeSinceClose[] {
  const isOf = ({ date }: { readonly date: string }) =>
    isDayIn(range, date) && isDayIn(record, date);
  const closed = new Map(
    record.payouts.flatMap((one) => {
      const [id, ...others] = one.settlementIds;
      return id !== undefined && others.length === 0 && isOf(one) ? [[id, one] as const] : [];
    }),
  );
  const now = new Map(settled.filter(isOf).map((one) => [one.id, one]));
  return [...new Set([...closed.keys(), ...now.keys()])].flatMap((id): ChangeSinceClose | [] => {
    const [was, is] = [closed.get(id), now.get(id)];
    const one = is ?? was;
    if (!one) return [];
    const { date, currency } = one;
    const scale = Math.max(was?.scale ?? 0, is?.scale ?? 0);
    const [before, after] = [was, is].map((of) => (of ? rescale(of.payIn, of.scale, scale) : 0n));
    const minor = (after ?? 0n) - (before ?? 0n);
    const reason = !was ? 'late' : is ? 'restated' : 'gone';
    if (minor === 0n && was && is) return [];
    return { settlementId: id, date, reason, difference: { minor, scale, currency } };
  });
}
