import { groupedBy } from '../base/keys.ts';
import { byText } from '../base/texts.ts';
import { addMoney, type Money, rescale } from '../money/money.ts';
import { isAccepted, raisesAlarm } from './acceptance.ts';
import type { Entry, Measure } from './entry.ts';
import { isOverdue } from './overdue.ts';
import type {
  Group,
  GroupMeasure,
  IgnoredTotal,
  NetAndAbsolute,
  ReconciledSettlement,
  Totals,
  Verdict,
} from './reconciled.ts';
import { verdictReason } from './verdict.ts';

/**
 * One group for each accounting token and currency, in this order; currencies never mix. Sums are
 * over the balanced and out-of-balance settlements. Pending ones have their pay-in apart, incomplete
 * ones are only counted. `withPayIn` says whether an identity gives a pay-in.
 */
export function groupsOf(
  settlements: readonly ReconciledSettlement[],
  withPayIn: boolean,
): readonly Group[] {
  const byToken = splitBy(settlements, ({ settlement }) => settlement.accountingToken);
  return byToken.flatMap(([accountingToken, own]) =>
    totalsOf(own, withPayIn).map((totals) => ({ accountingToken, ...totals })),
  );
}

/** One total for each currency over all accounting tokens, in the order of their codes. */
export function totalsOf(
  settlements: readonly ReconciledSettlement[],
  withPayIn: boolean,
): readonly Totals[] {
  return splitBy(settlements, ({ settlement }) => settlement.currency).map(([currency, own]) =>
    totalOf(currency, own, withPayIn),
  );
}

/** The settlements of each key, sorted by key. */
function splitBy(
  settlements: readonly ReconciledSettlement[],
  keyOf: (one: ReconciledSettlement) => string,
): readonly (readonly [key: string, own: readonly ReconciledSettlement[]])[] {
  return [...groupedBy(settlements, keyOf)].sort(([a], [b]) => byText(a, b));
}

function totalOf(
  currency: string,
  all: readonly ReconciledSettlement[],
  withPayIn: boolean,
): Totals {
  const scale = all.reduce((largest, one) => Math.max(largest, one.scale), 0);
  const having = (...verdicts: readonly Verdict[]) =>
    all.filter(({ verdict }) => verdicts.includes(verdict));
  const members = having('balanced', 'out_of_balance');
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
  };
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
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
