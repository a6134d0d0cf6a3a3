import { describe, expect, it, test } from 'vitest';
import {
  type ComparedRate,
  comparedRates,
  feeRate,
  isBeyond,
  rateChange,
} from '../../src/reconcile/fee-rates.ts';
import type { RowTotal } from '../../src/reconcile/row-totals.ts';

function total(changes: Partial<RowTotal> = {}): RowTotal {
  return {
    date: '2026-03-05',
    accountingToken: 'a',
    currency: 'EUR',
    type: 'purchase',
    paymentType: 'card',
    scale: 2,
    count: 1,
    gross: 100_00n,
    fees: 1_40n,
    tax: 0n,
    ...changes,
  };
}

/** The one rate of two ranges that have these totals. */
function rateOfBoth(earlier: Partial<RowTotal>, now: Partial<RowTotal>): ComparedRate {
  const [rate, ...others] = comparedRates([total(earlier)], [total(now)]);
  if (!rate || others.length > 0) throw new Error('not one rate');
  return rate;
}

describe('fee rates', () => {
  it('cover all days and types together, at the larger scale', () => {
    const now = [total(), total({ date: '2026-03-06', type: 'refund', scale: 3, gross: -50_000n })];
    const [rate] = comparedRates([], now);
    expect(rate?.earlier).toBeUndefined();
    expect(rate?.now).toEqual({
      transactions: 2,
      gross: { minor: 50_000n, scale: 3, currency: 'EUR' },
      fees: { minor: 1_540n, scale: 3, currency: 'EUR' },
    });
    expect(feeRate(rate?.now)).toBe(30_800n);
  });

  it('are separate by account, currency and payment type, in this order', () => {
    const others = [
      total({ paymentType: 'wallet' }),
      total({ currency: 'USD' }),
      total({ accountingToken: 'b' }),
    ];
    const rates = comparedRates(others.slice(0, 2), [total(), ...others.slice(1)]);
    expect(
      rates.map(({ accountingToken, currency, paymentType, earlier, now }) =>
        [accountingToken, currency, paymentType, Boolean(earlier), Boolean(now)].join(' '),
      ),
    ).toEqual([
      'a EUR card false true',
      'a EUR wallet true false',
      'a USD card true true',
      'b EUR card false true',
    ]);
  });

  test.each([
    ['no change', {}, { gross: 300_00n, fees: 4_20n }, 0n],
    ['a rise', {}, { fees: 1_60n }, 2_000n],
    ['a fall', {}, { fees: 1_20n }, -2_000n],
    ['other decimal places', {}, { scale: 3, gross: 100_000n, fees: 1_600n }, 2_000n],
    ['more refunded than paid', {}, { gross: -100_00n, fees: 0n }, undefined],
    ['only refunds in both', { gross: -1n, fees: 0n }, { gross: -9n, fees: -1n }, undefined],
    ['no fees before', { fees: 0n }, {}, 14_000n],
    ['no gross', {}, { gross: 0n }, undefined],
    ['no gross before', { gross: 0n, fees: 0n }, {}, undefined],
    ['fees of the other sign', {}, { fees: -1_40n }, undefined],
    ['a third more, rounded once', { gross: 3_00n, fees: 1n }, { gross: 3_00n, fees: 2n }, 3_333n],
  ] as const)('change exactly: %s', (_, earlier, now, change) => {
    expect(rateChange(rateOfBoth(earlier, now))).toBe(change);
  });

  const [million, tenth] = [{ gross: 1_000_000_00n }, 1_000_00n];
  const at = (fees: bigint) => rateOfBoth({ ...million, fees: 14n * tenth }, { ...million, fees });

  it('are beyond a limit only above it, to the minor unit', () => {
    // 0.05 points of a million are 500.00.
    expect(isBeyond(500n, at(14n * tenth + 500_00n))).toBe(false);
    expect(isBeyond(500n, at(14n * tenth + 500_01n))).toBe(true);
    expect(isBeyond(500n, at(14n * tenth - 500_00n))).toBe(false);
    expect(isBeyond(500n, at(14n * tenth - 500_01n))).toBe(true);
    // The cent is lost in the rounded change.
    expect(rateChange(at(14n * tenth + 500_01n))).toBe(500n);
  });

  it('may not change at all with a limit of 0', () => {
    expect(isBeyond(0n, at(14n * tenth))).toBe(false);
    expect(isBeyond(0n, at(14n * tenth + 1n))).toBe(true);
  });

  it('are never beyond a limit if one of them is unknown', () => {
    expect(isBeyond(0n, rateOfBoth({}, { gross: 0n, fees: 5n }))).toBe(false);
    expect(comparedRates([], [total()]).some((rate) => isBeyond(0n, rate))).toBe(false);
  });
});
