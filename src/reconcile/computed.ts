import type { Settlement } from '../model/settlement.ts';
import { rescale } from '../money/money.ts';
import { payInOf } from './identity.ts';
import { pricingsOf } from './pricing.ts';
import type { Figures, ReconciledSettlement, ReconcileSettings, RuleEffect } from './reconciled.ts';
import { roundingEffect } from './rounding-effect.ts';
import type { RowColumns } from './row-columns.ts';
import {
  type Counted,
  countedBy,
  type Rule,
  type Rules,
  rowRules,
  rulesIn,
  ruleText,
} from './rules.ts';

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
  /** Whether it has rows, and these are in the header's currency. */
  readonly isOwn: boolean;
  readonly state: string;
  readonly type: string;
  readonly paymentType: string;
}

/** Adds up the rows of a settlement in the currency of its header. */
export function listedIn(
  { currency, scale: ofHeader }: Pick<Settlement, 'currency' | 'scale'>,
  rows: RowColumns,
): ListedSums {
  const all = rows.kinds.map((kind, number) => ({
    ...kind,
    ...(rows.sums[number] ?? nothing),
    // A kind of which no row is left has no say in the decimal places.
    isOwn: kind.currency === currency && rows.sums[number]?.count !== 0,
  }));
  const own = all.filter(({ isOwn }) => isOwn);
  const scale = own.reduce((largest, one) => Math.max(largest, one.scale), ofHeader);
  const kinds = all.map(({ state, type, paymentType, count, isOwn, ...one }) => {
    const at = (minor: bigint) => (isOwn ? rescale(minor, one.scale, scale) : 0n);
    const amounts = { gross: at(one.gross), fees: at(one.fees), tax: at(one.tax) };
    return { isOwn, state, type, paymentType, count, ...amounts };
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
  const named = listed.kinds.map((kind) => rowRules(rules, kind).map(ruleText));
  const byRule: RuleEffect[] = [];
  let seen: readonly Counted[] = listed.kinds;
  for (const rule of rulesIn(rules)) {
    if (rule.rule === 'rounding') {
      const rows = countOf(listed.kinds.filter((kind) => kind[rule.amount] !== 0n));
      const change = roundedBy(rule, listed, rules);
      const added = { ...nothing, [rule.amount]: change ?? 0n };
      const isKnown = change !== undefined;
      if (change !== 0n)
        byRule.push({ rule, rows, change: isKnown ? figuresOf(added) : undefined });
      // For the rules after it, what is added counts like an amount of rows.
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
  return { figures: figuresOf(total(seen)), byRule };
}

/** By how much the first figures are more. */
export function subtract(a: Figures, b: Figures): Figures {
  const hasPayIn = a.payIn !== undefined && b.payIn !== undefined;
  return {
    transactions: a.transactions - b.transactions,
    gross: a.gross - b.gross,
    fees: a.fees - b.fees,
    tax: a.tax - b.tax,
    payIn: hasPayIn ? a.payIn - b.payIn : undefined,
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
 * The ids of pending settlements whose rows were not all read, or are not all listed yet. They leave the
 * verdict of a run as it is, but it is not whole.
 */
export function unreadPendings(settlements: readonly ReconciledSettlement[]): readonly string[] {
  return settlements
    .filter((one) => one.verdict === 'pending')
    .filter((one) => !one.complete || rowsRead(one) < one.settlement.transactions)
    .map(({ settlement }) => settlement.id);
}

/**
 * What rounding adds to an amount, by the simplest tariff that gives it in the rows. Undefined where
 * they show none, or several as simple that would come to different sums: nothing is guessed.
 */
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

function countOf(kinds: readonly ListedKind[]): number {
  return kinds.reduce((sum, { count }) => sum + count, 0);
}

function isSame(a = nothing, b = nothing): boolean {
  return a.count === b.count && a.gross === b.gross && a.fees === b.fees && a.tax === b.tax;
}

function total(all: readonly Counted[]): Counted {
  const plus = (a: Counted, b: Counted) => ({
    count: a.count + b.count,
    gross: a.gross + b.gross,
    fees: a.fees + b.fees,
    tax: a.tax + b.tax,
  });
  return all.reduce(plus, nothing);
}
