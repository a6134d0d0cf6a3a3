import { type BankEntry, detailsBy, type PaymentDetails } from '../model/bank.ts';

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
 * An entry as its payments, where these have amounts that come to the entry exactly; else as a whole, with
 * all that is said of its payments. What the bank says of the entry counts for payments of which it says
 * nothing.
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

/** Most entries are no more than one piece: what is said of them stays where they are kept. */
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
