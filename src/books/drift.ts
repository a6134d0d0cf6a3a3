import { DigestSum } from '../base/digest-sum.ts';
import { tableOf } from '../base/lists.ts';
import { isPaid } from '../match/match.ts';
import type { Account, ClosedSettlement } from '../model/close.ts';
import type { Amounts, Settlement } from '../model/settlement.ts';
import { rescale } from '../money/money.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';

/** Why a settlement differs from what a close knew: its figures, status or rows; it was not settled yet; it is gone. */
export type ChangeReason = 'restated' | 'late' | 'gone';

const headerFigures = ['gross', 'fees', 'tax', 'payIn'] as const;

/** A settlement that differs from what a close knew. Minor units at `scale`. */
export interface ChangeSinceClose extends Account {
  readonly settlementId: string;
  readonly date: string;
  readonly reason: ChangeReason;
  /** As the close knew it; undefined if it did not. */
  readonly was: ClosedSettlement | undefined;
  readonly before: HeaderFigures;
  readonly after: HeaderFigures;
}

/** A file of another provider may not state all of them. */
interface HeaderFigures extends Amounts<bigint | undefined> {
  readonly payIn: bigint;
}

export type HeaderFigure = (typeof headerFigures)[number];

/** By how much a figure changed: now − then; undefined where it is not stated. */
export function changeOf(
  { before, after }: Pick<ChangeSinceClose, 'before' | 'after'>,
  name: HeaderFigure,
): bigint | undefined {
  const [then, now] = [before[name], after[name]];
  return then === undefined || now === undefined ? undefined : now - then;
}

/** A settlement as it is listed now. */
export interface ListedSettlement {
  readonly settlement: Settlement;
  /** A digest of its rows, if they were read. */
  readonly rows: string | undefined;
}

/** A settlement as it is compared. */
type Compared = Omit<ClosedSettlement, 'rows'>;

/** The digest of the rows of a settlement, free of order. */
export function digestOfRows(settlementId: string, rows: RowColumns): DigestSum {
  const sum = new DigestSum();
  for (let row = 0; row < rows.size; row += 1) {
    const { currency, scale, state, type } = rows.kind(row);
    const amounts = [rows.amount(row), rows.fees(row), rows.tax(row)].map(String);
    // With a function for bigints, the text of a row takes twice as long.
    sum.add(JSON.stringify([settlementId, rows.id(row), currency, scale, state, type, ...amounts]));
  }
  return sum;
}

/** The differences between what closes knew and what is listed now, both of the same days. Pending ones count as 0. */
export function changesSince(
  known: readonly ClosedSettlement[],
  listed: readonly { readonly settlement: Compared; readonly rows: string | undefined }[],
): readonly ChangeSinceClose[] {
  const then = new Map(known.map((one) => [one.id, one]));
  const now = new Map(listed.map((one) => [one.settlement.id, one]));
  return [...new Set([...then.keys(), ...now.keys()])].flatMap((id): ChangeSinceClose | [] => {
    const [was, is] = [then.get(id), now.get(id)];
    const one = is?.settlement ?? was;
    if (!one) return [];
    const [wasPaid, isPaidNow] = [was && isPaid(was), is && isPaid(is.settlement)];
    if (!wasPaid && !isPaidNow) return [];
    const scale = Math.max(was?.scale ?? 0, is?.settlement.scale ?? 0);
    const figuresOf = (of: Compared | undefined): HeaderFigures => {
      const stated = (name: 'gross' | 'fees' | 'tax') => {
        const minor = of ? of[name] : 0n;
        return minor === undefined ? undefined : rescale(minor, of?.scale ?? scale, scale);
      };
      const payIn = of ? rescale(of.payIn, of.scale, scale) : 0n;
      return { ...tableOf(['gross', 'fees', 'tax'], stated), payIn };
    };
    const [before, after] = [
      figuresOf(wasPaid ? was : undefined),
      figuresOf(isPaidNow ? is?.settlement : undefined),
    ];
    const { date, accountingToken, currency } = one;
    const change = { settlementId: id, was, date, accountingToken, currency, scale, before, after };
    if (!wasPaid) return { ...change, reason: 'late' };
    if (!isPaidNow) return { ...change, reason: 'gone' };
    const isSame =
      headerFigures.every((name) => before[name] === after[name]) &&
      was?.status === is?.settlement.status &&
      (!was?.rows || is?.rows === undefined || was.rows === is.rows);
    return isSame ? [] : { ...change, reason: 'restated' };
  });
}

/** What a close keeps: all settlements of its range, and older ones that changed since the last close. */
export function closedSettlements(
  own: readonly ListedSettlement[],
  older: readonly ListedSettlement[],
  changes: readonly ChangeSinceClose[],
): readonly ClosedSettlement[] {
  const changed = new Map(changes.map((one) => [one.settlementId, one]));
  const gone = changes.flatMap(({ reason, was }) => {
    const nothing = { status: '', gross: 0n, fees: 0n, tax: 0n, payIn: 0n, rows: '' };
    return reason === 'gone' && was ? { ...was, ...nothing } : [];
  });
  const isGone = new Set(gone.map(({ id }) => id));
  const listed = [...own, ...older.filter(({ settlement }) => changed.has(settlement.id))];
  return [
    ...listed
      .filter(({ settlement }) => !isGone.has(settlement.id))
      .map(({ settlement, rows = '' }): ClosedSettlement => {
        const {
          timestamp: _,
          merchantId: __,
          paymentService: ___,
          transactions: ____,
          ...kept
        } = settlement;
        return { ...kept, rows };
      }),
    ...gone,
  ];
}
