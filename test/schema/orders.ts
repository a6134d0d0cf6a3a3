import { orderKeys, orderStates } from '../../src/match/orders/order-match.ts';
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
  day,
  filters,
  findings,
  ladderLine,
  range,
  ranges,
  report,
  settlementRef,
  sum as sums,
} from './parts.ts';

const state = named('orderState', oneOf(...orderStates));
const refundState = oneOf(
  ...['none', 'refunded', 'refunded_in_part', 'refund_in_transit', 'refund_missing'],
  ...['refund_unknown', 'charged_back'],
);

const match = named(
  'match',
  open({
    orderRef: text,
    orderDate: orNull(day),
    state,
    refundState: orNull(refundState),
    reason: orNull(
      oneOf(
        ...(['paid_before_range', 'only_refund', 'not_read', 'no_refund_date'] as const),
        ...(['row_left_out', 'surplus_refunded', 'lowered', 'refund_not_charged'] as const),
        ...(['net_of_chargeback', 'several_payments', 'other_methods'] as const),
        'not_listed_yet',
      ),
    ),
    matchedBy: orNull(oneOf(...orderKeys)),
    currency: text,
    decimalPlaces: count,
    ...amountsOf('expected', 'settled', 'refundedByShop', 'refunded', 'chargedBack', 'difference'),
    ageDays: orNull(count),
    chargeIds: texts,
    transactionIds: texts,
    ...account,
    chargeStatus: about('The status of its charge, with --charges', orNull(text)),
    orderPlace: about('File and line of each of its documents', texts),
    rowReferences: about('The references of rows without an order', texts),
    acceptance: orNull(oneOf('accepted', 'expired', 'changed')),
    settlements: listOf(settlementRef),
  }),
);

const sum = named('sum', object({ amount: text, minor: text, count }));
const step = object({ of: oneOf('orders', 'rows', 'foreign'), state, count, amount });

/** `recon orders`. */
export const orders = report(
  {
    range,
    profile: orNull(text),
    filters,
    verdict: oneOf('incomplete', 'not_reconciled', 'reconciled'),
    files: texts,
    fileDays: orNull(range),
    daysWithoutSales: ranges,
    methods: texts,
    note: about('The key of the note that has the reference', text),
    types: object({ purchases: texts, refunds: texts, chargebacks: texts }),
    timeZone: text,
    settleDays: count,
    orderTolerance: listOf(object({ currency: text, minorUnits: count })),
    completeness: object({
      complete: flag,
      settlements: count,
      transactions: count,
      orders: count,
      unreadableLines: count,
    }),
    leftOut: about(
      'Lines that `only` leaves out, and sheets of workbooks that are not read',
      object({ lines: count, unreadableLines: count, sums: listOf(sums), sheets: texts }),
    ),
    findings,
    notes: texts,
  },
  {
    ladders: [
      'ladder',
      open({
        currency: text,
        decimalPlaces: count,
        payableOrders: count,
        settledOrders: count,
        rows: object({
          range: sum,
          ofOrders: sum,
          withoutOrder: sum,
          ambiguous: sum,
          notCounted: sum,
        }),
        shop: about('What the shop expects, less what it gave back', amount),
        steps: listOf(step),
        settled: amount,
        pending: about('The rows of pending settlements', amount),
        gross: about('Of the other settlements, as their headers say it', amount),
        states: listOf(
          object({ state, of: oneOf('orders', 'rows'), count, due: amount, settled: amount }),
        ),
        months: about(
          'The orders by the month of their sale: how many are due, what is due, what is settled',
          listOf(object({ month: text, count, due: amount, settled: amount })),
        ),
        lines: about(
          'With a range, and if all was read: from what was sold in it to the gross, as in its close',
          listOf(ladderLine),
        ),
      }),
    ],
    orders: ['order', match],
    rowsWithoutOrder: ['rowWithoutOrder', match],
    unreadableLines: [
      'unreadableLine',
      open({ file: text, line: count, column: text, message: text }),
    ],
  },
);
