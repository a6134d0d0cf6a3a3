import type { IdOwners } from '../id-owners.ts';
import type { Piece } from '../pieces.ts';
import type { KeyLevel } from './key-level.ts';

/** A whole id somewhere in the texts; EndToEndIds first, as each is of one payment. */
export const textLevels: readonly KeyLevel[] = [
  { by: 'text', find: (piece, { endToEnd }) => inTexts(piece, endToEnd) },
  { by: 'text', find: (piece, { paymentInformation }) => inTexts(piece, paymentInformation) },
];

/** PayoutIds stand in fields for references too with something before or behind them. */
function inTexts({ details }: Piece, ids: IdOwners) {
  const fields = [...details.references, ...details.endToEndIds].map((field) => [field]);
  return [details.texts, ...fields].flatMap((text) => ids.within(text));
}
