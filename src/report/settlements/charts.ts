import { daysOf, spanOf } from '../../base/calendar.ts';
import { groupedBy } from '../../base/keys.ts';
import { rescale } from '../../money/money.ts';
import { rateScale } from '../../money/rate.ts';
import { raisesAlarm } from '../../reconcile/acceptance.ts';
import { isInSums } from '../../reconcile/groups.ts';
import type { ReconciledSettlement, Totals } from '../../reconcile/reconciled.ts';
import type { SplitName } from '../../reconcile/split.ts';
import { column, listed, section } from '../common/blocks.ts';
import { differenceChart, partsByAmount } from '../common/difference-chart.ts';
import type { Chart, ReportPage } from '../common/page.ts';
import { amountText, capitalised, many, present, signedText } from '../common/phrase.ts';
import { feesPercent, type RowLine, rowLinesOf } from './lines.ts';
import { measureOfTotals, type SettlementsReport, shownSettlements } from './report.ts';

/** What the range comes to, for each currency: by day as reported and as computed, the differences, the fees. */
export function rangeCharts(report: SettlementsReport): readonly Chart[] {
  const { totals } = report.run;
  return [
    ...totals.flatMap((of) => chartsByDay(report, of)),
    ...totals.flatMap((of) => feesByPaymentType(report, of)),
  ];
}

/** What the settlements of a day come to, in minor units; nothing on a day without any. */
interface DaySums {
  readonly day: string;
  readonly reported: bigint | undefined;
  readonly computed: bigint | undefined;
  /** Differences upwards and downwards: one doesn't hide the other. */
  readonly above: bigint;
  readonly below: bigint;
}

function chartsByDay(report: SettlementsReport, { currency, scale }: Totals): readonly Chart[] {
  const measure = measureOfTotals(report);
  const days = daySums(report, currency, scale);
  const differing = days.filter(({ above, below }) => above !== 0n || below !== 0n).length;
  if (days.length === 0) return [];
  const amount = (title: string, minor: (day: DaySums) => bigint | undefined) =>
    column<DaySums>(1, title, 'amount', (day) => amountText(minor(day), scale));
  const difference = (title: string, minor: (day: DaySums) => bigint) =>
    column<DaySums>(1, title, 'difference', (day) => signedText(minor(day) || undefined, scale));
  const day = column<DaySums>(1, 'Day', 'text', (one) => one.day);
  const [above, below] = [
    difference('Reported above computed', (one) => one.above),
    difference('Reported below computed', (one) => one.below),
  ];
  const table = (title: string, columns: readonly (typeof day)[]) =>
    section(`${title} by day, ${currency}`, days, columns, undefined, [], days.length);
  const differ =
    differing === 0
      ? 'No day has a difference.'
      : `A triangle marks ${many(differing, 'day')} with differences.`;
  const byDay: Chart = {
    kind: 'chart',
    form: 'compared',
    text:
      `Reported ${measure} (bars) and computed ${measure} (line) by settlement date, for settlements ` +
      `that are balanced or out of balance. ${differ}`,
    unit: currency,
    table: table(capitalised(measure), [
      day,
      amount('Reported', (one) => one.reported),
      amount('Computed', (one) => one.computed),
      above,
      below,
    ]),
  };
  if (differing === 0) return [byDay];
  return [
    byDay,
    {
      kind: 'chart',
      form: 'signed',
      text:
        'Reported - computed: bars above zero where more was reported than computed. Positive and ' +
        'negative differences of a day are added up separately.',
      unit: currency,
      table: table(`Differences in ${measure}`, [day, above, below]),
    },
  ];
}

/** Every day of the range; nothing where no settlement is in the sums. */
function daySums(report: SettlementsReport, currency: string, scale: number): readonly DaySums[] {
  const measure = measureOfTotals(report) === 'gross' ? 'gross' : 'payIn';
  const own = report.run.settlements.filter(
    ({ settlement, verdict }) => settlement.currency === currency && isInSums(verdict),
  );
  const byDay = groupedBy(own, ({ settlement }) => settlement.date);
  // The service may list a settlement of another day.
  const { from, to } = report.range ?? {};
  const span = own.length > 0 && spanOf(present(from, to, ...byDay.keys()));
  if (!span) return [];
  return [...daysOf(span)].map((day) => {
    const all = byDay.get(day);
    const sum = (amount: (one: ReconciledSettlement) => bigint | undefined) =>
      (all ?? []).reduce((sum, one) => sum + rescale(amount(one) ?? 0n, one.scale, scale), 0n);
    const difference = (isWanted: (minor: bigint) => boolean) =>
      sum(({ difference }) => {
        const minor = difference?.[measure] ?? 0n;
        return isWanted(minor) ? minor : 0n;
      });
    return {
      day,
      reported: all && sum(({ reported }) => reported[measure]),
      computed: all && sum(({ computed }) => computed?.[measure]),
      above: difference((minor) => minor > 0n),
      below: difference((minor) => minor < 0n),
    };
  });
}

function feesByPaymentType(report: SettlementsReport, { currency }: Totals): readonly Chart[] {
  const own = (split: SplitName) =>
    rowLinesOf(report, [split]).filter((line) => line.currency === currency);
  const lines = own('payment');
  const rate = ({ fees, gross }: RowLine) => feesPercent(fees, gross);
  if (lines.every((one) => rate(one) === '')) return [];
  const table = section<RowLine>(
    `Fees as a percentage of gross by payment type, ${currency}`,
    lines,
    [
      column(
        1,
        'Payment type',
        'text',
        ({ paymentType: name = 'All payment types' }) => name || '(missing)',
      ),
      column(1, 'Fees %', 'amount', rate),
      column(1, 'Fees', 'amount', ({ fees, scale }) => amountText(fees, scale)),
      column(1, 'Gross', 'amount', ({ gross, scale }) => amountText(gross, scale)),
      column(1, 'Rows', 'integer', ({ transactions }) => String(transactions)),
    ],
    undefined,
    lines.length > 1 ? own('currency') : [],
  );
  const text = `Fees of the rows as a percentage of their gross over the whole range, rounded half up to ${rateScale} decimal places.`;
  return [{ kind: 'chart', form: 'lengths', text, unit: '%', table }];
}

/** A page draws the differences of so many settlements. */
const mostDrawn = 30;

/** For each settlement out of balance what its difference in pay-in is made of. */
export function exceptionCharts(report: SettlementsReport): ReportPage {
  const { names, settings, explanations } = report;
  const charts = shownSettlements(report).flatMap((one) => {
    const { settlement, scale, difference } = one;
    const parts = difference ? partsByAmount(difference, settings.identity) : [];
    if (!raisesAlarm(one) || parts.length === 0) return [];
    const { id, date, accountingToken, currency } = settlement;
    const title = `${date}, ${names.get(accountingToken) ?? accountingToken}`;
    const text = present(`Settlement ${id}.`, explanations?.get(id)).join(' ');
    return [() => differenceChart(one, parts, { title, text, scale, currency })];
  });
  if (charts.length === 0) return [];
  const more = charts.length - mostDrawn;
  return [
    ...listed(
      'Differences in pay-in, settlement by settlement',
      present(
        'Each chart starts at zero, adds the differences in gross, fees and tax, and ends at the ' +
          'difference in pay-in. Each has its own scale.',
        more > 0 &&
          `${many(more, 'more settlement')} without a chart; the table at the end has all figures.`,
      ),
    ),
    ...charts.slice(0, mostDrawn).map((draw) => draw()),
  ];
}
