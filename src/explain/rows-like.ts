import { smallestOf } from '../base/lists.ts';
import { figuresPerRow } from '../model/row-batch.ts';
import { magnitude } from '../money/money.ts';
import { bitsOf, bitsOfChoice, toHundredths } from './bits.ts';
import type { Case } from './case.ts';
import type { RowValues } from './row-values.ts';
import { cellsOf } from './sides.ts';
import { inNumbers, noTally, plus, type Tally } from './tally.ts';

/** What it takes to say the difference as that of rows that nobody lists. */
export function bitsOfRowsLike(subject: Case): number {
  const bits = Math.min(bitsOfAmounts(subject), bitsOfListedAmounts(subject));
  return toHundredths(bitsOf(subject.target.count) + bits);
}

/**
 * A gross that is a multiple of what all listed ones are multiples of; fees and tax cost little where
 * they are about what listed rows of some type, or all of them, have for as much.
 */
function bitsOfAmounts(subject: Case): number {
  const { gross, fees, tax } = subject.target;
  const charges = usualCharges(subject).map((listed) => {
    const onGross = bitsOf(tax - share(gross, listed.tax, listed.gross));
    const onFees = bitsOf(tax - share(fees, listed.tax, listed.fees));
    return bitsOf(fees - share(gross, listed.fees, listed.gross)) + Math.min(onGross, onFees);
  });
  const unit = unitOf(subject);
  // The sign of a number is one of its bits.
  const prices = bitsOf(gross % unit === 0n ? gross / unit : gross) - 1 + bitsOfSign(subject);
  return prices + Math.log2(charges.length) + smallestOf(charges);
}

/** What it takes to say the sign of the gross: little where it is that of most rows, added or taken away. */
function bitsOfSign({ rows, target }: Case): number {
  if (target.count === 0) return 1;
  const isNegative = target.gross < 0n === target.count > 0;
  let alike = 1;
  for (let index = 0; index < rows.size; index++) {
    const minor = rows.figures[index * figuresPerRow] ?? 0;
    if (minor < 0 === isNegative) alike++;
  }
  return Math.log2((rows.size + 1) / alike);
}

/** One row, or two, with the amounts of listed ones. */
function bitsOfListedAmounts(subject: Case): number {
  const { count } = subject.target;
  if (count !== 1 && count !== 2) return Infinity;
  const values = subject.values();
  return count === 1 ? bitsOfListedRow(subject, values) : bitsOfListedPair(subject, values);
}

/** One row with the amounts of a listed one: the likelier, the more often amounts come again in the list. */
function bitsOfListedRow({ rows, target }: Case, values: RowValues): number {
  const same = values.find(...inNumbers(target));
  if (same < 0) return Infinity;
  let again = 0;
  for (let value = 0; value < values.size; value++) {
    if (values.count(value) > 1) again += values.count(value);
  }
  return 1 + Math.log2((rows.size + 1) / (again + 1)) + Math.log2(rows.size / values.count(same));
}

/**
 * Two rows that come to as much as pairs of listed ones: the likelier, the more pairs do. One pair is
 * left aside: it may be the very one that the header has twice, and shows nothing of others.
 */
function bitsOfListedPair({ rows, target }: Case, values: RowValues): number {
  const [gross, fees, tax] = inNumbers(target);
  const { figures, size } = values;
  let pairs = 0;
  for (let value = 0; value < size; value++) {
    const at = value * figuresPerRow;
    const [ownGross = 0, ownFees = 0, ownTax = 0] = figures.subarray(at, at + figuresPerRow);
    const other = values.find(gross - ownGross, fees - ownFees, tax - ownTax);
    const count = values.count(value);
    if (other === value) pairs += (count * (count - 1)) / 2;
    else if (other > value) pairs += count * values.count(other);
  }
  return pairs > 1 ? 1 + bitsOfChoice(2, rows.size) - Math.log2(pairs - 1) : Infinity;
}

/** Whether its fees and tax are, to a quarter, what listed rows of some type, or all, have for as much. */
export function isLikeRows(subject: Case): boolean {
  const { gross, fees, tax } = subject.target;
  const isAbout = (one: bigint, usual: bigint) =>
    4n * magnitude(one - usual) <= magnitude(usual) + 4n;
  return usualCharges(subject).some(
    (listed) =>
      listed.gross !== 0n &&
      isAbout(fees, share(gross, listed.fees, listed.gross)) &&
      (isAbout(tax, share(fees, listed.tax, listed.fees)) ||
        isAbout(tax, share(gross, listed.tax, listed.gross))),
  );
}

/** What rows of each type come to, all rows, and rows without fees and tax. */
function usualCharges(subject: Case): readonly Tally[] {
  const byType = new Map<string, Tally>();
  for (const { type, sum } of cellsOf(subject)) {
    byType.set(type, plus(byType.get(type) ?? noTally, sum));
  }
  const types = [...byType.values()];
  return [noTally, types.reduce(plus, noTally), ...types];
}

/** What is charged on an amount at the rate of a part to a whole, down to whole minor units. */
export function share(amount: bigint, part: bigint, whole: bigint): bigint {
  return whole === 0n ? 0n : (amount * part) / whole;
}

/** What the gross of every listed row is a multiple of: 999 where all subscriptions cost 9.99. */
function unitOf({ rows, settlement, scale }: Case): bigint {
  const units = rows.kinds.map((kind) =>
    kind.currency === settlement.currency ? 10 ** (scale - kind.scale) : 0,
  );
  let unit = 0;
  for (let index = 0; index < rows.size && unit !== 1; index++) {
    const minor = rows.figures[index * figuresPerRow] ?? 0;
    unit = greatestDivisor(Math.abs(minor) * (units[rows.kindNumber(index)] ?? 0), unit);
  }
  return BigInt(unit || 1);
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
