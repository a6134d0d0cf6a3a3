import { bitsOf } from '../bits.ts';
import type { Hypothesis } from '../candidate.ts';
import { cause } from '../cause.ts';
import { share } from '../rows-like.ts';
import type { RowTraits } from '../sides.ts';
import { minus, noTally, type Tally } from '../tally.ts';

/**
 * `fee_without_row`: the header's fees have the same fee for each row of a type, such as a
 * chargeback, and no row lists it; its tax may be charged on it too. Types are open texts: any may be it.
 */
export const feeWithoutRow: Hypothesis = {
  code: 'fee_without_row',
  dependsOn: 'target',
  *candidates({ subject: { target, header }, cells }) {
    const { fees, tax } = target;
    if (fees === 0n || !isOnlyFees(target)) return;
    const listed = minus(header, target);
    const types = new Set(cells.map(({ type }) => type));
    for (const type of types) {
      const has = (traits: RowTraits) => traits.type === type;
      const count = cells.filter(has).reduce((total, { sum }) => total + sum.count, 0);
      const rows = BigInt(count);
      if (rows === 0n || fees % rows !== 0n || tax % rows !== 0n) continue;
      const fee = fees / rows;
      if (!isAnotherFee(fee, listed) || !isTaxOn(fee, tax / rows, listed)) continue;
      yield {
        cause: cause('fee_without_row', { type }),
        // What most rows are pays its fees on its rows: the fewer, the likelier is it the odd one.
        choices: types.size * count,
        assumed: bitsOfPrice(fee),
        change: { ...noTally, fees, tax },
        rows: { of: 'group', count, has },
      };
    }
  },
};

function isOnlyFees({ count, gross, contradiction }: Tally): boolean {
  return count === 0 && gross === 0n && contradiction === 0n;
}

/** Whether it is charged as the listed fees are, and isn't less than rows cost on average: cents are no fee. */
function isAnotherFee(fee: bigint, { fees, count }: Tally): boolean {
  const isCharged = fees === 0n || fee > 0n === fees > 0n;
  return isCharged && magnitude(fee) * BigInt(count) >= magnitude(fees);
}

/** Whether it bears no tax, or that of the listed fees: as exactly as their rounded tax shows it. */
function isTaxOn(fee: bigint, tax: bigint, { fees, tax: listed, count }: Tally): boolean {
  if (tax === 0n) return true;
  const unsure = 1n + share(magnitude(fee), BigInt(count), 2n * magnitude(fees));
  return magnitude(tax - share(fee, listed, fees)) <= unsure;
}

function magnitude(minor: bigint): bigint {
  return minor < 0n ? -minor : minor;
}

/** What it takes to say a price: round ones, such as 15.00, are common. */
function bitsOfPrice(minor: bigint): number {
  let [digits, zeros] = [minor, 0];
  while (digits % 10n === 0n) [digits, zeros] = [digits / 10n, zeros + 1];
  return bitsOf(digits) + bitsOf(zeros);
}
