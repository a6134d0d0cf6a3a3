import { append, groupedBy } from '../base/lists.ts';
import type { Settlement } from '../model/settlement.ts';
import { serviceSays } from '../reconcile/verdict.ts';
import { isSameMoney } from './finding.ts';
import type { Owners } from './id-owners.ts';
import { united } from './joined.ts';
import type { KeyLevel, PayoutIds } from './key-levels.ts';
import type { MatchKey } from './match.ts';
import type { Piece } from './pieces.ts';

/** A piece, and the settlements that it names. */
export interface Claim {
  readonly piece: Piece;
  readonly settlements: readonly Settlement[];
  readonly by: MatchKey;
  /** Whether it names them by one id that they share. */
  readonly isOneId: boolean;
  /** What undoes the piece. */
  readonly undoneBy?: Piece | undefined;
}

/** Which owners of an id money in a currency means, by what is claimed so far. */
export type Meaning = (
  owners: Owners,
  currency: string,
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
  claimedBefore: readonly Settlement[] = [],
): readonly Claim[] {
  const claimed = new Set(claimedBefore);
  const claims: Claim[] = [];
  let left = pieces;
  for (const level of levels) {
    const meant = remembered((owners, currency) => meaning(owners, currency, claimed));
    const found = left.flatMap((piece) => claimOf(piece, level, ids, meant));
    const valid = level.isExact ? exactOnly(found, claimed) : found;
    const taken = new Set(valid.map(({ piece }) => piece));
    left = left.filter((piece) => !taken.has(piece));
    for (const settlement of united(valid.map(({ settlements }) => settlements))) {
      claimed.add(settlement);
    }
    append(claims, valid);
  }
  return claims;
}

type Meant = (owners: Owners, currency: string) => readonly Settlement[];

function claimOf(piece: Piece, level: KeyLevel, ids: PayoutIds, meant: Meant): readonly Claim[] {
  const found = level.find(piece, ids).map((owners) => meant(owners, piece.entry.currency));
  const lists = found.filter(({ length }) => length > 0);
  const [first = []] = lists;
  const settlements = lists.length === 1 ? first : united(lists);
  const isOneId = lists.every(({ length }) => length === settlements.length);
  return settlements.length === 0 ? [] : [{ piece, settlements, by: level.by, isOneId }];
}

/** Thousands of pieces may bear an id that thousands of settlements share: it is looked at once. */
function remembered(meant: Meant): Meant {
  const known = new Map<Owners, Map<string, readonly Settlement[]>>();
  return (owners, currency) => {
    const byCurrency = known.get(owners) ?? new Map<string, readonly Settlement[]>();
    const settlements = byCurrency.get(currency) ?? meant(owners, currency);
    known.set(owners, byCurrency.set(currency, settlements));
    return settlements;
  };
}

/** The claims that stand against no other, of this level or before. */
function exactOnly(claims: readonly Claim[], claimed: ReadonlySet<Settlement>): readonly Claim[] {
  const rivals = groupedBy(claims, ({ settlements }) => settlements[0]);
  return claims.filter(({ piece, settlements: [one, ...others] }) => {
    const isOnly = others.length === 0 && rivals.get(one)?.length === 1;
    return one && isOnly && !claimed.has(one) && isSameMoney(one, piece);
  });
}

/**
 * Money with an id of one settlement means that one, a further entry too: it was paid twice, returned, or
 * charged apart.
 */
export const ownMeaning: Meaning = (owners, currency) => {
  const due = dueIn(owners, currency);
  return due.length === 1 ? due : [];
};

/** Money with an id that several share means those for which no id of their own was found. */
export const sharedMeaning: Meaning = (owners, currency, claimed) =>
  dueIn(owners, currency).filter((one) => !claimed.has(one));

/** Money in another currency means the one settlement that has its id, unless that is found already. */
export const foreignMeaning: Meaning = (owners, _currency, claimed) => {
  const due = dueFirst(owners);
  return due.length === 1 ? due.filter((one) => !claimed.has(one)) : [];
};

function dueIn(owners: Owners, currency: string): readonly Settlement[] {
  return dueFirst(owners.filter((one) => one.currency === currency));
}

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
