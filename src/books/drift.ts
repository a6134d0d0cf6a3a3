import { tableOf } from '../base/lists.ts';
import { isPaid } from '../match/match.ts';
import type { Account, ClosedSettlement } from '../model/close.ts';
import type { Settlement } from '../model/settlement.ts';
import { rescale } from '../money/money.ts';

/** Why a settlement differs from what a close knew: its figures, status or rows; it was not settled yet; it is gone. */
export type ChangeReason = 'restated' | 'late' | 'gone';

const headerFigures = ['gross', 'fees', 'tax', 'payIn'] as const;

/** A settlement that differs from what a close knew. Minor units at `scale`. */
export interface ChangeSinceClose extends Account {
  readonly settlementId: string;
  readonly date: string;
  readonly reason: ChangeReason;
  readonly before: Readonly<Record<HeaderFigure, bigint>>;
  readonly after: Readonly<Record<HeaderFigure, bigint>>;
}

export type HeaderFigure = (typeof headerFigures)[number];

/** By how much a figure changed: now − then. */
export function changeOf({ before, after }: ChangeSinceClose, name: HeaderFigure): bigint {
  return after[name] - before[name];
}

/** A settlement as it is listed now. */
export interface ListedSettlement {
  readonly settlement: Settlement;
  /** A digest of its rows, if they were read. */
  readonly rows: string | undefined;
}

/** The differences between what closes knew and what is listed now, both of the same days. Pending ones count as 0. */
export function changesSince(
  known: readonly ClosedSettlement[],
  listed: readonly ListedSettlement[],
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
    const figuresOf = (of: ClosedSettlement | Settlement | undefined) =>
      tableOf(headerFigures, (name) => (of ? rescale(of[name], of.scale, scale) : 0n));
    const [before, after] = [
      figuresOf(wasPaid ? was : undefined),
      figuresOf(isPaidNow ? is?.settlement : undefined),
    ];
    const { date, accountingToken, currency } = one;
    const change = { settlementId: id, date, accountingToken, currency, scale, before, after };
    if (!wasPaid) return { ...change, reason: 'late' };
    if (!isPaidNow) return { ...change, reason: 'gone' };
    const isSame =
      headerFigures.every((name) => before[name] === after[name]) &&
      was?.status === is?.settlement.status &&
      (!was?.rows || is?.rows === undefined || was.rows === is.rows);
    return isSame ? [] : { ...change, reason: 'restated' };
  });
}
