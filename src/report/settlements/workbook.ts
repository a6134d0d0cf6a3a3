import { bankDatesOf, needsDecision, placeOf } from '../../app/bank-check.ts';
import {
  isByAccount,
  type SettlementsReport,
  shownSettlements,
  splitNamesOf,
} from '../../app/settlements-report.ts';
import { groupedBy } from '../../base/lists.ts';
import { inOrderOf } from '../../base/texts.ts';
import type { Row } from '../../model/row.ts';
import type { Value } from '../../model/value.ts';
import { rescale } from '../../money/money.ts';
import { isAccepted } from '../../reconcile/acceptance.ts';
import { isOverdue } from '../../reconcile/as-reported.ts';
import type { Figures } from '../../reconcile/computed.ts';
import type { Measure } from '../../reconcile/entry.ts';
import type { Group, Totals } from '../../reconcile/groups.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { isInSums } from '../../reconcile/verdict.ts';
import { matchReasonWords } from '../bank/words.ts';
import { acceptanceSentence, acceptanceText } from '../common/acceptance.ts';
import { listed, maxScreenRows } from '../common/blocks.ts';
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
import { sheetsOfProfiles } from '../common/several.ts';
import type {
  NumberCell,
  SheetCell,
  TableSheet,
  TextBlock,
  Tone,
  View,
  Workbook,
} from '../common/view.ts';
import {
  doubtsOf,
  entrySentence,
  measureWords,
  opinionWords,
  verdicts,
  verdictTones,
  verdictWords,
} from '../common/words.ts';
import {
  addsUpExactly,
  columnLetters,
  columnRange,
  isFoundAsIs,
  maxSheetRows,
  sectionSheet,
  type TableColumn,
  tableSheet,
  textBlocks,
} from '../common/workbook.ts';
import { bankFigure, bankText } from './on-bank.ts';
import { figureSides } from './records.ts';
import { byDifference, unknownEntries } from './sections.ts';
import {
  feeRateNotes,
  feeRateSections,
  feeRateSentences,
  groupSections,
  splitNotes,
  totalsNotes,
} from './totals.ts';

/** Only their differences are printed: more columns would be too small on paper. */
const partsOfPayIn = ['gross', 'fees', 'tax'] as const;
type FigureSide = (typeof figureSides)[number];

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
  const tables = reports.flatMap(({ profile, report }) =>
    sectionsOf(report, maxSheetRows).flatMap((section) =>
      section.kind === 'section' ? [{ profile, sheet: sectionSheet(name, section) }] : [],
    ),
  );
  return sheetsOfProfiles(tables);
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
  const payIn = off && ` Net pay-out difference ${off}.`;
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
      column('Account id', ({ one }) => one.settlement.accountingToken),
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
    { title: 'Transaction currency', cell: ({ row }) => row.currency },
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

/** A report, and its profile if there are several. */
interface ProfileReport<Report = SettlementsReport> {
  readonly profile?: string;
  readonly report: Report;
}

/** A settlement in a workbook, with its report. */
interface SheetRow
  extends ProfileReport<Pick<SettlementsReport, 'names' | 'explanations' | 'rows' | 'bank'>> {
  readonly one: ReconciledSettlement;
}

/** The title of a column of figures: `Gross reported`. */
function figureTitle(measure: keyof Figures, side: FigureSide): string {
  return capitalised(`${measure === 'transactions' ? measure : measureWords[measure]} ${side}`);
}

interface Line {
  readonly profile: string;
  readonly account: string;
  readonly token: string;
  readonly totals: Totals;
  /** Its settlements in the sheet Settlements; absent if it adds up the lines above. */
  readonly own?: readonly ReconciledSettlement[];
}

/** A number of a line: the sum of `figure` over settlements, or else their count. */
interface Sum {
  readonly title: string;
  readonly kind: NumberCell['kind'];
  readonly value: (totals: Totals) => bigint | undefined;
  readonly figure?: readonly [Measure, FigureSide];
  /** Only settlements with this word in this column count. */
  readonly only?: readonly [title: string, word: string];
  readonly isAbsolute?: true;
  readonly isUnprinted?: boolean;
}

const tokenTitle = 'Account id';
const includedInTotals = ['In totals', 'yes'] as const;

const sums: readonly Sum[] = [
  {
    title: 'Settlements',
    kind: 'count',
    value: ({ settlements }) => BigInt(verdicts.reduce((sum, one) => sum + settlements[one], 0)),
  },
  ...verdicts.map(
    (verdict): Sum => ({
      title: capitalised(verdictWords[verdict]),
      kind: 'count',
      value: ({ settlements }) => BigInt(settlements[verdict]),
      only: ['Verdict', verdictWords[verdict]],
    }),
  ),
  {
    title: 'Net pay-out pending',
    kind: 'amount',
    value: ({ pendingPayIn }) => pendingPayIn,
    figure: ['payIn', 'reported'],
    only: ['Verdict', verdictWords.pending],
  },
  ...figureSides.map((side) => figureSum('payIn', side)),
  absoluteSum('payIn'),
  ...partsOfPayIn.map((measure) => figureSum(measure, 'difference')),
  // More columns would be too small on paper. The net alone could hide differences.
  ...partsOfPayIn
    .flatMap((one) => [figureSum(one, 'reported'), figureSum(one, 'computed'), absoluteSum(one)])
    .map((sum) => ({ ...sum, isUnprinted: true })),
];

function figureSum(measure: Measure, side: FigureSide): Sum {
  return {
    title: figureTitle(measure, side),
    kind: side === 'difference' ? side : 'amount',
    value: ({ [measure]: sums }) => (side === 'difference' ? sums.difference?.net : sums[side]),
    figure: [measure, side],
    only: includedInTotals,
  };
}

function absoluteSum(measure: Measure): Sum {
  const sum = figureSum(measure, 'difference');
  const value: Sum['value'] = (totals) => totals[measure].difference?.absolute;
  return { ...sum, title: `${sum.title} absolute`, kind: 'amount', value, isAbsolute: true };
}

const name = 'Accounts';

type Reports = readonly ProfileReport[];
type Rows = readonly SheetRow[];

/** Totals by account and currency: formulas over the sheet of settlements if they are exact in a spreadsheet, or else values. */
function accountsSheet(reports: Reports, rows: Rows, settlements: TableSheet): TableSheet {
  const groups = reports.flatMap((one) => groupLines(one, rows));
  const totals = reports.flatMap(totalLines);
  const lines = [...groups, ...totals];
  const profile = reports.some((one) => one.profile !== undefined) ? ['Profile'] : [];
  const columns: readonly TableColumn<Line>[] = [
    ...profile.map((title) => ({ title, cell: (line: Line) => line.profile, isKey: true })),
    { title: 'Account', cell: ({ account }) => account, isKey: true },
    { title: 'Currency', cell: ({ totals }) => totals.currency, isKey: true },
    ...sums.map((sum) => ({
      title: sum.title,
      isUnprinted: sum.isUnprinted ?? false,
      cell: (line: Line) => sumCell(sum, line),
    })),
    { title: tokenTitle, cell: ({ token }) => token, isUnprinted: true },
  ];
  // The titles are in row 1.
  const rowOf = new Map(lines.map((line, index) => [line, index + 2]));
  const rangeOfSettlements = (title: string) => columnRange(settlements, title, rows.length);
  const rangeAbove = (title: string) => columnRange({ name, columns }, title, groups.length);

  function sumCell(sum: Sum, line: Line): SheetCell {
    const { totals, own } = line;
    const minor = sum.value(totals);
    if (minor === undefined) return '';
    const scale = sum.kind === 'count' ? 0 : totals.scale;
    const result = { kind: sum.kind, minor, scale };
    const parts = own
      ? own.map((one) => partOf(one, sum, totals.scale))
      : groups.filter((one) => isUnder(one, line)).map((one) => sum.value(one.totals) ?? 0n);
    if (parts.length === 0 || !addsUpExactly(parts)) return result;
    const rangeOf = own ? rangeOfSettlements : rangeAbove;
    // Rows with the same values in these columns as the line.
    const criteria = [...profile, ...(own ? [tokenTitle] : []), 'Currency'].map(
      (title) => `${rangeOf(title)},$${columnLetters(columns, title)}${rowOf.get(line)}`,
    );
    const formula = own
      ? formulaOf(sum, rangeOf, criteria)
      : `SUMIFS(${rangeOf(sum.title)},${criteria})`;
    const rounded = sum.kind === 'count' ? formula : `ROUND(${formula},${scale})`;
    return { kind: 'formula', formula: rounded, result };
  }

  return { ...tableSheet(name, lines, columns), totals: totals.length };
}

function formulaOf(sum: Sum, rangeOf: (title: string) => string, same: readonly string[]): string {
  const { figure, only, isAbsolute } = sum;
  const criteria = [...same, ...(only ? [`${rangeOf(only[0])},"${only[1]}"`] : [])].join();
  if (!figure) return `COUNTIFS(${criteria})`;
  const amounts = rangeOf(figureTitle(...figure));
  if (!isAbsolute) return `SUMIFS(${amounts},${criteria})`;
  const above = `SUMIFS(${amounts},${criteria},${amounts},">0")`;
  return `${above}-SUMIFS(${amounts},${criteria},${amounts},"<0")`;
}

function partOf(one: ReconciledSettlement, { figure }: Sum, scale: number): bigint {
  if (!figure) return 1n;
  const [measure, side] = figure;
  return rescale(one[side]?.[measure] ?? 0n, one.scale, scale);
}

function groupLines({ profile = '', report }: ProfileReport, rows: Rows): readonly Line[] {
  const { groups } = report.run;
  const shown = rows.filter((one) => one.report === report).map(({ one }) => one);
  const owned = groupedBy(shown, ({ settlement }) => keyOf(settlement));
  const alike = groupedBy(groups, (group) => keyOf(group).toLowerCase());
  return groups.map((group) => {
    const { accountingToken: token, currency } = group;
    const own = owned.get(keyOf(group)) ?? [];
    const isWhole = own.length === verdicts.reduce((sum, one) => sum + group.settlements[one], 0);
    // Formulas ignore case.
    const isAlone = alike.get(keyOf(group).toLowerCase())?.length === 1;
    const isFound = [token, currency, profile || 'none'].every(isFoundAsIs);
    const account = accountName(report.names, token);
    const added = isWhole && isAlone && isFound ? own : [];
    return { profile, account, token, totals: group, own: added };
  });
}

function keyOf({ accountingToken, currency }: Pick<Group, 'accountingToken' | 'currency'>): string {
  return JSON.stringify([accountingToken, currency]);
}

function totalLines({ profile = '', report }: ProfileReport): readonly Line[] {
  const { groups, totals } = report.run;
  const accounts = new Set(groups.map(({ accountingToken }) => accountingToken));
  if (accounts.size < 2) return [];
  return totals.map((one) => ({ profile, account: 'Total', token: '', totals: one }));
}

function isUnder(group: Line, { profile, totals }: Line): boolean {
  return group.profile === profile && group.totals.currency === totals.currency;
}
