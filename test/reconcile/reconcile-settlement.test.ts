import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Row } from '../../src/model/row.ts';
import { payInOf } from '../../src/reconcile/identity.ts';
import { buildRow, uuid } from '../support/build.ts';
import { codesOf, judge } from './judge.ts';

/** Rows with everything that checks look at, ordinary and not. */
const content = fc.record({
  amount: fc.bigInt({ min: -(2n ** 53n) + 1n, max: 2n ** 53n - 1n }),
  fees: fc.bigInt({ min: -500n, max: 500n }),
  tax: fc.bigInt({ min: -50n, max: 50n }),
  scale: fc.constantFrom(0, 2, 3, 4, 18),
  currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'JPY', 'kwd'),
  settlementId: fc.constantFrom(uuid(1), uuid(1), uuid(2), ''),
  chargeId: fc.constantFrom(uuid(3), 'charge', ''),
  timestamp: fc.constantFrom('2026-03-04T12:00:00Z', 'noon', ''),
  type: fc.constantFrom('purchase', 'refund'),
});

const rowsOf = (contents: readonly Partial<Row>[]) =>
  contents.map((one, n) => buildRow({ ...one, id: n % 7 === 3 ? `row ${n}` : uuid(n) }));

const rows = fc.array(content, { maxLength: 40 }).map(rowsOf);

const rowsAndShuffled = rows.chain((all) =>
  fc.tuple(
    fc.constant(all),
    fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
  ),
);

test('law: the order of rows does not change the result', () => {
  fc.assert(
    fc.property(
      rowsAndShuffled,
      fc.bigInt({ min: 0n, max: 1000n }),
      ([all, shuffled], tolerance) => {
        const [first] = all;
        const outcome = { corrections: first ? [{ ...first, amount: 1n }] : [] };
        const settings = { tolerance };
        const result = judge({ rows: all, outcome, settings });
        expect(judge({ rows: shuffled, outcome, settings })).toEqual(result);
      },
    ),
  );
});

test('law: a header with the sums of its rows is balanced, and no other is', () => {
  const ordinary = fc
    .array(content, { minLength: 1, maxLength: 30 })
    .map((contents) =>
      contents.map(({ amount, fees, tax, type }, n) =>
        buildRow({ id: uuid(n), amount, fees, tax, type }),
      ),
    );
  const measure = fc.constantFrom('gross', 'fees', 'tax', 'payIn');
  const slip = fc.bigInt({ min: -5n, max: 5n }).filter((amount) => amount !== 0n);
  fc.assert(
    fc.property(ordinary, measure, slip, (all, wrong, by) => {
      const gross = sum(all.map(({ amount }) => amount));
      const fees = sum(all.map((row) => row.fees));
      const tax = sum(all.map((row) => row.tax));
      const payIn = payInOf('gross-fees-tax', gross, fees, tax);
      const header = { gross, fees, tax, payIn, transactions: all.length };
      expect(codesOf(judge({ rows: all, header }))).toEqual([]);
      const result = judge({ rows: all, header: { ...header, [wrong]: header[wrong] + by } });
      expect(result.verdict).toBe('out_of_balance');
      expect(result.difference?.[wrong]).toBe(by);
    }),
  );
});

test('law: no code appears twice, and no list of examples is longer than ten', () => {
  fc.assert(
    fc.property(rows, (all) => {
      const result = judge({ rows: all });
      const codes = codesOf(result);
      expect(new Set(codes).size).toBe(codes.length);
      for (const { facts } of [...result.discrepancies, ...result.notices]) {
        const lists = Object.values(facts).filter((fact) => Array.isArray(fact));
        for (const list of lists) expect(list.length).toBeLessThanOrEqual(10);
      }
    }),
  );
});

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
