import { magnitude } from '../money/money.ts';
import { type RoundingRule, rounded } from '../money/rate.ts';
import { million, roundingRules } from '../reconcile/tariffs.ts';
import { bitsOf, bitsOfRound } from './bits.ts';
import type { PatternBase, PatternFigure, PatternTerm } from './pattern.ts';

/** An amount that may give a difference, and its bits. */
type Amount = readonly [amount: bigint, bits: number];

/** The rows of a settlement. */
interface Rows {
  readonly size: number;
  /** Their amounts of a base; undefined if they are not kept. */
  readonly each: (base: PatternBase) => readonly bigint[] | undefined;
}

/** How a difference may follow from a base. */
export interface Form {
  readonly form: PatternTerm['form'];
  readonly bits: number;
  readonly roundings: readonly (RoundingRule | undefined)[];
  readonly isMeant: (base: PatternBase, figure: PatternFigure) => boolean;
  /** The amounts with which it gives a difference. */
  readonly amounts: (
    due: bigint,
    value: bigint,
    rows: Rows,
    base: PatternBase,
  ) => readonly Amount[];
  /** What it says of a settlement with this value; undefined if rows that it needs are not kept. */
  readonly change: (
    term: PatternTerm,
    value: bigint,
    rows: Rows,
    due: bigint,
  ) => bigint | undefined;
}

const isTaxable = ({ measure }: PatternBase, figure: PatternFigure) =>
  figure !== 'count' && (measure === 'gross' || measure === 'fees' || measure === 'pay_in');

export const forms: readonly Form[] = [
  {
    form: 'times',
    bits: 1,
    roundings: [undefined],
    // In many headers, one row too many is no pattern.
    isMeant: ({ measure }, figure) => figure !== 'count' || measure === 'rows',
    amounts: (due, value) => (due % value === 0n ? [[due / value, bitsOfMinor(due / value)]] : []),
    change: ({ amount }, value) => amount * value,
  },
  {
    form: 'rate',
    bits: 2,
    roundings: roundingRules,
    isMeant: isTaxable,
    // A rate of 100 % is the amount itself.
    amounts: (due, value) => ratesOf(due, value, 1n).filter(([rate]) => magnitude(rate) < million),
    change: (term, value) => atRate(value, term),
  },
  {
    form: 'rate_by_row',
    bits: 5,
    roundings: roundingRules,
    isMeant: (base, figure) => isTaxable(base, figure) && base.of === 'rows',
    amounts: (due, value, { size }) => ratesOf(due, value, BigInt(size)),
    change: (term, value, rows, due) => {
      const inTotal = atRate(value, term);
      // Row by row, it differs by less than one for each row.
      if (magnitude(inTotal - due) > rows.size) return inTotal;
      return rows.each(term.base)?.reduce((sum, own) => sum + atRate(own, term), 0n);
    },
  },
  {
    form: 'step',
    bits: 2,
    roundings: roundingRules,
    isMeant: ({ measure, trait, of }, figure) =>
      trait === undefined &&
      measure === (figure === 'contradiction' ? 'pay_in' : figure) &&
      (of === 'header') === (figure === 'contradiction'),
    amounts: () => [5n, 10n, 25n, 50n, 100n, 250n, 500n, 1000n].map((step) => [step, 3]),
    change: ({ amount, rounding }, value) => nearest(value, amount, rounding) * amount - value,
  },
  ...(['minimum', 'maximum'] as const).map((form): Form => {
    const sign = form === 'minimum' ? 1n : -1n;
    return {
      form,
      bits: 3,
      roundings: [undefined],
      isMeant: ({ measure, of, trait = 'paymentType' }, figure) =>
        figure === 'fees' && measure === 'fees' && of === 'rows' && trait === 'paymentType',
      amounts: (due, _, rows, base) => limitsOf(due, charged(rows.each(base) ?? []), sign),
      change: ({ amount, base }, _, rows) => {
        const each = rows.each(base);
        const lacking = (own: bigint) => (sign * own < sign * amount ? amount - own : 0n);
        return each && charged(each).reduce((sum, own) => sum + lacking(own), 0n);
      },
    };
  }),
];

/** The minimum or maximum of the amounts of rows that makes a difference. */
function limitsOf(due: bigint, each: readonly bigint[], sign: 1n | -1n): readonly Amount[] {
  if (due < 0n === sign > 0n) return [];
  // A maximum is the minimum of the amounts with the other sign.
  const inOrder = each.map((own) => sign * own).sort((a, b) => (a < b ? -1 : 1));
  let sum = sign * due;
  for (const [at, own] of inOrder.entries()) {
    sum += own;
    const limit = sum / BigInt(at + 1);
    const isLast = limit <= (inOrder[at + 1] ?? limit);
    if (isLast) return sum % BigInt(at + 1) === 0n ? [[sign * limit, bitsOfMinor(limit)]] : [];
  }
  return [];
}

/** The fees of rows on which one is charged: a limit does not concern refunds. */
function charged(each: readonly bigint[]): readonly bigint[] {
  return each.filter((own) => own > 0n);
}

const mostRates = 6n;

/** Rates that give a difference from a value, off by less than one for each rounding: those with the fewest digits. */
function ratesOf(due: bigint, value: bigint, roundings: bigint): readonly Amount[] {
  const [least, most] = [magnitude(due) - roundings, magnitude(due) + roundings];
  const sign = due < 0n === value < 0n ? 1n : -1n;
  const over = magnitude(value);
  const found: Amount[] = [];
  for (let unit = BigInt(million) / 10n, bits = 1; unit > 0n; unit /= 10n, bits += 1) {
    const first = (least * BigInt(million)) / (over * unit) + (least > 0n ? 1n : 0n);
    const last = (most * BigInt(million)) / (over * unit);
    if (last - first >= mostRates) return found;
    for (let digits = first; digits <= last; digits += 1n) {
      // Those with a zero at the end were found with fewer digits.
      const isNew = digits % 10n !== 0n || bits === 1;
      if (digits > 0n && isNew) found.push([sign * digits * unit, bitsOf(digits) + bits]);
    }
  }
  return found;
}

export function bitsOfMinor(minor: bigint): number {
  return Math.min(bitsOf(minor), bitsOfRound(minor));
}

function nearest(value: bigint, step: bigint, rule: RoundingRule = 'half_up'): bigint {
  const steps = rounded(magnitude(value), step, rule);
  return value < 0n ? -steps : steps;
}

function atRate(value: bigint, { amount, rounding }: PatternTerm): bigint {
  return nearest(value * amount, BigInt(million), rounding);
}
