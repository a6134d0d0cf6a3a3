import {
  claims,
  type FeesReport,
  type FeesVerdict,
  feeRows,
  feesVerdict,
  feesWithoutRow,
  type MonthlyFees,
} from '../../app/fees-report.ts';
import type { FeeDifference } from '../../reconcile/agreed/check-fees.ts';
import { type FeeLine, lineAmounts, linesBy } from '../../reconcile/agreed/check-fees.ts';
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
import { jsonAmount, jsonEntry, jsonObject, jsonSettlementKey, jsonViews } from '../common/json.ts';
import {
  enumerate,
  filtersText,
  many,
  moneyText,
  rangeText,
  wholeRangeText,
} from '../common/phrase.ts';
import type {
  Remark,
  ReportPage,
  Section,
  SheetCell,
  TableSheet,
  Tone,
  View,
  Views,
  Workbook,
} from '../common/view.ts';
import {
  isExactNumber,
  maxSheetRows,
  recordsSheet,
  textBlocks,
  titleOf,
} from '../common/workbook.ts';
import {
  agreedFeeText,
  feesAdvice,
  feesCompleteness,
  feesHeadline,
  feesLabel,
  feesNotes,
} from './summary.ts';

/** Payment types and types of accounts. */
function feeLines({ fees }: Pick<FeesReport, 'fees'>) {
  return linesBy(fees.lines, ({ accountingToken, currency, paymentType, type }) => {
    return { accountingToken, currency, paymentType, type };
  });
}

/** Months and currencies. */
function feeMonths({ fees }: Pick<FeesReport, 'fees'>) {
  return linesBy(fees.lines, ({ month, currency }) => ({ month, currency }));
}

/** The figures of rows that are charged alike. New columns go to the end. */
const figures: readonly Column<FeeLine>[] = [
  field.text('currency', ({ currency }) => currency),
  field.integer('decimal_places', ({ scale }) => scale),
  field.integer('rows', ({ rows }) => rows),
  field.integer('without_rate', ({ withoutRate }) => withoutRate),
  ...lineAmounts.map((name) =>
    field.amount<FeeLine>(
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      (line) => amountOf(line[name], line.scale),
    ),
  ),
  field.integer('over_rows', ({ overRows }) => overRows),
  field.integer('under_rows', ({ underRows }) => underRows),
];

function lineColumns({ names }: Pick<FeesReport, 'names'>): readonly Column<FeeLine>[] {
  return [
    ...field.account<FeeLine>(names, ({ accountingToken }) => accountingToken),
    field.text('payment_type', ({ paymentType }) => paymentType),
    field.text('transaction_type', ({ type }) => type),
    ...figures,
  ];
}

const monthColumns: readonly Column<FeeLine>[] = [
  field.text('month', ({ month }) => month),
  ...figures,
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
function differenceColumns(report: FeesReport): readonly Column<FeeDifference>[] {
  const causes = new Map(rateClaims(report.fees).map(({ rate, causeOf }) => [rate, causeOf]));
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
    ...field.account<FeeDifference>(report.names, ({ settlement }) => settlement.accountingToken),
    field.text('merchant_id', ({ settlement }) => settlement.merchantId),
  ];
}

function feesJson(report: FeesReport) {
  const { run, fees, agreement, settings } = report;
  const { pending, incomplete } = run.counts;
  return {
    about: {
      range: report.range,
      profile: settings.profile ?? null,
      filters: settings.filters,
      verdict: feesVerdict(report),
      timeZone: agreement.timeZone,
      rates: agreement.rates.map(({ name }) => name),
      claims: claims(fees).map(({ minor, scale, currency }) => {
        return { currency, decimalPlaces: scale, ...jsonAmount(minor, scale) };
      }),
      rowsWithoutRate: feeRows(fees, 'withoutRate'),
      completeness: {
        complete: feesVerdict(report) !== 'incomplete',
        settlements: run.settlements.length,
        ...{ pending, incomplete, transactions: run.transactions },
        rowsOfUnknownTier: fees.unknownTiers,
      },
      findings: run.findings.map((entry) => jsonEntry(entry, 0)),
      notes: feesNotes(report),
    },
    lists: {
      lines: ['line', feeLines(report).map(jsonObject(lineColumns(report)))],
      months: ['month', feeMonths(report).map(jsonObject(monthColumns))],
      causes: ['cause', rateClaims(fees).map(jsonObject(causeColumns))],
      feesWithoutRow: ['feesWithoutRow', feesWithoutRow(report).map(jsonObject(withoutRowColumns))],
      differences: ['difference', fees.differences.map(jsonDifference(report))],
    },
  } as const;
}

/** The cells of its record, without those of its settlement, which is an object. */
function jsonDifference(report: FeesReport) {
  const isOwn = ({ key }: { readonly key: string }) => !/^(settlement|accounting)_/.test(key);
  const cells = jsonObject(differenceColumns(report).filter(isOwn));
  return (one: FeeDifference) => {
    return { ...cells(one), settlement: jsonSettlementKey(one.settlement, report.names) };
  };
}

const tones: Readonly<Record<FeesVerdict, Tone>> = {
  incomplete: 'unsure',
  overcharged: 'bad',
  not_checked: 'unsure',
  as_agreed: 'good',
};

/** The report of `recon fees`. A record is a payment type and type of an account. */
export function feesViews(report: FeesReport, rowsPath?: string): Views {
  return {
    view: () => [...feesView(report, maxScreenRows), ...listed('Next', feesAdvice(report), '>')],
    forProvider: () => claimView(report, rowsPath),
    page: () => [...feesView(report, maxPageRows), ...charts(report)],
    records: () => records(lineColumns(report), feeLines(report)),
    workbook: () => feesWorkbook(report),
    ...jsonViews(() => feesJson(report)),
  };
}

/** The rows of a claim. */
export function claimViews(report: FeesReport): Views {
  const rows = () => records(differenceColumns(report), claimed(report));
  return { ...feesViews(report), records: rows };
}

function claimed({ fees }: FeesReport): readonly FeeDifference[] {
  return fees.differences.filter(({ claim }) => claim > 0n);
}

/** What leaves a narrow screen first. */
const priorities: Readonly<Record<string, number>> = {
  ...{ charged: 2, agreed: 2, without_rate: 3, under: 3, rows: 4, rate: 4, volume: 5 },
  ...{ tax_charged: 3, tax_agreed: 3, amount: 2, settlement_date: 2 },
};

/** A table of these columns of records. */
function tableOf<Row>(
  title: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  keys?: string,
  more: { readonly limit?: number; readonly remarks?: (row: Row) => readonly Remark[] } = {},
): readonly Section[] {
  const shown = columns.filter(({ key }) => !keys || keys.split(' ').includes(key));
  const inSection = shown.map(({ key, kind, value }) => ({
    ...{
      title: titleOf(key).replace(/^Accounting .*/, 'Account'),
      kind,
      value,
      priority: priorities[key] ?? 1,
    },
    unbroken: key.endsWith('_id') ? uuid : uuid / 2,
  }));
  return sectionIfAny(title, rows, inSection, { limit: rows.length, ...more });
}

const shownFigures = 'currency rows volume charged agreed over under tax_over without_rate';

function feesView(report: FeesReport, limit: number): View {
  const { range, settings, agreement, run } = report;
  const lines = feeLines(report);
  const isNamed = lines.some(({ accountingToken }) => report.names.has(accountingToken));
  const account = isNamed ? 'accounting_name' : 'accounting_token';
  return [
    answerBlock(feesLabel(report), tones[feesVerdict(report)], feesHeadline(report)),
    facts([
      ['Range', wholeRangeText(range)],
      ['Agreed rates', enumerate(agreement.rates.map(({ name }) => name))],
      ['Filters', filtersText(settings.filters)],
      ['Profile', settings.profile],
      ['Everything read', feesCompleteness(report)],
    ]),
    ...remarks('Findings', run.findings.map(remark)),
    ...tableOf(
      'Fees by payment type and type',
      lines,
      lineColumns(report),
      `${account} payment_type transaction_type ${shownFigures}`,
    ),
    ...monthTable(report),
    ...tableOf('More than agreed, by rate and cause', rateClaims(report.fees), causeColumns),
    ...rowTable(report, limit),
    ...tableOf('Fees in headers without a row', feesWithoutRow(report), withoutRowColumns),
    ...listed('Notes', feesNotes(report)),
  ];
}

function monthTable(report: FeesReport): readonly Section[] {
  return tableOf('Month by month', feeMonths(report), monthColumns, `month ${shownFigures}`);
}

function rowTable(report: FeesReport, limit: number): readonly Section[] {
  const keys =
    'settlement_date transaction_id currency amount fee_charged fee_agreed tax_charged tax_agreed claim rate';
  return tableOf('Rows that cost most', claimed(report), differenceColumns(report), keys, {
    limit,
    remarks: (one) => [plain(agreedFeeText(one))],
  });
}

/** Charged and agreed fees of each month, a chart for each currency. */
function charts(report: FeesReport): ReportPage {
  const months = feeMonths(report);
  return [...new Set(months.map(({ currency }) => currency))].flatMap((unit) => {
    const own = months.filter(({ currency }) => currency === unit);
    const keys = 'month charged agreed over';
    return tableOf(`Charged and agreed fees, ${unit}`, own, monthColumns, keys).map((table) => ({
      ...({ kind: 'chart', type: 'barsAndLine', unit, table } as const),
      text: 'The bars are the fees that were charged, the line is what was agreed.',
    }));
  });
}

/** The claim for the provider: ids and amounts, and nothing personal. */
function claimView(report: FeesReport, rowsPath: string | undefined): View {
  const { range, fees } = report;
  const rows = claimed(report);
  return [
    answerBlock(
      rows.length === 0 ? 'No claim' : `Claim: ${claims(fees).map(moneyText).join(', ')}`,
      'plain',
      `In the settlements of ${rangeText(range)}, ${many(rows.length, 'row was', 'rows were')} charged more than agreed.`,
    ),
    facts([
      ['Compared', 'fee and tax of each row with the agreed rate; what costs less is not set off'],
      ['Rows', rowsPath && `in ${rowsPath.replace(/^.*[/\\]/, '')}`],
      ['Everything read', feesCompleteness(report)],
    ]),
    ...tableOf('More than agreed, by rate and cause', rateClaims(fees), causeColumns),
    ...monthTable(report),
    ...rowTable(report, maxScreenRows),
  ];
}

function feesWorkbook(report: FeesReport): Workbook {
  const { differences } = report.fees;
  const cut = differences.length > maxSheetRows ? ['The sheet Rows has only the first rows.'] : [];
  const rows = records(differenceColumns(report), differences.slice(0, maxSheetRows));
  return {
    title: `Fees ${rangeText(report.range)}`,
    summary: textBlocks([...feesView(report, 0), ...listed('About the sheets', cut)]),
    tables: [
      feesSheet(report),
      recordsSheet('Months', records(monthColumns, feeMonths(report))),
      recordsSheet('Causes', records(causeColumns, rateClaims(report.fees))),
      recordsSheet('Rows', rows),
    ],
  };
}

/** Fees by account, payment type and type; claims, and totals by currency, are formulas over them. */
function feesSheet(report: FeesReport): TableSheet {
  const lines = feeLines(report);
  const sums = linesBy(report.fees.lines, ({ currency }) => {
    return { accountingToken: 'Total', currency, paymentType: '', type: '' };
  });
  const sheet = recordsSheet('Fees', records(lineColumns(report), [...lines, ...sums]));
  const titles = sheet.columns.map(({ title }) => title);
  const letterOf = (title: string) => String.fromCharCode(65 + titles.indexOf(title));
  const formulaCell = (formula: string, minor: bigint, scale: number): SheetCell => {
    const result = { kind: 'amount', minor, scale } as const;
    if (!isExactNumber(minor)) return result;
    return { kind: 'formula', formula: `ROUND(${formula},${scale})`, result };
  };
  const claimCell = ({ over, taxOver, scale }: FeeLine, row: number) =>
    formulaCell(`${letterOf('Over')}${row}+${letterOf('Tax over')}${row}`, over + taxOver, scale);
  const rangeOf = (letter: string) => `$${letter}$2:$${letter}$${lines.length + 1}`;
  /** Sums up the amounts above a total. Other codes than these may be operators in criteria. */
  const sumCell = (cell: SheetCell, at: number, { currency }: FeeLine, row: number) => {
    const isSum = typeof cell !== 'string' && cell.kind === 'amount' && /^[A-Z]{3}$/.test(currency);
    if (!isSum) return cell;
    const own = letterOf('Currency');
    const criteria = `${rangeOf(own)},$${own}${row}`;
    const amounts = rangeOf(letterOf(titles[at] ?? ''));
    return formulaCell(`SUMIFS(${amounts},${criteria})`, cell.minor, cell.scale);
  };
  // The titles are in row 1.
  const rows = [...lines, ...sums].map((line, index) => {
    const cells = sheet.rows[index] ?? [];
    const isTotal = index >= lines.length;
    const own = isTotal ? cells.map((cell, at) => sumCell(cell, at, line, index + 2)) : cells;
    return [...own, claimCell(line, index + 2)];
  });
  return { ...sheet, columns: [...sheet.columns, { title: 'Claim' }], rows, totals: sums.length };
}
