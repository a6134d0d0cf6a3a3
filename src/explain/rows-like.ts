import { figuresPerRow } from '../model/row-batch.ts';
import { bitsOf, toHundredths } from './bits.ts';
import type { Case } from './case.ts';
import { cellsOf } from './sides.ts';
import { noTally, plus, type Tally } from './tally.ts';

/**
 * What it takes to say the difference as that of rows that nobody lists: their number, a gross such
 * as listed rows have it, and fees and tax that cost little where they are about what listed rows of
 * some type, or all of them, have for as much.
 */
export function bitsOfRowsLike(subject: Case): number {
  const { count, gross, fees, tax } = subject.target;
  const charges = usualCharges(subject).map((listed) => {
    const onGross = bitsOf(tax - share(gross, listed.tax, listed.gross));
    const onFees = bitsOf(tax - share(fees, listed.tax, listed.fees));
    return bitsOf(fees - share(gross, listed.fees, listed.gross)) + Math.min(onGross, onFees);
  });
  const which = Math.log2(charges.length);
  return toHundredths(bitsOf(count) + bitsOfGross(subject) + which + Math.min(...charges));
}

/** Whether its fees and tax are, to a quarter, what listed rows of some type, or all, have for as much. */
export function isLikeRows(subject: Case): boolean {
  const { gross, fees, tax } = subject.target;
  const isAbout = (one: bigint, usual: bigint) => {
    const off = one - usual;
    return 4n * (off < 0n ? -off : off) <= (usual < 0n ? -usual : usual) + 4n;
  };
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

/** A multiple of what all listed prices are multiples of; or one row at a price that others have too. */
function bitsOfGross({ rows, settlement, scale, target }: Case): number {
  const units = rows.kinds.map((kind) =>
    kind.currency === settlement.currency ? 10 ** (scale - kind.scale) : 0,
  );
  const due = Number(target.gross);
  const prices = new Map<number, number>();
  let unit = 0;
  for (let index = 0; index < rows.size; index++) {
    const minor = rows.figures[index * figuresPerRow] ?? 0;
    const price = minor * (units[rows.kindNumber(index)] ?? 0);
    if (unit !== 1) unit = greatestDivisor(Math.abs(price), unit);
    if (target.count === 1) prices.set(price, (prices.get(price) ?? 0) + 1);
  }
  const isMultiple = unit > 1 && due % unit === 0;
  const asMultiple = bitsOf(isMultiple ? due / unit : due);
  const same = prices.get(due) ?? 0;
  if (same === 0) return asMultiple;
  // How often a price comes again says how likely the next row has one that is known.
  const again = [...prices.values()].reduce((sum, many) => sum + (many > 1 ? many : 0), 1);
  return Math.min(asMultiple, 1 + Math.log2(rows.size / again) + Math.log2(rows.size / same));
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
