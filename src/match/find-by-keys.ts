import { append, groupedBy } from '../base/lists.ts';
import { type PaymentDetails, saidOf } from '../model/bank.ts';
import type { Settlement } from '../model/settlement.ts';
import type { AcceptedDifferences } from '../reconcile/acceptance.ts';
import { confirmedClaims } from './confirmed.ts';
import { type Claim, type Finding, isBooked, isSameMoney, type Piece } from './finding.ts';
import { IdOwners, type Owners, payoutIdsOf } from './id-owners.ts';
import { joined, united } from './joined.ts';
import { judgeClaims } from './judge.ts';
import { isDue, type MatchKey } from './match.ts';
import { type Together, widened } from './settled-with.ts';

/** Whether money may have come for a pay-out: not too early, nor from others. */
type MayBe = (settlement: Settlement, piece: Piece) => boolean;

/** The ids that the service hands out (doc 2.7). */
interface PayoutIds {
  readonly endToEnd: IdOwners;
  /** The ids of the settlements themselves. */
  readonly settlement: IdOwners;
  readonly paymentInformation: IdOwners;
  readonly all: IdOwners;
  readonly mayBe: MayBe;
}

interface KeyLevel {
  readonly by: MatchKey;
  /** For each id that is found in what the bank says of a piece, the settlements that have it. */
  readonly find: (piece: Piece, ids: PayoutIds) => readonly Owners[];
  /** Set if the key is so weak that only a single piece of exactly the amount counts. */
  readonly isExact?: true;
}

/** The keys that prove a match, the strongest first; EndToEndIds first, as each is of one payment. */
const keyLevels: readonly KeyLevel[] = [
  // It travels with the payment to the payee.
  { by: 'end_to_end_id', find: ({ details }, ids) => ids.endToEnd.whole(details.endToEndIds) },
  // It is the payer's, of a file of payments, and may stand for several.
  {
    by: 'payment_information_id',
    find: ({ details }, ids) => ids.paymentInformation.whole(details.paymentInformationIds),
  },
  { by: 'reference', find: (piece, { endToEnd }) => inReferences(piece, endToEnd) },
  { by: 'reference', find: (piece, ids) => inReferences(piece, ids.paymentInformation) },
  { by: 'text', find: (piece, { endToEnd }) => inTexts(piece, endToEnd) },
  { by: 'text', find: (piece, { paymentInformation }) => inTexts(piece, paymentInformation) },
  // No id of a payment: fees and corrections may name it too.
  { by: 'text', isExact: true, find: (piece, { settlement }) => inTexts(piece, settlement) },
  { by: 'text_start', isExact: true, find: begun },
];

/** Whether any level may find something: most entries name nothing, and are looked at once. */
function mayName(details: PaymentDetails, { all }: PayoutIds): boolean {
  const { endToEndIds, paymentInformationIds, references } = details;
  if (all.whole([...endToEndIds, ...paymentInformationIds, ...references]).length > 0) return true;
  const said = saidOf(details);
  if (!all.mayBeginIn(said.join(' '))) return false;
  return said.some((text) => all.isNamedIn(text));
}

/** Shorter references are numbers that anybody may use. */
const shortestReference = 5;

/** A whole id in another field for references. */
function inReferences({ details }: Piece, ids: IdOwners): readonly Owners[] {
  const { endToEndIds, paymentInformationIds, references } = details;
  const fields = [...endToEndIds, ...paymentInformationIds, ...references];
  return ids.whole(fields.filter((field) => field.length >= shortestReference));
}

/** A whole id somewhere in a text or a name, or in a field for references with something before or behind it. */
function inTexts({ details }: Piece, ids: IdOwners): readonly Owners[] {
  return saidOf(details).flatMap((text) => ids.within(text));
}

/** The beginning of an id of one settlement, where the bank cut it. */
function begun(piece: Piece, { all, mayBe }: PayoutIds): readonly Owners[] {
  const owners = united(saidOf(piece.details).map((text) => all.begunIn(text)));
  return owners.flatMap((one) => (isSameMoney(one, piece) && mayBe(one, piece) ? [[one]] : []));
}

/** Finds settlements by what the bank, or else a person, says of pieces: booked money first, then what is announced. */
export function findByKeys(
  settlements: readonly Settlement[],
  pieces: readonly Piece[],
  undoneBy: ReadonlyMap<Piece, Piece>,
  mayBe: MayBe,
  decided: Together,
  accepted?: AcceptedDifferences | undefined,
): readonly Finding[] {
  const ids = payoutIds(settlements, mayBe);
  const named = pieces.filter(({ details }) => mayName(details, ids));
  const claims: Claim[] = [];
  let left = named.filter(isBooked);
  for (const { levels, meaning } of passes) {
    append(claims, claimByKeys(left, levels, ids, meaning, settlementsOf(claims)));
    const taken = new Set(claims.map(({ piece }) => piece));
    left = left.filter((piece) => !taken.has(piece));
  }
  append(claims, confirmedClaims(settlements, pieces, accepted, claims));
  const undone = claims.map((one) => {
    return widened({ ...one, undoneBy: undoneBy.get(one.piece) }, decided);
  });
  const found = together(undone).flatMap(judgeClaims);
  const announced = named.filter((piece) => !isBooked(piece));
  const coming = claimByKeys(announced, keyLevels, ids, sharedMeaning, settlementsOf(found)).map(
    (one) => widened(one, decided),
  );
  return [...found, ...together(coming).map(pendingOnBank)];
}

function payoutIds(settlements: readonly Settlement[], mayBe: MayBe): PayoutIds {
  return {
    endToEnd: new IdOwners(settlements, (one) => one.paymentEndToEndIds),
    settlement: new IdOwners(settlements, ({ id }) => [id]),
    paymentInformation: new IdOwners(settlements, (one) => one.paymentReferences),
    all: new IdOwners(settlements, payoutIdsOf),
    mayBe,
  };
}

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

/** Which owners of an id money in a currency means, by what is claimed so far. */
type Meaning = (
  owners: Owners,
  currency: string,
  claimed: ReadonlySet<Settlement>,
) => readonly Settlement[];

/** Lets each piece name settlements by the strongest key that it has for any. */
function claimByKeys(
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
    const resolve = cached((owners, currency) => meaning(owners, currency, claimed));
    const found = left.flatMap((piece) => claimOf(piece, level, ids, resolve));
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

type ResolveKey = (owners: Owners, currency: string) => readonly Settlement[];

function claimOf(
  piece: Piece,
  level: KeyLevel,
  ids: PayoutIds,
  resolve: ResolveKey,
): readonly Claim[] {
  const found = level.find(piece, ids).map((owners) => resolve(owners, piece.entry.currency));
  const lists = found.filter(({ length }) => length > 0);
  const [first = []] = lists;
  const settlements = lists.length === 1 ? first : united(lists);
  const isOneId = lists.every(({ length }) => length === settlements.length);
  return settlements.length === 0 ? [] : [{ piece, settlements, by: level.by, isOneId }];
}

/** Cached, because thousands of pieces may have an id that thousands of settlements share. */
function cached(resolve: ResolveKey): ResolveKey {
  const known = new Map<Owners, Map<string, readonly Settlement[]>>();
  return (owners, currency) => {
    const byCurrency = known.get(owners) ?? new Map<string, readonly Settlement[]>();
    const settlements = byCurrency.get(currency) ?? resolve(owners, currency);
    known.set(owners, byCurrency.set(currency, settlements));
    return settlements;
  };
}

/** The claims without a rival, at this level or earlier. */
function exactOnly(claims: readonly Claim[], claimed: ReadonlySet<Settlement>): readonly Claim[] {
  const rivals = groupedBy(claims, ({ settlements }) => settlements[0]);
  return claims.filter(({ piece, settlements: [one, ...others] }) => {
    const isOnly = others.length === 0 && rivals.get(one)?.length === 1;
    return one && isOnly && !claimed.has(one) && isSameMoney(one, piece);
  });
}

/** Money with an id of one settlement belongs to it, also a further entry: paid twice, returned, or charged separately. */
const ownMeaning: Meaning = (owners, currency) => {
  const due = dueIn(owners, currency);
  return due.length === 1 ? due : [];
};

/** Money with an id that several share means those for which no id of their own was found. */
const sharedMeaning: Meaning = (owners, currency, claimed) =>
  dueIn(owners, currency).filter((one) => !claimed.has(one));

/** Money in another currency means the one settlement that has its id, unless that is found already. */
const foreignMeaning: Meaning = (owners, _currency, claimed) => {
  const due = dueFirst(owners);
  return due.length === 1 ? due.filter((one) => !claimed.has(one)) : [];
};

const certainLevels = keyLevels.filter(({ isExact }) => !isExact);

/** In which order booked money is explained: an id of one settlement says more than one that several share. */
const passes: readonly { readonly levels: readonly KeyLevel[]; readonly meaning: Meaning }[] = [
  { levels: keyLevels, meaning: ownMeaning },
  { levels: certainLevels, meaning: foreignMeaning },
  { levels: certainLevels, meaning: sharedMeaning },
];

function dueIn(owners: Owners, currency: string): readonly Settlement[] {
  return dueFirst(owners.filter((one) => one.currency === currency));
}

/** The settlements that money is due for or, if there are none, all. */
function dueFirst(settlements: readonly Settlement[]): readonly Settlement[] {
  const due = settlements.filter(isDue);
  return due.length > 0 ? due : settlements;
}
