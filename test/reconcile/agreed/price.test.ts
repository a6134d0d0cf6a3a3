import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgreedPrice, AgreedRate } from '../../../src/model/agreed-rates.ts';
import { feesBy, tooPreciseKey, within } from '../../../src/reconcile/agreed/price.ts';

type Form = Pick<AgreedRate, 'sign' | 'round' | 'rounding'>;

const usual: Form = { sign: 'charged', round: 'sum', rounding: 'down' };
const fee = (price: AgreedPrice, amount: bigint, form: Partial<Form> = {}, scale = 2) =>
  feesBy(price, { ...usual, ...form }, scale)(amount);
const only = (minor: bigint) => ({ low: minor, high: minor });

const amounts = fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n });
const percents = fc
  .tuple(fc.nat(99), fc.nat(9999))
  .map(([whole, parts]) => `${whole}.${String(parts).padStart(4, '0')}`);
const forms = fc.record({
  sign: fc.constantFrom('charged', 'none', 'returned'),
  round: fc.constantFrom('sum', 'parts'),
  rounding: fc.constantFrom('down', 'up', 'half_up', 'half_even', undefined),
}) satisfies fc.Arbitrary<Form>;

describe('the agreed fee', () => {
  test('is exact and rounded once', () => {
    const cards = { percent: '1.4', fixed: '0.25' };
    expect(fee(cards, 300_00n)).toEqual(only(4_45n));
    expect(fee(cards, 29950n, { rounding: 'half_up' })).toEqual(only(4_44n));
    expect(fee({ percent: '1.5' }, 29950n, { rounding: undefined })).toEqual({
      ...{ low: 4_49n, high: 4_50n },
    });
    expect(fee({ percent: '1.4', fixed: '25' }, 4800n, {}, 0)).toEqual(only(92n));
    expect(fee(cards, 300_000n, {}, 3)).toEqual(only(4_450n));
  });

  test('has another sum of parts if half a unit is rounded to even', () => {
    const price = { percent: '2.5', fixed: '0.01' };
    expect(fee(price, 20n, { rounding: 'half_even' })).toEqual(only(2n));
    expect(fee(price, 20n, { rounding: 'half_even', round: 'parts' })).toEqual(only(1n));
  });

  test('is at least the minimum and at most the maximum', () => {
    const price = { percent: '1', minimum: '0.30', maximum: '5.00' };
    const found = [10_00n, 100_00n, 1_000_00n].map((amount) => fee(price, amount));
    expect(found).toEqual([only(30n), only(1_00n), only(5_00n)]);
    expect(fee({ percent_from: '0.3', percent_to: '1.1' }, 100_00n)).toEqual({
      ...{ low: 30n, high: 1_10n },
    });
  });

  test('of a negative amount is charged, none or returned', () => {
    const price = { percent: '1', minimum: '0.30' };
    expect(fee(price, -100_00n)).toEqual(only(1_00n));
    expect(fee(price, -100_00n, { sign: 'none' })).toEqual(only(0n));
    expect(fee(price, -1_00n, { sign: 'returned' })).toEqual(only(-30n));
    expect(fee({ percent: '1' }, -1_50n, { sign: 'returned', rounding: undefined })).toEqual({
      ...{ low: -2n, high: -1n },
    });
  });

  test('is one amount, or two neighbours if the rounding is not agreed', () => {
    fc.assert(
      fc.property(amounts, percents, forms, (amount, percent, form) => {
        const { low, high } = fee({ percent }, amount, form);
        expect(high - low).toBeGreaterThanOrEqual(0n);
        expect(high - low).toBeLessThanOrEqual(form.rounding === undefined ? 1n : 0n);
        expect(within({ low, high }, low - 5n)).toBe(low);
        expect(within({ low, high }, high + 5n)).toBe(high);
      }),
    );
  });

  test('grows with the amount and with the price', () => {
    fc.assert(
      fc.property(amounts, percents, forms, (amount, percent, form) => {
        const size = amount < 0n ? -amount : amount;
        expect(fee({ percent }, size + 100n, form).high).toBeGreaterThanOrEqual(
          fee({ percent }, size, form).high,
        );
        const dear = fee({ percent, fixed: '0.05' }, size, form);
        expect(
          dear.low - fee({ percent }, size, { ...form, round: 'parts' }).low,
        ).toBeGreaterThanOrEqual(4n);
      }),
    );
  });
});

test('an amount with more decimals than a scale is named', () => {
  expect(tooPreciseKey({ fixed: '0.255' }, 2)).toBe('fixed');
  expect(tooPreciseKey({ fixed: '0.250', maximum: '5' }, 2)).toBeUndefined();
  expect(tooPreciseKey({ maximum: '5.5' }, 0)).toBe('maximum');
});
