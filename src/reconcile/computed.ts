import { carriedState } from '../model/row.ts';
import type { RowKind } from '../model/row-batch.ts';
import type { Amounts, Settlement } from '../model/settlement.ts';
import { rescale } from '../money/money.ts';
import { type Identity, payInOf } from './identity.ts';
import { pricingsOf, roundingEffect } from './pricing.ts';
import type { RowColumns } from './row-columns.ts';
import { countedBy, type Rule, type Rules, rowRules, rulesIn, ruleText } from './rules.ts';
import { amountsBy, type Counted, noRows } from './sums.ts';

/**
 * The figures of a settlement, in minor units at the scale of the object that has them; undefined if not stated,
 * and the pay-in without an identity.
 */
export interface Figures extends Amounts<bigint | undefined> {
  readonly transactions: number | undefined;
  readonly payIn: bigint | undefined;
}

/** What rows add up to: all but the pay-in is always known. */
export type Computed = Figures &
  Amounts & {
    readonly transactions: number;
    /** Balances carried over and reserves, if there are any: in the pay-in, and no gross. */
    readonly carried?: bigint;
  };

/** The effect of a rule on computed figures. */
export interface RuleEffect {
  readonly rule: Rule;
  readonly rows: number;
  /** What it adds; absent if it cannot be applied, because the rows show no single rate. */
  readonly change: Computed | undefined;
}

interface ByRules {
  readonly computed: Computed | undefined;
  readonly byRule: readonly RuleEffect[];
}

/** The listed rows of a settlement, added up by kind; minor units at `scale`. */
export interface ListedSums {
  readonly rows: RowColumns;
  readonly currency: string;
  /** The most decimal places among the header and the rows in its currency. */
  readonly scale: number;
  /** By the number of each kind; zeros for another currency. */
  readonly kinds: readonly ListedKind[];
}

interface ListedKind extends Counted, Pick<RowKind, 'state' | 'type' | 'paymentType'> {
  readonly isOwn: boolean;
}

/** Adds up the rows of a settlement in the currency of its header. */
export function listedIn(
  { currency, scale: ofHeader }: Pick<Settlement, 'currency' | 'scale'>,
  rows: RowColumns,
): ListedSums {
  // A kind whose rows were all replaced does not count for the scale.
  const areOwn = rows.kinds.map(
    (kind, number) => kind.currency === currency && rows.sums[number]?.count !== 0,
  );
  const own = rows.kinds.filter((_, number) => areOwn[number]);
  const scale = own.reduce((largest, one) => Math.max(largest, one.scale), ofHeader);
  const kinds = rows.kinds.map(({ state, type, paymentType, scale: from }, number) => {
    const sums = rows.sums[number] ?? noRows;
    const isOwn = areOwn[number] === true;
    const amounts = amountsBy((name) => (isOwn ? rescale(sums[name], from, scale) : 0n));
    return { isOwn, state, type, paymentType, count: sums.count, ...amounts };
  });
  return { rows, currency, scale, kinds };
}

/** The figures of a settlement by its rows and the rules, and the effect of each rule. */
export function computedFrom(
  listed: ListedSums,
  { identity, rules }: { readonly identity: Identity; readonly rules: Rules },
): { readonly figures: Computed; readonly byRule: readonly RuleEffect[] } {
  const figuresOf = ({ count, gross, fees, tax }: Counted): Computed => {
    const payIn = identity === 'off' ? undefined : payInOf(identity, gross, fees, tax);
    return { transactions: count, gross, fees, tax, payIn };
  };
  const named = listed.kinds.map((kind) => rowRules(rules, kind).map(ruleText));
  const byRule: RuleEffect[] = [];
  let seen: readonly Counted[] = listed.kinds;
  for (const rule of rulesIn(rules)) {
    if (rule.rule === 'rounding') {
      const rows = countOf(listed.kinds.filter((kind) => kind[rule.amount] !== 0n));
      const change = roundedBy(rule, listed, rules);
      const added = { ...noRows, [rule.amount]: change ?? 0n };
      const effect = change === undefined ? undefined : figuresOf(added);
      if (change !== 0n) byRule.push({ rule, rows, change: effect });
      // Later rules apply to it as to an amount of rows.
      seen = [...seen, added];
      continue;
    }
    const isMeant = (kind: number) =>
      rule.rule === 'tax_in_fees' || named[kind]?.includes(ruleText(rule));
    const after = seen.map((sums, kind) => (isMeant(kind) ? countedBy(rule, sums) : sums));
    const moved = listed.kinds.filter((_, kind) =>
      rule.rule === 'not_counted' ? isMeant(kind) : !isSame(after[kind], seen[kind]),
    );
    const rows = countOf(moved);
    const change = subtract(figuresOf(total(after)), figuresOf(total(seen)));
    if (rows > 0) byRule.push({ rule, rows, change });
    seen = after;
  }
  const carried = listed.kinds.reduce(
    (sum, { state }, kind) => sum + (state === carriedState ? (seen[kind]?.gross ?? 0n) : 0n),
    0n,
  );
  const figures = figuresOf(total(seen));
  return carried === 0n
    ? { figures, byRule }
    : { figures: { ...figures, gross: figures.gross - carried, carried }, byRule };
}

/** What is booked as receivable: the gross, and what is carried over. */
export function receivableOf({ gross, carried = 0n }: Computed): bigint {
  return gross + carried;
}

/** The same figures if all but perhaps the pay-in are stated; else undefined. */
export function allStated({
  transactions,
  gross,
  fees,
  tax,
  payIn,
}: Figures): Computed | undefined {
  return transactions === undefined ||
    gross === undefined ||
    fees === undefined ||
    tax === undefined
    ? undefined
    : { transactions, gross, fees, tax, payIn };
}

/** Figure by figure, if both are known. */
export function subtract<One extends Figures>(a: One, b: Computed): One;
export function subtract(a: Figures, b: Computed): Figures {
  const minus = (one: bigint | undefined, other: bigint | undefined) =>
    one === undefined || other === undefined ? undefined : one - other;
  return {
    transactions: a.transactions === undefined ? undefined : a.transactions - b.transactions,
    ...amountsBy((name) => minus(a[name], b[name])),
    payIn: minus(a.payIn, b.payIn),
  };
}

/** The number of rows read, with those that rules leave out; 0 unless all were read. */
export function rowsRead({ computed, byRule }: ByRules): number {
  const moved = byRule.reduce((sum, { change }) => sum + (change?.transactions ?? 0), 0);
  return computed === undefined ? 0 : computed.transactions - moved;
}

/** Undefined if the rows show no tariff, or equally simple ones that give different sums. */
function roundedBy(
  { amount, of, round: rule }: Extract<Rule, { rule: 'rounding' }>,
  { rows, currency, scale, kinds }: ListedSums,
  rules: Rules,
): bigint | undefined {
  const single: Counted = { count: 1, gross: 1n, fees: 1n, tax: 1n };
  const times = kinds.map(
    (kind) => rowRules(rules, kind).reduce((seen, by) => countedBy(by, seen), single)[amount],
  );
  const pricings = pricingsOf(rows, { currency, scale }).filter((one) => one.amount === amount);
  const fewest = Math.min(...pricings.map(({ digits }) => digits));
  const changes = pricings
    .filter(({ digits }) => digits === fewest)
    .map((one) => roundingEffect(one, { rule, of }, (kind) => times[kind] ?? 0n).difference);
  const [change, ...others] = changes;
  if (change === undefined && kinds.every((kind) => kind[amount] === 0n)) return 0n;
  return others.every((other) => other === change) ? change : undefined;
}

const countOf = (all: readonly Counted[]) => all.reduce((sum, { count }) => sum + count, 0);

function isSame(a = noRows, b = noRows): boolean {
  return a.count === b.count && a.gross === b.gross && a.fees === b.fees && a.tax === b.tax;
}

function total(all: readonly Counted[]): Counted {
  const sum = amountsBy((name) => all.reduce((minor, one) => minor + one[name], 0n));
  return { count: countOf(all), ...sum };
}
