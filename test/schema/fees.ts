import { feeCauses } from '../../src/reconcile/agreed/fee-causes.ts';
import {
  about,
  count,
  flag,
  listOf,
  named,
  object,
  oneOf,
  open,
  orNull,
  text,
  texts,
} from './form.ts';
import {
  account,
  amount,
  amountsOf,
  filters,
  findings,
  range,
  report,
  settlementRef,
  sum,
} from './parts.ts';

const figures = {
  currency: text,
  decimalPlaces: count,
  rows: count,
  withoutRate: count,
  overRows: count,
  underRows: count,
  ...amountsOf('volume', 'charged', 'agreed', 'over', 'under', 'unchecked'),
  ...amountsOf('taxCharged', 'taxAgreed', 'taxOver', 'taxUnder'),
};

/** `recon fees`. */
export const fees = report(
  {
    range,
    profile: orNull(text),
    filters,
    verdict: oneOf('incomplete', 'overcharged', 'not_checked', 'as_agreed'),
    timeZone: text,
    rates: texts,
    claims: about('What was charged too much, tax included', listOf(sum)),
    rowsWithoutRate: count,
    completeness: object({
      complete: flag,
      settlements: count,
      pending: count,
      incomplete: count,
      transactions: count,
      rowsOfUnknownTier: count,
    }),
    findings,
    notes: texts,
  },
  {
    lines: [
      'line',
      named('charged', open({ ...account, paymentType: text, transactionType: text, ...figures })),
    ],
    months: ['month', open({ month: text, ...figures })],
    causes: [
      'cause',
      open({
        rate: text,
        currency: text,
        rows: count,
        ...amountsOf('feeRate', 'fixedPart', 'rounding', 'kept', 'taxOnFees', 'tax'),
      }),
    ],
    feesWithoutRow: [
      'feesWithoutRow',
      open({ month: text, currency: text, charged: amount, agreed: amount }),
    ],
    differences: [
      'difference',
      open({
        transactionId: about('Empty for tax that is agreed per settlement', text),
        chargeId: text,
        orderId: text,
        timestamp: text,
        transactionType: text,
        paymentType: text,
        currency: text,
        decimalPlaces: count,
        amount,
        feeCharged: amount,
        feeAgreed: amount,
        feeDifference: amount,
        taxCharged: amount,
        ...amountsOf('taxAgreed'),
        taxDifference: amount,
        claim: amount,
        rate: text,
        agreedAs: about('How the agreed fee comes about', text),
        cause: orNull(oneOf(...feeCauses)),
        merchantId: text,
        settlement: settlementRef,
      }),
    ],
  },
);
