import { expect, test } from 'vitest';
import { buildRow } from '../../support/build.ts';
import { codesOf, entryOf, judge } from '../judge.ts';

test('the service may report a settlement out of balance while all sums agree', () => {
  const result = judge({ header: { status: 'settled_out_of_balance' } });
  expect(entryOf('reported_by_service', result)).toEqual({
    code: 'reported_by_service',
    weight: 'discrepancy',
    count: 1,
    facts: { status: 'settled_out_of_balance' },
  });
  expect(result).toMatchObject({ sumsSay: 'balanced', verdict: 'out_of_balance' });
});

test.each(['settled', 'pending_settlement', 'validated'])('status %s has no entry', (status) => {
  expect(codesOf(judge({ header: { status } }))).toEqual([]);
});

/** A balanced settlement whose header and row have the same decimal places. */
const alike = (currency: string, scale: number, expected: readonly [string, number][] = []) =>
  judge({
    header: { currency, scale },
    rows: [buildRow({ currency, scale })],
    settings: { expectedScales: new Map(expected) },
  });

test.each([
  ['JPY', 2, 0],
  ['EUR', 0, 2],
  ['KWD', 2, 3],
])('%s with %i decimal places is balanced, with a notice', (currency, scale, expected) => {
  const result = alike(currency, scale);
  expect(result).toMatchObject({ verdict: 'balanced', scale });
  expect(codesOf(result)).toEqual(['unusual_scale']);
  expect(entryOf('unusual_scale', result)).toEqual({
    code: 'unusual_scale',
    weight: 'notice',
    count: 1,
    facts: { currency, decimalPlaces: scale, expected },
  });
});

test.each([
  ['EUR', 2],
  ['JPY', 0],
  ['CLF', 4],
  ['XAU', 6],
  ['QQQ', 5],
])('%s with %i decimal places has no notice', (currency, scale) => {
  expect(codesOf(alike(currency, scale))).toEqual([]);
});

test('the expected decimal places of a currency replace ISO 4217', () => {
  expect(codesOf(alike('JPY', 2, [['JPY', 2]]))).toEqual([]);
  expect(codesOf(alike('EUR', 0, [['JPY', 2]]))).toEqual(['unusual_scale']);
  expect(entryOf('unusual_scale', alike('JPY', 0, [['JPY', 2]])).facts).toEqual({
    currency: 'JPY',
    decimalPlaces: 0,
    expected: 2,
  });
});

test('rows that differ from a usual header have another notice', () => {
  const rows = [buildRow({ scale: 3, amount: 10_000n, fees: 300n, tax: 60n })];
  expect(codesOf(judge({ rows }))).toEqual(['scale']);
});

const range = { from: '2026-03-01', to: '2026-03-31' };

test.each(['2026-02-28', '2026-04-01'])('%s is outside, and the settlement stays', (date) => {
  const result = judge({ header: { date }, range });
  expect(entryOf('outside_range', result)).toEqual({
    code: 'outside_range',
    weight: 'notice',
    count: 1,
    facts: { date, range },
  });
  expect(result.verdict).toBe('balanced');
});

test.each(['2026-03-01', '2026-03-31'])('%s is inside the range', (date) => {
  expect(codesOf(judge({ header: { date }, range }))).toEqual([]);
});

test('no date is outside if no range is set', () => {
  expect(codesOf(judge({ header: { date: '1999-01-01' } }))).toEqual([]);
});
