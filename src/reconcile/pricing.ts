import { figuresPerRow, type RowKind } from '../model/row-batch.ts';
import { type RoundingRule, roundingRules } from './rounding.ts';
import type { RowColumns } from './row-columns.ts';
import { type ChargedRows, type KindTotals, type Tariff, tariffFinder } from './tariffs.ts';

/** What may be charged on what. */
const relations = [
  { amount: 'fees', base: 'gross' },
  { amount: 'tax', base: 'fees' },
  { amount: 'tax', base: 'gross' },
] as const;

/** Which amount is charged on which. */
export type PriceRelation = (typeof relations)[number];

/** What the rows of one tariff have in common; where absent, they may differ in it. */
interface TariffScope {
  readonly paymentType?: string;
  readonly type?: string;
  /** The sign of the amount that is charged. */
  readonly sign?: number;
}

/** A tariff, and the rows to which it applies. */
export interface ScopedTariff extends Tariff {
  readonly scope: TariffScope;
}

/** How the rows' fees, or tax, follow from another amount: by tariffs that give each of them exactly. */
export type Pricing = PriceRelation & {
  readonly tariffs: readonly ScopedTariff[];
  /** By which the rows are rounded. */
  readonly rule: RoundingRule;
  /** How many digits write the tariffs down. */
  readonly digits: number;
  /** From how many it was chosen: ten for each digit that the rows don't show; 1 where they allow no other. */
  readonly choices: number;
  readonly kinds: readonly RowKind[];
  /** By the number of each kind; rows without a tariff are left out. */
  readonly totals: readonly KindTotals[];
};

/** The currency and scale (decimal places) of the header: rows in another currency are left aside. */
export interface PricedIn {
  readonly currency: string;
  /** That of all minor units; none of the rows has more decimal places. */
  readonly scale: number;
}

/** By `most scale currency`. */
type Pricings = Map<string, readonly Pricing[]>;
const known = new WeakMap<RowColumns, Pricings>();

/**
 * The pricings that the rows allow, of fees and of tax, the shortest first, `most` of each; found once
 * for the rows, which must not change after that. Tax on fees that follow from the gross follows from
 * the gross as well: the first will do.
 */
export function pricingsOf(
  rows: RowColumns,
  on: PricedIn,
  most = usualPricings,
): readonly Pricing[] {
  const pricings: Pricings = known.get(rows) ?? new Map();
  known.set(rows, pricings);
  const key = `${most} ${on.scale} ${on.currency}`;
  const earlier = pricings.get(key);
  if (earlier) return earlier;
  const found: Pricing[] = [];
  for (const relation of relations) {
    if (found.some(({ amount }) => amount === relation.amount)) continue;
    found.push(...pricingsBy(relation, rows, on, most));
  }
  pricings.set(key, found);
  return found;
}

/** How rows may be told apart that have tariffs of their own: the first that will do is taken. */
const splits: readonly (readonly (keyof TariffScope)[])[] = [
  [],
  ['sign'],
  ['paymentType'],
  ['type'],
  ['paymentType', 'sign'],
  ['paymentType', 'type'],
];
/** Tariffs of few rows each say nothing: any rows would have them. */
const fewestRows = 3;
/** Where the rows allow more pricings, they don't show which. */
export const usualPricings = 4;
/** Three tariffs have fewer. */
const mostDigits = 20;
/** A pricing with more digits than so many beside those of the shortest is a hundred times rarer. */
const mostDigitsMore = 1;

/** Those of the first split by which all rows have a tariff; else of the one by which most have, if half do. */
function pricingsBy(
  relation: PriceRelation,
  rows: RowColumns,
  on: PricedIn,
  mostPricings: number,
): readonly Pricing[] {
  const charged = pricedRows(rows, on, relation);
  const size = charged.values.filter((value) => value !== 0).length;
  let most: Tried = { rows: size / 2, pricings: [] };
  let mostParts = 0;
  for (const split of splits) {
    const parts = partsOf(charged, rows.kinds, split);
    // A split that tells no more rows apart than an earlier one finds nothing else.
    if (parts.length <= mostParts || (parts.length > 1 && size < parts.length * fewestRows))
      continue;
    mostParts = parts.length;
    const tried = priceParts(relation, rows.kinds, parts, mostPricings);
    if (tried.rows > most.rows) most = tried;
    if (tried.rows === size) break;
  }
  const { pricings } = most;
  const shortest = Math.min(...pricings.map(({ digits }) => digits));
  const prices = distinctPrices(charged);
  return pricings.map((one) => {
    const alike = pricings.filter(({ digits }) => digits === one.digits).length;
    const unseen = Math.max(one.digits - shortest, one.digits - prices);
    return { ...one, choices: alike * 10 ** unseen };
  });
}

/** Each of them shows a digit of a tariff, so that more than there may be digits needn't be counted. */
function distinctPrices({ bases, values }: ChargedRows): number {
  const prices = new Set<number>();
  for (let row = 0; row < bases.length && prices.size < mostDigits; row++) {
    if (values[row] !== 0) prices.add(Math.abs(bases[row] ?? 0));
  }
  return prices.size;
}

/** The rows of one scope; `charged` of them have a fee or tax. */
interface Part {
  readonly scope: TariffScope;
  readonly bases: number[];
  readonly values: number[];
  readonly kinds: number[];
  charged: number;
}

/** Those with a fee or tax in them, the largest first. */
function partsOf(
  rows: ChargedRows,
  kinds: readonly RowKind[],
  split: readonly (keyof TariffScope)[],
): readonly Part[] {
  const parts = new Map<string, Part>();
  /** By kind and sign. */
  const places = kinds.flatMap((kind) =>
    [-1, 1].map((sign) => {
      const scope = scopeOf(split, { ...kind, sign });
      const key = JSON.stringify(scope);
      const part = parts.get(key) ?? { scope, bases: [], values: [], kinds: [], charged: 0 };
      parts.set(key, part);
      return part;
    }),
  );
  for (let row = 0; row < rows.bases.length; row++) {
    const [base, value, kind] = [rows.bases[row] ?? 0, rows.values[row] ?? 0, rows.kinds[row] ?? 0];
    const part = places[2 * kind + (base < 0 ? 0 : 1)];
    part?.bases.push(base);
    part?.values.push(value);
    part?.kinds.push(kind);
    if (part && value !== 0) part.charged += 1;
  }
  return [...parts.values()]
    .filter(({ charged }) => charged > 0)
    .sort((a, b) => b.charged - a.charged);
}

function scopeOf(
  split: readonly (keyof TariffScope)[],
  { paymentType, type, sign }: Required<TariffScope>,
): TariffScope {
  return {
    ...(split.includes('paymentType') && { paymentType }),
    ...(split.includes('type') && { type }),
    ...(split.includes('sign') && { sign }),
  };
}

/** So many rows that have a fee or tax have a tariff. */
interface Tried {
  readonly rows: number;
  readonly pricings: readonly Pricing[];
}

/**
 * Rates of value added tax that are in use. They are known, so that 21 % of a flat fee is found where
 * rows show no more than 0.06 on 0.29.
 */
const taxRates = [5, 7, 7.7, 8.1, 10, 19, 20, 21, 22, 23, 24, 25].map((percent) => ({
  fixed: 0,
  rate: Math.round(percent * 10_000),
}));

/** The pricings by which each part has a tariff of its own, where it has one at all. */
function priceParts(
  relation: PriceRelation,
  kinds: readonly RowKind[],
  parts: readonly Part[],
  mostPricings: number,
): Tried {
  const none = { ...relation, kinds, rule: 'half_up', digits: 0, choices: 1 } as const;
  let pricings: readonly (Pricing & { readonly rules: readonly RoundingRule[] })[] = [
    { ...none, tariffs: [], rules: roundingRules, totals: kinds.map(() => noTotals) },
  ];
  const usual = relation.amount === 'tax' ? taxRates : [];
  let rows = 0;
  for (const part of parts) {
    const find = tariffFinder(part);
    const more = pricings.flatMap((pricing) =>
      find(mostPricings, [...usual, ...pricing.tariffs]).flatMap(
        ({ tariff, rules, digits, totals }) => {
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
        },
      ),
    );
    if (more.length === 0) continue;
    rows += part.charged;
    const sorted = more.sort((a, b) => a.digits - b.digits);
    const [shortest] = sorted;
    const most = (shortest?.digits ?? 0) + mostDigitsMore;
    pricings = sorted.filter(({ digits }) => digits <= most).slice(0, mostPricings);
  }
  return { rows, pricings: rows > 0 ? pricings : [] };
}

const noTotals: KindTotals = { exact: 0n, listed: 0n, leftovers: [] };

function plus(a: KindTotals, b: KindTotals): KindTotals {
  const [one, other] = a.leftovers.length > 0 ? [a, b] : [b, a];
  return {
    exact: a.exact + b.exact,
    listed: a.listed + b.listed,
    leftovers: one.leftovers.map((rows, leftover) => rows + (other.leftovers[leftover] ?? 0)),
  };
}

/** The place of each amount among the figures of a row. */
export const figurePlaces = { gross: 0, fees: 1, tax: 2 } as const;

/**
 * Rows with anything to charge on. None where one is beyond 2^53 − 1 at the common scale, to which
 * rows of fewer decimal places are brought.
 */
export function pricedRows(
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

/** The tariff of such a row, by its kind and the sign of what is charged; nothing where it has none. */
export function tariffFor(
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
