import { daysOf, spanOf } from '../../base/calendar.ts';
import { groupedBy } from '../../base/keys.ts';
import { byText } from '../../base/texts.ts';
import { rescale } from '../../money/money.ts';
import { rateOf, rateScale, rateText } from '../../money/rate.ts';
import { raisesAlarm } from '../../reconcile/acceptance.ts';
import { isInSums } from '../../reconcile/groups.ts';
import type { ReconciledSettlement, Totals } from '../../reconcile/reconciled.ts';
import { addRowTotals, type RowTotal } from '../../reconcile/row-totals.ts';
import { column, listed, section } from '../common/blocks.ts';
import { differenceChart, partsByAmount } from '../common/difference-chart.ts';
import type { Chart, ReportPage } from '../common/page.ts';
import { amountText, capitalised, many, present, signedText } from '../common/phrase.ts';
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
  const differ = many(differing, 'day differs', 'days differ');
  const byDay: Chart = {
    kind: 'chart',
    form: 'compared',
    text: present(
      `${capitalised(measure)} as reported (bars) and as computed from the rows (line), by settlement date.`,
      'Only settlements that are balanced or out of balance.',
      differing > 0 ? `${differ}: see the triangles.` : 'No day differs.',
    ).join(' '),
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
      text: `Reported - computed: upwards where more was reported than computed. Differences of the same day and direction are added up.`,
      unit: currency,
      table: table(`Differences in ${measure}`, [day, above, below]),
    },
  ];
}

/** Every day from the first to the last with a settlement in the sums. */
function daySums(report: SettlementsReport, currency: string, scale: number): readonly DaySums[] {
  const measure = measureOfTotals(report) === 'gross' ? 'gross' : 'payIn';
  const own = report.run.settlements.filter(
    ({ settlement, verdict }) => settlement.currency === currency && isInSums(verdict),
  );
  const byDay = groupedBy(own, ({ settlement }) => settlement.date);
  const span = spanOf(byDay.keys());
  if (span === undefined) return [];
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

function feesByPaymentType({ run }: SettlementsReport, { currency }: Totals): readonly Chart[] {
  const own = run.rowTotals.filter((total) => total.currency === currency);
  const lines = [...groupedBy(own, ({ paymentType }) => paymentType)]
    .sort(([a], [b]) => byText(a, b))
    .map(([paymentType, totals]) => ({ name: paymentType || 'none', ...summed(totals) }));
  type Line = (typeof lines)[number];
  const rate = ({ fees, gross }: Pick<RowTotal, 'fees' | 'gross'>) => rateText(rateOf(fees, gross));
  if (lines.every((one) => rate(one) === '')) return [];
  const all = { name: 'All payment types', ...summed(own) };
  const table = section<Line>(
    `Fees in per cent of gross by payment type, ${currency}`,
    lines,
    [
      column(1, 'Payment type', 'text', ({ name }) => name),
      column(1, 'Fees in % of gross', 'amount', rate),
      column(1, 'Fees', 'amount', ({ fees, scale }) => amountText(fees, scale)),
      column(1, 'Gross', 'amount', ({ gross, scale }) => amountText(gross, scale)),
      column(1, 'Rows', 'integer', ({ count }) => String(count)),
    ],
    undefined,
    lines.length > 1 ? [all] : [],
  );
  const text = `Fees of the rows divided by their gross over the whole range, rounded half up to ${rateScale} decimals.`;
  return [{ kind: 'chart', form: 'lengths', text, unit: '%', table }];
}

function summed(totals: readonly RowTotal[]) {
  const [first, ...others] = totals;
  const none = { scale: 0, count: 0, gross: 0n, fees: 0n };
  return first ? others.reduce(addRowTotals, first) : none;
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
      'How each difference in pay-in comes about',
      present(
        'From zero through the differences in gross, fees and tax. Each chart has a scale of its own.',
        more > 0 && `${many(more, 'more settlement')} not drawn; see the table of all settlements.`,
      ),
    ),
    ...charts.slice(0, mostDrawn).map((draw) => draw()),
  ];
}
