import type { Settlement } from '../model/settlement.ts';
import { rescale } from '../money/money.ts';
import { payInOf } from './identity.ts';
import type { Figures, ReconciledSettlement, ReconcileSettings, RuleEffect } from './reconciled.ts';
import type { RowColumns } from './row-columns.ts';
import { type Counted, countedBy, type Rule, type Rules, rowRules, ruleText } from './rules.ts';
import { sumsByKind } from './sums.ts';
import { chargedRatesOf, roundingEffect } from './tariffs.ts';

/** The rows of a settlement as they are listed, added up by kind. */
export interface ListedSums {
  readonly rows: RowColumns;
  readonly currency: string;
  /** The largest among the header and the rows in its currency: that of all minor units here. */
  readonly scale: number;
  /** By the number of each kind; amounts of another currency are in no sum. */
  readonly kinds: readonly ListedKind[];
}

interface ListedKind extends Counted {
  readonly state: string;
  readonly type: string;
}

/** Adds up the rows of a settlement in the currency of its header. */
export function listedIn(
  { currency, scale: ofHeader }: Pick<Settlement, 'currency' | 'scale'>,
  rows: RowColumns,
  sums = sumsByKind(rows),
): ListedSums {
  const all = rows.kinds.map((kind, number) => ({
    ...kind,
    ...(sums[number] ?? nothing),
    isOwn: kind.currency === currency,
  }));
  const own = all.filter(({ isOwn, count }) => isOwn && count > 0);
  const scale = own.reduce((largest, one) => Math.max(largest, one.scale), ofHeader);
  const kinds = all.map(({ state, type, count, isOwn, ...one }) => {
    const at = (minor: bigint) => (isOwn ? rescale(minor, one.scale, scale) : 0n);
    return { state, type, count, gross: at(one.gross), fees: at(one.fees), tax: at(one.tax) };
  });
  return { rows, currency, scale, kinds };
}

const nothing: Counted = { count: 0, gross: 0n, fees: 0n, tax: 0n };

/** What the rows of a settlement come to by the rules, and what each of them has made of it. */
export interface Computed {
  readonly figures: Figures;
  readonly byRule: readonly RuleEffect[];
}

/**
 * Every row counts as a transaction, and those in the header's currency in the amounts, unless a rule
 * says otherwise. Without rules these are the sums of the rows.
 */
export function computedFrom(
  listed: ListedSums,
  { identity, rules }: Pick<ReconcileSettings, 'identity' | 'rules'>,
): Computed {
  const figuresOf = ({ count, gross, fees, tax }: Counted): Figures => {
    const payIn = identity === 'off' ? undefined : payInOf(identity, gross, fees, tax);
    return { transactions: count, gross, fees, tax, payIn };
  };
  const effects = new Map<string, { rule: Rule; rows: number; change: Counted | undefined }>();
  const note = (rule: Rule, rows: number, change: Counted | undefined) => {
    const key = ruleText(rule);
    const known = effects.get(key) ?? { rule, rows: 0, change: nothing };
    const both = known.change && change && plus(known.change, change);
    effects.set(key, { rule, rows: known.rows + rows, change: both });
  };
  const seen = listed.kinds.map((kind) =>
    rowRules(rules, kind).reduce((before: ListedKind, rule) => {
      const after = countedBy(rule, before);
      const change = minus(after, before);
      const isMeant = rule.rule === 'not_counted' ? kind.count > 0 : !isNothing(change);
      if (isMeant) note(rule, kind.count, change);
      return after;
    }, kind),
  );
  let total = seen.reduce<Counted>(plus, nothing);
  for (const one of rules.rounding ?? []) {
    const rule = { rule: 'rounding', ...one } as const;
    const rows = countOf(listed.kinds.filter((kind) => kind[one.amount] !== 0n));
    const change = roundedBy(rule, listed, rules);
    if (change === 0n) continue;
    note(rule, rows, change === undefined ? undefined : { ...nothing, [one.amount]: change });
    total = { ...total, [one.amount]: total[one.amount] + (change ?? 0n) };
  }
  const { tax_in_fees: tax } = rules;
  if (tax) {
    const rule = { rule: 'tax_in_fees', tax } as const;
    const after = countedBy(rule, total);
    const change = minus(after, total);
    if (!isNothing(change)) note(rule, countOf(seen.filter((kind) => kind.tax !== 0n)), change);
    total = after;
  }
  return {
    figures: figuresOf(total),
    byRule: [...effects.values()].map(({ change, ...one }) => ({
      ...one,
      change: change && figuresOf(change),
    })),
  };
}

/** How many rows of a settlement were read, those too that a rule leaves out; 0 where not all were. */
export function rowsRead({
  computed,
  byRule,
}: Pick<ReconciledSettlement, 'computed' | 'byRule'>): number {
  const moved = byRule.reduce((sum, { change }) => sum + (change?.transactions ?? 0), 0);
  return computed === undefined ? 0 : computed.transactions - moved;
}

/**
 * What rounding adds to an amount. Undefined where the rows have the amount, but show no rate for it,
 * or several that would come to different totals: nothing is guessed.
 */
function roundedBy(
  { amount, of, round }: Extract<Rule, { rule: 'rounding' }>,
  { rows, currency, scale, kinds }: ListedSums,
  rules: Rules,
): bigint | undefined {
  const one: Counted = { count: 1, gross: 1n, fees: 1n, tax: 1n };
  const times = kinds.map(
    (kind) => rowRules(rules, kind).reduce((seen, rule) => countedBy(rule, seen), one)[amount],
  );
  const changes = chargedRatesOf(rows, { currency, scale })
    .filter((charge) => charge.amount === amount)
    .map((charge) => roundingEffect(charge, { rule: round, of }, (kind) => times[kind] ?? 0n));
  const [change, ...others] = changes;
  if (change === undefined && kinds.every((kind) => kind[amount] === 0n)) return 0n;
  return others.every((other) => other === change) ? change : undefined;
}

function countOf(kinds: readonly ListedKind[]): number {
  return kinds.reduce((sum, { count }) => sum + count, 0);
}

function isNothing({ count, gross, fees, tax }: Counted): boolean {
  return count === 0 && gross === 0n && fees === 0n && tax === 0n;
}

function plus(a: Counted, b: Counted): Counted {
  return {
    count: a.count + b.count,
    gross: a.gross + b.gross,
    fees: a.fees + b.fees,
    tax: a.tax + b.tax,
  };
}

function minus(a: Counted, b: Counted): Counted {
  return {
    count: a.count - b.count,
    gross: a.gross - b.gross,
    fees: a.fees - b.fees,
    tax: a.tax - b.tax,
  };
}
