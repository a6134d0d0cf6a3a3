import { type BankCheck, bankDatesOf, needsDecision, placeOf } from '../../app/bank-check.ts';
import { bankLines, openMatches } from '../../app/bank-report.ts';
import {
  isByAccount,
  type SettlementsReport,
  shownSettlements,
  splitNamesOf,
} from '../../app/settlements-report.ts';
import { inOrderOf } from '../../base/texts.ts';
import type { Row } from '../../model/row.ts';
import type { Value } from '../../model/value.ts';
import { isAccepted } from '../../reconcile/acceptance.ts';
import { isOverdue } from '../../reconcile/as-reported.ts';
import type { Figures } from '../../reconcile/computed.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { isInSums } from '../../reconcile/verdict.ts';
import { entryColumns } from '../bank/view.ts';
import { matchReasonWords } from '../bank/words.ts';
import { acceptanceSentence, acceptanceText } from '../common/acceptance.ts';
import { listed, maxScreenRows, sectionIfAny } from '../common/blocks.ts';
import { amountOf, type CellKind } from '../common/columns.ts';
import { notFullyReadText } from '../common/partial-words.ts';
import {
  accountName,
  capitalised,
  cutTo,
  grouped,
  present,
  rangeText,
  signedMoneyText,
} from '../common/phrase.ts';
import { effectTexts, ruleTotalText } from '../common/rule-words.ts';
import type { SheetCell, TableSheet, TextBlock, Tone, View, Workbook } from '../common/view.ts';
import {
  doubtsOf,
  entrySentence,
  opinionWords,
  verdicts,
  verdictTones,
  verdictWords,
} from '../common/words.ts';
import {
  maxSheetRows,
  sectionSheet,
  type TableColumn,
  tableSheet,
  textBlocks,
} from '../common/workbook.ts';
import {
  accountsSheet,
  type FigureSide,
  figureSides,
  figureTitle,
  type ProfileReport,
  partsOfPayIn,
  type SheetRow,
} from './accounts-sheet.ts';
import { bankFigure, bankText } from './on-bank.ts';
import { byDifference } from './sections.ts';
import {
  feeRateNotes,
  feeRateSections,
  feeRateSentences,
  groupSections,
  splitNotes,
  totalsNotes,
} from './totals.ts';

/** The workbook of the reports of one or more profiles. `view` is what a screen shows of all of them. */
export function settlementsWorkbook(reports: readonly ProfileReport[], view: View): Workbook {
  const rows = reports.flatMap((one): readonly SheetRow[] =>
    shownSettlements(one.report).map((settlement) => ({ ...one, one: settlement })),
  );
  const settlements = settlementsSheet(rows);
  const accounts = accountsSheet(reports, rows, settlements);
  const hasRows = reports.some(({ report }) => report.rows !== undefined);
  const { places, sheet: transactions } = transactionsSheet(rows);
  const ranges = new Set(reports.map(({ report: { range } }) => (range ? rangeText(range) : '')));
  return {
    title: present('Settlements', ...ranges).join(' '),
    summary: [
      ...textBlocks(view).filter((block) => !('title' in block && block.title === 'Next')),
      ...reports.flatMap(summaryBlocks),
      ...textBlocks(listed('About the sheets', valuesNote(accounts))),
    ],
    tables: [
      accounts,
      exceptionsSheet(rows, hasRows ? places : undefined),
      ...sheetsOf(reports, 'Unknown entries', unknownEntries),
      settlements,
      ...splitSheets(reports),
      ...sheetsOf(reports, 'Fee rates', feeRateSections),
      ...(hasRows ? [transactions] : []),
    ],
  };
}

function splitSheets(reports: readonly ProfileReport[]): readonly TableSheet[] {
  const [first] = reports;
  if (!first || isByAccount(splitNamesOf(first.report))) return [];
  return sheetsOf(reports, splitName(first.report), groupSections);
}

/** `By month and payment`: as in `--by`. */
function splitName(report: SettlementsReport): string {
  return `By ${splitNamesOf(report).join(' and ')}`;
}

type SectionsOf = (report: SettlementsReport, most: number) => View;

/** The sheets of several profiles as one, with the profile in each row and without totals. */
function sheetsOf(reports: readonly ProfileReport[], name: string, sectionsOf: SectionsOf) {
  const sheets = reports.flatMap(({ profile, report }) =>
    sectionsOf(report, maxSheetRows).flatMap((block) =>
      block.kind === 'section' ? [[profile, sectionSheet(name, block)] as const] : [],
    ),
  );
  const [[profile, first] = []] = sheets;
  if (first === undefined || profile === undefined) return first ? [first] : [];
  const all = sheets.flatMap(([, { columns }]) => columns);
  // A profile may lack a column if it has no values.
  const columns = [...new Map(all.map((column) => [column.title, column])).values()];
  const rows = sheets.flatMap(([profile = '', sheet]) => {
    const places = columns.map(({ title }) =>
      sheet.columns.findIndex((one) => one.title === title),
    );
    const lines = sheet.rows.slice(0, sheet.rows.length - (sheet.totals ?? 0));
    return lines.map((row) => [profile, ...places.map((place) => row[place] ?? '')]);
  });
  return [{ name, columns: [{ title: 'Profile', isKey: true }, ...columns], rows }];
}

function summaryBlocks({ profile, report }: ProfileReport): readonly TextBlock[] {
  const { run, names } = report;
  const title = (words: string) => (profile === undefined ? words : `${profile}: ${words}`);
  const accounts = run.groups.map(({ accountingToken: token, currency }) =>
    present(names.get(token), token, currency).join(', '),
  );
  const byRule = run.totals.flatMap((totals) =>
    totals.byRule.map((total) => `${capitalised(ruleTotalText(total, totals))}.`),
  );
  const more = (count: number) => `${grouped(count)} more on the sheet Accounts`;
  return textBlocks([
    ...listed(title('Accounts'), cutTo(maxScreenRows, accounts, more)),
    ...listed(title('Totals'), totalsNotes(report)),
    ...listed(title(splitName(report)), splitNotes(report)),
    ...listed(title('Fee rates'), [...feeRateSentences(report), ...feeRateNotes(report)]),
    ...listed(title('By rule'), byRule),
    ...listed(title('Accepted'), run.settlements.flatMap(acceptedTexts)),
  ]);
}

function acceptedTexts(one: ReconciledSettlement): readonly string[] {
  const { acceptance, settlement, difference, scale } = one;
  if (!acceptance || !isAccepted(one)) return [];
  const { id, date, currency } = settlement;
  const minor = difference?.payIn;
  const off = minor === undefined ? '' : signedMoneyText({ minor, scale, currency });
  const payIn = off && ` Pay-in difference ${off}.`;
  return [`Settlement ${id} (${date}): ${acceptanceText(acceptance)}.${payIn}`];
}

function valuesNote({ rows }: TableSheet): readonly string[] {
  const isValue = (cell: SheetCell) => typeof cell !== 'string' && cell.kind !== 'formula';
  if (!rows.some((row) => row.some(isValue))) return [];
  return [
    'On the sheet Accounts, numbers that a spreadsheet cannot compute exactly from the sheet ' +
      'Settlements are values, not formulas.',
  ];
}

function unknownEntries({ bank }: { readonly bank?: BankCheck | undefined }, limit: number) {
  if (!bank) return [];
  const lines = [...bankLines(openMatches(bank.report, 'unknown_on_bank'))];
  return sectionIfAny('Unknown to the service', lines, entryColumns, { limit });
}

const tones: Readonly<Record<string, Tone>> = {
  ...Object.fromEntries(verdicts.map((one) => [verdictWords[one], verdictTones[one]])),
  overdue: 'unsure',
  bank: 'bad',
};

/** All settlements that are shown, with all their columns. */
export function settlementsSheet(all: readonly SheetRow[]): TableSheet {
  return tableSheet('Settlements', all, [
    ...keyColumns(all),
    { title: 'Verdict', cell: ({ one }) => verdictWords[one.verdict], tones },
    column('In totals', ({ one }) => (isInSums(one.verdict) ? 'yes' : 'no')),
    ...printedFigures,
    ...unprinted([
      ...otherFigures,
      column('The service says', ({ one }) => opinionWords[one.serviceSays]),
      column('Status', ({ one }) => one.settlement.status),
      column('The checks say', ({ one }) => opinionWords[one.sumsSay]),
      column('Findings', ({ one }) => entriesOf(one).map(({ code }) => code)),
      ...reasons(all),
      column('Payment references', ({ one }) => one.settlement.paymentReferences),
      column('End-to-end ids', ({ one }) => one.settlement.paymentEndToEndIds),
      column('Accounting token', ({ one }) => one.settlement.accountingToken),
      column('Merchant id', ({ one }) => one.settlement.merchantId),
      column('Payment service', ({ one }) => one.settlement.paymentService),
      column('Timestamp', ({ one }) => one.settlement.timestamp),
      ...onBankOf(all, [...bankTexts, ...bankAmounts]),
    ]),
  ]);
}

type Columns = readonly TableColumn<SheetRow>[];

/** The exceptions, the largest difference first, each with its amounts, causes and rows. */
function exceptionsSheet(all: readonly SheetRow[], places?: Places): TableSheet {
  const exceptions = all
    .filter(({ one, report }) => isException(one) || needsDecision(report.bank, one))
    .sort((a, b) => byDifference(a.one, b.one));
  const prose = [column('Findings', findingsText), ...reasons(exceptions)];
  return tableSheet('Exceptions', exceptions, [
    ...keyColumns(all),
    { title: 'Exception', cell: exceptionWord, tones },
    ...prose.map((column) => ({ ...column, isProse: true })),
    figure('payIn', 'reported'),
    figure('payIn', 'difference'),
    ...onBankOf(all, bankAmounts),
    ...unprinted([
      ...onBankOf(all, bankTexts),
      figure('payIn', 'computed'),
      ...partsOfPayIn.map((measure) => figure(measure, 'difference')),
      ...otherFigures,
      ...(places ? [column('Rows on Transactions', ({ one }) => places.get(one) ?? 'none')] : []),
    ]),
  ]);
}

/** The rows of the sheet with the transactions of a settlement: `2 to 40`. */
type Places = ReadonlyMap<ReconciledSettlement, string>;

/** The transactions of all settlements that are shown, and their rows by settlement. */
function transactionsSheet(all: readonly SheetRow[]) {
  const places = new Map<ReconciledSettlement, string>();
  const transactions: TransactionRow[] = [];
  for (const shown of all) {
    // The titles are in row 1.
    const first = transactions.length + 2;
    const rows = [...(shown.report.rows?.get(shown.one.settlement.id) ?? [])].sort(
      inOrderOf((row) => [row.timestamp, row.id]),
    );
    const last = first + rows.length - 1;
    if (last >= first) places.set(shown.one, last === first ? `${first}` : `${first} to ${last}`);
    for (const row of rows) transactions.push({ ...shown, row });
  }
  const sheet = tableSheet<TransactionRow>('Transactions', transactions, [
    ...keyColumns(all),
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

interface TransactionRow extends SheetRow {
  readonly row: Row;
}

function column(title: string, cell: (row: SheetRow) => Value, kind: CellKind = 'text') {
  return { title, kind, cell };
}

function unprinted(columns: Columns): Columns {
  return columns.map((column) => ({ ...column, isUnprinted: true }));
}

function keyColumns(all: readonly SheetRow[]): Columns {
  const several = all.some(({ profile }) => profile !== undefined);
  const accountOf = ({ one, report }: SheetRow) =>
    accountName(report.names, one.settlement.accountingToken);
  return [
    ...(several ? [{ ...column('Profile', ({ profile }) => profile), isKey: true }] : []),
    { ...column('Date', ({ one }) => one.settlement.date, 'day'), isKey: true },
    { ...column('Settlement', ({ one }) => one.settlement.id), isKey: true },
    column('Account', accountOf),
    column('Currency', ({ one }) => one.settlement.currency),
  ];
}

const bankTexts: Columns = [
  column('Bank', ({ report, one }) => bankText(report.bank, one)),
  column('Bank date', ({ report, one }) => bankDatesOf(placeOf(report.bank, one)?.match), 'day'),
];

const onBank =
  (figure: 'received' | 'difference') =>
  ({ report, one }: SheetRow) =>
    bankFigure(report.bank, one, figure);

const bankAmounts: Columns = [
  column('Bank received', onBank('received')),
  column('Bank difference', onBank('difference'), 'difference'),
];

function onBankOf(all: readonly SheetRow[], columns: Columns) {
  return all.some(({ report }) => report.bank) ? columns : [];
}

function figure(measure: keyof Figures, side: FigureSide) {
  const valueIn = ({ one: { [side]: figures, scale } }: SheetRow) =>
    measure === 'transactions' ? figures?.transactions : amountOf(figures?.[measure], scale);
  return column(figureTitle(measure, side), valueIn, side === 'difference' ? side : 'amount');
}

const printedFigures = [
  ...figureSides.map((side) => figure('payIn', side)),
  ...partsOfPayIn.map((measure) => figure(measure, 'difference')),
];

const otherFigures = [
  ...partsOfPayIn.flatMap((measure) => [figure(measure, 'reported'), figure(measure, 'computed')]),
  ...figureSides.map((side) => figure('transactions', side)),
];

function reasons(all: readonly SheetRow[]): Columns {
  const isAnyAccepted = all.some(({ one }) => one.acceptance);
  const accepted = column('Accepted', ({ one }) => acceptanceSentence(one));
  return [column('Cause', causeText), ...(isAnyAccepted ? [accepted] : [])];
}

function causeText({ one, report }: SheetRow): string {
  return present(
    notFullyReadText(one),
    report.explanations?.get(one.settlement.id),
    ...doubtsOf(one).map((doubt) => `${capitalised(doubt)}.`),
    needsDecision(report.bank, one) && `Bank: ${bankText(report.bank, one)}.`,
  ).join(' ');
}

function findingsText({ one, report }: SheetRow): string {
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

function exceptionWord({ one }: SheetRow): string {
  if (!isException(one)) return 'bank';
  if (isAccepted(one)) return 'accepted';
  return isOverdue(one) ? 'overdue' : verdictWords[one.verdict];
}
