import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  deltaOf,
  figuresAccountedFor,
  figuresIn,
  noTally,
  shift,
  type Tally,
  tallyFrom,
} from '../../src/explain/tally.ts';

test('either all amounts are shifted or none', () => {
  const amounts = { gross: 100n, fees: 20n, tax: -30n, contradiction: 50n };
  const change = { count: 7, ...amounts };
  expect(shift(change, 0)).toEqual(change);
  expect(shift(change, 1)).toEqual({
    count: 7,
    gross: 1000n,
    fees: 200n,
    tax: -300n,
    contradiction: 500n,
  });
  expect(shift(change, -1)).toEqual({
    count: 7,
    gross: 10n,
    fees: 2n,
    tax: -3n,
    contradiction: 5n,
  });
  for (const name of Object.keys(amounts)) {
    expect(shift({ ...change, [name]: 1n }, -1)).toBeUndefined();
  }
});

test('law: an amount that is shifted and shifted back is the same', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.nat(18), (gross, power) => {
      const tally = { ...noTally, gross };
      const factor = 10n ** BigInt(power);
      expect(shift(tally, power)).toEqual({ ...tally, gross: gross * factor });
      expect(shift({ ...tally, gross: gross * factor }, -power)).toEqual(tally);
      expect(shift(tally, -power) === undefined).toBe(gross % factor !== 0n);
    }),
  );
});

describe('the pay-in of a change', () => {
  const amounts = { gross: 1000n, fees: 30n, tax: 7n };
  const figures = { transactions: 3, ...amounts, payIn: 970n };

  test('follows from its amounts, with what contradicts them', () => {
    const change = tallyFrom('gross-fees-tax', figures);
    expect(change).toEqual({ count: 3, ...amounts, contradiction: 7n });
    expect(deltaOf('gross-fees-tax', change)).toEqual({ count: 3, ...amounts, payIn: 970n });
    expect(tallyFrom('gross-fees', figures).contradiction).toBe(0n);
  });

  test('is 0 if no identity is assumed', () => {
    const change = tallyFrom('off', figures);
    expect(change).toEqual({ count: 3, ...amounts, contradiction: 0n });
    expect(deltaOf('off', change)).toEqual({ count: 3, ...amounts, payIn: 0n });
  });
});

const change = (given: Partial<Tally>): Tally => ({ ...noTally, ...given });

describe('the figures that change', () => {
  test.each<[Partial<Tally>, readonly string[]]>([
    [{}, []],
    [{ count: -1 }, ['count']],
    [{ gross: 5n }, ['gross']],
    [{ fees: 5n }, ['fees']],
    [{ tax: 5n }, ['tax']],
    [{ contradiction: 5n }, ['payIn']],
    [{ gross: 5n, contradiction: -5n }, ['gross', 'payIn']],
    [{ count: 1, gross: 9n, fees: 2n, tax: 1n }, ['count', 'gross', 'fees', 'tax']],
  ])('%o', (given, expected) => {
    expect(figuresIn(change(given))).toEqual(expected);
  });
});

describe('the number of figures that a cause explains', () => {
  const target = change({ count: 1, gross: 10n, fees: 2n });

  test.each<[string, Partial<Tally>, number]>([
    ['all of them', target, 3],
    ['one amount in full', { gross: 10n }, 1],
    ['an amount and the count', { count: 1, fees: 2n }, 2],
    ['the count alone is not worth telling', { count: 1 }, 0],
    ['a part of an amount is none', { gross: 4n }, 0],
    ['one in full, another in part', { gross: 10n, fees: 1n }, 1],
    ['not where it puts out tax', { gross: 10n, tax: 1n }, 0],
    ['not where it puts out the pay-in', { gross: 10n, contradiction: 1n }, 0],
  ])('%s', (_, given, expected) => {
    expect(figuresAccountedFor(target, change(given))).toBe(expected);
  });

  test.each<[string, Partial<Tally>]>([
    ['the gross', { gross: 1n }],
    ['the fees', { fees: 1n }],
    ['the tax', { tax: 1n }],
    ['the count', { count: 1 }],
  ])('is none if the cause changes %s too', (_, given) => {
    const one = change({ contradiction: 7n });
    expect(figuresAccountedFor(one, one)).toBe(1);
    expect(figuresAccountedFor(one, { ...one, ...given })).toBe(0);
  });
});
