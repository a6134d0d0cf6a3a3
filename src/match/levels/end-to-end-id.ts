import type { KeyLevel } from './key-level.ts';

/** The whole EndToEndId in its field: it travels with the payment to the payee. */
export const endToEndId: KeyLevel = {
  by: 'end_to_end_id',
  find: ({ details }, { endToEnd }) => endToEnd.whole(details.endToEndIds),
};
