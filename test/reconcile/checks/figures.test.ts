import { describe, expect, test } from 'vitest';
import { buildRow, uuid } from '../../support/build.ts';
import { type Case, codesOf, entryOf, eur, judge } from '../judge.ts';

test.each([
  ['gross', { amount: 1001n }, -1n, 1001n],
  ['fees', { fees: 29n }, 1n, 29n],
  ['tax', { tax: -6n }, 12n, -6n],
] as const)(
  '%s: one minor unit more or less is a discrepancy',
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

test('differences that cancel in the pay-in are both discrepancies', () => {
  const result = judge({ rows: [buildRow({ fees: 31n, tax: 5n })] });
  expect(codesOf(result)).toEqual(['fees', 'tax']);
  expect(result.difference?.payIn).toBe(0n);
});

test('a refund in a negative row balances', () => {
  const rows = [buildRow(), buildRow({ id: uuid(2), amount: -400n, fees: -12n, tax: -2n })];
  const header = { transactions: 2, gross: 600n, fees: 18n, tax: 4n, payIn: 578n };
  expect(codesOf(judge({ rows, header }))).toEqual([]);
});

test('a settlement without rows has sums of 0', () => {
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
    {
      outcome: {
        unreadable: [{ record: 'x', field: 'fees', found: 'null', expected: 'minor_units' }],
      },
    },
  ] as const)('%o has no computed amounts, and no entries about them', (given) => {
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

test('a settlement has no computed pay-in if the identity is off', () => {
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

test('the computed pay-in follows by the identity from the rows, not from the header', () => {
  const result = judge({ rows: [buildRow({ fees: 20n })], header: { payIn: 960n } });
  expect(result.computed?.payIn).toBe(974n);
  expect(result.difference?.payIn).toBe(-14n);
});

const free = { amount: 0n, fees: 0n, tax: 0n };

test.each([
  [3, 1, 1],
  [0, -2, 2],
])('a count of %s for 2 rows has a difference of %s', (transactions, difference, count) => {
  const rows = [buildRow(), buildRow({ id: uuid(2), ...free })];
  expect(entryOf('count', judge({ rows, header: { transactions } }))).toEqual({
    code: 'count',
    weight: 'discrepancy',
    count,
    facts: { reported: transactions, computed: 2, difference },
  });
});

test('rows in another currency count as transactions', () => {
  const rows = [buildRow(), buildRow({ id: uuid(2), currency: 'USD' })];
  expect(codesOf(judge({ rows, header: { transactions: 2 } }))).toEqual(['currency']);
});

test('a repeated or conflicting row counts once', () => {
  const row = buildRow();
  const outcome = {
    repeated: [{ row, copies: 3 }],
    conflicts: [[row, buildRow({ state: 'declined' })]],
  };
  const codes = codesOf(judge({ rows: [row], outcome }));
  expect(codes).toEqual(['conflicting_transaction', 'duplicate_transaction']);
});

test('a header that contradicts itself by one minor unit is a discrepancy', () => {
  const result = judge({ header: { payIn: 963n } });
  expect(codesOf(result)).toEqual(['identity']);
  expect(entryOf('identity', result)).toEqual({
    code: 'identity',
    weight: 'discrepancy',
    count: 1,
    facts: {
      reported: eur(963n),
      computed: eur(964n),
      difference: eur(-1n),
      identity: 'gross-fees-tax',
    },
  });
});

test('a header that agrees with itself and not with its rows has no discrepancy of identity', () => {
  const rows = [buildRow({ amount: 900n, fees: 20n })];
  expect(codesOf(judge({ rows }))).toEqual(['gross', 'fees']);
});

test('a header that contradicts itself is a discrepancy even if its pay-in is right', () => {
  const result = judge({ header: { fees: 31n } });
  expect(codesOf(result)).toEqual(['fees', 'identity']);
  expect(result.difference?.payIn).toBe(0n);
});

test('another identity, or none, gives no discrepancy', () => {
  const header = { payIn: 970n };
  expect(codesOf(judge({ header, settings: { identity: 'gross-fees' } }))).toEqual([]);
  expect(codesOf(judge({ header, settings: { identity: 'off' } }))).toEqual([]);
});

test('an incomplete settlement has the discrepancy of identity too', () => {
  const result = judge({ header: { payIn: 963n }, outcome: { notRead: 'offline' } });
  expect(codesOf(result)).toEqual(['identity', 'not_read']);
});

function judgeWith(tolerance: bigint, given: Case) {
  return judge({ ...given, settings: { ...given.settings, tolerance } });
}

test('a difference as large as the tolerance is a notice', () => {
  const result = judgeWith(2n, { rows: [buildRow({ fees: 32n })] });
  expect(result.verdict).toBe('balanced');
  expect(codesOf(result)).toEqual(['within_tolerance']);
  expect(entryOf('within_tolerance', result)).toEqual({
    code: 'within_tolerance',
    weight: 'notice',
    count: 1,
    facts: { tolerance: eur(2n), differences: [{ measure: 'fees', difference: eur(-2n) }] },
  });
  expect(result.difference?.fees).toBe(-2n);
});

test('a difference one minor unit above the tolerance is a discrepancy', () => {
  expect(codesOf(judgeWith(2n, { rows: [buildRow({ fees: 33n })] }))).toEqual(['fees']);
  expect(codesOf(judgeWith(2n, { rows: [buildRow({ fees: 27n })] }))).toEqual(['fees']);
});

test('a settlement without differences has no notice', () => {
  expect(codesOf(judgeWith(5n, {}))).toEqual([]);
});

describe('the tolerance applies to the pay-in difference too', () => {
  const addingUp = { rows: [buildRow({ amount: 1002n, fees: 28n })] };

  test('and small differences that add up are discrepancies', () => {
    expect(codesOf(judgeWith(2n, addingUp))).toEqual(['gross', 'fees']);
    expect(codesOf(judgeWith(4n, addingUp))).toEqual(['within_tolerance']);
  });

  test('and a small difference beside a large one is a notice only if the pay-in is right', () => {
    const beside = [buildRow({ amount: 1100n, fees: 31n })];
    expect(codesOf(judgeWith(2n, { rows: beside }))).toEqual(['gross', 'fees']);
    const cancelling = [buildRow({ amount: 1100n, fees: 130n, tax: 5n })];
    const result = judgeWith(2n, { rows: cancelling });
    expect(codesOf(result)).toEqual(['gross', 'fees', 'within_tolerance']);
  });

  test('and that condition does not exist if the identity is off', () => {
    const settings = { identity: 'off' } as const;
    expect(codesOf(judgeWith(2n, { ...addingUp, settings }))).toEqual(['within_tolerance']);
  });
});

describe('a header that contradicts itself within the tolerance', () => {
  test('is a notice as the pay-in', () => {
    const result = judgeWith(1n, { header: { payIn: 965n } });
    expect(codesOf(result)).toEqual(['within_tolerance']);
    expect(entryOf('within_tolerance', result).facts).toEqual({
      tolerance: eur(1n),
      differences: [{ measure: 'payIn', difference: eur(1n) }],
    });
  });

  test('is a discrepancy if the pay-in is further from what the rows give', () => {
    const given = { header: { payIn: 965n }, rows: [buildRow({ amount: 999n })] };
    expect(codesOf(judgeWith(1n, given))).toEqual(['gross', 'identity']);
  });

  test('is a notice by itself if the rows were not read whole', () => {
    const given = { header: { payIn: 965n }, outcome: { notRead: 'offline' } };
    expect(codesOf(judgeWith(1n, given))).toEqual(['not_read', 'within_tolerance']);
    expect(codesOf(judgeWith(0n, given))).toEqual(['identity', 'not_read']);
  });
});

test('the tolerance is in minor units of the header, whatever the scale of the rows', () => {
  const fine = { scale: 4, fees: 3000n, tax: 600n };
  const forgiven = judgeWith(1n, { rows: [buildRow({ ...fine, amount: 100_100n })] });
  expect(codesOf(forgiven)).toEqual(['within_tolerance', 'scale']);
  expect(entryOf('within_tolerance', forgiven).facts).toEqual({
    tolerance: eur(100n, 4),
    differences: [{ measure: 'gross', difference: eur(-100n, 4) }],
  });
  const beyond = judgeWith(1n, { rows: [buildRow({ ...fine, amount: 100_101n })] });
  expect(codesOf(beyond)).toEqual(['gross', 'scale']);
});

test('a missing row is never within the tolerance', () => {
  const row = buildRow({ amount: 1n, fees: 0n, tax: 0n });
  const header = { transactions: 2, gross: 2n, fees: 0n, tax: 0n, payIn: 2n };
  expect(codesOf(judgeWith(1n, { rows: [row], header }))).toEqual(['count', 'within_tolerance']);
});
