import { keysOf } from '../../src/base/lists.ts';
import { findingWords, foundColumns } from '../../src/report/audit/view.ts';
import { fieldsOf } from './columns.ts';
import {
  count,
  listOf,
  matching,
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
  byVerdict,
  day,
  measureAmounts,
  netAndAbsolute,
  rate,
  report,
  settlementId,
  verdict,
} from './parts.ts';

const inFinding = ['finding', 'weight', 'settlement_id'];
const code = named('code', oneOf(...keysOf(findingWords)));
const row = object({
  settlement: orNull(settlementId),
  ...fieldsOf(foundColumns(new Map()).filter(({ key }) => !inFinding.includes(key))),
});

/** `recon audit`. */
export const audit = report(
  {
    verdict,
    folders: texts,
    settings: object({
      today: day,
      pendingDays: count,
      silentDays: count,
      refundTypes: texts,
      purchaseTypes: texts,
    }),
    profiles: listOf(
      object({
        profile: text,
        firstDay: text,
        lastDay: text,
        days: count,
        settlements: byVerdict,
        transactions: count,
      }),
    ),
    notChecked: listOf(code),
  },
  {
    findings: [
      'finding',
      open({
        code,
        weight: oneOf('discrepancy', 'incomplete', 'notice'),
        count,
        message: text,
        rows: listOf(row),
      }),
    ],
    totals: [
      'total',
      open({
        profile: text,
        ...account,
        currency: text,
        decimalPlaces: count,
        settlements: byVerdict,
        transactions: count,
        reported: measureAmounts,
        computed: measureAmounts,
        difference: measureAmounts,
        outOfBalance: orNull(netAndAbsolute),
        pendingPayIn: amount,
      }),
    ],
    feeRates: [
      'feeRate',
      open({
        profile: text,
        month: matching('^\\d{4}-\\d{2}$'),
        paymentType: text,
        currency: text,
        decimalPlaces: count,
        transactions: count,
        ...amountsOf('gross', 'fees'),
        feesPercent: rate,
      }),
    ],
  },
);
