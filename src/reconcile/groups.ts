import { byText } from '../base/texts.ts';
import type { Settlement } from '../model/settlement.ts';
import { addMoney, type Money, magnitude, rescale } from '../money/money.ts';
import { isAccepted, raisesAlarm } from './acceptance.ts';
import type { Entry, Measure } from './entry.ts';
import { isOverdue } from './overdue.ts';
import type {
  Figures,
  Group,
  GroupMeasure,
  IgnoredTotal,
  NetAndAbsolute,
  ReconciledSettlement,
  RuleEffect,
  RuleTotal,
  Totals,
  Verdict,
} from './reconciled.ts';
import { ruleNames, ruleText } from './rules.ts';
import { splitBy } from './split.ts';
import { verdictReason } from './verdict.ts';

/** One group for each accounting token and currency, in this order. */
export function groupsOf(
  settlements: readonly ReconciledSettlement[],
  withPayIn: boolean,
): readonly Group[] {
  return totalsBy(settlements, ({ accountingToken }) => ({ accountingToken }), withPayIn);
}

/** One total for each currency over all accounting tokens, in the order of their codes. */
export function totalsOf(
  settlements: readonly ReconciledSettlement[],
  withPayIn: boolean,
): readonly Totals[] {
  return totalsBy(settlements, () => ({}), withPayIn);
}

/**
 * The totals of settlements with the same parts and currency, in this order; currencies never mix.
 * Sums are over the balanced and out-of-balance settlements. Pending ones have their pay-in apart,
 * incomplete ones are only counted. `withPayIn` says whether an identity gives a pay-in.
 */
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
  const having = (wanted: Verdict) => all.filter(({ verdict }) => verdict === wanted);
  const members = all.filter(({ verdict }) => isInSums(verdict));
  const accepted = all.filter(isAccepted);
  const outOfBalance = all.filter(raisesAlarm);
  /** An absent amount adds nothing: only pay-ins can be absent, and then all of them are. */
  const sum = (of: typeof all, amount: (one: ReconciledSettlement) => bigint | undefined) =>
    of.reduce((total, one) => total + rescale(amount(one) ?? 0n, one.scale, scale), 0n);
  const differenceOf = (of: typeof all, measure: Measure): NetAndAbsolute => ({
    net: sum(of, ({ difference }) => difference?.[measure]),
    absolute: sum(of, ({ difference }) => magnitude(difference?.[measure] ?? 0n)),
  });
  const measured = (measure: Measure): GroupMeasure => ({
    reported: sum(members, ({ reported }) => reported[measure]),
    computed: sum(members, ({ computed }) => computed?.[measure]),
    difference: differenceOf(members, measure),
  });
  const payIn = measured('payIn');
  const payInOf = (of: typeof all) => sum(of, ({ reported }) => reported.payIn);
  const part = (of: typeof all) => ({ settlements: of.length, payIn: payInOf(of) });
  return {
    currency,
    scale,
    mixedScales: mixedScales(all),
    settlements: countByVerdict(all),
    gross: measured('gross'),
    fees: measured('fees'),
    tax: measured('tax'),
    payIn: withPayIn ? payIn : { ...payIn, computed: undefined, difference: undefined },
    outOfBalance: withPayIn ? differenceOf(outOfBalance, 'payIn') : undefined,
    outOfBalanceGross: differenceOf(outOfBalance, 'gross'),
    accepted: { settlements: accepted.length, ...differenceOf(accepted, 'payIn') },
    pendingPayIn: payInOf(having('pending')),
    unknownStatus: part(all.filter((one) => verdictReason(one) === 'unknown_status')),
    overdue: part(all.filter(isOverdue)),
    byRule: ruleTotals(members, scale),
  };
}

/** Whether the sums of a group or a run cover settlements of this verdict. */
export function isInSums(verdict: Verdict): boolean {
  return verdict === 'balanced' || verdict === 'out_of_balance';
}

/** The decimal places of their headers; none where all have the same. */
function mixedScales(all: readonly ReconciledSettlement[]): readonly number[] {
  const scales = [...new Set(all.map(({ settlement }) => settlement.scale))];
  return scales.length === 1 ? [] : scales.sort((a, b) => a - b);
}

/** How many settlements have each verdict. */
export function countByVerdict(
  settlements: readonly ReconciledSettlement[],
): Readonly<Record<Verdict, number>> {
  const counts = { balanced: 0, out_of_balance: 0, pending: 0, incomplete: 0 };
  for (const { verdict } of settlements) counts[verdict] += 1;
  return counts;
}

/** What ignored checks have found, by code, then currency; nothing for a check that has found nothing. */
export function ignoredTotals(
  settlements: readonly ReconciledSettlement[],
): readonly IgnoredTotal[] {
  const totals = new Map<string, IgnoredTotal>();
  for (const { settlement, notices } of settlements) {
    for (const found of notices.filter(({ weight }) => weight === 'ignored')) {
      const key = `${found.code} ${settlement.currency}`;
      totals.set(key, withIgnored(totals.get(key), found, settlement.currency));
    }
  }
  return [...totals].sort(([a], [b]) => byText(a, b)).map(([, total]) => total);
}

/** What rules have moved, at the scale of the sums; nothing for a rule that is about no row of them. */
function ruleTotals(all: readonly ReconciledSettlement[], scale: number): readonly RuleTotal[] {
  const totals = new Map<string, RuleTotal>();
  for (const { byRule, scale: from } of all) {
    for (const effect of byRule) {
      const key = ruleText(effect.rule);
      const none = { rule: effect.rule, settlements: 0, rows: 0, change: noFigures, notApplied: 0 };
      const at = (minor: bigint | undefined) => minor && rescale(minor, from, scale);
      totals.set(key, withEffect(totals.get(key) ?? none, effect, at));
    }
  }
  const place = ({ rule }: RuleTotal) => ruleNames.indexOf(rule.rule);
  return [...totals.values()].sort((a, b) => place(a) - place(b));
}

const noFigures: Figures = { transactions: 0, gross: 0n, fees: 0n, tax: 0n, payIn: undefined };

function withEffect(
  total: RuleTotal,
  { rows, change }: RuleEffect,
  at: (minor: bigint | undefined) => bigint | undefined,
): RuleTotal {
  if (change === undefined) return { ...total, notApplied: total.notApplied + 1 };
  const sum = (measure: Measure) => (total.change[measure] ?? 0n) + (at(change[measure]) ?? 0n);
  return {
    ...total,
    settlements: total.settlements + 1,
    rows: total.rows + rows,
    change: {
      transactions: total.change.transactions + change.transactions,
      gross: sum('gross'),
      fees: sum('fees'),
      tax: sum('tax'),
      payIn: change.payIn === undefined ? undefined : sum('payIn'),
    },
  };
}

function withIgnored(
  known: IgnoredTotal | undefined,
  found: Entry,
  currency: string,
): IgnoredTotal {
  const { code } = found;
  const settlements = (known?.settlements ?? 0) + 1;
  const one = amountOf(found);
  if (one === undefined) return { code, currency, scale: 0, settlements, difference: undefined };
  const plus = (minor = 0n, added: bigint) =>
    addMoney({ minor, scale: known?.scale ?? 0, currency }, { ...one, minor: added });
  const net = plus(known?.difference?.net, one.minor);
  const absolute = plus(known?.difference?.absolute, magnitude(one.minor));
  const difference = { net: net.minor, absolute: absolute.minor };
  return { code, currency, scale: net.scale, settlements, difference };
}

function amountOf({ facts }: Entry): Money | undefined {
  if (!('difference' in facts) || typeof facts.difference === 'number') return undefined;
  return facts.difference;
}
