import type { KeyLevel } from './key-level.ts';

/** The whole PmtInfId in its field. It is the payer's, of a file of payments, and may stand for several. */
export const paymentInformationId: KeyLevel = {
  by: 'payment_information_id',
  find: ({ details }, { paymentInformation }) =>
    paymentInformation.whole(details.paymentInformationIds),
};
