import { groupedBy } from '../../base/lists.ts';
import type { AgreedRate } from '../../model/agreed-rates.ts';
import { rescale } from '../../money/money.ts';

const amounts = [
  'volume',
  'charged',
  'unchecked',
  'agreed',
  'over',
  'under',
  'overOnRefunds',
  'taxCharged',
  'taxAgreed',
  'taxOver',
  'taxUnder',
  'wrongTax',
  'least',
  'most',
] as const;

const counts = ['rows', 'withoutRate', 'overRows', 'underRows'] as const;

/** Minor units at the scale of a line. */
type Amounts = Record<(typeof amounts)[number], bigint>;
type Counts = Record<(typeof counts)[number], number>;

/** What rows have in common that are charged alike. */
export interface LineKey {
  /** Of the settlement, YYYY-MM. */
  readonly month: string;
  readonly accountingToken: string;
  readonly currency: string;
  /** Both empty for tax that is agreed per settlement. */
  readonly paymentType: string;
  readonly type: string;
  /** Absent if none was agreed. */
  readonly rate: AgreedRate | undefined;
}

/**
 * What rows were charged, and what was agreed: `charged` = `agreed` + `over` − `under`, and tax likewise.
 * `overOnRefunds` and `wrongTax` are parts of `over` and `taxOver`; `least` and `most` are the smallest and
 * the largest overcharge of a row other than a refund. Fees of rows without a rate are `unchecked`.
 */
export interface FeeLine extends LineKey, Amounts, Counts {
  readonly scale: number;
  /** Whether rows of different amounts are overcharged. */
  hasSeveralAmounts: boolean;
  /** The amount of the first of them. */
  amount: bigint | undefined;
}

/** A line without rows. */
export function emptyLine(key: LineKey, scale: number): FeeLine {
  const zeros = Object.fromEntries(amounts.map((name) => [name, 0n])) as Amounts;
  const none = Object.fromEntries(counts.map((name) => [name, 0])) as Counts;
  return { ...key, ...zeros, ...none, scale, hasSeveralAmounts: false, amount: undefined };
}

/** The lines that have the same parts added up, in the order of the parts; at the largest scale among them. */
export function linesBy<Parts extends object>(
  lines: readonly FeeLine[],
  partsOf: (line: FeeLine) => Parts,
): readonly (Parts & FeeLine)[] {
  const groups = groupedBy(lines, (line) => JSON.stringify(Object.values(partsOf(line))));
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...others]]) =>
      first ? [{ ...others.reduce(added, first), ...partsOf(first) }] : [],
    );
}

function added(a: FeeLine, b: FeeLine): FeeLine {
  const scale = Math.max(a.scale, b.scale);
  const sum = { ...a, scale };
  for (const name of counts) sum[name] = a[name] + b[name];
  for (const name of amounts) {
    const [one, other] = [rescale(a[name], a.scale, scale), rescale(b[name], b.scale, scale)];
    if (name === 'least') sum[name] = one === 0n || (other !== 0n && other < one) ? other : one;
    else if (name === 'most') sum[name] = one > other ? one : other;
    else sum[name] = one + other;
  }
  sum.amount = a.amount ?? b.amount;
  sum.hasSeveralAmounts ||= b.hasSeveralAmounts || (b.amount ?? sum.amount) !== sum.amount;
  return sum;
}

/** Why rows cost more than agreed: by their fee, tax that follows from it, or a wrong tax. */
export const feeCauses = [
  'fee_rate',
  'fixed_part',
  'rounding',
  'refund',
  'tax_on_fees',
  'tax',
] as const;
export type FeeCause = (typeof feeCauses)[number];

/** What most tells apart the overcharges of rows other than refunds at one rate. */
export function causeOf({ least, most, hasSeveralAmounts, rate }: FeeLine): FeeCause {
  if (most <= 1n) return 'rounding';
  const slack = rate?.rounding === undefined ? 1n : 0n;
  return hasSeveralAmounts && most - least <= slack ? 'fixed_part' : 'fee_rate';
}

/** What was charged too much, by cause. */
export function claimsByCause(line: FeeLine): Readonly<Record<FeeCause, bigint>> {
  const { over, overOnRefunds, taxOver, wrongTax } = line;
  const none = { fee_rate: 0n, fixed_part: 0n, rounding: 0n };
  const fees = { ...none, [causeOf(line)]: over - overOnRefunds };
  return { ...fees, refund: overOnRefunds, tax_on_fees: taxOver - wrongTax, tax: wrongTax };
}
