import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMoney, type Money } from '../../src/money/money.ts';
import { minor, money, scale } from './arbitraries.ts';

test('a sum stands at the larger scale', () => {
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

test('law: what is added and taken away again leaves the amount', () => {
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
