import { largestOf } from '../base/lists.ts';
import { type BankEntry, detailsBy, type PaymentDetails } from '../model/bank.ts';
import type { Settlement } from '../model/settlement.ts';
import { maxScale, rescale, sumAt } from '../money/money.ts';
import type { BankState, MatchKey, MatchReason } from './match.ts';

/** What is matched: an entry, or one payment of it. */
export interface Piece {
  readonly entry: BankEntry;
  /** The number of the payment in its entry, from 0; absent for the whole entry. */
  readonly part: number | undefined;
  /** Minor units at the scale of the entry. */
  readonly amount: bigint;
  readonly details: PaymentDetails;
}

/**
 * An entry as its payments, if their amounts come to the entry exactly; else as a whole, with the details of
 * all payments. Payments without details have those of the entry.
 */
export function piecesOf(entry: BankEntry): readonly Piece[] {
  const { parts, amount } = entry;
  if (parts.length < 2) return [new WholeEntry(entry)];
  const { details } = entry;
  const sum = parts.reduce((total, part) => total + (part.amount ?? 0n), 0n);
  const isComplete = sum === amount && parts.every((part) => part.amount !== undefined);
  if (!isComplete) return [new WholeEntry(entry)];
  return parts.map((part, number) => ({
    entry,
    part: number,
    amount: part.amount ?? 0n,
    details: detailsBy((field) => (part[field].length > 0 ? part[field] : details[field])),
  }));
}

/** Most entries are one piece: its details are read from the entry when needed. */
class WholeEntry implements Piece {
  readonly entry: BankEntry;

  constructor(entry: BankEntry) {
    this.entry = entry;
  }

  get part() {
    return undefined;
  }

  get amount() {
    return this.entry.amount;
  }

  get details() {
    const { details, parts } = this.entry;
    return detailsBy((field) => {
      const own = details[field];
      const all = parts.length === 0 ? own : [own, ...parts.map((part) => part[field])].flat();
      return all.length > 1 ? [...new Set(all)] : all;
    });
  }
}

/** Whether money has moved, and is not only announced. */
export function isBooked({ entry }: Piece): boolean {
  return entry.status === 'booked';
}

/** Settlements and pieces in a state, before amounts are computed. */
export interface Finding {
  readonly state: BankState;
  readonly by?: MatchKey | undefined;
  readonly reason?: MatchReason | undefined;
  readonly settlements: readonly Settlement[];
  readonly pieces: readonly Piece[];
  /** Set if each settlement got its pay-in, for any assignment of the pieces. */
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
