import { append } from '../base/lists.ts';
import type { Settlement } from '../model/settlement.ts';
import {
  type Claim,
  claimByKeys,
  foreignMeaning,
  type Meaning,
  ownMeaning,
  sharedMeaning,
} from './claims.ts';
import type { Finding } from './finding.ts';
import { IdOwners } from './id-owners.ts';
import { joined, united } from './joined.ts';
import { judgeClaims } from './judge.ts';
import { type KeyLevel, keyLevels, mayName, type PayoutIds } from './key-levels.ts';
import type { Piece } from './pieces.ts';

const certainLevels = keyLevels.filter(({ isExact }) => !isExact);

/** In which order booked money is explained: an id of one settlement says more than one that several share. */
const passes: readonly { readonly levels: readonly KeyLevel[]; readonly meaning: Meaning }[] = [
  { levels: keyLevels, meaning: ownMeaning },
  { levels: certainLevels, meaning: foreignMeaning },
  { levels: certainLevels, meaning: sharedMeaning },
];

/** Finds settlements by what the bank says of pieces: booked money first, then what is announced. */
export function findByKeys(
  settlements: readonly Settlement[],
  pieces: readonly Piece[],
  undoneBy: ReadonlyMap<Piece, Piece>,
): readonly Finding[] {
  const ids = idsOf(settlements);
  const named = pieces.filter(({ details }) => mayName(details, ids));
  const claims: Claim[] = [];
  let left = named.filter(isBooked);
  for (const { levels, meaning } of passes) {
    append(claims, claimByKeys(left, levels, ids, meaning, settlementsOf(claims)));
    const taken = new Set(claims.map(({ piece }) => piece));
    left = left.filter((piece) => !taken.has(piece));
  }
  const undone = claims.map((one) => ({ ...one, undoneBy: undoneBy.get(one.piece) }));
  const found = together(undone).flatMap(judgeClaims);
  const announced = named.filter((piece) => !isBooked(piece));
  const coming = claimByKeys(announced, keyLevels, ids, sharedMeaning, settlementsOf(found));
  return [...found, ...together(coming).map(pendingOnBank)];
}

function idsOf(settlements: readonly Settlement[]): PayoutIds {
  const endToEnd = (one: Settlement) => one.paymentEndToEndIds;
  const paymentInformation = (one: Settlement) => one.paymentReferences;
  return {
    endToEnd: new IdOwners(settlements, endToEnd),
    paymentInformation: new IdOwners(settlements, paymentInformation),
    both: new IdOwners(settlements, (one) => [...endToEnd(one), ...paymentInformation(one)]),
  };
}

/** Whether money has moved, and is not only announced. */
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
