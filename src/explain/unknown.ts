import { smallestOf } from '../base/lists.ts';
import { figuresPerRow } from '../model/row-batch.ts';
import { magnitude } from '../money/money.ts';
import { bitsOf, bitsOfChoice, bitsOfRound, toHundredths } from './bits.ts';
import type { Case } from './case.ts';
import { cellsOf } from './sides.ts';
import { type Amounts, amountFigures, hasAmounts, inNumbers, type Tally, total } from './tally.ts';

/** That amounts are of unknown origin: as rare as the rarest cause that has a name. */
const unknownOrigin = 8;

/**
 * The length of a difference whose cause is unknown: its figures one by one, as they are or as round
 * amounts, or those of rows like the listed ones, whichever is the shortest.
 */
export function bitsOfUnknown(subject: Case): number {
  const { target } = subject;
  // A count alone is no amount: that it is wrong is a cause.
  if (!hasAmounts(target) && target.contradiction === 0n) return Infinity;
  const asRows = target.contradiction === 0n ? bitsOfRowsLike(subject) : Infinity;
  return unknownOrigin + Math.min(bitsOfFigures(target), asRows);
}

/** The length of the figures that differ, each as it is or as a round amount. */
function bitsOfFigures(target: Tally): number {
  const amounts = amountFigures.map((figure) => target[figure]).filter((minor) => minor !== 0n);
  const bits = amounts.reduce((sum, minor) => sum + bitsOfAmount(minor), 0);
  return bits + (target.count === 0 ? 0 : bitsOf(target.count));
}

function bitsOfAmount(minor: bigint): number {
  return Math.min(bitsOf(minor), bitsOfRound(minor));
}

/** The length of the difference as that of rows that are not listed: of any amount, or of a listed one. */
export function bitsOfRowsLike(subject: Case): number {
  const { target } = subject;
  const anyAmount = bitsOfAmount(target.gross) - 1 + bitsOfSign(subject);
  const gross = Math.min(anyAmount, bitsOfListedGross(subject));
  const bits = Math.min(gross + bitsOfCharges(subject), bitsOfListedPair(subject));
  return toHundredths(bitsOf(target.count) + bits);
}

/** A gross that listed rows have: the likelier, the more often it occurs and the more amounts repeat. */
function bitsOfListedGross(subject: Case): number {
  const values = subject.values();
  const occurrences = new Map<number, number>();
  for (let value = 0; value < values.size; value++) {
    const gross = Math.abs(values.figures[value * figuresPerRow] ?? 0);
    occurrences.set(gross, (occurrences.get(gross) ?? 0) + values.count(value));
  }
  const own = occurrences.get(Math.abs(Number(subject.target.gross)));
  if (own === undefined) return Infinity;
  const all = [...occurrences.values()];
  const rows = all.reduce((sum, count) => sum + count, 0);
  const repeated = all.reduce((sum, count) => sum + (count > 1 ? count : 0), 0);
  return 1 + bitsOfSign(subject) + Math.log2((rows + 1) / (repeated + 1)) + Math.log2(rows / own);
}

/** The sign of the gross: little if most rows have it, added or taken away. */
function bitsOfSign(subject: Case): number {
  const { count, gross } = subject.target;
  if (count === 0) return 1;
  const isNegative = gross < 0n === count > 0;
  const values = subject.values();
  let [rows, alike] = [0, 0];
  for (let value = 0; value < values.size; value++) {
    const isSame = (values.figures[value * figuresPerRow] ?? 0) < 0 === isNegative;
    rows += values.count(value);
    if (isSame) alike += values.count(value);
  }
  return Math.log2((rows + 2) / (alike + 1));
}

/** Two rows that come to as much as pairs of listed ones. One pair is left aside: it may be the cause. */
function bitsOfListedPair(subject: Case): number {
  if (Math.abs(subject.target.count) !== 2) return Infinity;
  const values = subject.values();
  const [gross, fees, tax] = inNumbers(subject.target);
  let pairs = 0;
  for (let value = 0; value < values.size; value++) {
    const at = value * figuresPerRow;
    const [ownGross = 0, ownFees = 0, ownTax = 0] = values.figures.subarray(at, at + figuresPerRow);
    const other = values.find(gross - ownGross, fees - ownFees, tax - ownTax);
    const count = values.count(value);
    if (other === value) pairs += (count * (count - 1)) / 2;
    else if (other > value) pairs += count * values.count(other);
  }
  return pairs > 1 ? 1 + bitsOfChoice(2, subject.rows.size) - Math.log2(pairs - 1) : Infinity;
}

/** So many rows with about the same gross show what is charged on it. */
const mostAlike = 8;

/** Fees and tax, by how far they are from what rows with about the same gross have. */
function bitsOfCharges(subject: Case): number {
  const { fees, tax } = subject.target;
  const usual = usualCharges(subject);
  const all = usual.map((one) => bitsOf(fees - one.fees) + bitsOf(tax - one.taxBeside(fees)));
  return Math.log2(all.length) + smallestOf(all);
}

/** Whether fees and tax are, to a quarter, what rows with about the same gross have. */
export function isLikeRows(subject: Case): boolean {
  const { fees, tax } = subject.target;
  const isAbout = (one: bigint, usual: bigint) =>
    4n * magnitude(one - usual) <= magnitude(usual) + 4n;
  return usualCharges(subject).some(
    (one) => one.isListed && isAbout(fees, one.fees) && isAbout(tax, one.taxBeside(fees)),
  );
}

/** No fees and tax, or those of the rows whose gross is the nearest to that of a missing row. */
function usualCharges(subject: Case) {
  const { gross, count } = subject.target;
  const rows = BigInt(Math.max(1, Math.abs(count)));
  const all = total(cellsOf(subject).map(({ sum }) => sum));
  const alike = nearest(subject, magnitude(gross) / rows).map((listed) => {
    const sign = listed.gross < 0n === gross < 0n ? rows : -rows;
    const more = gross - sign * listed.gross;
    const fees = sign * listed.fees + share(more, all.fees, all.gross);
    const taxBeside = (own: bigint) =>
      sign * listed.tax + share(own - sign * listed.fees, all.tax, all.fees);
    return { fees, taxBeside, isListed: true };
  });
  return [{ fees: 0n, taxBeside: () => 0n, isListed: false }, ...alike];
}

/** The amounts of the rows whose gross comes nearest to a given one, by magnitude. */
function nearest(subject: Case, gross: bigint): readonly Amounts[] {
  const { figures, size } = subject.values();
  const distance = (value: number) =>
    Math.abs(Math.abs(figures[value * figuresPerRow] ?? 0) - Number(gross));
  const found: number[] = [];
  for (let value = 0; value < size; value++) {
    const isFar = found.length === mostAlike && distance(value) >= distance(found.at(-1) ?? 0);
    if (isFar || !figures[value * figuresPerRow]) continue;
    found.push(value);
    found.sort((a, b) => distance(a) - distance(b));
    found.length = Math.min(found.length, mostAlike);
  }
  return found.map((value) => {
    const at = value * figuresPerRow;
    const [gross = 0, fees = 0, tax = 0] = figures.subarray(at, at + figuresPerRow);
    return { gross: BigInt(gross), fees: BigInt(fees), tax: BigInt(tax) };
  });
}

/** What is charged on an amount at the rate of a part to a whole, down to whole minor units. */
export function share(amount: bigint, part: bigint, whole: bigint): bigint {
  return whole === 0n ? 0n : (amount * part) / whole;
}
