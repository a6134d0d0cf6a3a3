import { isDayIn } from '../base/calendar.ts';
import {
  type ChangeSinceClose,
  changesSince,
  digestOfRows,
  type ListedSettlement,
} from '../books/drift.ts';
import { type DecisionMade, decisionMade } from '../model/accepted-difference.ts';
import type { CloseRecord } from '../model/close.ts';
import type { DateRange } from '../model/source.ts';
import type { AcceptedDifferences } from '../reconcile/acceptance.ts';
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
  /** The decisions that it rests on and that are no longer in their register as they were. */
  readonly undecided: readonly DecisionMade[];
}

/** What tells whether changes were posted, and what is decided now; undefined without a register. */
interface Since {
  readonly isPosted?: IsPosted | undefined;
  readonly accepted: AcceptedDifferences | undefined;
}

/** The closes over a range, each with the changes since, judged by what is listed now. */
export function closedRanges(
  closes: readonly CloseRecord[],
  range: DateRange,
  listed: readonly ListedSettlement[],
  { isPosted = () => false, accepted }: Since,
): readonly ClosedRange[] {
  return closesOver(range, closes).map((record) => {
    const isOf = (day: string) => isDayIn(range, day) && isDayIn(record, day);
    const changes = changesSince(
      record.settlements.filter(({ date }) => isOf(date)),
      listed.filter(({ settlement }) => isOf(settlement.date)),
    );
    const ids = changes.map(({ settlementId }) => settlementId);
    const posted = new Set(ids.filter((id) => isPosted(id, record.to)));
    return { record, changes, posted, undecided: decisionsGone(record, accepted) };
  });
}

/** The decisions of a close that the register of accepted differences no longer has as they were; none without it. */
function decisionsGone(
  { decided }: CloseRecord,
  accepted: AcceptedDifferences | undefined,
): readonly DecisionMade[] {
  if (decided.length === 0 || !accepted) return [];
  const { bySettlement, onBank, receipts, orders, decided: ofPayouts } = accepted;
  const lines = [bySettlement, onBank, receipts, orders, ...Object.values(ofPayouts)];
  const isThere = new Set(
    lines.flatMap((those) => [...those.values()].map((one) => keyOf(decisionMade(one)))),
  );
  return decided.filter((one) => !isThere.has(keyOf(one)));
}

/** All of a decision: nothing of it may change under a close. */
function keyOf({ kind, id, minor, ...one }: DecisionMade): string {
  // What is settled of an order may still change, and with it what is accepted, but not that it is.
  if (kind === 'order') return JSON.stringify([kind, id]);
  const { date, currency, scale, reason, by, on, until, account } = one;
  const what = [kind, id.toLowerCase(), date, currency, scale, String(minor), one.with];
  return JSON.stringify([...what, reason, by, on, until, account]);
}

/** The closes over days of a range, and earlier ones with changes. */
export function toTell(closed: readonly ClosedRange[], range: DateRange): readonly ClosedRange[] {
  const over = new Set(
    closesOver(
      range,
      closed.map(({ record }) => record),
    ),
  );
  return closed.filter(
    ({ record, changes, undecided }) => over.has(record) || changes.length + undecided.length > 0,
  );
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
  const { accepted } = options.ageingAndAccepted ?? {};
  return closedRanges(closes, range, digests.listed(run.settlements), { isPosted, accepted });
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
