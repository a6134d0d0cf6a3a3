import { magnitude } from '../../money/money.ts';
import { bitsOfRound } from '../bits.ts';
import type { Hypothesis } from '../candidate.ts';
import { cause } from '../cause.ts';
import type { RowTraits } from '../sides.ts';
import { noTally, type Tally, total } from '../tally.ts';
import { share } from '../unknown.ts';

/**
 * `fee_without_row`: the header's fees have the same fee for each row of a type, such as a
 * chargeback, and no row lists it; its tax may be charged on it too. Types are open texts: any may be it.
 */
export const feeWithoutRow: Hypothesis = {
  code: 'fee_without_row',
  dependsOn: 'target',
  *candidates({ subject: { target }, cells }) {
    const { fees, tax } = target;
    if (fees === 0n || !isOnlyFees(target)) return;
    const listed = total(cells.map(({ sum }) => sum));
    const types = new Set(cells.map(({ type }) => type));
    for (const type of types) {
      const has = (traits: RowTraits) => traits.type === type;
      const count = cells.filter(has).reduce((rows, { sum }) => rows + sum.count, 0);
      const rows = BigInt(count);
      if (rows === 0n || fees % rows !== 0n || tax % rows !== 0n) continue;
      const fee = fees / rows;
      if (!isAnotherFee(fee, listed) || !isTaxOn(fee, tax / rows, listed)) continue;
      yield {
        cause: cause('fee_without_row', { type }),
        // What most rows are pays its fees on its rows: the fewer, the likelier is it the odd one.
        choices: count * (disputed.test(type) ? 1 : types.size),
        assumed: bitsOfRound(fee),
        inLine: true,
        change: { ...noTally, fees, tax },
        rows: { of: 'group', count, has },
      };
    }
  },
};

/** What a type may be called that is known for such fees. */
const disputed = /charge.?back|dispute/i;

/** Small fees are multiples of it, in minor units: cents would be rounding. */
const roundPrice = 50n;

function isOnlyFees({ count, gross, contradiction }: Tally): boolean {
  return count === 0 && gross === 0n && contradiction === 0n;
}

/** Whether it is charged as the listed fees are, and is a price: as much as a row costs, or a round one. */
function isAnotherFee(fee: bigint, { fees, count }: Tally): boolean {
  const isCharged = fees === 0n || fee > 0n === fees > 0n;
  const isPrice = magnitude(fee) * BigInt(count) >= magnitude(fees) || fee % roundPrice === 0n;
  return isCharged && isPrice;
}

/** Whether it bears no tax, or that of the listed fees: as exactly as their rounded tax shows it. */
function isTaxOn(fee: bigint, tax: bigint, { fees, tax: listed, count }: Tally): boolean {
  if (tax === 0n) return true;
  const unsure = 1n + share(magnitude(fee), BigInt(count), 2n * magnitude(fees));
  return magnitude(tax - share(fee, listed, fees)) <= unsure;
}
