import type { Amounts } from '../../model/settlement.ts';
import { magnitude } from '../../money/money.ts';
import { bitsOfRound } from '../bits.ts';
import type { Hypothesis } from '../candidate.ts';
import type { RowTraits } from '../case.ts';
import { cause } from '../cause.ts';
import { noTally, type Tally, total } from '../tally.ts';
import { share } from '../unknown.ts';

/** `fee_without_row`: the header's fees have the same fee for each row of a type, and no row lists it. */
const feeWithoutRow: Hypothesis = {
  code: 'fee_without_row',
  dependsOn: 'target',
  canMake: isOnlyFees,
  *candidates({ subject: { target }, cells }) {
    if (!isOnlyFees(target)) return;
    const listed = total(cells.map(({ sum }) => sum));
    const types = new Set(cells.map(({ type }) => type));
    for (const type of types) {
      const has = (traits: RowTraits) => traits.type === type;
      const count = cells.filter(has).reduce((rows, { sum }) => rows + sum.count, 0);
      if (count === 0) continue;
      for (const fee of feesOf(target, listed, BigInt(count))) {
        yield {
          cause: cause('fee_without_row', { type }),
          // The type of most rows has its fees on them.
          choices: (disputed.test(type) ? 1 : types.size) * (2 * count > listed.count ? count : 1),
          assumed: bitsOfRound(fee.fees),
          inLine: true,
          change: { ...noTally, fees: fee.fees * BigInt(count), tax: fee.tax * BigInt(count) },
          rows: { of: 'group', count, has },
        };
      }
    }
  },
};

/** The fee per row: the one that gives the difference, or the nearest multiple of 0.50. */
function feesOf({ fees, tax }: Tally, listed: Tally, rows: bigint): readonly Amounts[] {
  const whole = { gross: 0n, fees: fees / rows, tax: tax / rows };
  const isWhole = whole.fees * rows === fees && whole.tax * rows === tax;
  const near = roundPrice * divided(fees, roundPrice * rows);
  const all = isWhole
    ? [whole]
    : [0n, divided(near * listed.tax, listed.fees)].map((tax) => ({ gross: 0n, fees: near, tax }));
  return all.filter(
    (one) => isRound(one.fees, rows) && isLikeListedFees(one.fees, one.tax, listed),
  );
}

function divided(amount: bigint, by: bigint): bigint {
  const half = amount < 0n === by < 0n ? by : -by;
  return by === 0n ? 0n : (2n * amount + half) / (2n * by);
}

/** `one_off_fee`: a round fee of its own, without tax or with the tax rate of the other fees. */
const oneOffFee: Hypothesis = {
  code: 'one_off_fee',
  dependsOn: 'target',
  canMake: isOnlyFees,
  *candidates({ subject: { target }, cells }) {
    const { fees, tax } = target;
    const listed = total(cells.map(({ sum }) => sum));
    if (!isOnlyFees(target) || !isRound(fees, 1n) || !isLikeListedFees(fees, tax, listed)) return;
    yield {
      cause: cause('one_off_fee', {}),
      choices: 1,
      assumed: bitsOfRound(fees),
      change: { ...noTally, fees, tax },
    };
  },
};

/** Names of types that are known for such fees. */
const disputed = /charge.?back|dispute/i;

function isOnlyFees({ count, gross, fees, contradiction }: Tally): boolean {
  return count === 0 && gross === 0n && contradiction === 0n && fees !== 0n;
}

/** Minor units of which a fee is a multiple. */
const roundPrice = 50n;

/** Fees are multiples of 0.50; those from 10.00 on, of 0.10, and those of many rows, of 0.05. */
function isRound(fee: bigint, rows: bigint): boolean {
  const unit = magnitude(fee) >= 10_00n ? 10n : rows < 4n ? roundPrice : 5n;
  return fee !== 0n && fee % unit === 0n;
}

/** Whether it has the sign of the listed fees, and their tax rate or no tax. */
function isLikeListedFees(fee: bigint, tax: bigint, listed: Tally): boolean {
  return (listed.fees === 0n || fee > 0n === listed.fees > 0n) && isTaxOn(fee, tax, listed);
}

/** Whether its tax is 0, or follows the listed fees as exactly as their rounded tax shows. */
function isTaxOn(fee: bigint, tax: bigint, { fees, tax: listed, count }: Tally): boolean {
  if (tax === 0n) return true;
  const unsure = 1n + share(magnitude(fee), BigInt(count), 2n * magnitude(fees));
  return magnitude(tax - share(fee, listed, fees)) <= unsure;
}

export const unlistedFees: readonly Hypothesis[] = [feeWithoutRow, oneOffFee];
