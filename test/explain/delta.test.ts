import fc from 'fast-check';
import { expect, test } from 'vitest';
import { otherIdentities, shiftAmounts, shiftDecimals } from '../../src/explain/delta.ts';
import { identityNames } from '../../src/reconcile/identity.ts';

test.each([
  [5n, 0, 5n],
  [5n, 2, 500n],
  [-500n, -2, -5n],
  [500n, -3, undefined],
  [0n, -18, 0n],
])('%s times 10^%i is %s', (minor, power, expected) => {
  expect(shiftDecimals(minor, power)).toBe(expected);
});

test('three amounts are shifted together, or not at all', () => {
  const amounts = { gross: 100n, fees: 20n, tax: -30n };
  expect(shiftAmounts(amounts, 0)).toEqual(amounts);
  expect(shiftAmounts(amounts, 1)).toEqual({ gross: 1000n, fees: 200n, tax: -300n });
  expect(shiftAmounts(amounts, -1)).toEqual({ gross: 10n, fees: 2n, tax: -3n });
  for (const name of ['gross', 'fees', 'tax']) {
    expect(shiftAmounts({ ...amounts, [name]: 1n }, -1)).toBeUndefined();
  }
});

test('law: what is shifted comes back exactly', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.nat(18), (minor, power) => {
      expect(shiftDecimals(shiftDecimals(minor, power) ?? 0n, -power)).toBe(minor);
      expect(
        (shiftDecimals(minor, -power) ?? minor / 10n ** BigInt(power)) * 10n ** BigInt(power),
      ).toBe(minor - (minor % 10n ** BigInt(power)));
    }),
  );
});

const amounts = { gross: 1000n, fees: 30n, tax: 7n };

test('are all but the chosen one, with what each adds to the pay-in', () => {
  const others = otherIdentities('gross-fees-tax', amounts);
  expect(others.map(({ name }) => name)).toEqual(identityNames.slice(1));
  expect(others).toContainEqual({ name: 'gross-fees', payIn: 7n });
  expect(others).toContainEqual({ name: 'gross', payIn: 37n });
  expect(others).toContainEqual({ name: 'gross+fees+tax', payIn: 74n });
});

test('are none where nothing is assumed', () => {
  expect(otherIdentities('off', amounts)).toEqual([]);
});
