import type { ChargeRow } from '../../app/find-charge-rows.ts';
import { cut } from '../../base/texts.ts';
import {
  type Charge,
  type ChargeEvent,
  type ChargePayment,
  type ProcessingResponse,
  summaryAmounts,
} from '../../model/charge.ts';
import type { Money } from '../../money/money.ts';
import { chargeRule } from '../../reconcile/charges.ts';
import { answerBlock, column, facts, listed, remarks, section, uuid } from '../common/blocks.ts';
import { records } from '../common/columns.ts';
import { jsonViews } from '../common/json.ts';
import { digitsOf, moneyText } from '../common/phrase.ts';
import type { Block, Section, View, Views } from '../common/view.ts';
import { chargeColumns } from './columns.ts';
import { jsonCharges } from './document.ts';
import { againstRows, type ChargeReport } from './report.ts';
import {
  againstRowsRemark,
  approvalText,
  chargeAnswer,
  notForCustomers,
  outcomeTones,
  outcomeWords,
  summaryWords,
  yesOrNo,
} from './words.ts';

/** The report of `recon charge`. A record is a charge. */
export function chargeViews(report: ChargeReport): Views {
  return {
    view: () => chargeView(report),
    records: () => records(chargeColumns(report), report.charges),
    ...jsonViews(() => jsonCharges(report)),
  };
}

/** The report for a screen, one charge after another: its outcome, its amounts, its attempts. */
function chargeView(report: ChargeReport): View {
  return report.charges.flatMap((charge) => chargeBlocks(charge, report));
}

function chargeBlocks(charge: Charge, { settled, verbose, names }: ChargeReport): readonly Block[] {
  const { outcome } = chargeRule(charge.status);
  return [
    answerBlock(outcomeWords[outcome].toUpperCase(), outcomeTones[outcome], chargeAnswer(charge)),
    about(charge, names),
    ...unlessEmpty(amountsSection(charge)),
    ...unlessEmpty(paymentsSection(charge.payments)),
    ...(settled ? rowBlocks(charge, settled) : []),
    ...(verbose ? unlessEmpty(responsesSection(charge.responses)) : []),
  ];
}

function unlessEmpty(section: Section): readonly Section[] {
  return section.rows.length === 0 ? [] : [section];
}

/** A label stands beside its value: a merchant's own key may be far longer than that. */
const longestKey = 200;

function about(charge: Charge, names: ChargeReport['names']): Block {
  const { order, event, status, errorMessage } = charge;
  const name = names.get(order.serviceId);
  return facts([
    ['Approved', approvalText(status)],
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
function eventText({ number, action, source, status }: ChargeEvent): string {
  if (action === '') return '';
  const about = [
    ...(number === undefined ? [] : [`number ${number}`]),
    ...(source === '' ? [] : [`source ${source}`]),
  ];
  const parts = about.length === 0 ? action : `${action} (${about.join(', ')})`;
  return status === '' ? parts : `${parts}, status ${status}`;
}

interface AmountLine {
  readonly name: string;
  /** Absent if the value is not an amount. */
  readonly amount?: Money;
}

function amountLines({ summary }: Charge): readonly AmountLine[] {
  const named = summaryAmounts.flatMap((key) => {
    const amount = summary[key];
    return amount ? [{ name: summaryWords(key), amount }] : [];
  });
  return [
    ...named,
    ...summary.outOfBalance.map((amount) => ({ name: 'Out of balance', amount })),
    ...summary.outOfBalanceOther.map((text) => ({ name: `Out of balance: ${text}` })),
  ];
}

/** Every amount that the charge names. */
function amountsSection(charge: Charge): Section {
  const { currency } = charge.order;
  const lines = amountLines(charge);
  const isForeign = lines.some(({ amount }) => amount && amount.currency !== currency);
  return section<AmountLine>(
    currency === '' ? 'Amounts' : `Amounts in ${currency}`,
    [
      column(1, '', 'text', ({ name }) => name),
      column(1, 'Amount', 'amount', ({ amount }) => digitsOf(amount)),
      column(1, 'Currency', 'text', ({ amount }) => (isForeign && amount?.currency) || ''),
    ],
    lines,
  );
}

function paymentsSection(payments: readonly ChargePayment[]): Section {
  return section<ChargePayment>(
    'Payment attempts',
    [
      column(1, 'Instrument', 'text', ({ instrumentType }) => instrumentType || 'not stated'),
      column(1, 'Ledger', 'text', ({ ledgerType }) => ledgerType),
      column(2, 'Saved for later', 'text', ({ savedForLater }) => yesOrNo(savedForLater)),
      column(1, 'Your reference', 'text', ({ instrumentReference }) => instrumentReference),
      column(3, 'Instrument id', 'text', ({ instrumentId }) => instrumentId, uuid),
    ],
    payments,
  );
}

/** The charge's rows in the settlements of a range, and its settled amount compared with them. */
function rowBlocks(
  charge: Charge,
  settled: NonNullable<ChargeReport['settled']>,
): readonly Block[] {
  const { complete, range } = settled;
  const { own, compared } = againstRows(charge, settled);
  const title = `Rows in settlements from ${range.from} to ${range.to}`;
  if (own.length === 0) {
    const doubt = complete ? '' : ', but not everything was read';
    return listed(title, [`none found${doubt}`]);
  }
  return [
    section<ChargeRow>(
      title,
      [
        column(1, 'Date', 'text', ({ settlement }) => settlement.date),
        column(1, 'Settlement', 'text', ({ settlement }) => settlement.id, uuid),
        column(5, 'Transaction', 'text', ({ row }) => row.transactionId, uuid),
        column(2, 'Type', 'text', ({ row }) => row.type),
        column(4, 'State', 'text', ({ row }) => row.state),
        column(1, 'Gross', 'amount', ({ row }) => digitsOf(row.amount)),
        column(3, 'Fees', 'amount', ({ row }) => digitsOf(row.fees)),
        column(3, 'Tax', 'amount', ({ row }) => digitsOf(row.tax)),
        column(2, 'Currency', 'text', ({ row }) => row.amount.currency),
      ],
      own,
    ),
    ...remarks('Settled amount compared with these rows', [againstRowsRemark(compared, complete)]),
  ];
}

function responsesSection(responses: readonly ProcessingResponse[]): Section {
  return section<ProcessingResponse>(
    `Processing responses (${notForCustomers})`,
    [
      column(1, 'Processor', 'text', ({ pspId }) => pspId),
      column(1, 'Type', 'text', ({ type }) => type),
      column(1, 'Status', 'text', ({ statusCode }) => statusCode),
      column(2, 'Authorization', 'text', ({ authorizationId }) => authorizationId),
      column(1, 'Acquirer', 'text', ({ acquirerResponseCode }) => acquirerResponseCode),
      column(3, 'Network id', 'text', ({ networkUniqueId }) => networkUniqueId),
      column(1, 'Error', 'text', ({ error }) => error),
    ],
    responses,
  );
}
