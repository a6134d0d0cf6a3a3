import { groupedBy } from '../base/lists.ts';
import type { Settlement } from '../model/settlement.ts';
import { magnitude } from '../money/money.ts';
import { isPaidLessCharges } from './charges.ts';
import { exactSums } from './exact-sums.ts';
import {
  type Claim,
  comparableAmount,
  comparablePayIn,
  type Finding,
  type Piece,
  sumsOf,
} from './finding.ts';
import { united } from './joined.ts';
import { type MatchReason, matchKeys } from './match.ts';
import { isReturn } from './returns.ts';

/** Judges connected settlements and pieces, by their sums or shared ids. Those in no result are still open. */
export function judgeClaims(claims: readonly Claim[]): readonly Finding[] {
  const settlements = united(claims.map((claim) => claim.settlements));
  const whole = judgeSums(settlements, claims);
  const share = (claim: Claim) => claim.isOneId && claim.settlements.length === settlements.length;
  if (settlements.length === 1 || !claims.every(share)) return [whole];
  const apart = judgeByAmount(settlements, claims);
  const isSure =
    whole.state === 'matched'
      ? apart.every(({ state }) => state === 'matched')
      : !claims.some(({ piece }) => mayBeBatch(piece, settlements));
  return isSure ? apart : [whole];
}

function mayBeBatch(piece: Piece, settlements: readonly Settlement[]): boolean {
  const [amount, minorUnits] = [comparableAmount(piece), magnitude(piece.amount)];
  return exactSums(settlements, comparablePayIn)(amount, minorUnits).length > 0;
}

/** Settlements that share an id: each amount by itself, and the sums of what remains. */
function judgeByAmount(
  settlements: readonly Settlement[],
  claims: readonly Claim[],
): readonly Finding[] {
  const due = groupedBy(settlements, (one) => magnitude(comparablePayIn(one)));
  const paid = groupedBy(claims, ({ piece }) => magnitude(comparableAmount(piece)));
  const found = [...due].flatMap(([amount, those]) => {
    const payments = paid.get(amount) ?? [];
    return payments.length === 0 ? [] : [judgeAlike(those, payments)];
  });
  const leftDue = settlements.filter((one) => !paid.has(magnitude(comparablePayIn(one))));
  const leftPaid = claims.filter(({ piece }) => !due.has(magnitude(comparableAmount(piece))));
  const hasRest = leftDue.length > 0 && leftPaid.length > 0;
  return hasRest ? [...found, judgeSums(leftDue, leftPaid)] : found;
}

/** Settlements that share an id and an amount: fewer payments than settlements could be for any of them. */
function judgeAlike(settlements: readonly Settlement[], claims: readonly Claim[]): Finding {
  const found = judgeSums(settlements, claims);
  if (claims.length < settlements.length) {
    return { ...found, state: 'ambiguous', reason: 'same_key' };
  }
  return { ...found, isEachPaid: found.state === 'matched' };
}

function judgeSums(settlements: readonly Settlement[], claims: readonly Claim[]): Finding {
  const pieces = claims.flatMap(({ piece, undoneBy }) => (undoneBy ? [piece, undoneBy] : piece));
  // A match is only as certain as its weakest key.
  const by = matchKeys.findLast((key) => claims.some((claim) => claim.by === key));
  const own = pieces.filter(({ entry }) => entry.currency === settlements[0]?.currency);
  if (own.length === 0) {
    return { state: 'difference', by, reason: 'other_currency', settlements, pieces };
  }
  const { expected, received, scale } = sumsOf(settlements, own);
  if (received === expected) return { state: 'matched', by, settlements, pieces };
  if (isPaidLessCharges(expected, own, scale)) {
    return { state: 'charged', by, settlements, pieces };
  }
  const reason = reasonOf(expected, received, pieces);
  const isReturned = reason === 'returned' && (received === 0n || pieces.every(isReturn));
  return { state: isReturned ? 'returned' : 'difference', by, reason, settlements, pieces };
}

function reasonOf(
  expected: bigint,
  received: bigint,
  pieces: readonly Piece[],
): MatchReason | undefined {
  const isAgainst = ({ amount }: Piece) => expected !== 0n && amount < 0n !== expected < 0n;
  if (pieces.some((one) => isReturn(one) || isAgainst(one))) return 'returned';
  const isMultiple = expected !== 0n && received % expected === 0n && received / expected > 1n;
  return isMultiple && pieces.length > 1 ? 'paid_twice' : undefined;
}
