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
  'kept',
  'taxCharged',
  'taxAgreed',
  'taxOver',
  'taxUnder',
  'wrongTax',
  'least',
  'most',
] as const;

const counts = ['rows', 'withoutRate', 'overRows', 'underRows', 'feeRows', 'keptRows'] as const;

/** Minor units at the scale of a line. */
type Amounts = Record<(typeof amounts)[number], bigint>;
type Counts = Record<(typeof counts)[number], number>;

/** What rows have in common that are charged alike. */
export interface LineKey {
  /** Of the settlement, YYYY-MM. */
  readonly month: string;
  readonly accountingToken: string;
  readonly currency: string;
  readonly paymentType: string;
  readonly type: string;
  /** Absent if none was agreed. */
  readonly rate: AgreedRate | undefined;
}

/**
 * What rows were charged, and what was agreed: `charged` = `agreed` + `over` − `under`, and tax likewise.
 * Fees of rows without a rate are `unchecked`. Of `over`, the fees that were to be returned are `kept`; the
 * others are those of `feeRows`, each between `least` and `most`. `wrongTax` is the part of `taxOver` that
 * does not follow from a fee.
 */
export interface FeeLine extends LineKey, Amounts, Counts {
  readonly scale: number;
  /** Whether a fee is more than one minor unit of its row too high. */
  isBeyondUnit: boolean;
  /** Whether such rows have different amounts, and the amount of the first of them. */
  hasSeveralAmounts: boolean;
  amount: bigint | undefined;
}

/** A line without rows. */
export function emptyLine(key: LineKey, scale: number): FeeLine {
  const zeros = Object.fromEntries(amounts.map((name) => [name, 0n])) as Amounts;
  const none = Object.fromEntries(counts.map((name) => [name, 0])) as Counts;
  const flags = { isBeyondUnit: false, hasSeveralAmounts: false, amount: undefined };
  return { ...key, ...zeros, ...none, ...flags, scale };
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
  sum.isBeyondUnit ||= b.isBeyondUnit;
  sum.amount = a.amount ?? b.amount;
  sum.hasSeveralAmounts ||= b.hasSeveralAmounts || (b.amount ?? sum.amount) !== sum.amount;
  return sum;
}

/** Why rows cost more than agreed: by their fee, tax that follows from it, or a wrong tax. */
export const feeCauses = [
  'fee_rate',
  'fixed_part',
  'rounding',
  'kept',
  'tax_on_fees',
  'tax',
] as const;
export type FeeCause = (typeof feeCauses)[number];

/** What the overcharges at one rate have in common, beside fees that were kept. */
export function causeOf(line: FeeLine): FeeCause {
  const { rows, feeRows, keptRows, least, most, isBeyondUnit, hasSeveralAmounts } = line;
  if (!isBeyondUnit) return 'rounding';
  const isSame = feeRows === rows - keptRows && least === most;
  return isSame && hasSeveralAmounts ? 'fixed_part' : 'fee_rate';
}

/** What was charged too much at one rate, by cause. */
export function claimsByCause(line: FeeLine): Readonly<Record<FeeCause, bigint>> {
  const { over, kept, taxOver, wrongTax } = line;
  const none = { fee_rate: 0n, fixed_part: 0n, rounding: 0n };
  const fees = { ...none, [causeOf(line)]: over - kept };
  return { ...fees, kept, tax_on_fees: taxOver - wrongTax, tax: wrongTax };
}
