import type { ChargeRows } from '../../app/find-charge-rows.ts';
import type { FailedId } from '../../app/read-each.ts';
import { cut } from '../../base/texts.ts';
import { type Charge, type ChargeEvent, summaryAmounts } from '../../model/charge.ts';
import type { Money } from '../../money/money.ts';
import { chargeRule } from '../../reconcile/charges.ts';
import { answerBlock, column, facts, listed, remarks, section, uuid } from '../common/blocks.ts';
import { records } from '../common/columns.ts';
import { jsonViews } from '../common/json.ts';
import { digitsOf, moneyText, present } from '../common/phrase.ts';
import type { Names } from '../common/report.ts';
import type { Block, Section, Views } from '../common/view.ts';
import { chargeColumns } from './columns.ts';
import { jsonCharges } from './document.ts';
import {
  againstRows,
  againstRowsRemark,
  approvalText,
  chargeAnswer,
  chargeTone,
  summaryWords,
  yesOrNo,
} from './words.ts';

/** Everything that the report of `recon charge` is made of. */
export interface ChargeReport {
  /** Those that could be read, in the order in which they were asked for. */
  readonly charges: readonly Charge[];
  /** Charges that were asked for and could not be read, and why. */
  readonly failures: readonly FailedId[];
  /** Their rows in the settlements of a range; absent where nobody asked. */
  readonly settled: ChargeRows | undefined;
  /** Whether to show what is not meant for customers. */
  readonly verbose: boolean;
  readonly names: Names;
}

/** The report of `recon charge`. A record is a charge. */
export function chargeViews(report: ChargeReport): Views {
  return {
    view: () => report.charges.flatMap((charge) => chargeBlocks(charge, report)),
    records: () => records(chargeColumns(report), report.charges),
    ...jsonViews(() => jsonCharges(report)),
  };
}

/** What `recon charge` leaves open; nothing where it read everything that it looked for. */
export function chargeConclusion({ settled }: ChargeReport): readonly string[] {
  return present(
    settled?.complete === false &&
      'Some settlements of the range were not fully read, so rows of the charges may be missing.',
  );
}

/** A charge on a screen: its outcome, its amounts, its attempts. */
function chargeBlocks(
  charge: Charge,
  { charges, settled, verbose, names }: ChargeReport,
): readonly Block[] {
  const { status, payments, responses } = charge;
  const { outcome } = chargeRule(status);
  const attempts = section('Payment attempts', payments, [
    column(1, 'Instrument', 'text', ({ instrumentType }) => instrumentType || 'not stated'),
    column(1, 'Ledger', 'text', ({ ledgerType }) => ledgerType),
    column(2, 'Saved for later', 'text', ({ savedForLater }) => yesOrNo(savedForLater)),
    column(1, 'Your reference', 'text', ({ instrumentReference }) => instrumentReference),
    column(3, 'Instrument id', 'text', ({ instrumentId }) => instrumentId, uuid),
  ]);
  // Not to be shown to customers (doc 7.3).
  const answers = section('Processing responses (not for customers)', responses, [
    column(1, 'Processor', 'text', ({ pspId }) => pspId),
    column(1, 'Type', 'text', ({ type }) => type),
    column(1, 'Status', 'text', ({ statusCode }) => statusCode),
    column(2, 'Authorization', 'text', ({ authorizationId }) => authorizationId),
    column(1, 'Acquirer', 'text', ({ acquirerResponseCode }) => acquirerResponseCode),
    column(3, 'Network id', 'text', ({ networkUniqueId }) => networkUniqueId),
    column(1, 'Error', 'text', ({ error }) => error),
  ]);
  return [
    answerBlock(
      outcome.replace('_', ' ').toUpperCase(),
      chargeTone(charge),
      chargeAnswer(charge),
      charges.length > 1,
    ),
    about(charge, names),
    ...[amountsSection(charge), attempts].filter(({ rows }) => rows.length > 0),
    ...(settled ? rowBlocks(charge, settled) : []),
    ...(verbose && responses.length > 0 ? [answers] : []),
  ];
}

/** A label stands beside its value: a merchant's own key may be far longer than that. */
const longestKey = 200;

function about({ order, event, status, errorMessage }: Charge, names: Names) {
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
  const about = present(number !== undefined && `number ${number}`, source && `source ${source}`);
  const parts = about.length === 0 ? action : `${action} (${about.join(', ')})`;
  return status === '' ? parts : `${parts}, status ${status}`;
}

/** Every amount that the charge names; some out-of-balance values are none. */
function amountsSection({ summary, order: { currency } }: Charge): Section {
  const named = summaryAmounts.map((key) => ({ name: summaryWords(key), amount: summary[key] }));
  const lines: readonly { readonly name: string; readonly amount?: Money | undefined }[] = [
    ...named.filter(({ amount }) => amount !== undefined),
    ...summary.outOfBalance.map((amount) => ({ name: 'Out of balance', amount })),
    ...summary.outOfBalanceOther.map((text) => ({ name: `Out of balance: ${text}` })),
  ];
  const isForeign = lines.some(({ amount }) => amount && amount.currency !== currency);
  return section(currency === '' ? 'Amounts' : `Amounts in ${currency}`, lines, [
    column(1, '', 'text', ({ name }) => name),
    column(1, 'Amount', 'amount', ({ amount }) => digitsOf(amount)),
    column(1, 'Currency', 'text', ({ amount }) => (isForeign && amount?.currency) || ''),
  ]);
}

/** The charge's rows in the settlements of a range, and its settled amount compared with them. */
function rowBlocks(charge: Charge, settled: ChargeRows): readonly Block[] {
  const { complete, range } = settled;
  const { own, compared } = againstRows(charge, settled);
  const title = `Rows in settlements from ${range.from} to ${range.to}`;
  if (own.length === 0) {
    return listed(title, [`none found${complete ? '' : ', but not everything was read'}`]);
  }
  return [
    section(title, own, [
      column(1, 'Date', 'text', ({ settlement }) => settlement.date),
      column(1, 'Settlement', 'text', ({ settlement }) => settlement.id, uuid),
      column(5, 'Transaction', 'text', ({ row }) => row.transactionId, uuid),
      column(2, 'Type', 'text', ({ row }) => row.type),
      column(4, 'State', 'text', ({ row }) => row.state),
      column(1, 'Gross', 'amount', ({ row }) => digitsOf(row.amount)),
      column(3, 'Fees', 'amount', ({ row }) => digitsOf(row.fees)),
      column(3, 'Tax', 'amount', ({ row }) => digitsOf(row.tax)),
      column(2, 'Currency', 'text', ({ row }) => row.amount.currency),
    ]),
    ...remarks('Settled amount compared with these rows', [againstRowsRemark(compared, complete)]),
  ];
}
