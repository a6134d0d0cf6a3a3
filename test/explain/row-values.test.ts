import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caseOf } from '../../src/explain/case.ts';
import type { Part } from '../../src/explain/cause.ts';
import { RowValues } from '../../src/explain/row-values.ts';
import type { Row } from '../../src/model/row.ts';
import { columnsOf, judge } from '../reconcile/judge.ts';
import { buildOutcome, buildRow, uuid } from '../support/build.ts';

/** The values of rows beside a settlement in EUR with two decimals. */
function valuesOf(rows: readonly Row[], part: Part = 'all', isMeant?: (row: number) => boolean) {
  const one = [buildRow()];
  const subject = caseOf(
    judge({ rows: one }),
    columnsOf(one),
    { outcome: buildOutcome() },
    { identity: 'gross', rules: {} },
  );
  if (subject === undefined) throw new Error('no case');
  const columns = columnsOf(rows);
  return new RowValues(subject, columns, isMeant && columns.where(isMeant)).only(part);
}

const row = (n: number, given: Partial<Row>) =>
  buildRow({ id: uuid(n), amount: 1000n, fees: 30n, tax: 6n, ...given });

test('each row is found by its amounts, with all rows that are alike', () => {
  const amount = fc.integer({ min: -3, max: 3 }).map((n) => BigInt(n) * 2n ** 31n);
  fc.assert(
    fc.property(fc.array(fc.tuple(amount, amount, amount), { maxLength: 60 }), (amounts) => {
      const rows = amounts.map(([amount, fees, tax], n) => row(n + 1, { amount, fees, tax }));
      const values = valuesOf(rows);
      expect(values.size).toBe(new Set(amounts.map(String)).size);
      for (const { amount, fees, tax } of rows) {
        const value = values.find(Number(amount), Number(fees), Number(tax));
        const alike = amounts.flatMap((one, n) =>
          `${one}` === `${[amount, fees, tax]}` ? [n] : [],
        );
        expect(values.rows(value)).toEqual(alike);
        expect(values.count(value)).toBe(alike.length);
        expect(values.withGross(Number(amount))).toContain(value);
      }
      expect(values.find(1, 0, 0)).toBe(-1);
    }),
  );
});

test('rows with the smallest ids come first', () => {
  const values = valuesOf([row(3, {}), row(1, {}), row(2, {})]);
  expect(values.rows(values.find(1000, 30, 6))).toEqual([1, 2, 0]);
});

describe('amounts', () => {
  test('are at the scale of the case', () => {
    const values = valuesOf([
      row(1, { scale: 1 }),
      row(2, { scale: 3, amount: 10n, fees: 0n, tax: 0n }),
    ]);
    expect(values.rows(values.find(10_000, 300, 60))).toEqual([0]);
    expect(values.rows(values.find(1, 0, 0))).toEqual([1]);
  });

  test('are left out if they need more decimal places or are too large to be exact', () => {
    const rows = [row(1, { scale: 3, amount: 1n }), row(2, { amount: 2n ** 53n - 1n })];
    expect(valuesOf(rows).size).toBe(0);
  });

  test('are 0 in another currency: only the count stays', () => {
    const values = valuesOf([row(1, { currency: 'JPY' })]);
    expect(values.rows(values.find(0, 0, 0))).toEqual([0]);
  });
});

test('values of a part of the amounts leave out rows without the other part', () => {
  const rows = [row(1, {}), row(2, { fees: 0n, tax: 0n }), row(3, { amount: 0n })];
  const gross = valuesOf(rows, 'gross');
  expect([gross.size, gross.find(1000, 0, 0)]).toEqual([1, 0]);
  const others = valuesOf(rows, 'fees_and_tax');
  expect([others.size, others.find(0, 30, 6)]).toEqual([1, 0]);
});

test('values include only the chosen rows', () => {
  const values = valuesOf([row(1, {}), row(2, {})], 'all', (index) => index === 1);
  expect(values.rows(values.find(1000, 30, 6))).toEqual([1]);
});
