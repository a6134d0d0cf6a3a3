import type { AcceptedPayout } from '../model/accepted-difference.ts';
import type { Settlement } from '../model/settlement.ts';
import { maxScale, rescale } from '../money/money.ts';
import { type AcceptedDifferences, isExpired } from '../reconcile/acceptance.ts';
import { type Claim, isBooked, type Piece, sumsOf } from './finding.ts';
import { type BankMatch, entryKey, hasArrived, isDue } from './match.ts';

/**
 * The claims by which people confirmed entries as the money of pay-outs. A confirmation counts as a whole, as long as
 * its pay-outs and its entries are as they were, and none of these names other pay-outs by an id (in `claims`).
 */
export function confirmedClaims(
  settlements: readonly Settlement[],
  pieces: readonly Piece[],
  accepted: AcceptedDifferences | undefined,
  claims: readonly Claim[],
): readonly Claim[] {
  if (!accepted || accepted.decided.confirmed.size === 0) return [];
  const lines = [...accepted.decided.confirmed.values()];
  const keys = new Set(lines.flatMap(({ confirmed }) => confirmed?.entryIds ?? []));
  const named = pieces.filter((one) => keys.has(entryKey(one)) && isBooked(one));
  const pieceOf = new Map(named.map((one) => [entryKey(one), one]));
  const settlementOf = new Map(settlements.map((one) => [one.id.toLowerCase(), one]));
  const claimOf = new Map(claims.map((one) => [one.piece, one]));
  return lines.flatMap((line): readonly Claim[] => {
    const { confirmed = { entryIds: [], others: [] } } = line;
    const ids = [line.settlementId, ...confirmed.others];
    const own = ids.flatMap((id) => settlementOf.get(id.toLowerCase()) ?? []);
    const money = confirmed.entryIds.flatMap((id) => pieceOf.get(id) ?? []);
    const isWhole = own.length === ids.length && money.length === confirmed.entryIds.length;
    const isOthers = (piece: Piece) =>
      claimOf.get(piece)?.settlements.some((one) => !own.includes(one));
    if (!isWhole || isExpired(line, accepted.today) || money.some(isOthers)) return [];
    if (!own.every(isDue) || !isAsSeen(line, own, money)) return [];
    const unclaimed = money.filter((piece) => !claimOf.has(piece));
    return unclaimed.map((piece) => {
      return { piece, settlements: own, by: 'confirmed', isOneId: false };
    });
  });
}

function isAsSeen(line: AcceptedPayout, own: readonly Settlement[], money: readonly Piece[]) {
  const now = sumsOf(own, money);
  const isSame = (name: 'expected' | 'received') =>
    rescale(now[name], now.scale, maxScale) === rescale(line[name], line.scale, maxScale);
  const currencies = [...own, ...money.map(({ entry }) => entry)].map(({ currency }) => currency);
  return (
    currencies.every((one) => one === line.currency) && isSame('expected') && isSame('received')
  );
}

/** Whether entries that people confirmed explain a pay-out exactly. */
export function isConfirmed(match: BankMatch): boolean {
  return match.by === 'confirmed' && hasArrived(match);
}

/** The lines by which people confirmed entries of a match. */
export function confirmationsOf(
  { by, settlements, entries }: BankMatch,
  accepted: AcceptedDifferences | undefined,
): readonly AcceptedPayout[] {
  if (!accepted || by !== 'confirmed') return [];
  const keys = new Set(entries.map(entryKey));
  return settlements
    .flatMap(({ settlement }) => accepted.decided.confirmed.get(settlement.id.toLowerCase()) ?? [])
    .filter(({ confirmed }) => confirmed?.entryIds.every((id) => keys.has(id)));
}
