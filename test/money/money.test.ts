import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  absoluteSums,
  addMoney,
  formatMinor,
  type Money,
  parseDecimal,
  rescale,
} from '../../src/money/money.ts';
import { minor, money, scale } from './arbitraries.ts';

test.each([
  [5n, 0, 2, 500n],
  [-1234n, 2, 4, -123400n],
  [7n, 3, 3, 7n],
  [1n, 0, 18, 1_000_000_000_000_000_000n],
  [0n, 2, 18, 0n],
])('%s at scale %s is the same amount at scale %s', (from, fromScale, toScale, to) => {
  expect(rescale(from, fromScale, toScale)).toBe(to);
});

test('a scale never becomes smaller, even if no digit is lost', () => {
  expect(() => rescale(500n, 2, 0)).toThrow("Scale 2 can't become 0 without rounding");
  expect(() => rescale(0n, 1, 0)).toThrow(RangeError);
});

test.each([-1, 19, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('%s is not a scale', (wrong) => {
  expect(() => rescale(1n, wrong, 18)).toThrow(`Not a scale of 0 to 18: ${wrong}`);
  expect(() => rescale(1n, 0, wrong)).toThrow(RangeError);
  expect(() => formatMinor(1n, wrong)).toThrow(RangeError);
});

test('law: the text of a rescaled amount is the old text with zeros at its end', () => {
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
      expect(shortened).toBe(formatMinor(amount, from));
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

test('law: the digits of a text are the digits of the amount', () => {
  fc.assert(
    fc.property(minor, scale, (amount, places) => {
      const text = formatMinor(amount, places);
      expect(BigInt(text.replace('.', ''))).toBe(amount);
      expect(text.split('.')[1]?.length ?? 0).toBe(places);
    }),
  );
});

test('law: a text has the decimals of its scale and the sign of its amount', () => {
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

test('a sum has the larger scale', () => {
  const yen = { minor: 5n, scale: 0, currency: 'JPY' };
  expect(addMoney(yen, { minor: -125n, scale: 2, currency: 'JPY' })).toEqual({
    minor: 375n,
    scale: 2,
    currency: 'JPY',
  });
});

test('law: amounts of two currencies are never added', () => {
  fc.assert(
    fc.property(money, money, (a, b) => {
      if (a.currency === b.currency) expect(addMoney(a, b).currency).toBe(a.currency);
      else expect(() => addMoney(a, b)).toThrow(`${a.currency} and ${b.currency} can't be added`);
    }),
  );
});

const amountsOfOneCurrency = fc.array(fc.record({ minor, scale, currency: fc.constant('EUR') }), {
  minLength: 1,
  maxLength: 20,
});

test('law: a sum does not depend on the order of its parts', () => {
  const withShuffled = amountsOfOneCurrency.chain((amounts) =>
    fc.tuple(
      fc.constant(amounts),
      fc.shuffledSubarray(amounts, { minLength: amounts.length, maxLength: amounts.length }),
    ),
  );
  fc.assert(
    fc.property(withShuffled, ([amounts, shuffled]) => {
      expect(sum(shuffled)).toEqual(sum(amounts));
    }),
  );
});

test('law: amounts and their opposites add up to 0', () => {
  fc.assert(
    fc.property(amountsOfOneCurrency, (amounts) => {
      const opposite = amounts.map((one) => ({ ...one, minor: -one.minor }));
      expect(sum([...amounts, ...opposite]).minor).toBe(0n);
    }),
  );
});

function sum(amounts: readonly Money[]): Money {
  return amounts.reduce(addMoney, { minor: 0n, scale: 0, currency: 'EUR' });
}

describe('parseDecimal', () => {
  test.each([
    ['12.34', 2, 1234n],
    ['-12.34', 2, -1234n],
    ['+12', 2, 1200n],
    ['012.3', 2, 1230n],
    ['0', 0, 0n],
    ['-0.05', 3, -50n],
  ])('%s at scale %s is %s', (text, places, amount) => {
    expect(parseDecimal(text, places)).toBe(amount);
  });

  test.each([
    ...['', ' ', '1 ', '.5', '5.', '1,5', '1e3', '0x10', '1_000', '1.2.3', '--1', 'NaN', '١'],
    ...['1.234', '1.230'],
  ])('%j is not an amount with two decimals', (text) => {
    expect(parseDecimal(text, 2)).toBeUndefined();
  });

  test('law: an amount that is written and read is the same', () => {
    fc.assert(
      fc.property(minor, scale, (amount, places) => {
        expect(parseDecimal(formatMinor(amount, places), places)).toBe(amount);
      }),
    );
  });
});

test('law: absolute sums have each currency once, in any order and with any signs', () => {
  fc.assert(
    fc.property(fc.array(money), (amounts) => {
      const sums = absoluteSums(amounts);
      expect(sums.map(({ currency }) => currency)).toEqual(
        [...new Set(amounts.map(({ currency }) => currency))].sort(),
      );
      const turned = amounts.map((one) => ({ ...one, minor: -one.minor })).reverse();
      expect(absoluteSums(turned)).toEqual(sums);
      for (const { currency, minor: sum, scale: to } of sums) {
        const own = amounts.filter((one) => one.currency === currency);
        const total = own.reduce(
          (so, one) => so + rescale(one.minor < 0n ? -one.minor : one.minor, one.scale, to),
          0n,
        );
        expect(sum).toBe(total);
      }
    }),
  );
});
