import { describe, expect, test } from 'vitest';
import { type Pricing, pricingsOf } from '../../src/reconcile/pricing.ts';
import { inMinorUnits, million } from '../../src/reconcile/tariffs.ts';
import { buildRow, uuid } from '../support/build.ts';
import { columnsOf } from './judge.ts';

interface Charged {
  readonly amount: bigint;
  readonly type?: string;
  readonly paymentType?: string;
  /** Minor units and a rate in millionths. */
  readonly fixed?: bigint;
  readonly rate?: bigint;
}

function charged(rows: readonly Charged[]) {
  return columnsOf(
    rows.map(({ amount, fixed = 0n, rate = 0n, ...other }, number) => {
      const sign = amount < 0n ? -1n : 1n;
      const fees = inMinorUnits(sign * fixed * BigInt(million) + rate * amount, 'half_up');
      const tax = inMinorUnits(fees * 200_000n, 'half_up');
      return buildRow({ id: uuid(number), amount, fees, tax, ...other });
    }),
  );
}

function feesOf(rows: readonly Charged[]): Pricing | undefined {
  const all = pricingsOf(charged(rows), { currency: 'EUR', scale: 2 });
  return all.find(({ amount }) => amount === 'fees');
}

const amounts = Array.from({ length: 12 }, (_, n) => BigInt(4_17 + n * 13_31));
const purchases = (given: Omit<Charged, 'amount'>) =>
  amounts.map((amount) => ({ amount, ...given }));
const refunds = (given: Omit<Charged, 'amount'>) =>
  amounts.slice(0, 5).map((amount) => ({ amount: -amount, type: 'refund', ...given }));

const card = { paymentType: 'card', fixed: 25n, rate: 14_000n };
const wallet = { paymentType: 'wallet', fixed: 10n, rate: 29_000n };

describe('the pricing that rows show', () => {
  test.each([
    ['one tariff for all, refunds too', [...purchases(card), ...refunds(card)], [[25, 14_000, {}]]],
    ['refunds without any fees', [...purchases(card), ...refunds({})], [[25, 14_000, {}]]],
    [
      'refunds without the fixed part',
      [...purchases(card), ...refunds({ ...card, fixed: 0n })],
      [
        [25, 14_000, { sign: 1 }],
        [0, 14_000, { sign: -1 }],
      ],
    ],
    [
      'a tariff for each payment type',
      [...purchases(card), ...purchases(wallet)],
      [
        [25, 14_000, { paymentType: 'card' }],
        [10, 29_000, { paymentType: 'wallet' }],
      ],
    ],
    [
      'another one for each of two types',
      [...purchases(card), ...purchases({ rate: 9_000n, type: 'payment' })],
      [
        [25, 14_000, { type: 'purchase' }],
        [0, 9_000, { type: 'payment' }],
      ],
    ],
    [
      'one by payment type, and refunds without the fixed part',
      [
        ...purchases(card),
        ...purchases(wallet),
        ...refunds({ ...card, fixed: 0n }),
        ...refunds({ ...wallet, fixed: 0n }),
      ],
      [
        [25, 14_000, { paymentType: 'card', sign: 1 }],
        [10, 29_000, { paymentType: 'wallet', sign: 1 }],
        [0, 14_000, { paymentType: 'card', sign: -1 }],
        [0, 29_000, { paymentType: 'wallet', sign: -1 }],
      ],
    ],
  ] as const)('is found: %s', (_, rows, expected) => {
    const found = feesOf(rows);
    const told = found?.tariffs.map(({ fixed, rate, scope }) => [fixed / million, rate, scope]);
    expect(told).toEqual(expected);
  });

  test('is split only if each tariff has three rows or more on average', () => {
    const some = [...purchases(card).slice(0, 3), ...purchases(wallet).slice(0, 2)];
    const more = [...some, ...purchases(wallet).slice(2, 3)];
    const scopes = (rows: readonly Charged[]) => feesOf(rows)?.tariffs.map(({ scope }) => scope);
    expect(scopes(some)).toBeUndefined();
    expect(scopes(more)).toEqual([{ paymentType: 'card' }, { paymentType: 'wallet' }]);
  });

  test('leaves out a few rows that follow no tariff', () => {
    const adjustments = [3n, 71n, 18n].map((fixed, n) => ({
      amount: BigInt(1_00 + n * 5_00),
      type: 'adjustment',
      fixed,
    }));
    const found = feesOf([...purchases(card), ...purchases(card), ...adjustments]);
    expect(found?.tariffs).toMatchObject([{ scope: { type: 'purchase' } }]);
    expect(feesOf([...purchases(card).slice(0, 2), ...adjustments])).toBeUndefined();
  });

  test('has the tax on the fees, not also on the gross', () => {
    const all = pricingsOf(charged(purchases(card)), { currency: 'EUR', scale: 2 });
    expect(all.map(({ amount, base }) => `${amount} on ${base}`)).toEqual([
      'fees on gross',
      'tax on fees',
    ]);
  });

  test('has the rates of value added tax first if a flat fee shows no rate', () => {
    const rows = charged(purchases({ fixed: 29n }));
    const taxes = pricingsOf(rows, { currency: 'EUR', scale: 2 }).filter(
      ({ amount }) => amount === 'tax',
    );
    const rates = taxes.map(({ tariffs }) => tariffs.map(({ rate }) => rate));
    expect(rates.slice(0, 3)).toEqual([[190_000], [200_000], [210_000]]);
  });

  test('is found for rows in the currency of the header only', () => {
    const rows = charged(purchases(card));
    expect(pricingsOf(rows, { currency: 'USD', scale: 2 })).toEqual([]);
    // At another scale, 0.25 is 250 minor units.
    const [atThree] = pricingsOf(rows, { currency: 'EUR', scale: 3 });
    expect(atThree).toBeUndefined();
  });
});
