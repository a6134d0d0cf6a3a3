import { largestOf } from '../base/lists.ts';
import type { Settlement } from '../model/settlement.ts';
import { maxScale, rescale, sumAt } from '../money/money.ts';
import type { BankState, MatchKey, MatchReason } from './match.ts';
import type { Piece } from './pieces.ts';

/** Settlements and pieces in a state, before amounts are computed. */
export interface Finding {
  readonly state: BankState;
  readonly by?: MatchKey | undefined;
  readonly reason?: MatchReason | undefined;
  readonly settlements: readonly Settlement[];
  readonly pieces: readonly Piece[];
  /** Set where each settlement got its pay-in, whichever of the pieces is whose. */
  readonly isEachPaid?: boolean;
}

/** A piece, and the settlements that it names. */
export interface Claim {
  readonly piece: Piece;
  readonly settlements: readonly Settlement[];
  readonly by: MatchKey;
  /** Whether it names them by one id that they share. */
  readonly isOneId: boolean;
  readonly undoneBy?: Piece | undefined;
}

/** The total pay-in of settlements, and of pieces in their currency; minor units at one scale. */
export function sumsOf(settlements: readonly Settlement[], pieces: readonly Piece[]) {
  const all = [...settlements, ...pieces.map(({ entry }) => entry)];
  const scale = largestOf(all.map((one) => one.scale));
  const currency = settlements[0]?.currency ?? pieces[0]?.entry.currency;
  const expected = sumAt(scale, settlements, ({ payIn }) => payIn);
  const received = pieces
    .filter(({ entry }) => entry.currency === currency)
    .reduce((sum, { amount, entry }) => sum + rescale(amount, entry.scale, scale), 0n);
  return { scale, expected, received };
}

/** Amounts that can be compared whatever their scales. */
export function comparablePayIn({ payIn, scale }: Settlement): bigint {
  return rescale(payIn, scale, maxScale);
}

/** Amounts that can be compared whatever their scales. */
export function comparableAmount({ amount, entry }: Piece): bigint {
  return rescale(amount, entry.scale, maxScale);
}

/** Whether a settlement's pay-in and a piece are the same money. */
export function isSameMoney(settlement: Settlement, piece: Piece): boolean {
  return (
    settlement.currency === piece.entry.currency &&
    comparablePayIn(settlement) === comparableAmount(piece)
  );
}
