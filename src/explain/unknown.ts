import { smallestOf } from '../base/lists.ts';
import { figuresPerRow } from '../model/row-batch.ts';
import type { Amounts } from '../model/settlement.ts';
import { magnitude } from '../money/money.ts';
import { bitsOf, bitsOfRound, toHundredths } from './bits.ts';
import { type Case, cellsOf } from './case.ts';
import { hasAmounts, total } from './tally.ts';

/** The bits of an unknown origin: as rare as the rarest named cause. */
const unknownOrigin = 8;

/** The length of a difference of unknown cause: as figures or as rows like the listed ones, if shorter. */
export function bitsOfUnknown(subject: Case): number {
  const { target } = subject;
  // A wrong count alone is a cause of its own.
  if (!hasAmounts(target) && target.contradiction === 0n) return Infinity;
  const asRows = target.contradiction === 0n ? bitsOfRowsLike(subject) : Infinity;
  return unknownOrigin + Math.min(bitsOfFigures(subject), asRows);
}

/** The length of the figures that differ: each as it is or as a round amount; the tax also as the tax on the fees. */
function bitsOfFigures(subject: Case): number {
  const { count, gross, fees, tax, contradiction } = subject.target;
  const all = total(cellsOf(subject).map(({ sum }) => sum));
  const onFees = 1 + bitsOf(tax - share(fees, all.tax, all.fees));
  const bits = [gross, fees, contradiction].reduce((sum, one) => sum + bitsOfAmount(one), 0);
  const ofTax = Math.min(bitsOfAmount(tax), fees === 0n ? Infinity : onFees);
  return toHundredths(bits + ofTax + bitsOfCount(count));
}

function bitsOfCount(count: number): number {
  return count === 0 ? 0 : bitsOf(count);
}

function bitsOfAmount(minor: bigint): number {
  return minor === 0n ? 0 : Math.min(bitsOf(minor), bitsOfRound(minor));
}

/** The length of the difference as unlisted rows, with any gross or a listed one. */
export function bitsOfRowsLike(subject: Case): number {
  const { target } = subject;
  const anyAmount = bitsOfAmount(target.gross) + bitsOfSign(subject);
  const gross = Math.min(anyAmount, bitsOfListedGross(subject));
  return toHundredths(bitsOfCount(target.count) + gross + bitsOfCharges(subject));
}

/** A gross of rows here or in neighbours: likelier if it occurs often and if amounts repeat in general. */
function bitsOfListedGross(subject: Case): number {
  const occurrences = new Map<number, number>();
  for (const values of [subject.values(), ...subject.valuesAround()]) {
    for (let value = 0; value < values.size; value++) {
      const gross = Math.abs(values.figures[value * figuresPerRow] ?? 0);
      occurrences.set(gross, (occurrences.get(gross) ?? 0) + values.count(value));
    }
  }
  const own = occurrences.get(Math.abs(Number(subject.target.gross)));
  if (own === undefined) return Infinity;
  const all = [...occurrences.values()];
  const rows = all.reduce((sum, count) => sum + count, 0);
  const repeated = all.reduce((sum, count) => sum + (count > 1 ? count : 0), 0);
  return 1 + bitsOfSign(subject) + Math.log2((rows + 1) / (repeated + 1)) + Math.log2(rows / own);
}

/** The sign of the gross: few bits if most rows have the sign, added or left out. */
function bitsOfSign({ rows, target: { count, gross } }: Case): number {
  if (count === 0) return 1;
  const isNegative = gross < 0n === count > 0;
  const isAlike = (row: number) => (rows.figures[row * figuresPerRow] ?? 0) < 0 === isNegative;
  return Math.log2((rows.size + 2) / (rows.where(isAlike).length + 1));
}

/** The number of rows with about the same gross that show its fees and tax. */
const mostAlike = 8;

/** Fees and tax: none, or their distance from those of rows with about the same gross. */
function bitsOfCharges(subject: Case): number {
  const { fees, tax } = subject.target;
  if (fees === 0n && tax === 0n) return 1;
  const usual = usualCharges(subject);
  const all = usual.map((one) => bitsOf(fees - one.fees) + bitsOf(tax - one.taxBeside(fees)));
  return 1 + Math.log2(Math.max(1, all.length)) + smallestOf([...all, bitsOf(fees) + bitsOf(tax)]);
}

/** Whether fees and tax are those of rows with about the same gross, apart from rounding. */
export function isLikeRows(subject: Case): boolean {
  const { fees, tax, count } = subject.target;
  const unsure = BigInt(1 + Math.floor(Math.abs(count) / 4));
  const isAbout = (one: bigint, usual: bigint) =>
    16n * magnitude(one - usual) <= magnitude(usual) + 16n * unsure;
  return usualCharges(subject).some(
    (one) => isAbout(fees, one.fees) && isAbout(tax, one.taxBeside(fees)),
  );
}

/** The fees and tax of rows with about the same gross, here or in neighbours. */
function usualCharges(subject: Case) {
  const { gross, count } = subject.target;
  const rows = BigInt(Math.max(1, Math.abs(count)));
  const all = total(cellsOf(subject).map(({ sum }) => sum));
  return nearest(subject, magnitude(gross) / rows).map((listed) => {
    const sign = listed.gross < 0n === gross < 0n ? rows : -rows;
    const more = gross - sign * listed.gross;
    const fees = sign * listed.fees + share(more, all.fees, all.gross);
    const taxBeside = (own: bigint) =>
      sign * listed.tax + share(own - sign * listed.fees, all.tax, all.fees);
    return { fees, taxBeside };
  });
}

/** The amounts of the rows whose gross comes nearest to a given one, by magnitude. */
function nearest(subject: Case, gross: bigint): readonly Amounts[] {
  const found: { readonly distance: number; readonly amounts: Amounts }[] = [];
  for (const { figures, size } of [subject.values(), ...subject.valuesAround()]) {
    for (let at = 0; at < size * figuresPerRow; at += figuresPerRow) {
      const own = figures[at] ?? 0;
      const distance = Math.abs(Math.abs(own) - Number(gross));
      if (own === 0 || (found.length === mostAlike && distance >= (found.at(-1)?.distance ?? 0))) {
        continue;
      }
      const [fees, tax] = [BigInt(figures[at + 1] ?? 0), BigInt(figures[at + 2] ?? 0)];
      found.push({ distance, amounts: { gross: BigInt(own), fees, tax } });
      found.sort((a, b) => a.distance - b.distance);
      found.length = Math.min(found.length, mostAlike);
    }
  }
  return found.map(({ amounts }) => amounts);
}

/** What is charged on an amount at the rate of a part to a whole, down to whole minor units. */
export function share(amount: bigint, part: bigint, whole: bigint): bigint {
  return whole === 0n ? 0n : (amount * part) / whole;
}
