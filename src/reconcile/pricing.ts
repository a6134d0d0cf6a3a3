import { figuresPerRow, type RowKind } from '../model/row-batch.ts';
import type { RoundingRule } from '../money/rate.ts';
import { figurePlaces, type RowColumns } from './row-columns.ts';
import {
  type ChargedRows,
  inMinorUnits,
  type KindTotals,
  leftovers,
  leftoversRoundedUp,
  million,
  roundingRules,
  type Tariff,
  tariffFinder,
} from './tariffs.ts';

const relations = [
  { amount: 'fees', base: 'gross' },
  { amount: 'tax', base: 'fees' },
  { amount: 'tax', base: 'gross' },
] as const;

type PriceRelation = (typeof relations)[number];

interface TariffScope {
  readonly paymentType?: string;
  readonly type?: string;
  /** The sign of the amount that is charged. */
  readonly sign?: number;
}

export interface ScopedTariff extends Tariff {
  readonly scope: TariffScope;
}

/** Tariffs that give the fees, or tax, of most rows exactly; the others stay as listed. */
export type Pricing = PriceRelation & {
  readonly tariffs: readonly ScopedTariff[];
  readonly rule: RoundingRule;
  readonly digits: number;
  readonly kinds: readonly RowKind[];
  /** By the number of each kind, without the rows that have no tariff. */
  readonly totals: readonly KindTotals[];
};

/** Rows in other currencies are not priced. */
interface PricedIn {
  readonly currency: string;
  /** Of all minor units; no row has more decimal places. */
  readonly scale: number;
}

type Pricings = Map<string, readonly Pricing[]>;
const cache = new WeakMap<RowColumns, Pricings>();

/** At most `limit` pricings of fees and of tax, the shortest first. Cached: the rows must not change afterwards. */
export function pricingsOf(
  rows: RowColumns,
  on: PricedIn,
  limit = usualPricings,
): readonly Pricing[] {
  const pricings: Pricings = cache.get(rows) ?? new Map();
  cache.set(rows, pricings);
  const key = `${limit} ${on.scale} ${on.currency}`;
  const earlier = pricings.get(key);
  if (earlier) return earlier;
  const found: Pricing[] = [];
  for (const relation of relations) {
    if (found.some(({ amount }) => amount === relation.amount)) continue;
    found.push(...pricingsBy(relation, rows, on, limit));
  }
  pricings.set(key, found);
  return found;
}

/** How rows may be divided among tariffs; the first that fits is taken. */
const splits: readonly (readonly (keyof TariffScope)[])[] = [
  [],
  ['sign'],
  ['paymentType'],
  ['type'],
  ['paymentType', 'sign'],
  ['paymentType', 'type'],
];
/** Fewer rows would fit a tariff by chance. */
const minRows = 3;
/** If more pricings fit, the rows do not show which is right. */
const usualPricings = 4;
/** A pricing with more digits beyond those of the shortest is a hundred times less likely. */
const maxMoreDigits = 1;

/** Of the first split that prices all rows, else of the best one that prices half. */
function pricingsBy(
  relation: PriceRelation,
  rows: RowColumns,
  on: PricedIn,
  limit: number,
): readonly Pricing[] {
  const charged = pricedRows(rows, on, relation);
  const size = charged.values.filter((value) => value !== 0).length;
  let most: Tried = { rows: size / 2, pricings: [] };
  let mostParts = 0;
  for (const split of splits) {
    const parts = partsOf(charged, rows.kinds, split);
    // A split into no more parts than an earlier one finds nothing new.
    if (parts.length <= mostParts || (parts.length > 1 && size < parts.length * minRows)) continue;
    mostParts = parts.length;
    const tried = priceParts(relation, rows.kinds, parts, limit);
    if (tried.rows > most.rows) most = tried;
    if (tried.rows === size) break;
  }
  return most.pricings;
}

/** The rows of one scope, of which `charged` have a fee or tax. */
interface Part {
  readonly scope: TariffScope;
  readonly bases: number[];
  readonly values: number[];
  readonly kinds: number[];
  charged: number;
}

function partsOf(
  rows: ChargedRows,
  kinds: readonly RowKind[],
  split: readonly (keyof TariffScope)[],
): readonly Part[] {
  const parts = new Map<string, Part>();
  const partsByKind = kinds.flatMap((kind) =>
    [-1, 1].map((sign) => {
      const values = { ...kind, sign };
      const scope: TariffScope = Object.fromEntries(split.map((key) => [key, values[key]]));
      const key = JSON.stringify(scope);
      const part = parts.get(key) ?? { scope, bases: [], values: [], kinds: [], charged: 0 };
      parts.set(key, part);
      return part;
    }),
  );
  for (let row = 0; row < rows.bases.length; row++) {
    const [base, value, kind] = [rows.bases[row] ?? 0, rows.values[row] ?? 0, rows.kinds[row] ?? 0];
    const part = partsByKind[2 * kind + (base < 0 ? 0 : 1)];
    part?.bases.push(base);
    part?.values.push(value);
    part?.kinds.push(kind);
    if (part && value !== 0) part.charged += 1;
  }
  return [...parts.values()]
    .filter(({ charged }) => charged > 0)
    .sort((a, b) => b.charged - a.charged);
}

/** `rows`: the number of charged rows that have a tariff. */
interface Tried {
  readonly rows: number;
  readonly pricings: readonly Pricing[];
}

/** Value added tax in use, to find 21 % of a flat fee even if rows show only 0.06 on 0.29. */
const taxRates = [5, 7, 7.7, 8.1, 10, 19, 20, 21, 22, 23, 24, 25].map((percent) => ({
  fixed: 0,
  rate: Math.round(percent * 10_000),
}));

function priceParts(
  relation: PriceRelation,
  kinds: readonly RowKind[],
  parts: readonly Part[],
  limit: number,
): Tried {
  const none = { ...relation, kinds, rule: 'half_up', digits: 0 } as const;
  let pricings: readonly (Pricing & { readonly rules: readonly RoundingRule[] })[] = [
    { ...none, tariffs: [], rules: roundingRules, totals: kinds.map(() => noTotals) },
  ];
  const usual = relation.amount === 'tax' ? taxRates : [];
  let rows = 0;
  for (const part of parts) {
    const find = tariffFinder(part);
    const more = pricings.flatMap((pricing) =>
      find(limit, [...usual, ...pricing.tariffs]).flatMap(({ tariff, rules, digits, totals }) => {
        const common = pricing.rules.filter((rule) => rules.includes(rule));
        const [rule] = common;
        if (rule === undefined) return [];
        return {
          ...pricing,
          tariffs: [...pricing.tariffs, { ...tariff, scope: part.scope }],
          rules: common,
          rule,
          digits: pricing.digits + digits,
          totals: pricing.totals.map((sum, kind) => plus(sum, totals[kind] ?? noTotals)),
        };
      }),
    );
    if (more.length === 0) continue;
    rows += part.charged;
    const sorted = more.sort((a, b) => a.digits - b.digits);
    const [shortest] = sorted;
    const longest = (shortest?.digits ?? 0) + maxMoreDigits;
    pricings = sorted.filter(({ digits }) => digits <= longest).slice(0, limit);
  }
  return { rows, pricings: rows > 0 ? pricings : [] };
}

const noTotals: KindTotals = {
  exact: 0n,
  listed: 0n,
  leftovers: Array.from({ length: leftovers }, () => 0),
};

function plus(a: KindTotals, b: KindTotals): KindTotals {
  return {
    exact: a.exact + b.exact,
    listed: a.listed + b.listed,
    leftovers: a.leftovers.map((rows, leftover) => rows + (b.leftovers[leftover] ?? 0)),
  };
}

/** The rows with a base other than 0, at one scale. None if an amount is beyond 2^53 − 1. */
function pricedRows(
  { figures, kinds, kindNumbers }: RowColumns,
  { currency, scale }: PricedIn,
  { amount, base }: PriceRelation,
): ChargedRows {
  const units = kinds.map((kind) => (kind.currency === currency ? 10 ** (scale - kind.scale) : 0));
  const [bases, values, charged]: [number[], number[], number[]] = [[], [], []];
  for (let index = 0; index < kindNumbers.length; index++) {
    const kind = kindNumbers[index] ?? 0;
    const unit = units[kind] ?? 0;
    const on = (figures[index * figuresPerRow + figurePlaces[base]] ?? 0) * unit;
    const value = (figures[index * figuresPerRow + figurePlaces[amount]] ?? 0) * unit;
    if (on === 0) continue;
    if (!Number.isSafeInteger(on) || !Number.isSafeInteger(value)) {
      return { bases: [], values: [], kinds: [] };
    }
    bases.push(on);
    values.push(value);
    charged.push(kind);
  }
  return { bases, values, kinds: charged };
}

/** The tariff of a row, by its kind and the sign of the base. */
function tariffFor(
  { tariffs }: Pick<Pricing, 'tariffs'>,
  { paymentType, type }: Pick<RowKind, 'paymentType' | 'type'>,
  sign: number,
): Tariff | undefined {
  return tariffs.find(
    ({ scope }) =>
      (scope.paymentType ?? paymentType) === paymentType &&
      (scope.type ?? type) === type &&
      (scope.sign ?? sign) === sign,
  );
}

/** A way to round: each row, or the total. */
export interface Rounding {
  readonly rule: RoundingRule;
  readonly of: 'row' | 'total';
}

/** How often rows of a kind, by its number, are in a sum: negative with the opposite sign. */
export type Times = (kind: number) => bigint;

/** A fee or tax of a row, and the amount on which it is charged; minor units. */
interface ChargedAmount {
  readonly base: bigint;
  readonly value: bigint;
}

/** The effect of another rounding on a sum of fees or tax. */
interface RoundingEffect {
  /** The sum − what the rows list; minor units. */
  readonly difference: bigint;
  /** The change of the sum if a row of a kind has the amounts `more` in place of `less`. */
  readonly beside: (kind: RowKind, more: ChargedAmount, less: ChargedAmount) => bigint;
}

/** The effect of a rounding. `times` is 1 by default. Rows without a tariff stay as listed. */
export function roundingEffect(
  pricing: Pricing,
  { rule, of }: Rounding,
  times: Times = () => 1n,
): RoundingEffect {
  const rounded = (exact: bigint) => inMinorUnits(exact, rule);
  const exactOf = (kind: RowKind, charged: ChargedAmount) => exactly(pricing, kind, charged);
  if (of === 'row') {
    return {
      difference: sumOf(pricing, times, (kind) => roundedUp(pricing, rule, kind)),
      beside: (kind, more, less) => rounded(exactOf(kind, more)) - rounded(exactOf(kind, less)),
    };
  }
  const exact = sumOf(pricing, times, (kind) => pricing.totals[kind]?.exact ?? 0n);
  const listed = sumOf(pricing, times, (kind) => pricing.totals[kind]?.listed ?? 0n);
  return {
    difference: rounded(exact) - listed,
    beside: (kind, more, less) =>
      rounded(exact + exactOf(kind, more) - exactOf(kind, less)) - rounded(exact),
  };
}

function sumOf({ kinds }: Pricing, times: Times, measure: (kind: number) => bigint): bigint {
  return kinds.reduce((sum, _, kind) => sum + times(kind) * measure(kind), 0n);
}

/** The rows that another rule rounds away from zero, less those that their own rule does. */
function roundedUp({ totals, rule: own }: Pricing, rule: RoundingRule, kind: number): bigint {
  const rows = (by: RoundingRule) =>
    leftoversRoundedUp[by].reduce((sum, one) => sum + (totals[kind]?.leftovers[one] ?? 0), 0);
  return BigInt(rows(rule) - rows(own));
}

/** The charge of a row before rounding, in millionths; as listed without a tariff. */
function exactly(pricing: Pricing, kind: RowKind, { base, value }: ChargedAmount): bigint {
  const tariff = value === 0n ? undefined : tariffFor(pricing, kind, base < 0n ? -1 : 1);
  if (tariff === undefined || base === 0n) return value * BigInt(million);
  const magnitude = (base < 0n ? -base : base) * BigInt(tariff.rate) + BigInt(tariff.fixed);
  return value < 0n ? -magnitude : magnitude;
}
