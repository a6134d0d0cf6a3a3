import { isDayIn } from '../base/calendar.ts';
import {
  type ChangeSinceClose,
  changesSince,
  digestOfRows,
  type ListedSettlement,
} from '../books/drift.ts';
import type { CloseRecord } from '../model/close.ts';
import type { DateRange } from '../model/source.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import type { BooksSoFar, IsPosted } from './books-so-far.ts';
import { type Pass, readOnce } from './read-once.ts';
import type { DecidedSettlement, RangeOptions } from './reconcile-range.ts';

/** A close over days of a report, and the changes since then. */
export interface ClosedRange {
  readonly record: CloseRecord;
  readonly changes: readonly ChangeSinceClose[];
  /** The ids of settlements whose change is in the register of bookings. */
  readonly posted: ReadonlySet<string>;
}

/** The closes over a range, each with the changes since, judged by what is listed now. */
export function closedRanges(
  closes: readonly CloseRecord[],
  range: DateRange,
  listed: readonly ListedSettlement[],
  isPosted: IsPosted = () => false,
): readonly ClosedRange[] {
  return closesOver(range, closes).map((record) => {
    const isOf = (day: string) => isDayIn(range, day) && isDayIn(record, day);
    const changes = changesSince(
      record.settlements.filter(({ date }) => isOf(date)),
      listed.filter(({ settlement }) => isOf(settlement.date)),
    );
    const ids = changes.map(({ settlementId }) => settlementId);
    return { record, changes, posted: new Set(ids.filter((id) => isPosted(id, record.to))) };
  });
}

/** The closes over days of a range, and earlier ones with changes. */
export function toTell(closed: readonly ClosedRange[], range: DateRange): readonly ClosedRange[] {
  const over = new Set(
    closesOver(
      range,
      closed.map(({ record }) => record),
    ),
  );
  return closed.filter(({ record, changes }) => over.has(record) || changes.length > 0);
}

export function closesOver(
  range: DateRange,
  closes: readonly CloseRecord[],
): readonly CloseRecord[] {
  return closes.filter(({ from, to }) => from <= range.to && range.from <= to);
}

/** Reads the settlements of a range, if some of its days are closed, and says what has changed since. */
export async function readClosed(
  options: Omit<RangeOptions, 'explains' | 'isForVerdicts'>,
  { closes, isPosted }: Pick<BooksSoFar, 'closes' | 'isPosted'>,
): Promise<readonly ClosedRange[]> {
  const { range } = options.query;
  if (closesOver(range, closes).length === 0) return [];
  const digests = new RowDigests();
  const run = await readOnce([digests], { ...options, explains: false, isForVerdicts: true });
  return closedRanges(closes, range, digests.listed(run.settlements), isPosted);
}

/** Keeps a digest of the rows of each settlement, to be compared with what closes knew. */
export class RowDigests implements Pass {
  readonly #digests = new Map<string, string>();

  readonly add = ({ reconciled: { settlement }, rows }: DecidedSettlement): void => {
    this.#digests.set(settlement.id, digestOfRows(settlement.id, rows).text);
  };

  /** Reconciled settlements as they are listed now, pending ones with the status that the service says. */
  listed(settlements: readonly ReconciledSettlement[]): readonly ListedSettlement[] {
    return settlements.map(({ settlement }) => {
      return { settlement, rows: this.#digests.get(settlement.id) };
    });
  }
}
