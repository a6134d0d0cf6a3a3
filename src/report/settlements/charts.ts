import {
  measureOfTotals,
  type RowLine,
  rowLinesOf,
  type SettlementsReport,
  shownSettlements,
} from '../../app/settlements-report.ts';
import { rateScale } from '../../money/rate.ts';
import { raisesAlarm } from '../../reconcile/acceptance.ts';
import type { Totals } from '../../reconcile/groups.ts';
import { type PeriodSums, sumsByPeriod } from '../../reconcile/period-sums.ts';
import type { SplitName } from '../../reconcile/split.ts';
import { column, listed, minorColumns, section } from '../common/blocks.ts';
import { amountOf } from '../common/columns.ts';
import { differenceChart, partsByAmount } from '../common/difference-chart.ts';
import { accountName, capitalised, many, present } from '../common/phrase.ts';
import type { Chart, ReportPage } from '../common/view.ts';
import { byDifference } from './sections.ts';
import { feesPercent } from './totals.ts';

/** What the range comes to, for each currency: by day or month as reported and computed, the differences, the fees. */
export function rangeCharts(report: SettlementsReport): readonly Chart[] {
  const { totals } = report.run;
  return [
    ...totals.flatMap((total) => chartsByPeriod(report, total)),
    ...totals.flatMap((total) => feesByPaymentType(report, total)),
  ];
}

function chartsByPeriod(report: SettlementsReport, { currency, scale }: Totals): readonly Chart[] {
  const measure = measureOfTotals(report);
  const { unit, sums } = sumsByPeriod(
    report.run.settlements,
    { currency, scale },
    measure === 'gross' ? 'gross' : 'payIn',
    report.range,
  );
  const differing = sums.filter(({ above, below }) => above !== 0n || below !== 0n).length;
  if (sums.length === 0) return [];
  const minor = minorColumns<PeriodSums>(() => scale);
  const period = column.text<PeriodSums>(capitalised(unit), (one) => one.period);
  const above = minor.difference('Reported above computed', (one) => one.above || undefined);
  const below = minor.difference('Reported below computed', (one) => one.below || undefined);
  const table = (title: string, columns: readonly (typeof period)[]) =>
    section(`${title} by ${unit}, ${currency}`, sums, columns, { limit: sums.length });
  const differ =
    differing === 0
      ? `No ${unit} has a difference.`
      : `A triangle marks ${many(differing, unit)} with differences.`;
  const compared: Chart = {
    kind: 'chart',
    type: 'barsAndLine',
    text:
      `Reported ${measure} (bars) and computed ${measure} (line) by ${unit}, for ` +
      `settlements that are balanced or out of balance. ${differ}`,
    unit: currency,
    table: table(capitalised(measure), [
      period,
      minor.amount('Reported', (one) => one.reported),
      minor.amount('Computed', (one) => one.computed),
      above,
      below,
    ]),
  };
  if (differing === 0) return [compared];
  return [
    compared,
    {
      kind: 'chart',
      type: 'signedBars',
      text:
        'Reported - computed: bars above zero where more was reported than computed. Positive and ' +
        `negative differences of a ${unit} are added up separately.`,
      unit: currency,
      table: table(`Differences in ${measure}`, [period, above, below]),
    },
  ];
}

function feesByPaymentType(report: SettlementsReport, { currency }: Totals): readonly Chart[] {
  const own = (split: SplitName) =>
    rowLinesOf(report, [split]).filter((line) => line.currency === currency);
  const lines = own('payment');
  const nameOf = ({ paymentType = 'All payment types' }: RowLine) => paymentType || '(missing)';
  const rate = ({ fees, gross }: RowLine) => feesPercent(fees, gross);
  if (lines.every((one) => rate(one) === undefined)) return [];
  const table = section<RowLine>(
    `Fees as a percentage of gross by payment type, ${currency}`,
    lines,
    [
      column.text('Payment type', nameOf),
      column.amount('Fees %', rate),
      column.amount('Fees', ({ fees, scale }) => amountOf(fees, scale)),
      column.amount('Gross', ({ gross, scale }) => amountOf(gross, scale)),
      column.integer('Rows', ({ transactions }) => transactions),
    ],
    { totals: lines.length > 1 ? own('currency') : [] },
  );
  const text = `Fees of the rows as a percentage of their gross over the whole range, rounded half up to ${rateScale} decimal places.`;
  return [{ kind: 'chart', type: 'bars', text, unit: '%', table }];
}

const mostDrawn = 30;

/** For each settlement out of balance what its difference in pay-in is made of. */
export function exceptionCharts(report: SettlementsReport): ReportPage {
  const { names, settings, explanations } = report;
  const largest = [...shownSettlements(report)].sort(byDifference);
  const charts = largest.flatMap((one) => {
    const { settlement, scale, difference } = one;
    const parts = difference ? partsByAmount(difference, settings.identity) : [];
    if (!raisesAlarm(one) || parts.length === 0) return [];
    const { id, date, accountingToken, currency } = settlement;
    const title = `${date}, ${accountName(names, accountingToken)}`;
    const text = present(`Settlement ${id}.`, explanations?.get(id)).join(' ');
    return [() => differenceChart(one, parts, { title, text, scale, currency })];
  });
  if (charts.length === 0) return [];
  const more = charts.length - mostDrawn;
  return [
    ...listed(
      'Differences in pay-in, settlement by settlement',
      present(
        'Each chart starts at zero, adds what the differences in gross, fees and tax change in the pay-in, and ends at the ' +
          'difference in pay-in. Each has its own scale.',
        more > 0 &&
          `${many(more, 'more settlement has', 'more settlements have')} no chart: see the table at the end.`,
      ),
    ),
    ...charts.slice(0, mostDrawn).map((draw) => draw()),
  ];
}
