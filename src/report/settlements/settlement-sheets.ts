import { bankDatesOf, needsDecision, placeOf } from '../../app/bank-check.ts';
import { inOrderOf } from '../../base/texts.ts';
import type { Row } from '../../model/row.ts';
import { isAccepted } from '../../reconcile/acceptance.ts';
import type { Figures } from '../../reconcile/computed.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { isInSums } from '../../reconcile/verdict.ts';
import { isOverdue } from '../../reconcile/when-reported.ts';
import { matchReasonWords } from '../bank/words.ts';
import { acceptanceSentence } from '../common/acceptance.ts';
import { amountOf, type Value } from '../common/columns.ts';
import { whyNotWhole } from '../common/partial-words.ts';
import { capitalised, present } from '../common/phrase.ts';
import { accountName } from '../common/report.ts';
import { effectTexts } from '../common/rule-words.ts';
import type { TableSheet, Tone } from '../common/view.ts';
import {
  doubtsOf,
  entrySentence,
  opinionWords,
  verdicts,
  verdictTones,
  verdictWords,
} from '../common/words.ts';
import { type TableColumn, tableSheet } from '../common/workbook.ts';
import {
  type FigureSide,
  figureSides,
  figureTitle,
  partsOfPayIn,
  type Told,
} from './accounts-sheet.ts';
import { bankFigure, bankText } from './on-bank.ts';
import { byDifference } from './sections.ts';

const tones: Readonly<Record<string, Tone>> = {
  ...Object.fromEntries(verdicts.map((one) => [verdictWords[one], verdictTones[one]])),
  overdue: 'unsure',
  bank: 'bad',
};

/** All settlements that are shown, with all that is known of each. */
export function settlementsSheet(all: readonly Told[]): TableSheet {
  return tableSheet('Settlements', all, [
    ...identity(all),
    { title: 'Verdict', cell: ({ one }) => verdictWords[one.verdict], tones },
    text('In totals', ({ one }) => (isInSums(one.verdict) ? 'yes' : 'no')),
    ...printedFigures,
    ...onScreen([
      ...otherFigures,
      text('The service says', ({ one }) => opinionWords[one.serviceSays]),
      text('Status', ({ one }) => one.settlement.status),
      text('The checks say', ({ one }) => opinionWords[one.sumsSay]),
      text('Findings', ({ one }) => entriesOf(one).map(({ code }) => code)),
      ...reasons(all),
      text('Payment references', ({ one }) => one.settlement.paymentReferences),
      text('End-to-end ids', ({ one }) => one.settlement.paymentEndToEndIds),
      text('Accounting token', ({ one }) => one.settlement.accountingToken),
      text('Merchant id', ({ one }) => one.settlement.merchantId),
      text('Payment service', ({ one }) => one.settlement.paymentService),
      text('Timestamp', ({ one }) => one.settlement.timestamp),
      ...onBankOf(all, [...bankTexts, ...bankAmounts]),
    ]),
  ]);
}

/** Settlements that need a look, the largest difference first, each with its amounts, causes and rows. */
export function exceptionsSheet(all: readonly Told[], places?: Places): TableSheet {
  const exceptions = all.filter(
    ({ one, report }) => isException(one) || needsDecision(report.bank, one),
  );
  const sorted = [...exceptions].sort((a, b) => byDifference(a.one, b.one));
  return tableSheet('Exceptions', sorted, [
    ...identity(all),
    { title: 'Exception', cell: exceptionWord, tones },
    ...[text('Findings', findingsText), ...reasons(exceptions)].map((column) => ({
      ...column,
      isProse: true,
    })),
    figure('payIn', 'reported'),
    figure('payIn', 'difference'),
    ...onBankOf(all, bankAmounts),
    ...onScreen([
      ...onBankOf(all, bankTexts),
      figure('payIn', 'computed'),
      ...partsOfPayIn.map((measure) => figure(measure, 'difference')),
      ...otherFigures,
      ...(places ? [text('Rows on Transactions', ({ one }) => places.get(one) ?? 'none')] : []),
    ]),
  ]);
}

/** The rows of the sheet on which the transactions of a settlement stand: `2 to 40`. */
type Places = ReadonlyMap<ReconciledSettlement, string>;

/** The transactions of all settlements that are shown, and where those of each stand. */
export function transactionsSheet(all: readonly Told[]) {
  const places = new Map<ReconciledSettlement, string>();
  const transactions: Listed[] = [];
  for (const told of all) {
    // The titles are in row 1.
    const first = transactions.length + 2;
    const rows = [...(told.report.rows?.get(told.one.settlement.id) ?? [])].sort(
      inOrderOf((row) => [row.timestamp, row.id]),
    );
    const last = first + rows.length - 1;
    if (last >= first) places.set(told.one, last === first ? `${first}` : `${first} to ${last}`);
    for (const row of rows) transactions.push({ ...told, row });
  }
  const sheet = tableSheet<Listed>('Transactions', transactions, [
    ...identity(all),
    { title: 'Timestamp', cell: ({ row }) => row.timestamp },
    { title: 'Transaction', cell: ({ row }) => row.id },
    { title: 'Type', cell: ({ row }) => row.type },
    { title: 'Payment type', cell: ({ row }) => row.paymentType },
    { title: 'State', cell: ({ row }) => row.state },
    { title: 'Row currency', cell: ({ row }) => row.currency },
    { title: 'Amount', cell: ({ row }) => amountOf(row.amount, row.scale) },
    { title: 'Fees', cell: ({ row }) => amountOf(row.fees, row.scale) },
    { title: 'Tax', cell: ({ row }) => amountOf(row.tax, row.scale) },
    { title: 'Order', cell: ({ row }) => row.orderId, isUnprinted: true },
    { title: 'Charge', cell: ({ row }) => row.chargeId, isUnprinted: true },
  ]);
  return { places, sheet };
}

interface Listed extends Told {
  readonly row: Row;
}

function text(title: string, cell: (told: Told) => Value): TableColumn<Told> {
  return { title, cell };
}

function onScreen(columns: readonly TableColumn<Told>[]): readonly TableColumn<Told>[] {
  return columns.map((column) => ({ ...column, isUnprinted: true }));
}

function identity(all: readonly Told[]): readonly TableColumn<Told>[] {
  const several = all.some(({ profile }) => profile !== undefined);
  return [
    ...(several ? [{ ...text('Profile', ({ profile = '' }) => profile), isKey: true }] : []),
    { title: 'Date', kind: 'day', cell: ({ one }) => one.settlement.date, isKey: true },
    { ...text('Settlement', ({ one }) => one.settlement.id), isKey: true },
    text('Account', ({ one: { settlement }, report: { names } }) =>
      accountName(names, settlement.accountingToken),
    ),
    text('Currency', ({ one }) => one.settlement.currency),
  ];
}

const bankTexts: readonly TableColumn<Told>[] = [
  text('Bank', ({ report, one }) => bankText(report.bank, one)),
  {
    title: 'Bank date',
    kind: 'day',
    cell: ({ report, one }) => bankDatesOf(placeOf(report.bank, one)?.match),
  },
];

const bankAmounts: readonly TableColumn<Told>[] = [
  {
    title: 'Bank received',
    kind: 'amount',
    cell: ({ report, one }) => bankFigure(report.bank, one, 'received'),
  },
  {
    title: 'Bank difference',
    kind: 'difference',
    cell: ({ report, one }) => bankFigure(report.bank, one, 'difference'),
  },
];

/** These columns, where bank statements were read. */
function onBankOf(all: readonly Told[], columns: readonly TableColumn<Told>[]) {
  return all.some(({ report }) => report.bank) ? columns : [];
}

function figure(measure: keyof Figures, side: FigureSide): TableColumn<Told> {
  return {
    title: figureTitle(measure, side),
    kind: side === 'difference' ? side : 'amount',
    cell: ({ one }) =>
      measure === 'transactions'
        ? one[side]?.transactions
        : amountOf(one[side]?.[measure], one.scale),
  };
}

const printedFigures = [
  ...figureSides.map((side) => figure('payIn', side)),
  ...partsOfPayIn.map((measure) => figure(measure, 'difference')),
];

const otherFigures = [
  ...partsOfPayIn.flatMap((measure) => [figure(measure, 'reported'), figure(measure, 'computed')]),
  ...figureSides.map((side) => figure('transactions', side)),
];

function reasons(all: readonly Told[]): readonly TableColumn<Told>[] {
  const isAnyAccepted = all.some(({ one }) => one.acceptance);
  const accepted = ({ one }: Told) => acceptanceSentence(one);
  return [
    { title: 'Cause', cell: causeText },
    ...(isAnyAccepted ? [{ title: 'Accepted', cell: accepted }] : []),
  ];
}

function causeText({ one, report }: Told): string {
  return present(
    whyNotWhole(one),
    report.explanations?.get(one.settlement.id),
    ...doubtsOf(one).map((doubt) => `${capitalised(doubt)}.`),
    needsDecision(report.bank, one) && `Bank: ${bankText(report.bank, one)}.`,
  ).join(' ');
}

function findingsText({ one, report }: Told): string {
  const reason = needsDecision(report.bank, one) && placeOf(report.bank, one)?.match.reason;
  const onBank = reason ? [`Bank: ${matchReasonWords[reason]}.`] : [];
  const byRule = effectTexts(one).map((effect) => `By rule: ${effect}.`);
  return [...entriesOf(one).map(entrySentence), ...byRule, ...onBank].join(' ');
}

function entriesOf({ discrepancies, notices }: ReconciledSettlement) {
  return [...discrepancies, ...notices];
}

function isException(one: ReconciledSettlement): boolean {
  return one.verdict === 'out_of_balance' || one.verdict === 'incomplete' || isOverdue(one);
}

function exceptionWord({ one }: Told): string {
  if (!isException(one)) return 'bank';
  if (isAccepted(one)) return 'accepted';
  return isOverdue(one) ? 'overdue' : verdictWords[one.verdict];
}
