import { expect, test } from 'vitest';
import { pricingsOf, type Rounding, roundingEffect } from '../../src/reconcile/pricing.ts';
import { inMinorUnits, roundingRules } from '../../src/reconcile/tariffs.ts';
import { buildRow, uuid } from '../support/build.ts';
import { Random } from '../support/random.ts';
import { columnsOf } from './judge.ts';

const on = { currency: 'EUR', scale: 2 };
const ways: readonly Rounding['of'][] = ['row', 'total'];
const tariffs = {
  card: { fixed: 25_000_000n, rate: 14_000n },
  wallet: { fixed: 0n, rate: 29_000n },
};

/** Rows that are charged by payment type, rounded half up, with a fifth of the fees as tax on them. */
function shop(seed: number) {
  const random = new Random(seed);
  return Array.from({ length: 60 }, (_, number) => {
    const paymentType = random.pick(['card', 'wallet'] as const);
    const type = random.pick(['purchase', 'purchase', 'purchase', 'refund'] as const);
    const sign = type === 'refund' ? -1n : 1n;
    const amount = sign * BigInt(random.int(1_00, 200_00));
    const exact = sign * tariffs[paymentType].fixed + tariffs[paymentType].rate * amount;
    const fees = inMinorUnits(exact, 'half_up');
    const tax = inMinorUnits(fees * 200_000n, 'half_up');
    return { ...buildRow({ id: uuid(number), amount, fees, tax, type, paymentType }), exact };
  });
}

type ShopRow = ReturnType<typeof shop>[number];

/** The exact fees of all that is rounded at once. */
function groups(rows: readonly ShopRow[], of: Rounding['of']): readonly bigint[] {
  const exact = rows.map((row) => row.exact);
  return of === 'row' ? exact : [sum(exact)];
}

const sum = (numbers: readonly bigint[]) => numbers.reduce((total, one) => total + one, 0n);

/** By every rule and in every way: each expected sum of fees, beside what is found. */
function* roundings(rows: readonly ShopRow[]) {
  const [fees] = pricingsOf(columnsOf(rows), on);
  if (fees?.amount !== 'fees') throw new Error('no pricing');
  for (const of of ways) {
    for (const rule of roundingRules) {
      const rounded = groups(rows, of).map((exact) => inMinorUnits(exact, rule));
      yield {
        fees: sum(rounded) - sum(rows.map((row) => row.fees)),
        found: roundingEffect(fees, { of, rule }),
      };
    }
  }
}

test.each([1, 2, 3])('a sum of fees is rounded by every rule: shop %i', (seed) => {
  for (const { fees, found } of roundings(shop(seed))) expect(found.difference).toBe(fees);
});

test.each([4, 5, 6])('a row more or less is rounded with the others: shop %i', (seed) => {
  const rows = shop(seed);
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  const without = [...roundings(rows.slice(1))];
  const [none, own] = [
    { base: 0n, value: 0n },
    { base: row.amount, value: row.fees },
  ];
  for (const [place, { found }] of [...roundings(rows)].entries()) {
    expect(found.difference + found.beside(row, none, own)).toBe(
      (without[place]?.fees ?? 0n) - row.fees,
    );
  }
});

test('rows of one type may be left out of the sum or have the opposite sign', () => {
  const rows = shop(7);
  const columns = columnsOf(rows);
  const [fees] = pricingsOf(columns, on);
  if (fees === undefined) throw new Error('no pricing');
  const total = { of: 'total', rule: 'half_up' } as const;
  for (const factor of [0n, -1n]) {
    const times = (kind: number) => (columns.kinds[kind]?.type === 'refund' ? factor : 1n);
    const of = (value: (row: ShopRow) => bigint) =>
      sum(rows.map((row) => (row.type === 'refund' ? factor : 1n) * value(row)));
    expect(roundingEffect(fees, total, times).difference).toBe(
      inMinorUnits(
        of(({ exact }) => exact),
        'half_up',
      ) - of((row) => row.fees),
    );
  }
});
