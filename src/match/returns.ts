import { addDays } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import type { PaymentDetails } from '../model/bank.ts';
import type { Piece } from './finding.ts';

/** The most days between a reversal and an entry with which it shares only the amount. */
export const daysBack = 30;

/**
 * Finds the pieces that returns and reversals undo, each with the one that undoes it. Both are of one account,
 * have opposite amounts, and share an end-to-end id; or the bank marks the later one as a return, and they
 * share another mark, or nothing else has that amount. If two payments are possible, none is chosen.
 */
export function findUndone(pieces: readonly Piece[]): ReadonlyMap<Piece, Piece> {
  const alike = ofSharedIds(pieces);
  const later = pieces.filter((piece) => isReturn(piece) || alike.has(piece));
  const money = new Set(later.flatMap((one) => [moneyOf(one), moneyOf(one, -one.amount)]));
  const byMoney = groupedBy(
    pieces.filter((piece) => money.has(moneyOf(piece))),
    (piece) => moneyOf(piece),
  );
  const undoneBy = new Map<Piece, Piece>();
  const taken = new Set<Piece>();
  for (const by of later) {
    const opposite = byMoney.get(moneyOf(by, -by.amount)) ?? [];
    const earlier = opposite.filter((one) => !taken.has(one) && isBefore(one, by));
    const piece = by.amount === 0n || taken.has(by) ? undefined : returnedPiece(by, earlier);
    if (!piece) continue;
    taken.add(piece).add(by);
    undoneBy.set(piece, by);
  }
  return undoneBy;
}

/** The pieces that share an end-to-end id, with a few others by chance, because ids are only hashed. */
function ofSharedIds(pieces: readonly Piece[]): ReadonlySet<Piece> {
  const owners = new Map<number, Piece>();
  const shared = new Set<Piece>();
  for (const piece of pieces) {
    for (const hash of piece.details.endToEndIds.map(hashOf)) {
      const other = owners.get(hash) ?? piece;
      if (other !== piece) shared.add(other).add(piece);
      owners.set(hash, other);
    }
  }
  return shared;
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1)
    hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}

function returnedPiece(by: Piece, earlier: readonly Piece[]): Piece | undefined {
  const sameId = earlier.filter((one) => areOfOneId(one, by));
  // All are of one payment, so any of them will do.
  if (sameId.length > 0) return sameId.at(-1);
  if (!isReturn(by)) return undefined;
  const since = addDays(by.entry.date, -daysBack);
  const tiers = [
    earlier.filter((one) => isMarkedAlike(one, by)),
    earlier.filter(({ entry }) => entry.date >= since),
  ];
  const [first, ...others] = tiers.find((tier) => tier.length > 0) ?? [];
  // The same holds for payments with one id.
  const isClear = first !== undefined && others.every((one) => areOfOneId(one, first));
  return isClear ? (others.at(-1) ?? first) : undefined;
}

function areOfOneId(one: Piece, other: Piece): boolean {
  return share(one.details, other.details, ['endToEndIds']);
}

/** Whether the bank says that a piece undoes another. */
export function isReturn({ entry }: Piece): boolean {
  return entry.isReversal || entry.returnReason !== '';
}

function isMarkedAlike(one: Piece, other: Piece): boolean {
  const reference = one.entry.bankReference;
  if (reference !== '' && reference === other.entry.bankReference) return true;
  return share(one.details, other.details, ['paymentInformationIds', 'references', 'texts']);
}

function share(
  one: PaymentDetails,
  other: PaymentDetails,
  fields: readonly (keyof PaymentDetails)[],
): boolean {
  return fields.some((field) => one[field].some((value) => other[field].includes(value)));
}

/** On one day, money in comes before money out. */
function isBefore(one: Piece, other: Piece): boolean {
  if (isReturn(one)) return false;
  if (one.entry.date !== other.entry.date) return one.entry.date < other.entry.date;
  return isReturn(other) || one.amount > 0n;
}

function moneyOf({ entry, amount }: Piece, other = amount): string {
  return `${entry.account} ${entry.currency} ${entry.scale} ${other}`;
}
