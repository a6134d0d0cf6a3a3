import type { ChargeRows } from '../../app/find-charge-rows.ts';
import type { FailedId } from '../../app/read-settlements.ts';
import { faultOf } from '../../base/errors.ts';
import { keysOf, tableOf } from '../../base/lists.ts';
import { cut } from '../../base/texts.ts';
import { type Charge, chargeScale, summaryAmounts } from '../../model/charge.ts';
import type { Names } from '../../model/settlement.ts';
import { valueText } from '../../model/value.ts';
import type { Money } from '../../money/money.ts';
import {
  chargeRule,
  isApproved,
  remarksOnCharge,
  settledAgainstRows,
  wasCompleted,
} from '../../reconcile/charges.ts';
import {
  alarm,
  answerBlock,
  column,
  facts,
  listed,
  plain,
  remarks,
  section,
  sectionIfAny,
  unsure,
} from '../common/blocks.ts';
import { type Column, field, records } from '../common/columns.ts';
import {
  jsonAccount,
  jsonFacts,
  jsonRecord,
  jsonSettlementKey,
  jsonViews,
} from '../common/json.ts';
import {
  capitalised,
  grouped,
  many,
  moneyText,
  present,
  signedDigitsOf,
} from '../common/phrase.ts';
import type { Block, Remark, Views } from '../common/view.ts';

interface ChargeReport {
  /** The charges that could be read, in the order of the command. */
  readonly charges: readonly Charge[];
  readonly failures: readonly FailedId[];
  /** Their rows in the settlements of a range; absent unless requested. */
  readonly settled: ChargeRows | undefined;
  /** Whether to show what customers must not see. */
  readonly verbose: boolean;
  readonly names: Names;
}

/** The report of `recon charge`. A record is a charge. */
export function chargeReport(report: ChargeReport) {
  const views: Views = {
    view: () => report.charges.flatMap((charge) => chargeBlocks(charge, report)),
    records: () => records(chargeColumns(report), report.charges),
    ...jsonViews(() => jsonCharges(report)),
  };
  const isUnsure = report.settled?.complete === false;
  const conclusion = isUnsure
    ? 'Some settlements of the range were not fully read, so transactions of the charges may be missing.'
    : '';
  return { views, conclusion: present(conclusion) };
}

function chargeBlocks(charge: Charge, report: ChargeReport): readonly Block[] {
  const { charges, settled, verbose, names } = report;
  const { status, payments, responses } = charge;
  const label = chargeRule(status).outcome.replace('_', ' ').toUpperCase();
  const attempts = sectionIfAny('Payment attempts', payments, [
    column.text('Instrument', ({ instrumentType }) => instrumentType || 'not stated'),
    column.text('Ledger', ({ ledgerType }) => ledgerType),
    column.text('Saved for later', ({ savedForLater }) => yesOrNo(savedForLater), { priority: 2 }),
    column.text('Your reference', ({ instrumentReference }) => instrumentReference),
    column.id('Instrument id', ({ instrumentId }) => instrumentId, { priority: 3 }),
  ]);
  // Not to be shown to customers (doc 7.3).
  const answers = sectionIfAny('Processing responses (not for customers)', responses, [
    column.text('Processor', ({ psp_id }) => psp_id),
    column.text('Type', ({ type }) => type),
    column.text('Status', ({ status_code }) => status_code),
    column.text('Authorization', ({ authorization_id }) => authorization_id, { priority: 2 }),
    column.text('Acquirer', ({ acquirer_response_code }) => acquirer_response_code),
    column.text('Network id', ({ network_unique_id }) => network_unique_id, { priority: 3 }),
    column.text('Error', ({ psp_error }) => psp_error),
  ]);
  return [
    answerBlock(label, chargeTone(charge), chargeAnswer(charge), charges.length > 1),
    about(charge, names),
    ...amountsSection(charge),
    ...attempts,
    ...(settled ? rowBlocks(charge, settled) : []),
    ...(verbose ? answers : []),
  ];
}

/** The longest label beside a value: a merchant's own key may be longer. */
const longestKey = 200;

function about({ order, event, status, errorMessage }: Charge, names: Names) {
  const name = names.get(order.serviceId);
  // The rule is "no" for every status but `completed` (doc 3.3), which surprises readers.
  const earlier = wasCompleted(status)
    ? ': only "completed" counts as approved; the payment was completed earlier'
    : '';
  return facts([
    ['Approved', isApproved(status) ? 'yes' : `no${earlier}`],
    ['Error message', errorMessage],
    ['Order', order.id],
    ['Order amount', order.amount && moneyText(order.amount)],
    ['Order reference', order.reference],
    ...order.details.map(({ key, value }) => [cut(key, longestKey), value] as const),
    ['Account', name === undefined ? order.serviceId : `${name} (${order.serviceId})`],
    ['Last event', eventText(event)],
  ]);
}

/** `refund (number 5, source api), status refunded`. */
function eventText({ number, action, source, status }: Charge['event']): string {
  if (action === '') return '';
  const about = present(number !== undefined && `number ${number}`, source && `source ${source}`);
  const event = about.length === 0 ? action : `${action} (${about.join(', ')})`;
  return present(event, status && `status ${status}`).join(', ');
}

/** Every amount of the charge; some out-of-balance values are not amounts. */
function amountsSection({ summary, order: { currency } }: Charge) {
  const lines: readonly { readonly name: string; readonly amount?: Money }[] = [
    ...namedAmounts(summary).map(({ name, amount }) => {
      // `settled_amount` as `Settled`.
      const words = name.replace('_amount', '').replaceAll('_', ' ');
      return { name: capitalised(words), amount };
    }),
    ...summary.outOfBalance.map((amount) => ({ name: 'Out of balance', amount })),
    ...summary.outOfBalanceOther.map((text) => ({ name: `Out of balance: ${text}` })),
  ];
  const isForeign = lines.some(({ amount }) => amount && amount.currency !== currency);
  return sectionIfAny(currency === '' ? 'Amounts' : `Amounts in ${currency}`, lines, [
    column.text('', ({ name }) => name),
    column.amount('Amount', ({ amount }) => amount),
    column.text('Currency', ({ amount }) => (isForeign && amount?.currency) || ''),
  ]);
}

function namedAmounts(summary: Charge['summary']) {
  return keysOf(summaryAmounts).flatMap((key) => {
    const amount = summary[key];
    return amount ? [{ name: summaryAmounts[key], amount }] : [];
  });
}

function rowBlocks(charge: Charge, settled: ChargeRows): readonly Block[] {
  const { complete, range } = settled;
  const { own, compared } = againstRows(charge, settled);
  const title = `Transactions in settlements from ${range.from} to ${range.to}`;
  if (own.length === 0) {
    return listed(title, [`none found${complete ? '' : ', but not everything was read'}`]);
  }
  return [
    section(title, own, [
      column.text('Date', ({ settlement }) => settlement.date),
      column.id('Settlement', ({ settlement }) => settlement.id),
      column.id('Transaction', ({ row }) => row.transactionId, { priority: 5 }),
      column.text('Type', ({ row }) => row.type, { priority: 2 }),
      column.text('State', ({ row }) => row.state, { priority: 4 }),
      column.amount('Gross', ({ row }) => row.amount),
      column.amount('Fees', ({ row }) => row.fees, { priority: 3 }),
      column.amount('Tax', ({ row }) => row.tax, { priority: 3 }),
      column.text('Currency', ({ row }) => row.amount.currency, { priority: 2 }),
    ]),
    ...remarks('Settled amount compared with these transactions', [
      againstRowsRemark(compared, complete),
    ]),
  ];
}

/** A row a charge. Amounts are in the order's currency. New columns go to the end. */
function chargeColumns({ names, settled }: ChargeReport): readonly Column<Charge>[] {
  const ofPayments = (key: string, text: (one: Charge['payments'][number]) => string) =>
    field.list<Charge>(key, ({ payments }) => payments.map(text));
  const found = (charge: Charge) => settled && againstRows(charge, settled);
  return [
    field.text('charge_id', ({ id }) => id),
    field.text('status', ({ status }) => status),
    field.text('outcome', ({ status }) => chargeRule(status).outcome),
    field.text('approved', ({ status }) => yesOrNo(isApproved(status))),
    field.text('had_been_completed', ({ status }) => yesOrNo(wasCompleted(status))),
    field.text('handling', handlingText),
    field.text('order_id', ({ order }) => order.id),
    field.text('order_reference', ({ order }) => order.reference),
    ...field.account<Charge>(names, ({ order }) => order.serviceId),
    field.text('currency', ({ order }) => order.currency),
    field.integer('decimal_places', () => chargeScale),
    field.amount('order_amount', ({ order }) => order.amount),
    ...keysOf(summaryAmounts).map((key) =>
      field.amount<Charge>(summaryAmounts[key], ({ summary, order }) =>
        summary[key]?.currency === order.currency ? summary[key] : undefined,
      ),
    ),
    field.list('out_of_balance_amounts', ({ summary }) => [
      ...summary.outOfBalance.map(textOf),
      ...summary.outOfBalanceOther,
    ]),
    field.list('amounts_in_other_currencies', ({ summary, order }) =>
      namedAmounts(summary)
        .filter(({ amount }) => amount.currency !== order.currency)
        .map(({ name, amount }) => `${name} ${textOf(amount)}`),
    ),
    field.text('event_action', ({ event }) => event.action),
    field.integer('event_number', ({ event }) => event.number),
    field.text('event_source', ({ event }) => event.source),
    field.text('event_status', ({ event }) => event.status),
    field.text('error_message', ({ errorMessage }) => errorMessage),
    field.integer('attempts', ({ payments }) => payments.length),
    ofPayments('instrument_types', ({ instrumentType }) => instrumentType),
    ofPayments('ledger_types', ({ ledgerType }) => ledgerType),
    ofPayments('saved_for_later', ({ savedForLater }) => yesOrNo(savedForLater)),
    ofPayments('instrument_references', ({ instrumentReference }) => instrumentReference),
    field.list('merchant_details', ({ order }) =>
      order.details.map(({ key, value }) => `${key}: ${value}`),
    ),
    field.list('settlement_ids', (one) => found(one)?.own.map(({ settlement }) => settlement.id)),
    field.integer('settlement_rows', (one) => found(one)?.own.length),
    field.amount('settlement_rows_gross', (one) => found(one)?.compared.rows),
    field.amount('settlement_rows_difference', (one) => found(one)?.compared.difference),
    field.text('settlement_rows_say', (one) => found(one)?.compared.relation),
    field.list('remarks', remarksOnCharge),
  ];
}

const textOf = (money: Money): string => `${valueText(money)} ${money.currency}`;

/** The report in JSON. Others script against its keys. */
function jsonCharges(report: ChargeReport) {
  const { charges, failures, settled } = report;
  const failed = failures.map(({ id, error }) => ({ chargeId: id, error: faultOf(error) }));
  return {
    about: {
      completeness: {
        complete: failures.length === 0 && (settled?.complete ?? true),
        charges: charges.length,
        failures: failures.length,
      },
      ...(settled && { settlements: { range: settled.range, count: settled.settlements } }),
    },
    lists: {
      charges: ['charge', charges.map((charge) => jsonCharge(charge, report))],
      failures: ['failure', failed],
    },
  } as const;
}

/** A charge, with its rows if they were requested. */
function jsonCharge(charge: Charge, report: Pick<ChargeReport, 'names'> & Partial<ChargeReport>) {
  const { names, settled, verbose } = report;
  const { id, status, order, summary, event, errorMessage, payments, responses } = charge;
  const { outcome, handling } = chargeRule(status);
  return {
    chargeId: id,
    status,
    outcome,
    approved: isApproved(status),
    hadBeenCompleted: wasCompleted(status),
    handling: { rule: handling, message: handlingText(charge) },
    remarks: remarksOnCharge(charge).map((code) => ({ code })),
    order: {
      orderId: order.id,
      reference: order.reference,
      details: order.details,
      amount: order.amount,
    },
    ...jsonAccount(order.serviceId, names),
    summaryAmounts: {
      ...tableOf(keysOf(summaryAmounts), (key) => summary[key]),
      outOfBalance: summary.outOfBalance,
      outOfBalanceOther: summary.outOfBalanceOther,
    },
    event: { ...event, number: event.number },
    errorMessage: errorMessage || null,
    payments: payments.map((one) => ({ ...one, savedForLater: one.savedForLater })),
    ...(settled && { inSettlements: jsonRows(charge, settled, names) }),
    ...(verbose && { notForCustomers: { processingResponses: responses } }),
  };
}

function jsonRows(charge: Charge, settled: ChargeRows, names: Names) {
  const { own, compared } = againstRows(charge, settled);
  return {
    complete: settled.complete,
    relation: compared.relation,
    settled: compared.settled,
    gross: compared.rows,
    difference: compared.difference,
    rowsInOtherCurrency: compared.inOtherCurrency,
    rows: own.map(({ settlement, row }) =>
      jsonFacts({ listedIn: jsonSettlementKey(settlement, names), ...row }, row.amount.scale),
    ),
  };
}

/** A charge in a sentence or two, and in JSON with its outcome as the verdict. */
export function describeCharge(charge: Charge, names: Names) {
  const verdict = chargeRule(charge.status).outcome;
  const json = { verdict, charge: jsonRecord(jsonCharge(charge, { names })) };
  return { text: chargeAnswer(charge), tone: chargeTone(charge), json };
}

const outcomeTones = {
  in_progress: 'unsure',
  success: 'good',
  failure: 'bad',
  refunded: 'plain',
} as const;

/** A charge whose figures contradict its status cannot be relied on. */
function chargeTone(charge: Charge) {
  const isOdd = remarksOnCharge(charge).length > 0;
  return isOdd ? 'unsure' : outcomeTones[chargeRule(charge.status).outcome];
}

/** What the merchant has to do (doc 3.1). */
const handlingWords = {
  hold: 'Hold the order.',
  hold_until_timeout: 'Hold the order; release it when your own payment timeout elapses.',
  fulfil: 'Fulfil the order.',
  settled: 'The funds are settled, about two days after completion.',
  release: 'Release the order. The customer is not charged.',
  refunded: 'The payment was completed, settled, then refunded.',
  as_pending: 'Unknown status: treat it as a pending payment.',
};

/** What to do if the figures of a charge contradict its status. */
const remarkWords = {
  partial_refund:
    "Partly refunded, by its amounts; the service's document describes full refunds only. Ask the service.",
  completed_but_not_approved:
    'The payment failed, but an amount is completed: the customer may have been charged. Ask the service before releasing the order.',
  refund_event: 'The last event is a refund: ask the service before fulfilling the order.',
  disputed: 'An amount of it is disputed, so the funds may be taken back. Ask the service.',
};

function handlingText(charge: Charge): string {
  const [remark] = remarksOnCharge(charge);
  return remark ? remarkWords[remark] : handlingWords[chargeRule(charge.status).handling];
}

/** The outcome of a charge and what to do, in a sentence or two. */
function chargeAnswer(charge: Charge): string {
  const { id, status } = charge;
  const is = status === '' ? 'has no status' : `is ${status}`;
  const approved = isApproved(status) ? ': the payment is approved' : '';
  return `Charge ${id} ${is}${approved}. ${handlingText(charge)}`;
}

const relationWords = {
  equal: 'the settled amount equals the gross of its transactions',
  equal_after_fees: 'the settled amount equals its transactions after fees and tax',
  equal_before_refunds: 'the settled amount equals its transactions before refunds',
  equal_after_refunds: 'the settled amount equals its transactions after refunds',
  equal_before_dispute: 'the settled amount equals its transactions before the dispute',
  refund: 'its transactions agree with the refund',
  not_settled: 'the charge shows no settled amount yet, but it has transactions',
  unknown: 'nothing to compare',
  differs: 'the settled amount differs from its transactions',
};

/** How a charge compares with its rows. If not everything was read, a difference proves nothing. */
function againstRowsRemark(
  { relation, settled, rows, difference, inOtherCurrency }: ReturnType<typeof settledAgainstRows>,
  complete: boolean,
): Remark {
  const amounts =
    settled && difference
      ? `: settled ${moneyText(settled)}, transactions ${moneyText(rows)} ` +
        `(difference ${grouped(signedDigitsOf(difference))})`
      : '';
  const others =
    inOtherCurrency > 0
      ? `; ${many(inOtherCurrency, 'transaction')} in another currency not included`
      : '';
  const text = `${relationWords[relation]}${amounts}${others}`;
  if (!complete) return unsure(`${text}; not everything was read`);
  return relation === 'differs' ? alarm(text) : plain(text, '=');
}

function againstRows(charge: Charge, { rows }: ChargeRows) {
  const own = rows.get(charge.id.toLowerCase()) ?? [];
  const amounts = own.map(({ row }) => row);
  return { own, compared: settledAgainstRows(charge, amounts) };
}

function yesOrNo(flag: boolean | undefined): string {
  if (flag === undefined) return '';
  return flag ? 'yes' : 'no';
}
