import type { PaymentDetails } from '../model/bank.ts';
import { isSameMoney } from './finding.ts';
import type { IdOwners, Owners } from './id-owners.ts';
import type { MatchKey } from './match.ts';
import type { Piece } from './pieces.ts';

/** The ids that the service hands out (doc 2.7). */
export interface PayoutIds {
  readonly endToEnd: IdOwners;
  readonly paymentInformation: IdOwners;
  readonly both: IdOwners;
}

/** One way to find settlements by their ids. */
export interface KeyLevel {
  readonly by: MatchKey;
  /** For each id that is found in what the bank says of a piece, the settlements that have it. */
  readonly find: (piece: Piece, ids: PayoutIds) => readonly Owners[];
  /** Set where the key is too weak for anything but a single piece of exactly the amount. */
  readonly isExact?: true;
}

/** The keys that prove a match, the strongest first; EndToEndIds first, as each is of one payment. */
export const keyLevels: readonly KeyLevel[] = [
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
  { by: 'text_start', isExact: true, find: atEnds },
];

/** Whether any level may find something: most entries name nothing, and are looked at once. */
export function mayName(details: PaymentDetails, { both }: PayoutIds): boolean {
  const { endToEndIds, paymentInformationIds, references, texts } = details;
  const fields = [...endToEndIds, ...paymentInformationIds, ...references];
  if (both.whole(fields).length > 0) return true;
  if (!both.mayBeginIn([...texts, ...fields].join(' '))) return false;
  return (
    both.within(texts).length > 0 ||
    fields.some((field) => both.within([field]).length > 0) ||
    [texts.join(' '), ...texts, ...fields].some((text) => both.startedAtEndOf(text))
  );
}

/** Shorter references are numbers that anybody may use. */
const shortestReference = 5;

/** A whole id in another field for references. */
function inReferences({ details }: Piece, ids: IdOwners): readonly Owners[] {
  const { endToEndIds, paymentInformationIds, references } = details;
  const fields = [...endToEndIds, ...paymentInformationIds, ...references];
  return ids.whole(fields.filter((field) => field.length >= shortestReference));
}

/** A whole id somewhere in the texts, or in a field for references with something before or behind it. */
function inTexts({ details }: Piece, ids: IdOwners): readonly Owners[] {
  const fields = [...details.references, ...details.endToEndIds].map((field) => [field]);
  return [details.texts, ...fields].flatMap((text) => ids.within(text));
}

/** A text or a reference that was cut, and ends with the beginning of one settlement's id. */
function atEnds(piece: Piece, { both }: PayoutIds): readonly Owners[] {
  const { texts, references, endToEndIds } = piece.details;
  const ends = [texts.join(' '), ...texts, ...references, ...endToEndIds];
  const owners = new Set(ends.map((text) => both.startedAtEndOf(text)));
  return [...owners].flatMap((one) => (one && isSameMoney(one, piece) ? [[one]] : []));
}
