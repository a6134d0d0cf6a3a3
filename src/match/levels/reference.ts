import type { IdOwners } from '../id-owners.ts';
import type { Piece } from '../pieces.ts';
import type { KeyLevel } from './key-level.ts';

/** Shorter references are numbers that anybody may use. */
const shortest = 5;

/** A whole id in another field for references; EndToEndIds first, as each is of one payment. */
export const referenceLevels: readonly KeyLevel[] = [
  { by: 'reference', find: (piece, { endToEnd }) => inReferences(piece, endToEnd) },
  {
    by: 'reference',
    find: (piece, { paymentInformation }) => inReferences(piece, paymentInformation),
  },
];

function inReferences({ details }: Piece, ids: IdOwners) {
  const { endToEndIds, paymentInformationIds, references } = details;
  const fields = [...endToEndIds, ...paymentInformationIds, ...references];
  return ids.whole(fields.filter((field) => field.length >= shortest));
}
