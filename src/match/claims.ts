import type { Settlement } from '../model/settlement.ts';
import { serviceSays } from '../reconcile/verdict.ts';
import { isSameMoney } from './finding.ts';
import type { Owners } from './id-owners.ts';
import type { KeyLevel, PayoutIds } from './levels/key-level.ts';
import type { MatchKey } from './match.ts';
import type { Piece } from './pieces.ts';

/** A piece, and the settlements that it names. */
export interface Claim {
  readonly piece: Piece;
  readonly settlements: readonly Settlement[];
  readonly by: MatchKey;
  /** Whether it names them by one id that they share. */
  readonly isOneId: boolean;
}

/** Which owners of an id a piece means, by what is claimed so far. */
export type Meaning = (
  owners: Owners,
  piece: Piece,
  claimed: ReadonlySet<Settlement>,
) => readonly Settlement[];

/**
 * Lets each piece name settlements by the strongest key that it has for any: each level takes away the
 * pieces that it explains.
 */
export function claimByKeys(
  pieces: readonly Piece[],
  levels: readonly KeyLevel[],
  ids: PayoutIds,
  meaning: Meaning,
  claimedBefore: readonly Pick<Claim, 'settlements'>[] = [],
): readonly Claim[] {
  const claimed = new Set(claimedBefore.flatMap(({ settlements }) => settlements));
  const claims: Claim[] = [];
  let left = pieces;
  for (const level of levels) {
    const found = left.flatMap((piece) => claimOf(piece, level, ids, claimed, meaning));
    const valid = level.isExact ? found.filter((one) => isAlone(one, found, claimed)) : found;
    const taken = new Set(valid.map(({ piece }) => piece));
    left = left.filter((piece) => !taken.has(piece));
    for (const settlement of valid.flatMap(({ settlements }) => settlements)) {
      claimed.add(settlement);
    }
    claims.push(...valid);
  }
  return claims;
}

function claimOf(
  piece: Piece,
  level: KeyLevel,
  ids: PayoutIds,
  claimed: ReadonlySet<Settlement>,
  meaning: Meaning,
): readonly Claim[] {
  const meant = level.find(piece, ids).map((owners) => meaning(owners, piece, claimed));
  const settlements = [...new Set(meant.flat())];
  const isOneId = meant.every(({ length }) => length === 0 || length === settlements.length);
  return settlements.length === 0 ? [] : [{ piece, settlements, by: level.by, isOneId }];
}

/** Whether a claim by a weak key stands against no other, of this level or before. */
function isAlone(
  claim: Claim,
  claims: readonly Claim[],
  claimed: ReadonlySet<Settlement>,
): boolean {
  const [settlement] = claim.settlements;
  if (!settlement || claimed.has(settlement) || !isSameMoney(settlement, claim.piece)) return false;
  return claims.every((one) => one === claim || !one.settlements.includes(settlement));
}

/**
 * What booked money means: of those that share an id, the ones that nothing stronger was found for. Of one
 * settlement alone, a further entry is still its own: paid twice, returned, or with a fee apart.
 */
export const bookedMeaning: Meaning = (owners, { entry }, claimed) => {
  const due = dueFirst(owners.filter(({ currency }) => currency === entry.currency));
  const open = due.filter((one) => !claimed.has(one));
  return open.length > 0 || due.length > 1 ? open : due;
};

/** What announced money means: settlements that nothing booked was found for. */
export const announcedMeaning: Meaning = (owners, { entry }, claimed) =>
  dueFirst(owners.filter((one) => one.currency === entry.currency && !claimed.has(one)));

/** What money in another currency means: the one settlement that nothing else was found for. */
export const foreignMeaning: Meaning = (owners, _piece, claimed) => {
  const open = dueFirst(owners).filter((one) => !claimed.has(one));
  return open.length === 1 ? open : [];
};

/** The settlements that money is due for or, if there are none, all. */
function dueFirst(settlements: readonly Settlement[]): readonly Settlement[] {
  const due = settlements.filter(isDue);
  return due.length > 0 ? due : settlements;
}

/** Whether the service says that it has paid something. */
export function isDue(settlement: Settlement): boolean {
  return isPaid(settlement) && settlement.payIn !== 0n;
}

/** Whether the service says that a settlement is settled (doc 3.4). */
export function isPaid({ status }: Settlement): boolean {
  return ['balanced', 'out_of_balance'].includes(serviceSays(status));
}
