import { describe, expect, test } from 'vitest';
import { type Code, type Entry, entry } from '../../../src/reconcile/entry.ts';
import { many } from '../../../src/report/common/phrase.ts';
import { settingFacts } from '../../../src/report/common/rule-words.ts';
import { entryClause } from '../../../src/report/common/words.ts';
import { report } from '../build-report.ts';

const eur = (minor: bigint) => ({ minor, scale: 2, currency: 'EUR' });
const compared = { reported: eur(1235n), computed: eur(1234n), difference: eur(1n) };
const unreadable = [
  { record: 'T1', field: 'amount', found: '1.5', expected: 'minor_units' } as const,
];

const entries: { readonly [C in Code]: Entry<C> } = {
  gross: entry('gross', 1, compared),
  fees: entry('fees', 1, compared),
  tax: entry('tax', 1, compared),
  pay_in: entry('pay_in', 1, compared),
  missing_files: entry('missing_files', 5, {
    examples: [
      { kind: 'numbers', account: 'A', from: '7', to: '9' },
      { kind: 'carried', account: 'A', from: '6', to: '7', out: eur(5n), arrived: eur(4n) },
      { kind: 'no_payout', account: 'A', from: '', rows: 2, sum: eur(5n), examples: ['a', 'b'] },
      { kind: 'no_rows', account: 'A', from: '8', rows: 0, sum: eur(5n), examples: [] },
      { kind: 'files_differ', account: 'A', from: '8', files: ['b.csv'] },
    ],
  }),
  repeated_files: entry('repeated_files', 1, { examples: [{ file: 'b.csv', lines: 2 }] }),
  count: entry('count', 2, { reported: 30, computed: 28, difference: 2 }),
  identity: entry('identity', 1, { ...compared, identity: 'gross-fees+tax' }),
  reported_by_service: entry('reported_by_service', 1, { status: 'settled_out_of_balance' }),
  currency: entry('currency', 2, {
    totals: [{ transactions: 2, gross: eur(500n), fees: eur(5n), tax: eur(0n) }],
    examples: ['T1', 'T2'],
  }),
  conflicting_transaction: entry('conflicting_transaction', 1, {
    examples: [{ transactionId: 'T1', amounts: [eur(100n), eur(90n)], fields: ['amount'] }],
  }),
  conflicting_settlement: entry('conflicting_settlement', 2, {
    contents: 2,
    fields: ['amountGross', 'fees', 'tax'],
  }),
  foreign_settlement: entry('foreign_settlement', 1, { settlementIds: ['S2'], examples: ['T1'] }),
  within_tolerance: entry('within_tolerance', 2, {
    tolerance: eur(1n),
    differences: [
      { measure: 'fees', difference: eur(-1n) },
      { measure: 'payIn', difference: eur(1n) },
    ],
  }),
  duplicate_transaction: entry('duplicate_transaction', 5, {
    copies: 6,
    examples: ['T1', 'T2', 'T3', 'T4', 'T5'],
  }),
  scale: entry('scale', 3, { decimalPlaces: 2, others: [0, 3], examples: ['T1', 'T2', 'T3'] }),
  unusual_scale: entry('unusual_scale', 1, { currency: 'JPY', decimalPlaces: 2, expected: 0 }),
  unknown_value: entry('unknown_value', 1, {
    examples: [{ field: 'settlementStatus', value: 'parked' }],
  }),
  outside_range: entry('outside_range', 1, {
    date: '2026-04-01',
    range: { from: '2026-03-01', to: '2026-03-31' },
  }),
  overdue: entry('overdue', 1, {
    today: '2026-04-16',
    pendingDays: 14,
    days: 17,
    payIn: eur(261_843n),
  }),
  unreadable_record: entry('unreadable_record', 1, { examples: unreadable }),
  unsteady_read: entry('unsteady_read', 1, { reason: 'walks_disagree' }),
  not_read: entry('not_read', 1, {
    reason: { code: 'other', facts: { message: 'the service was busy' } },
  }),
  shared_transaction: entry('shared_transaction', 1, {
    examples: [{ transactionId: 'T1', settlementIds: ['S1', 'S2'] }],
  }),
  unsteady_headers: entry('unsteady_headers', 1, { reason: 'no_progress' }),
  unreadable_header: entry('unreadable_header', 1, { examples: unreadable }),
  unusual_answer: entry('unusual_answer', 2, {
    examples: [
      { field: 'data', found: 'nothing', expected: '[]' },
      { field: 'status.response', found: '"Partial"', expected: '"Success"' },
    ],
  }),
  missing_day: entry('missing_day', 3, {
    examples: [
      { from: '2026-03-05', to: '2026-03-06' },
      { from: '2026-03-08', to: '2026-03-08' },
    ],
  }),
  incomplete_day: entry('incomplete_day', 1, {
    examples: [{ from: '2026-03-04', to: '2026-03-04' }],
  }),
  fee_drift: entry('fee_drift', 3, {
    accountingToken: 'A1',
    currency: 'EUR',
    paymentType: '',
    earlier: { transactions: 2, gross: eur(300_00n), fees: eur(4_50n), feesPercent: '1.5000' },
    now: { transactions: 3, gross: eur(200_00n), fees: eur(2_80n), feesPercent: '1.4000' },
    change: '-0.1000',
    limit: '0.0500',
    atEarlierRate: eur(3_00n),
    difference: eur(-20n),
    examples: [],
  }),
  above_agreed_rate: entry('above_agreed_rate', 14, {
    claim: [eur(84n)],
    rates: ['cards 2026'],
    examples: ['T1'],
  }),
};

describe('a sentence', () => {
  test.each(Object.values(entries))('is a clause that fits in a list: $code', (one) => {
    const said = entryClause(one);
    expect(said).not.toBe('');
    expect(said).not.toMatch(/undefined|\[object|NaN|\.$|\s$|\s{2}/);
  });

  test('has advice if more settlements are listed than a run reads', () => {
    const said = entryClause(entry('unsteady_headers', 1, { reason: 'too_long' }));
    expect(said).toContain('more than 100,000 were returned');
    expect(said).toContain('use a shorter range');
  });

  test('has both amounts, their currency and the signed difference', () => {
    expect(entryClause(entries.fees)).toBe(
      'fees: reported 12.35 EUR, computed 12.34 EUR (difference +0.01)',
    );
    expect(entryClause(entries.count)).toBe('transactions: reported 30, listed 28 (difference +2)');
    expect(entryClause(entries.within_tolerance)).toBe(
      'within the tolerance of 0.01 EUR: fees -0.01 and net pay-out +0.01',
    );
  });

  test('has the direction in which a fee rate changed', () => {
    expect(entryClause(entries.fee_drift)).toBe(
      'no payment type (EUR) of account A1: fees fell from 1.5000 % to 1.4000 % of gross ' +
        '(-0.1000 percentage points): 2.80 EUR, at the earlier rate 3.00 EUR ' +
        '(difference -0.20, rounded)',
    );
  });

  test('names the first few and counts the others', () => {
    expect(entryClause(entries.duplicate_transaction)).toContain(': T1, T2, T3 and 2 more');
    expect(entryClause(entries.currency)).toContain(
      '2 transactions in another currency, not included in the totals: gross 5.00 EUR',
    );
  });

  test('names an unreadable record without an id', () => {
    const nameless = entry('unreadable_record', 2, {
      examples: [{ record: '', field: '', found: '7', expected: 'object' }],
    });
    expect(entryClause(nameless)).toBe(
      '2 transactions cannot be read: no id (whole record: found 7, expected an object) and 1 more',
    );
  });
});

test('counts have grouped thousands, and units have singular and plural', () => {
  expect(many(1_960, 'transaction')).toBe('1,960 transactions');
  expect(many(1, 'row')).toBe('1 row');
  const toleranceText = (tolerance: bigint) =>
    settingFacts({ ...report([]).settings, tolerance })[0][1];
  expect([0n, 1n, 5n].map(toleranceText)).toEqual([
    '',
    '1 minor unit per amount',
    '5 minor units per amount',
  ]);
});
