import {
  claims,
  type FeesReport,
  type FeesVerdict,
  feesVerdict,
  feesWithoutRow,
  type MonthlyFees,
} from '../../app/fees-report.ts';
import { claimOf, type FeeDifference } from '../../reconcile/agreed/check-fees.ts';
import { type FeeLine, feeCauses } from '../../reconcile/agreed/fee-line.ts';
import {
  accountColumn,
  answerBlock,
  column,
  facts,
  listed,
  maxPageRows,
  maxScreenRows,
  minorColumns,
  plain,
  remark,
  remarks,
  section,
  sectionIfAny,
} from '../common/blocks.ts';
import { amountOf, records } from '../common/columns.ts';
import { jsonViews } from '../common/json.ts';
import { enumerate, many, moneyText, rangeText, wholeRangeText } from '../common/phrase.ts';
import { filtersText } from '../common/report.ts';
import type { Chart, ReportPage, Section, Tone, View, Views, Workbook } from '../common/view.ts';
import { maxSheetRows, recordsSheet, sectionSheet, textBlocks } from '../common/workbook.ts';
import {
  causesOf,
  differenceColumns,
  feeLines,
  feeMonths,
  feesJson,
  lineColumns,
} from './records.ts';
import { feesSheet } from './sheet.ts';
import { feesAdvice, feesCompleteness, feesHeadline, feesLabel, feesNotes } from './summary.ts';
import { agreedFeeText, feeCauseWords, priceText, taxText } from './words.ts';

const tones: Readonly<Record<FeesVerdict, Tone>> = {
  incomplete: 'unsure',
  overcharged: 'bad',
  not_checked: 'unsure',
  as_agreed: 'good',
};

/** The report of `recon fees`. A record is a payment type and type of an account. */
export function feesViews(report: FeesReport, rowsPath?: string): Views {
  const charts = feeMonths(report).length > 0 ? [feesChart(report)] : [];
  return {
    view: () => [...feesView(report, maxScreenRows), ...listed('Next', feesAdvice(report), '>')],
    forProvider: () => claimView(report, rowsPath),
    page: (): ReportPage => {
      const [first, ...others] = feesView(report, maxPageRows);
      return [...(first ? [first] : []), ...charts, ...others];
    },
    records: () => records(lineColumns(report), feeLines(report)),
    workbook: () => feesWorkbook(report),
    ...jsonViews(() => feesJson(report)),
  };
}

/** The rows of a claim: those that cost more than agreed. */
export function claimViews(report: FeesReport): Views {
  const rows = claimed(report);
  return { ...feesViews(report), records: () => records(differenceColumns(report), rows) };
}

function claimed({ fees }: FeesReport): readonly FeeDifference[] {
  return fees.differences.filter((one) => claimOf(one) > 0n);
}

function feesView(report: FeesReport, limit: number): View {
  const { range, settings, agreement, run } = report;
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
    ...lineSections(report),
    ...monthSections(report),
    ...causeSections(report),
    ...rowSections('Rows that cost most', claimed(report), limit),
    ...withoutRowSections(report),
    ...listed('Notes', feesNotes(report)),
  ];
}

const figures = minorColumns<FeeLine>(({ scale }) => scale);

const feeColumns = [
  column.text<FeeLine>('Currency', ({ currency }) => currency),
  column.integer<FeeLine>('Rows', ({ rows }) => rows, { priority: 2 }),
  figures.amount('Volume', ({ volume }) => volume, { priority: 4 }),
  figures.amount('Charged', ({ charged }) => charged, { priority: 2 }),
  figures.amount('Agreed', ({ agreed }) => agreed, { priority: 2 }),
  figures.amount('Over', ({ over }) => over),
  figures.amount('Under', ({ under }) => under, { priority: 3 }),
  figures.amount('Tax over', ({ taxOver }) => taxOver),
  column.integer<FeeLine>('Without a rate', ({ withoutRate }) => withoutRate),
];

const toneOf = ({ over, taxOver, withoutRate }: FeeLine): Tone => {
  if (over + taxOver > 0n) return 'bad';
  return withoutRate > 0 ? 'unsure' : 'good';
};

function lineSections(report: FeesReport): readonly Section[] {
  const lines = feeLines(report);
  return sectionIfAny(
    'Fees by payment type and type',
    lines,
    [
      accountColumn<FeeLine>(report.names, ({ accountingToken }) => accountingToken),
      column.text('Payment type', ({ paymentType }) => paymentType),
      column.text('Type', ({ type }) => type),
      ...feeColumns,
    ],
    { limit: lines.length, toneOf },
  );
}

function monthSections(report: FeesReport): readonly Section[] {
  const months = feeMonths(report);
  const month = column.text<FeeLine>('Month', (one) => one.month);
  return sectionIfAny('Month by month', months, [month, ...feeColumns], {
    limit: months.length,
    toneOf,
  });
}

function causeSections(report: FeesReport): readonly Section[] {
  const causes = causesOf(report);
  const { amount } = minorColumns<(typeof causes)[number]>(({ scale }) => scale);
  return sectionIfAny('More than agreed, by rate and cause', causes, [
    column.text('Rate', ({ rate }) => rate),
    column.text('Currency', ({ currency }) => currency),
    column.integer('Rows', ({ overRows }) => overRows),
    ...feeCauses.map((cause) => amount(feeCauseWords[cause], (one) => one[cause] || undefined)),
  ]);
}

function rowSections(
  title: string,
  rows: readonly FeeDifference[],
  limit: number,
): readonly Section[] {
  const { amount, difference } = minorColumns<FeeDifference>(({ scale }) => scale);
  return sectionIfAny(
    title,
    rows,
    [
      column.day('Date', ({ settlement }) => settlement.date),
      column.id('Transaction', ({ id }) => id || 'all of the settlement'),
      column.text('Currency', ({ currency }) => currency),
      amount('Amount', (one) => one.amount, { priority: 2 }),
      amount('Fee', ({ fee }) => fee),
      amount('Agreed', ({ agreedFee }) => agreedFee),
      amount('Tax', ({ tax }) => tax, { priority: 3 }),
      amount('Agreed tax', ({ agreedTax }) => agreedTax, { priority: 3 }),
      difference('Claim', claimOf),
      column.text('Rate', ({ rate }) => rate.name, { priority: 4 }),
    ],
    {
      limit,
      remarks: (one) => [plain(agreedFeeText(one))],
    },
  );
}

function withoutRowSections(report: FeesReport): readonly Section[] {
  const months = feesWithoutRow(report);
  const of = (name: 'above' | 'below' | 'agreed') => (one: MonthlyFees) =>
    amountOf(one[name].minor, one[name].scale);
  return sectionIfAny('Fees in headers without a row', months, [
    column.text('Month', ({ month }) => month),
    column.text('Currency', ({ above }) => above.currency),
    column.amount('Above the rows', of('above')),
    column.change('Below the rows', of('below')),
    column.amount('Agreed per month', of('agreed')),
  ]);
}

/** Charged and agreed fees side by side, a bar and a line for each month. */
function feesChart(report: FeesReport): Chart {
  const months = feeMonths(report);
  const { amount } = minorColumns<FeeLine>(({ scale }) => scale);
  const [first] = months;
  const own = months.filter(({ currency }) => currency === first?.currency);
  return {
    kind: 'chart',
    type: 'barsAndLine',
    text: 'The bars are the fees that were charged, the line is what was agreed.',
    unit: first?.currency ?? '',
    table: section<FeeLine>(
      'Charged and agreed fees',
      own,
      [
        column.text('Month', ({ month }) => month),
        amount('Charged', ({ charged }) => charged),
        amount('Agreed', ({ agreed }) => agreed),
        column.difference('Above', ({ over, scale }) => amountOf(over, scale)),
      ],
      { limit: own.length },
    ),
  };
}

/** The claim for the provider: ids and amounts, and nothing personal. */
function claimView(report: FeesReport, rowsPath: string | undefined): View {
  const { agreement, range, fees } = report;
  const rows = claimed(report);
  const used = new Set(rows.map(({ rate }) => rate));
  const rates = agreement.rates.filter((rate) => used.has(rate));
  const sums = claims(fees);
  return [
    answerBlock(
      sums.length === 0 ? 'No claim' : `Claim: ${sums.map(moneyText).join(', ')}`,
      'plain',
      `In the settlements of ${rangeText(range)}, ${many(rows.length, 'row was', 'rows were')} charged more than agreed.`,
    ),
    facts([
      ['Range', wholeRangeText(range)],
      ['Compared', 'fee and tax of each row with the agreed rate; what costs less is not set off'],
      ['Rows', rowsPath && `in ${rowsPath.replace(/^.*[/\\]/, '')}`],
      ['Everything read', feesCompleteness(report)],
    ]),
    ...sectionIfAny('Agreed rates', rates, [
      column.text('Rate', ({ name }) => name),
      column.text('Currency', ({ currency }) => currency),
      column.day('From', ({ valid_from }) => valid_from),
      column.day('To', ({ valid_to }) => valid_to),
      column.text('Fee', (rate) =>
        rate.tiers
          ? rate.tiers.map((tier) => `up to ${tier.up_to ?? 'any'}: ${priceText(tier, rate)}`)
          : priceText(rate, rate),
      ),
      column.text('Tax', taxText),
    ]),
    ...causeSections(report),
    ...monthSections(report),
    ...rowSections('Rows with the largest amounts', rows, maxScreenRows),
  ];
}

function feesWorkbook(report: FeesReport): Workbook {
  const columns = differenceColumns(report);
  const shown = report.fees.differences.slice(0, maxSheetRows);
  const isCut = shown.length < report.fees.differences.length;
  const about = isCut ? ['Rows: only the first are listed; --format csv lists all.'] : [];
  const [causes] = causeSections(report);
  return {
    title: `Fees ${rangeText(report.range)}`,
    summary: textBlocks([...feesView(report, 0), ...listed('About the sheets', about)]),
    tables: [
      feesSheet(report),
      ...monthSections(report).map((one) => sectionSheet('Months', one)),
      ...(causes ? [sectionSheet('Causes', causes)] : []),
      recordsSheet('Rows', records(columns, shown)),
    ],
  };
}
