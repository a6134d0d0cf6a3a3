import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMinor, parseDecimal } from '../../src/money/decimal.ts';
import { largestScale, rescale } from '../../src/money/scale.ts';
import { minor, scale } from './arbitraries.ts';

test.each([
  [5n, 0, 2, 500n],
  [-1234n, 2, 4, -123400n],
  [7n, 3, 3, 7n],
  [1n, 0, 18, 1_000_000_000_000_000_000n],
  [0n, 2, 18, 0n],
])('%s at scale %s is the same amount at scale %s', (from, fromScale, toScale, to) => {
  expect(rescale(from, fromScale, toScale)).toBe(to);
});

test('a scale never becomes smaller, even where nothing would be lost', () => {
  expect(() => rescale(500n, 2, 0)).toThrow("Scale 2 can't become 0 without rounding");
  expect(() => rescale(0n, 1, 0)).toThrow(RangeError);
});

test.each([-1, 19, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('%s is no scale', (wrong) => {
  expect(() => rescale(1n, wrong, 18)).toThrow(`Not a scale of 0 to 18: ${wrong}`);
  expect(() => rescale(1n, 0, wrong)).toThrow(RangeError);
  expect(() => formatMinor(1n, wrong)).toThrow(RangeError);
  expect(() => parseDecimal('1', wrong)).toThrow(RangeError);
});

test('the largest scale', () => {
  expect(largestScale(2)).toBe(2);
  expect(largestScale(0, 3, 2)).toBe(3);
});

test('law: the text of a rescaled amount is the old one, filled up with zeros', () => {
  fc.assert(
    fc.property(minor, scale, scale, (amount, a, b) => {
      const [from, to] = a < b ? [a, b] : [b, a];
      const text = formatMinor(amount, from);
      const dot = from === 0 && to > 0 ? '.' : '';
      expect(formatMinor(rescale(amount, from, to), to)).toBe(text + dot + '0'.repeat(to - from));
    }),
  );
});

test('law: a scale change is reversible by text', () => {
  fc.assert(
    fc.property(minor, scale, scale, (amount, a, b) => {
      const [from, to] = a < b ? [a, b] : [b, a];
      const text = formatMinor(rescale(amount, from, to), to);
      const shortened = text.slice(0, text.length - (to - from)).replace(/\.$/, '');
      expect(parseDecimal(shortened, from)).toBe(amount);
    }),
  );
});

test('law: two scale changes are one, and addition may come before or after', () => {
  fc.assert(
    fc.property(minor, minor, fc.tuple(scale, scale, scale), (x, y, scales) => {
      const [low = 0, middle = 0, high = 0] = scales.toSorted((a, b) => a - b);
      expect(rescale(rescale(x, low, middle), middle, high)).toBe(rescale(x, low, high));
      expect(rescale(x + y, low, high)).toBe(rescale(x, low, high) + rescale(y, low, high));
    }),
  );
});
