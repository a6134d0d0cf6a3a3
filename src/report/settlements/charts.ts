import {
  measureOfTotals,
  type RowLine,
  rowLinesOf,
  type SettlementsReport,
  shownSettlements,
} from '../../app/settlements-report.ts';
import { rateScale } from '../../money/rate.ts';
import { raisesAlarm } from '../../reconcile/acceptance.ts';
import { allStated, type Figures } from '../../reconcile/computed.ts';
import type { Totals } from '../../reconcile/groups.ts';
import { sumsByPeriod } from '../../reconcile/groups.ts';
import { type Identity, payInOf } from '../../reconcile/identity.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import type { SplitName } from '../../reconcile/split.ts';
import { column, listed, section } from '../common/blocks.ts';
import { amountOf } from '../common/columns.ts';
import { accountName, capitalised, many, present, type Unit } from '../common/phrase.ts';
import type { Chart, ReportPage } from '../common/view.ts';
import { byDifference } from './sections.ts';
import { feesPercent } from './totals.ts';

/** Charts for each currency: reported and computed by day or month, the differences, the fees. */
export function rangeCharts(report: SettlementsReport): ReportPage {
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
  const rows = sums.map((one) => ({ ...one, scale }));
  type Period = (typeof rows)[number];
  const period = column.text<Period>(capitalised(unit), (one) => one.period);
  const above = column.difference<Period>(
    'Reported above computed',
    (one) => one.above || undefined,
  );
  const below = column.difference<Period>(
    'Reported below computed',
    (one) => one.below || undefined,
  );
  const table = (title: string, columns: readonly (typeof period)[]) =>
    section(`${title} by ${unit}, ${currency}`, rows, columns, { limit: rows.length });
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
      column.amount('Reported', (one) => one.reported),
      column.amount('Computed', (one) => one.computed),
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

function feesByPaymentType(report: SettlementsReport, { currency }: Totals): ReportPage {
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
      column.amount('Fees', ({ fees }) => fees),
      column.amount('Gross', ({ gross }) => gross),
      column.integer('Transactions', ({ transactions }) => transactions),
    ],
    { totals: lines.length > 1 ? own('currency') : [] },
  );
  const text = `Fees of the transactions as a percentage of their gross over the whole range, rounded half up to ${rateScale} decimal places.`;
  return lines.length === 1 ? [table] : [{ kind: 'chart', type: 'bars', text, unit: '%', table }];
}

const mostDrawn = 30;

/** A chart for each settlement out of balance: the parts of its difference in pay-in. */
export function exceptionCharts(report: SettlementsReport): ReportPage {
  const { names, settings, explanations } = report;
  const largest = [...shownSettlements(report)].sort(byDifference);
  const charts = largest.flatMap((one) => {
    const { settlement, scale, difference } = one;
    const parts = difference ? partsByAmount(difference, settings.identity) : [];
    // A single part is the whole difference, which is said with the settlement.
    if (!raisesAlarm(one) || parts.length < 2) return [];
    const { id, date, accountingToken, currency } = settlement;
    const title = `${date}, ${accountName(names, accountingToken)}`;
    const text = present(`Settlement ${id}.`, explanations?.get(id)).join(' ');
    return [() => differenceChart(one, parts, { title, text, scale, currency })];
  });
  if (charts.length === 0) return [];
  const more = charts.length - mostDrawn;
  return [
    ...listed(
      'Differences in net pay-out, settlement by settlement',
      present(
        'Each chart starts at zero, adds what the differences in gross, fees and tax change in the net pay-out, and ends at the ' +
          'difference in net pay-out. Each has its own scale.',
        more > 0 &&
          `${many(more, 'more settlement has', 'more settlements have')} no chart: see the table at the end.`,
      ),
    ),
    ...charts.slice(0, mostDrawn).map((draw) => draw()),
  ];
}

/** A part of a difference in pay-in, in minor units. */
export type DifferencePart = readonly [name: string, change: bigint];

/** How differences in gross, fees and tax change the pay-in; empty without an identity. */
export function partsByAmount(difference: Figures, identity: Identity): readonly DifferencePart[] {
  const stated = allStated(difference);
  if (identity === 'off' || stated?.payIn === undefined) return [];
  const { gross, fees, tax, payIn } = stated;
  // The bar of a subtracted part has the opposite sign of its difference in the tables.
  const named = (name: string, sign: bigint) => (sign < 0n ? `${name} (subtracted)` : name);
  const parts: readonly DifferencePart[] = [
    ['Gross', gross],
    [named('Fees', payInOf(identity, 0n, 1n, 0n)), payInOf(identity, 0n, fees, 0n)],
    [named('Tax', payInOf(identity, 0n, 0n, 1n)), payInOf(identity, 0n, 0n, tax)],
    ['The settlement contradicts itself', payIn - payInOf(identity, gross, fees, tax)],
  ];
  return parts.filter(([, change]) => change !== 0n);
}

/** A waterfall of the parts, without totals: next to these, the bars would be too small. */
export function differenceChart(
  { difference }: Pick<ReconciledSettlement, 'difference'>,
  parts: readonly DifferencePart[],
  { title, text, scale, currency }: Unit & { readonly title: string; readonly text: string },
): Chart {
  const total: DifferencePart = ['Difference in net pay-out', difference?.payIn ?? 0n];
  const table = section<DifferencePart>(
    title,
    parts,
    [
      column.text('Part', ([name]) => name),
      column.difference('Change in net pay-out', ([, change]) => amountOf(change, scale)),
    ],
    { totals: [total], limit: parts.length },
  );
  return { kind: 'chart', type: 'waterfall', text, unit: currency, table };
}
