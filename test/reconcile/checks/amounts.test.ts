import { describe, expect, test } from 'vitest';
import { buildRow, uuid } from '../../support/build.ts';
import { codesOf, entryOf, eur, judge } from '../judge.ts';

test.each([
  ['gross', { amount: 1001n }, -1n, 1001n],
  ['fees', { fees: 29n }, 1n, 29n],
  ['tax', { tax: -6n }, 12n, -6n],
] as const)(
  '%s: one minor unit is a discrepancy, up or down',
  (code, row, difference, computed) => {
    const result = judge({ rows: [buildRow(row)] });
    expect(codesOf(result)).toEqual([code]);
    expect(entryOf(code, result)).toEqual({
      code,
      weight: 'discrepancy',
      count: 1,
      facts: {
        reported: eur(computed + difference),
        computed: eur(computed),
        difference: eur(difference),
      },
    });
  },
);

test('differences that cancel in the pay-in are both found', () => {
  const result = judge({ rows: [buildRow({ fees: 31n, tax: 5n })] });
  expect(codesOf(result)).toEqual(['fees', 'tax']);
  expect(result.difference?.payIn).toBe(0n);
});

test('a refund as a negative row balances', () => {
  const rows = [buildRow(), buildRow({ id: uuid(2), amount: -400n, fees: -12n, tax: -2n })];
  const header = { transactions: 2, gross: 600n, fees: 18n, tax: 4n, payIn: 578n };
  expect(codesOf(judge({ rows, header }))).toEqual([]);
});

test('a settlement without rows adds up to nothing', () => {
  const nothing = { transactions: 0, gross: 0n, fees: 0n, tax: 0n, payIn: 0n };
  expect(judge({ rows: [], header: nothing })).toMatchObject({
    verdict: 'balanced',
    computed: nothing,
    difference: nothing,
  });
  expect(codesOf(judge({ rows: [] }))).toEqual(['gross', 'fees', 'tax', 'count']);
});

describe('an incomplete settlement', () => {
  test.each([
    { outcome: { notRead: 'offline' } },
    { outcome: { unsteady: 'walks_disagree' } },
    { outcome: { unreadable: [{ record: 'x', field: 'fees', found: 'null', expected: 'n' }] } },
  ] as const)('%o has no computed amounts and none of their entries', (given) => {
    const result = judge({ ...given, rows: [] });
    expect(result).toMatchObject({ complete: false, computed: undefined, difference: undefined });
    expect(result.reported).toEqual({
      transactions: 1,
      gross: 1000n,
      fees: 30n,
      tax: 6n,
      payIn: 964n,
    });
    expect(codesOf(result)).toHaveLength(1);
  });
});

test('with the identity off, there is no computed pay-in', () => {
  const result = judge({ settings: { identity: 'off' }, header: { payIn: 1n } });
  expect(result.verdict).toBe('balanced');
  expect(result.computed).toEqual({
    transactions: 1,
    gross: 1000n,
    fees: 30n,
    tax: 6n,
    payIn: undefined,
  });
  expect(result.difference?.payIn).toBeUndefined();
});

test('the computed pay-in is what the identity gives for the rows, not for the header', () => {
  const result = judge({ rows: [buildRow({ fees: 20n })], header: { payIn: 960n } });
  expect(result.computed?.payIn).toBe(974n);
  expect(result.difference?.payIn).toBe(-14n);
});
