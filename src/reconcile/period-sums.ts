import { daysBetween, daysOf, spanOf } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import type { DateRange } from '../model/source.ts';
import { rescale } from '../money/money.ts';
import type { Totals } from './groups.ts';
import type { ReconciledSettlement } from './reconcile-settlement.ts';
import { isInSums } from './verdict.ts';

/** What the settlements of a day or a month come to, in minor units; nothing where there are none. */
export interface PeriodSums {
  readonly period: string;
  readonly reported: bigint | undefined;
  readonly computed: bigint | undefined;
  /** Differences upwards and downwards: one doesn't hide the other. */
  readonly above: bigint;
  readonly below: bigint;
}

const mostDays = 366;

/**
 * What the settlements of a currency that count in totals come to by day, or by month where they span more
 * than a year: of days that are in the range or between settlements each one.
 */
export function sumsByPeriod(
  settlements: readonly ReconciledSettlement[],
  { currency, scale }: Pick<Totals, 'currency' | 'scale'>,
  measure: 'gross' | 'payIn',
  range: DateRange | undefined,
) {
  const own = settlements.filter(
    ({ settlement, verdict }) => settlement.currency === currency && isInSums(verdict),
  );
  // The service may list a settlement of another day, however far away.
  const asked = range ? [range.from, range.to] : [];
  const dates = own.map(({ settlement }) => settlement.date);
  const span = own.length > 0 ? spanOf([...asked, ...dates]) : undefined;
  const isShort = span && daysBetween(span.from, span.to) < mostDays;
  const byPeriod = groupedBy(own, ({ settlement: { date } }) =>
    isShort ? date : date.slice(0, 7),
  );
  const periods = isShort ? [...daysOf(span)] : [...byPeriod.keys()].sort(byText);
  const sums = periods.map((period): PeriodSums => {
    const all = byPeriod.get(period);
    const sum = (amount: (one: ReconciledSettlement) => bigint | undefined) =>
      (all ?? []).reduce((sum, one) => sum + rescale(amount(one) ?? 0n, one.scale, scale), 0n);
    const difference = (isWanted: (minor: bigint) => boolean) =>
      sum(({ difference }) => {
        const minor = difference?.[measure] ?? 0n;
        return isWanted(minor) ? minor : 0n;
      });
    return {
      period,
      reported: all && sum(({ reported }) => reported[measure]),
      computed: all && sum(({ computed }) => computed?.[measure]),
      above: difference((minor) => minor > 0n),
      below: difference((minor) => minor < 0n),
    };
  });
  return { unit: isShort ? 'day' : 'month', sums };
}
