import type { Settlement } from '../model/settlement.ts';
import {
  announcedMeaning,
  bookedMeaning,
  type Claim,
  claimByKeys,
  foreignMeaning,
} from './claims.ts';
import type { Finding } from './finding.ts';
import { IdOwners } from './id-owners.ts';
import { joined, united } from './joined.ts';
import { judgeClaims, type UndoneBy } from './judge.ts';
import { keyLevels } from './levels/index.ts';
import type { Piece } from './pieces.ts';

/**
 * Finds settlements by what the bank says of pieces: first booked money in their own currency, then in
 * another one, then what is announced.
 */
export function findByKeys(
  settlements: readonly Settlement[],
  pieces: readonly Piece[],
  undoneBy: UndoneBy,
): readonly Finding[] {
  const ids = {
    endToEnd: new IdOwners(settlements, (one) => one.paymentEndToEndIds),
    paymentInformation: new IdOwners(settlements, (one) => one.paymentReferences),
    both: new IdOwners(settlements, (one) => [...one.paymentEndToEndIds, ...one.paymentReferences]),
  };
  const booked = pieces.filter(isBooked);
  const own = claimByKeys(booked, keyLevels, ids, bookedMeaning);
  const taken = new Set(own.map(({ piece }) => piece));
  const rest = booked.filter((piece) => !taken.has(piece));
  const certain = keyLevels.filter(({ isExact }) => !isExact);
  const foreign = claimByKeys(rest, certain, ids, foreignMeaning, settlementsOf(own));
  const found = together([...own, ...foreign]).flatMap((claims) => judgeClaims(claims, undoneBy));
  const announced = pieces.filter((piece) => !isBooked(piece));
  const coming = claimByKeys(announced, keyLevels, ids, announcedMeaning, settlementsOf(found));
  return [...found, ...together(coming).map(pendingOnBank)];
}

export function isBooked({ entry }: Piece): boolean {
  return entry.status === 'booked';
}

/** Claims of the same settlements. */
function together(claims: readonly Claim[]): readonly (readonly Claim[])[] {
  return joined(claims, ({ settlements }) => settlements);
}

function pendingOnBank(claims: readonly Claim[]): Finding {
  return {
    state: 'pending_on_bank',
    by: claims[0]?.by,
    settlements: settlementsOf(claims),
    pieces: claims.map(({ piece }) => piece),
  };
}

function settlementsOf(
  those: readonly { readonly settlements: readonly Settlement[] }[],
): readonly Settlement[] {
  return united(those.map(({ settlements }) => settlements));
}
