import { byText } from '../base/texts.ts';
import { largestScale, rescale } from '../money/money.ts';
import type { Measure } from './entry.ts';
import type {
  Figures,
  Group,
  GroupMeasure,
  NetAndAbsolute,
  ReconciledSettlement,
  Totals,
  Verdict,
} from './reconciled.ts';

/** What a balanced or out-of-balance settlement adds to its group, at the group's scale. */
interface Member {
  readonly verdict: Verdict;
  readonly reported: Figures;
  readonly computed: Figures;
  readonly difference: Figures;
}

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
  const byKey = new Map<string, ReconciledSettlement[]>();
  for (const one of settlements) {
    const known = byKey.get(keyOf(one));
    if (known) known.push(one);
    else byKey.set(keyOf(one), [one]);
  }
  return [...byKey].sort(([a], [b]) => byText(a, b));
}

function totalOf(
  currency: string,
  all: readonly ReconciledSettlement[],
  withPayIn: boolean,
): Totals {
  const scale = all.reduce((largest, one) => largestScale(largest, one.scale), 0);
  const members = all.flatMap((one) => memberOf(one, scale));
  const outOfBalance = members.filter(({ verdict }) => verdict === 'out_of_balance');
  return {
    currency,
    scale,
    mixedScales: mixedScales(all),
    settlements: countByVerdict(all),
    gross: measureOf(members, 'gross'),
    fees: measureOf(members, 'fees'),
    tax: measureOf(members, 'tax'),
    payIn: withPayIn ? measureOf(members, 'payIn') : reportedPayIn(members),
    outOfBalance: withPayIn ? differenceOf(outOfBalance, 'payIn') : undefined,
    outOfBalanceGross: differenceOf(outOfBalance, 'gross'),
    pendingPayIn: pendingPayIn(all, scale),
  };
}

function memberOf(one: ReconciledSettlement, scale: number): readonly Member[] {
  const { verdict, computed, difference } = one;
  const counts = verdict === 'balanced' || verdict === 'out_of_balance';
  if (!counts || computed === undefined || difference === undefined) return [];
  const at = (figures: Figures) => rescaleFigures(figures, one.scale, scale);
  return [
    { verdict, reported: at(one.reported), computed: at(computed), difference: at(difference) },
  ];
}

function rescaleFigures(figures: Figures, from: number, to: number): Figures {
  return {
    transactions: figures.transactions,
    gross: rescale(figures.gross, from, to),
    fees: rescale(figures.fees, from, to),
    tax: rescale(figures.tax, from, to),
    payIn: figures.payIn === undefined ? undefined : rescale(figures.payIn, from, to),
  };
}

function measureOf(members: readonly Member[], measure: Measure): GroupMeasure {
  return {
    reported: sum(members.map(({ reported }) => reported[measure])),
    computed: sum(members.map(({ computed }) => computed[measure])),
    difference: differenceOf(members, measure),
  };
}

function reportedPayIn(members: readonly Member[]): GroupMeasure {
  return { ...measureOf(members, 'payIn'), computed: undefined, difference: undefined };
}

function differenceOf(members: readonly Member[], measure: Measure): NetAndAbsolute {
  const differences = members.map(({ difference }) => difference[measure] ?? 0n);
  return {
    net: sum(differences),
    absolute: sum(differences.map((one) => (one < 0n ? -one : one))),
  };
}

function pendingPayIn(all: readonly ReconciledSettlement[], scale: number): bigint {
  const pending = all.filter(({ verdict }) => verdict === 'pending');
  return sum(pending.map((one) => rescale(one.reported.payIn ?? 0n, one.scale, scale)));
}

/** An absent amount adds nothing: only pay-ins can be absent, and then all of them are. */
function sum(amounts: readonly (bigint | undefined)[]): bigint {
  return amounts.reduce<bigint>((total, amount) => total + (amount ?? 0n), 0n);
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
