import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMinor, parseDecimal } from '../../src/money/decimal.ts';
import { minor, scale } from './arbitraries.ts';

describe('formatMinor', () => {
  test.each([
    [-1234n, 2, '-12.34'],
    [-12n, 0, '-12'],
    [0n, 0, '0'],
    [0n, 2, '0.00'],
    [5n, 2, '0.05'],
    [-5n, 2, '-0.05'],
    [-5n, 3, '-0.005'],
    [100n, 2, '1.00'],
    [12345n, 4, '1.2345'],
    [1n, 18, '0.000000000000000001'],
    [-9007199254740991n, 2, '-90071992547409.91'],
    [10n ** 30n, 0, '1000000000000000000000000000000'],
  ])('%s at scale %s is %s', (amount, places, text) => {
    expect(formatMinor(amount, places)).toBe(text);
  });
});

describe('parseDecimal', () => {
  test.each([
    ['12.34', 2, 1234n],
    ['-12.34', 2, -1234n],
    ['12', 2, 1200n],
    ['12.3', 2, 1230n],
    ['0', 0, 0n],
    ['-0.05', 3, -50n],
  ])('%s at scale %s is %s', (text, places, amount) => {
    expect(parseDecimal(text, places)).toBe(amount);
  });

  test.each([
    '',
    ' ',
    '1 ',
    '+1',
    '.5',
    '5.',
    '1,5',
    '1e3',
    '0x10',
    '01',
    '1_000',
    '1.2.3',
    '--1',
    'NaN',
    '١',
  ])('%j is no decimal number', (text) => {
    expect(() => parseDecimal(text, 2)).toThrow(`Not a decimal number: ${JSON.stringify(text)}`);
  });

  test('more decimals than the scale are refused, never rounded', () => {
    expect(() => parseDecimal('1.234', 2)).toThrow('More than 2 decimals: 1.234');
    expect(() => parseDecimal('1.230', 2)).toThrow(RangeError);
    expect(() => parseDecimal('1.0', 0)).toThrow(RangeError);
  });
});

test('law: text round-trips', () => {
  fc.assert(
    fc.property(minor, scale, (amount, places) => {
      expect(parseDecimal(formatMinor(amount, places), places)).toBe(amount);
    }),
  );
});

test('law: text has exactly the decimals of its scale, and the sign of the amount', () => {
  fc.assert(
    fc.property(minor, scale, (amount, places) => {
      const text = formatMinor(amount, places);
      expect(text.split('.')[1]?.length ?? 0).toBe(places);
      expect(text.startsWith('-')).toBe(amount < 0n);
      expect(formatMinor(-amount, places)).toBe(
        amount === 0n ? text : amount < 0n ? text.slice(1) : `-${text}`,
      );
    }),
  );
});
