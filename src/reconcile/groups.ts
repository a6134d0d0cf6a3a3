import { daysBetween, daysOf, spanOf } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import type { Amounts, Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import { type Money, magnitude, netAndAbsoluteSums, rescale } from '../money/money.ts';
import { isAccepted, raisesAlarm } from './acceptance.ts';
import { isOverdue } from './as-reported.ts';
import type { Computed } from './computed.ts';
import type { Code, Entry, Measure } from './entry.ts';
import type { ReconciledSettlement } from './reconcile-settlement.ts';
import { type Rule, ruleText } from './rules.ts';
import { splitBy } from './split.ts';
import { amountsBy } from './sums.ts';
import { countByVerdict, isInSums, type Verdict, verdictReason } from './verdict.ts';

/** A sum over settlements: the net, and the sum of the absolute values. */
export interface NetAndAbsolute {
  readonly net: bigint;
  readonly absolute: bigint;
}

/** One measure over the balanced and out-of-balance settlements. */
interface GroupMeasure {
  /** Absent if not all of them state it; then there is no difference either. */
  readonly reported: bigint | undefined;
  /** Absent for a pay-in without an identity. */
  readonly computed: bigint | undefined;
  readonly difference: NetAndAbsolute | undefined;
}

/** The number of settlements, and their reported pay-in. */
interface PendingPart {
  readonly settlements: number;
  readonly payIn: bigint;
}

/** The totals of settlements of one currency; minor units at `scale`. */
export interface Totals extends Amounts<GroupMeasure> {
  readonly currency: string;
  readonly scale: number;
  /** The decimal places of its settlements, if not all the same. */
  readonly mixedScales: readonly number[];
  readonly settlements: Readonly<Record<Verdict, number>>;
  readonly payIn: GroupMeasure;
  /** Pay-in differences, without accepted settlements; absent without an identity. */
  readonly outOfBalance: NetAndAbsolute | undefined;
  /** Their gross differences, which reports show without an identity. */
  readonly outOfBalanceGross: NetAndAbsolute;
  /** The accepted settlements, with their pay-in differences. */
  readonly accepted: NetAndAbsolute & { readonly settlements: number };
  readonly pendingPayIn: bigint;
  /** Pending settlements with a status that the document does not name. */
  readonly unknownStatus: PendingPart;
  /** Overdue settlements; none if age is not judged. */
  readonly overdue: PendingPart;
  /** The effects of rules on the computed amounts, in their order. */
  readonly byRule: readonly RuleTotal[];
}

export interface Group extends Totals {
  readonly accountingToken: string;
}

/** What an ignored check found in the settlements of a currency; minor units at `scale`. */
export interface IgnoredTotal {
  readonly code: Code;
  readonly currency: string;
  readonly scale: number;
  readonly settlements: number;
  /** Absent if the check compares no amounts. */
  readonly difference: NetAndAbsolute | undefined;
}

/** The effect of a rule on the settlements in the sums of a group. */
export interface RuleTotal {
  readonly rule: Rule;
  readonly settlements: number;
  readonly rows: number;
  readonly change: Computed;
  /** Settlements to which it could not be applied; not in `settlements`. */
  readonly notApplied: number;
}

/** The totals of settlements with the same parts and currency. `withPayIn`: by an identity. */
export function totalsBy<Common extends object>(
  settlements: readonly ReconciledSettlement[],
  partsOf: (settlement: Settlement) => Common,
  withPayIn: boolean,
): readonly (Common & Totals)[] {
  return splitBy(settlements, ({ settlement }) => ({
    ...partsOf(settlement),
    currency: settlement.currency,
  })).map(([parts, own]) => ({ ...parts, ...totalOf(parts.currency, own, withPayIn) }));
}

function totalOf(
  currency: string,
  all: readonly ReconciledSettlement[],
  withPayIn: boolean,
): Totals {
  const scale = all.reduce((largest, one) => Math.max(largest, one.scale), 0);
  const members = all.filter(({ verdict }) => isInSums(verdict));
  const accepted = all.filter(isAccepted);
  const outOfBalance = all.filter(raisesAlarm);
  /** Absent amounts count as 0. */
  const sum = (of: typeof all, amount: (one: ReconciledSettlement) => bigint | undefined) =>
    of.reduce((total, one) => total + rescale(amount(one) ?? 0n, one.scale, scale), 0n);
  const differenceOf = (of: typeof all, measure: Measure): NetAndAbsolute => ({
    net: sum(of, ({ difference }) => difference?.[measure]),
    absolute: sum(of, ({ difference }) => magnitude(difference?.[measure] ?? 0n)),
  });
  const measured = (measure: Measure): GroupMeasure => {
    const areStated = members.every(({ reported }) => reported[measure] !== undefined);
    return {
      reported: areStated ? sum(members, ({ reported }) => reported[measure]) : undefined,
      computed: sum(members, ({ computed }) => computed?.[measure]),
      difference: areStated ? differenceOf(members, measure) : undefined,
    };
  };
  const payIn = measured('payIn');
  const payInOf = (of: typeof all) => sum(of, ({ reported }) => reported.payIn);
  const part = (of: typeof all) => ({ settlements: of.length, payIn: payInOf(of) });
  return {
    currency,
    scale,
    mixedScales: mixedScales(all),
    settlements: countByVerdict(all),
    ...amountsBy(measured),
    payIn: withPayIn ? payIn : { ...payIn, computed: undefined, difference: undefined },
    outOfBalance: withPayIn ? differenceOf(outOfBalance, 'payIn') : undefined,
    outOfBalanceGross: differenceOf(outOfBalance, 'gross'),
    accepted: { settlements: accepted.length, ...differenceOf(accepted, 'payIn') },
    pendingPayIn: payInOf(all.filter(({ verdict }) => verdict === 'pending')),
    unknownStatus: part(all.filter((one) => verdictReason(one) === 'unknown_status')),
    overdue: part(all.filter(isOverdue)),
    byRule: ruleTotals(members, scale),
  };
}

/** The decimal places of the headers, sorted; empty if all have the same. */
function mixedScales(all: readonly ReconciledSettlement[]): readonly number[] {
  const scales = [...new Set(all.map(({ settlement }) => settlement.scale))];
  return scales.length === 1 ? [] : scales.sort((a, b) => a - b);
}

/** The findings of ignored checks, by code, then currency. */
export function ignoredTotals(
  settlements: readonly ReconciledSettlement[],
): readonly IgnoredTotal[] {
  const ignored = settlements.flatMap(({ settlement: { currency }, notices }) =>
    notices
      .filter(({ weight }) => weight === 'ignored')
      .map((entry) => ({ code: entry.code, currency, difference: amountOf(entry) })),
  );
  return splitBy(ignored, ({ code, currency }) => ({ code, currency })).map(([parts, all]) => {
    const [difference] = netAndAbsoluteSums(all.flatMap((one) => one.difference ?? []));
    return { ...parts, scale: difference?.scale ?? 0, settlements: all.length, difference };
  });
}

function amountOf({ facts }: Entry): Money | undefined {
  if (!('difference' in facts) || typeof facts.difference === 'number') return undefined;
  return facts.difference;
}

const ruleOrder: readonly Rule['rule'][] = ['not_counted', 'signs', 'rounding', 'tax_in_fees'];

/** The effects of rules on settlements, at the scale of the sums. */
function ruleTotals(all: readonly ReconciledSettlement[], scale: number): readonly RuleTotal[] {
  const effects = all.flatMap(({ byRule, scale: from }) => byRule.map((one) => ({ ...one, from })));
  return [...groupedBy(effects, ({ rule }) => ruleText(rule)).values()]
    .flatMap((own) => {
      const [first] = own;
      if (!first) return [];
      const applied = own.flatMap(({ rows, change, from }) =>
        change ? { rows, change, from } : [],
      );
      const sum = (measure: Measure) =>
        applied.reduce(
          (to, { change, from }) => to + rescale(change[measure] ?? 0n, from, scale),
          0n,
        );
      const hasPayIn = applied.some(({ change }) => change.payIn !== undefined);
      return {
        rule: first.rule,
        settlements: applied.length,
        rows: applied.reduce((total, { rows }) => total + rows, 0),
        change: {
          transactions: applied.reduce((total, { change }) => total + change.transactions, 0),
          ...amountsBy(sum),
          payIn: hasPayIn ? sum('payIn') : undefined,
        },
        notApplied: own.length - applied.length,
      };
    })
    .sort((a, b) => ruleOrder.indexOf(a.rule.rule) - ruleOrder.indexOf(b.rule.rule));
}

/** The sums of the settlements of a day or a month, in minor units. */
export interface PeriodSums {
  readonly period: string;
  readonly reported: bigint | undefined;
  readonly computed: bigint | undefined;
  /** Positive and negative differences are summed apart, so neither hides the other. */
  readonly above: bigint;
  readonly below: bigint;
}

const mostDays = 366;

/** The sums of settlements of a currency by day, or by month if they span more than a year. */
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
