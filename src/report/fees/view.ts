import {
  claims,
  type FeesReport,
  type FeesVerdict,
  feeRows,
  feesVerdict,
  feesWithoutRow,
  type MonthlyFees,
} from '../../app/fees-report.ts';
import { groupedBy } from '../../base/lists.ts';
import type { Names } from '../../model/settlement.ts';
import { formatMinor } from '../../money/money.ts';
import { rateOf, rateScale } from '../../money/rate.ts';
import {
  type FeeDifference,
  type FeeLine,
  lineAmounts,
  linesBy,
} from '../../reconcile/agreed/check-fees.ts';
import { feeCauses, type RateClaim, rateClaims } from '../../reconcile/agreed/fee-causes.ts';
import {
  answerBlock,
  facts,
  listed,
  maxPageRows,
  maxScreenRows,
  plain,
  remark,
  remarks,
  sectionIfAny,
  uuid,
} from '../common/blocks.ts';
import { amountOf, type Column, field, records } from '../common/columns.ts';
import { jsonEntry, jsonObject, jsonSettlementKey, jsonSum, jsonViews } from '../common/json.ts';
import { adviceForIncomplete, incompleteSentences } from '../common/partial-words.ts';
import {
  command,
  daysFlags,
  enumerate,
  filtersText,
  grouped,
  many,
  moneyText,
  present,
  rangeText,
  wholeRangeText,
} from '../common/phrase.ts';
import type {
  Remark,
  ReportPage,
  Section,
  TableSheet,
  Tone,
  View,
  Views,
  Workbook,
} from '../common/view.ts';
import { entrySentence } from '../common/words.ts';
import {
  maxSheetRows,
  recordsSheet,
  textBlocks,
  titleOf,
  withFormulas,
  withTotals,
} from '../common/workbook.ts';
import { completenessText } from '../settlements/summary.ts';
import { agreedFeeText } from './rates.ts';

/** The report of `recon fees`. A record is a payment type and type of an account, or a month of it. */
export function feesViews(report: FeesReport, rowsPath?: string, by?: 'month'): Views {
  return {
    view: () => [
      ...feesView(report, maxScreenRows),
      ...listed('Next', feesSummary(report).advice, '>'),
    ],
    ticket: () => claimView(report, rowsPath),
    page: () => [...feesView(report, maxPageRows), ...charts(report)],
    records: () => {
      const { lines, accounts } = listsOf(report);
      return by ? records(...accounts) : records(...lines);
    },
    workbook: () => feesWorkbook(report),
    ...jsonViews(() => feesJson(report)),
  };
}

/** What was charged more than agreed, by cause and by transaction. */
export function claimSections(report: FeesReport, limit: number): readonly Section[] {
  const lists = listsOf(report);
  return [...causeTable(lists), ...rowTable(lists, limit)];
}

export function claimViews(report: FeesReport): Views {
  return { ...feesViews(report), records: () => records(...listsOf(report).claimed) };
}

/** Groups of columns that a narrow screen leaves out, the last group first. */
const columnsToLeaveOut: readonly (readonly string[])[] = [
  ['charged', 'agreed', 'amount', 'settlement_date'],
  ['without_rate', 'under', 'tax_charged', 'tax_agreed'],
  ['rows', 'rate'],
  ['volume', 'unchecked'],
];

/** A table of a list, with all columns or some. */
function tableOf<Row>(
  title: string,
  [columns, rows]: List<Row>,
  keys?: string,
  more: { readonly limit?: number; readonly remarks?: (row: Row) => readonly Remark[] } = {},
): readonly Section[] {
  const shown = columns.filter(({ key }) => !keys || keys.split(' ').includes(key));
  const inSection = shown.map(({ key, kind, value }) => ({
    title: titleOf(key).replace('Account id', 'Account'),
    kind,
    value,
    // Columns that always stay have 1.
    priority: columnsToLeaveOut.findIndex((keys) => keys.includes(key)) + 2,
    unbroken: key.endsWith('_id') ? uuid : uuid / 2,
  }));
  return sectionIfAny(title, rows, inSection, { limit: rows.length, ...more });
}

const shownFigures = 'currency rows volume charged agreed over under tax_over without_rate';

const accountFigures = 'currency volume fees tax fees_percent';

function feesView(report: FeesReport, limit: number): View {
  const lists = listsOf(report);
  const { head, notes } = feesSummary(report);
  const isNamed = lists.lines[1].some(({ accountingToken }) => report.names.has(accountingToken));
  const account = isNamed ? 'accounting_name' : 'accounting_token';
  const keys = `${account} payment_type transaction_type ${lists.shown}`;
  return [
    ...head,
    ...tableOf('Fees by payment type and type', lists.lines, keys),
    ...monthTable(lists),
    ...tableOf(
      'Fees and tax by account and month',
      lists.accounts,
      `month ${account} ${accountFigures}`,
    ),
    ...causeTable(lists),
    ...rowTable(lists, limit),
    ...tableOf('Fees without a transaction', lists.withoutRow),
    ...listed('Notes', notes),
  ];
}

const causeTable = ({ causes }: Lists) => tableOf('More than agreed, by rate and cause', causes);

const monthTable = ({ months, shown }: Lists) =>
  tableOf('Month by month', months, `month ${shown}`);

function rowTable({ claimed }: Lists, limit: number): readonly Section[] {
  const keys =
    'settlement_date transaction_id currency amount fee_charged fee_agreed tax_charged tax_agreed claim rate';
  const remarks = (one: FeeDifference) => [plain(agreedFeeText(one))];
  return tableOf('Transactions that cost most', claimed, keys, { limit, remarks });
}

/** Charged and agreed fees of each month, a chart for each currency. */
function charts(report: FeesReport): ReportPage {
  const [columns, rows] = listsOf(report).months;
  return [...groupedBy(rows, ({ currency }) => currency)].flatMap(([unit, own]) => {
    const title = `Charged and agreed fees, ${unit}`;
    const tables = tableOf(title, [columns, own], 'month charged agreed over');
    const text = 'The bars are the fees that were charged, the line is what was agreed.';
    return tables.map(
      (table) => ({ kind: 'chart', type: 'barsAndLine', unit, table, text }) as const,
    );
  });
}

/** The claim for the provider: ids and amounts, and nothing personal. */
function claimView(report: FeesReport, rowsPath: string | undefined): View {
  const lists = listsOf(report);
  const count = lists.claimed[1].length;
  return [
    answerBlock(
      count === 0 ? 'No claim' : `Claim: ${claims(report.fees).map(moneyText).join(', ')}`,
      'plain',
      `In the settlements of ${rangeText(report.range)}, ${many(count, 'transaction was', 'transactions were')} charged more than agreed.`,
    ),
    facts([
      [
        'Compared',
        'fee and tax of each transaction with the agreed rate; what costs less is not set off',
      ],
      ['Transactions', rowsPath && `in ${rowsPath.replace(/^.*[/\\]/, '')}`],
      ['Everything read', feesSummary(report).completeness],
    ]),
    ...causeTable(lists),
    ...monthTable(lists),
    ...rowTable(lists, maxScreenRows),
  ];
}

/** The sheets with what was charged, against what was agreed and by account. */
export function feesTables(report: FeesReport): readonly TableSheet[] {
  const { lines, accounts } = listsOf(report);
  const byAccount = recordsSheet('Fees and tax', records(...accounts));
  return [feesSheet(lines), withTotals(byAccount, countsOfRows, ['Fees percent'])];
}

function feesWorkbook(report: FeesReport): Workbook {
  const { months, causes, differences } = listsOf(report);
  const [fees, ...byAccount] = feesTables(report);
  const [columns, rows] = differences;
  const cut = rows.length > maxSheetRows ? ['The sheet Transactions has only the first rows.'] : [];
  return {
    title: `Fees ${rangeText(report.range)}`,
    summary: textBlocks([...feesView(report, 0), ...listed('About the sheets', cut)]),
    tables: [
      ...(fees ? [fees] : []),
      withTotals(recordsSheet('Months', records(...months)), countsOfRows),
      ...byAccount,
      recordsSheet('Causes', records(...causes)),
      recordsSheet('Transactions', records(columns, rows.slice(0, maxSheetRows))),
    ],
  };
}

/** Fees by account, payment type and type; claims, and totals by currency, are formulas over them. */
function feesSheet([columns, lines]: List<FeeLine>): TableSheet {
  const claim = field.amount<FeeLine>('claim', ({ over, taxOver, scale }) =>
    amountOf(over + taxOver, scale),
  );
  const sheet = recordsSheet('Fees', records([...columns, claim], lines), {
    aside: ['without_rate', 'over_rows', 'under_rows'],
  });
  return withTotals(
    withFormulas(sheet, { Claim: ['Over agreed', 'Tax over agreed'] }),
    countsOfRows,
  );
}

const countsOfRows = [
  'Transactions',
  'Without rate',
  'Transactions over agreed',
  'Transactions under agreed',
];

/** The figures of a line of the report. New columns go to the end. */
const figures: readonly Column<FeeLine>[] = [
  field.text('currency', ({ currency }) => currency),
  field.integer('decimal_places', ({ scale }) => scale),
  field.integer('rows', ({ rows }) => rows),
  field.integer('without_rate', ({ withoutRate }) => withoutRate),
  ...lineAmounts.map((name) =>
    field.amount<FeeLine>(
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      // What was agreed is not known where no row has a rate.
      (line) =>
        name === 'agreed' && line.withoutRate === line.rows
          ? undefined
          : amountOf(line[name], line.scale),
    ),
  ),
  field.integer('over_rows', ({ overRows }) => overRows),
  field.integer('under_rows', ({ underRows }) => underRows),
];

/** What a journal books of the rows. New columns go to the end. */
const taxColumns: readonly Column<FeeLine>[] = [
  field.text('currency', ({ currency }) => currency),
  field.integer('decimal_places', ({ scale }) => scale),
  field.integer('rows', ({ rows }) => rows),
  field.amount('volume', ({ volume }) => volume),
  field.amount('fees', ({ charged }) => charged),
  field.amount('tax', ({ tax }) => tax),
  field.amount('fees_percent', ({ charged, volume }) =>
    amountOf(rateOf(charged, volume), rateScale),
  ),
];

const causeColumns: readonly Column<RateClaim>[] = [
  field.text('rate', ({ rate }) => rate.name),
  field.text('currency', ({ rate }) => rate.currency),
  field.integer('rows', ({ rows }) => rows),
  ...feeCauses.map((cause) => field.amount<RateClaim>(cause, ({ causes }) => causes.get(cause))),
];

const withoutRowColumns: readonly Column<MonthlyFees>[] = [
  field.text('month', ({ month }) => month),
  field.text('currency', ({ charged }) => charged.currency),
  field.amount('charged', ({ charged }) => charged),
  field.amount('agreed', ({ agreed }) => agreed),
];

/** The columns of rows that were not charged as agreed. New columns go to the end. */
function differenceColumns(
  names: Names,
  claims: readonly RateClaim[],
): readonly Column<FeeDifference>[] {
  const causes = new Map(claims.map(({ rate, causeOf }) => [rate, causeOf]));
  const money = (key: string, minor: (one: FeeDifference) => bigint | undefined) =>
    field.amount<FeeDifference>(key, (one) => amountOf(minor(one), one.line.scale));
  return [
    field.day('settlement_date', ({ settlement }) => settlement.date),
    field.text('settlement_id', ({ settlement }) => settlement.id),
    field.text('transaction_id', ({ ids }) => ids.id),
    field.text('charge_id', ({ ids }) => ids.chargeId),
    field.text('order_id', ({ ids }) => ids.orderId),
    field.text('timestamp', ({ ids }) => ids.timestamp),
    field.text('transaction_type', ({ line }) => line.type),
    field.text('payment_type', ({ line }) => line.paymentType),
    field.text('currency', ({ line }) => line.currency),
    field.integer('decimal_places', ({ line }) => line.scale),
    money('amount', ({ amount }) => amount),
    money('fee_charged', ({ fee }) => fee),
    money('fee_agreed', ({ agreedFee }) => agreedFee),
    money('fee_difference', ({ fee, agreedFee }) => fee - agreedFee),
    money('tax_charged', ({ tax }) => tax),
    money('tax_agreed', ({ agreedTax }) => agreedTax),
    money('tax_difference', ({ tax, agreedTax = tax }) => tax - agreedTax),
    money('claim', ({ claim }) => claim),
    field.text('rate', ({ rate }) => rate.name),
    field.text('agreed_as', agreedFeeText),
    field.text('cause', (one) => (one.claim > 0n ? causes.get(one.rate)?.(one) : undefined)),
    ...field.account<FeeDifference>(names, ({ settlement }) => settlement.accountingToken),
    field.text('merchant_id', ({ settlement }) => settlement.merchantId),
  ];
}

/** Columns of records, and their rows. */
type List<Row> = readonly [columns: readonly Column<Row>[], rows: readonly Row[]];

function listsOf(report: FeesReport) {
  const { fees, names } = report;
  const causes = rateClaims(fees);
  const ofRows = differenceColumns(names, causes);
  const ofLines = [
    ...field.account<FeeLine>(names, ({ accountingToken }) => accountingToken),
    field.text<FeeLine>('payment_type', ({ paymentType }) => paymentType),
    field.text<FeeLine>('transaction_type', ({ type }) => type),
    ...figures,
  ];
  const lines = linesBy(fees.lines, ({ accountingToken, currency, paymentType, type }) => {
    return { accountingToken, currency, paymentType, type };
  });
  const ofMonths = [field.text<FeeLine>('month', ({ month }) => month), ...figures];
  const months = linesBy(fees.lines, ({ month, currency }) => ({ month, currency }));
  const ofAccounts = [
    field.text<FeeLine>('month', ({ month }) => month),
    ...field.account<FeeLine>(names, ({ accountingToken }) => accountingToken),
    ...taxColumns,
  ];
  const accounts = linesBy(fees.lines, ({ month, accountingToken, currency }) => {
    return { month, accountingToken, currency };
  });
  const claimed = fees.differences.filter(({ claim }) => claim > 0n);
  return {
    lines: [ofLines, lines],
    months: [ofMonths, months],
    accounts: [ofAccounts, accounts],
    causes: [causeColumns, causes],
    withoutRow: [withoutRowColumns, feesWithoutRow(report)],
    differences: [ofRows, fees.differences],
    claimed: [ofRows, claimed],
    shown: feeRows(fees, 'withoutRate') > 0 ? `${shownFigures} unchecked` : shownFigures,
  } as const;
}

type Lists = ReturnType<typeof listsOf>;

function feesJson(report: FeesReport) {
  const { run, fees, agreement, settings } = report;
  const { lines, months, accounts, causes, withoutRow, differences } = listsOf(report);
  const { pending, incomplete } = run.counts;
  return {
    about: {
      range: report.range,
      profile: settings.profile,
      filters: settings.filters,
      verdict: feesVerdict(report),
      timeZone: agreement.timeZone,
      rates: agreement.rates.map(({ name }) => name),
      claims: claims(fees).map(jsonSum),
      rowsWithoutRate: feeRows(fees, 'withoutRate'),
      completeness: {
        complete: feesVerdict(report) !== 'incomplete',
        settlements: run.settlements.length,
        pending,
        incomplete,
        transactions: run.transactions,
        rowsOfUnknownTier: fees.unknownTiers,
      },
      findings: run.findings.map((entry) => jsonEntry(entry, 0)),
      notes: feesSummary(report).notes,
    },
    lists: {
      lines: ['line', jsonRows(lines)],
      months: ['month', jsonRows(months)],
      feesAndTax: ['feesAndTax', jsonRows(accounts)],
      causes: ['cause', jsonRows(causes)],
      feesWithoutRow: ['feesWithoutRow', jsonRows(withoutRow)],
      differences: ['difference', jsonDifferences(differences, report.names)],
    },
  } as const;
}

function jsonRows<Row>([columns, rows]: List<Row>) {
  return rows.map(jsonObject(columns));
}

/** The cells of the records, except those of the settlement, which is an object. */
function jsonDifferences([columns, rows]: List<FeeDifference>, names: Names) {
  const cells = jsonObject(columns.filter(({ key }) => !/^(settlement|accounting)_/.test(key)));
  return rows.map((one) => {
    return { ...cells(one), settlement: jsonSettlementKey(one.settlement, names) };
  });
}

/** The texts of the report other than its tables. */
export function feesSummary(report: FeesReport) {
  const { run, fees, range, agreement, settings } = report;
  const [label, text, notes] = [feesLabel(report), feesHeadline(report), feesNotes(report)];
  const unknown = many(fees.unknownTiers, 'transaction');
  const completeness =
    fees.unknownTiers === 0 || !run.complete
      ? completenessText({ run })
      : `NO: the volume that decides the tier of ${unknown} is not fully known`;
  const claim = command('recon fees', daysFlags(range), '--output claim.md', report.flags);
  return {
    head: [
      answerBlock(label, tones[feesVerdict(report)], text),
      facts([
        ['Range', wholeRangeText(range)],
        ['Agreed rates', enumerate(agreement.rates.map(({ name }) => name))],
        ['Filters', filtersText(settings.filters)],
        ['Profile', settings.profile],
        ['Everything read', completeness],
      ]),
      ...remarks('Findings', run.findings.map(remark)),
    ],
    completeness,
    notes,
    advice: present(
      ...adviceForIncomplete(run.findings, ['Run the command again: not everything was read.']),
      claims(fees).length > 0 && `Claim: ${claim}`,
      feeRows(fees, 'withoutRate') > 0 &&
        'Without a rate: add the agreed rate of these transactions.',
    ),
    /** For standard error, if the report itself is not shown. */
    conclusion: [`${label}. ${text}`, ...run.findings.map(entrySentence), ...notes],
  };
}

const tones: Readonly<Record<FeesVerdict, Tone>> = {
  incomplete: 'unsure',
  overcharged: 'bad',
  not_checked: 'unsure',
  as_agreed: 'good',
};

/** The answer in a few words. */
function feesLabel(report: FeesReport): string {
  const amounts = claims(report.fees).map(
    ({ minor, scale, currency }) => `${currency} ${grouped(formatMinor(minor, scale))}`,
  );
  const rows = many(feeRows(report.fees, 'withoutRate'), 'transaction');
  return {
    incomplete: 'INCOMPLETE',
    overcharged: `OVERCHARGED (${amounts.join(', ')})`,
    not_checked: `NOT CHECKED (${rows} without a rate)`,
    as_agreed: report.run.settlements.length === 0 ? 'NOTHING FOUND' : 'AS AGREED',
  }[feesVerdict(report)];
}

/** The answer in a few sentences. */
function feesHeadline({ fees }: FeesReport): string {
  const [above, below] = [feeRows(fees, 'overRows'), feeRows(fees, 'underRows')];
  const without = feeRows(fees, 'withoutRate');
  return present(
    `Fees of ${many(feeRows(fees, 'rows') - without, 'transaction')} were compared with the agreed rates.`,
    above > 0
      ? `${many(above, 'transaction costs', 'transactions cost')} more than agreed: ${enumerate(claims(fees).map(moneyText))} with tax.`
      : 'None costs more than agreed.',
    below > 0 && `${many(below, 'transaction costs', 'transactions cost')} less than agreed.`,
    without > 0 && `${many(without, 'transaction has', 'transactions have')} no agreed rate.`,
  ).join(' ');
}

/** Notes on the figures, each a sentence. */
function feesNotes(report: FeesReport): readonly string[] {
  const { run, openMonths, agreement } = report;
  const { pending } = run.counts;
  const untaxed = agreement.rates.filter(({ tax }) => !tax).map(({ name }) => name);
  return present(
    ...incompleteSentences(run.settlements),
    pending > 0 && `Not checked: ${many(pending, 'pending settlement')}.`,
    openMonths.length > 0 &&
      `The volume of ${enumerate(openMonths)} is not final, so the tiers may still change.`,
    untaxed.length > 0 && `No tax is agreed for ${enumerate(untaxed)}, so it is not checked.`,
    feesWithoutRow(report).length > 0 && 'Fees without a transaction are in no claim.',
  );
}
