import { expect, test } from 'vitest';
import { pricedRows, pricingsOf } from '../../src/reconcile/pricing.ts';
import { type RoundedOf, roundingEffect, taxOnFees } from '../../src/reconcile/rounding-effect.ts';
import { inMinorUnits, roundingRules } from '../../src/reconcile/tariffs.ts';
import { buildRow, uuid } from '../support/build.ts';
import { Random } from '../support/random.ts';
import { columnsOf } from './judge.ts';

const on = { currency: 'EUR', scale: 2 };
const ways: readonly RoundedOf[] = ['row', 'total', 'payment_type', 'type'];
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

const groupOf = (row: ShopRow, of: RoundedOf) =>
  of === 'row' ? row.id : of === 'payment_type' ? row.paymentType : of === 'type' ? row.type : '';

/** The exact fees of all that is rounded at once. */
function groups(rows: readonly ShopRow[], of: RoundedOf): readonly bigint[] {
  const sums = new Map<string, bigint>();
  for (const row of rows) {
    sums.set(groupOf(row, of), (sums.get(groupOf(row, of)) ?? 0n) + row.exact);
  }
  return [...sums.values()];
}

const sum = (numbers: readonly bigint[]) => numbers.reduce((total, one) => total + one, 0n);

/** By every rule and in every way: each expected sum of fees and tax, beside what is found. */
function* roundings(rows: readonly ShopRow[]) {
  const columns = columnsOf(rows);
  const [fees, tax] = pricingsOf(columns, on);
  if (fees?.amount !== 'fees' || tax?.base !== 'fees') throw new Error('no pricing');
  const taxed = taxOnFees(pricedRows(columns, on, fees), fees, tax);
  for (const of of ways) {
    for (const rule of roundingRules) {
      const rounded = groups(rows, of).map((exact) => inMinorUnits(exact, rule));
      yield {
        fees: sum(rounded) - sum(rows.map((row) => row.fees)),
        feesFound: roundingEffect(fees, { of, rule }),
        tax:
          sum(rounded.map((one) => inMinorUnits(one * 200_000n, rule))) -
          sum(rows.map((row) => row.tax)),
        taxFound: taxed?.({ of, rule, taxRule: rule }),
      };
    }
  }
}

test.each([1, 2, 3])('a sum of fees, and tax on it, by every rule: shop %i', (seed) => {
  for (const { fees, feesFound, tax, taxFound } of roundings(shop(seed))) {
    expect(feesFound.difference).toBe(fees);
    expect(taxFound?.difference).toBe(tax);
  }
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
  for (const [place, { feesFound, taxFound }] of [...roundings(rows)].entries()) {
    const other = without[place];
    expect(feesFound.difference + feesFound.beside(row, none, own)).toBe(
      (other?.fees ?? 0n) - row.fees,
    );
    expect((taxFound?.difference ?? 0n) + (taxFound?.beside(row, none, own) ?? 0n)).toBe(
      (other?.tax ?? 0n) - row.tax,
    );
  }
});

test('a kind of rows may be left out of the sum, or have the opposite sign in it', () => {
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
