import { expect, test } from 'vitest';
import type { Row } from '../../src/model/row.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import { buildRow, uuid } from '../support/build.ts';
import { codesOf, entryOf, judge } from './judge.ts';

test.each<[string, Partial<Settlement>]>([
  ['settlementStatus', { status: 'paid' }],
  ['settlementStatus', { status: '' }],
  ['settlementDate', { timestamp: '2026-03-05 06:00:00' }],
  ['currencyCode', { currency: 'Eur' }],
])('%s of the header is an odd value in %o', (field, header) => {
  const [value] = Object.values(header);
  const rows = [buildRow({ currency: header.currency ?? 'EUR' })];
  const result = judge({ header, rows });
  expect(codesOf(result)).toEqual(['unknown_value']);
  expect(entryOf('unknown_value', result)).toEqual({
    code: 'unknown_value',
    weight: 'notice',
    count: header.currency ? 2 : 1,
    facts: { examples: [{ field, value }] },
  });
  // Only by its status is it known whether money is final.
  expect(result.verdict).toBe(field === 'settlementStatus' ? 'pending' : 'balanced');
});

test.each([
  '2026-03-05T10:15:30Z',
  '20260305T101530Z',
  '20260305T1015+0100',
  '20260305T101530.5-05',
  '20260305',
])('a timestamp in either format of ISO 8601 is not an odd value: %s', (timestamp) => {
  expect(codesOf(judge({ header: { timestamp }, rows: [buildRow({ timestamp })] }))).toEqual([]);
});

test('the id of the header may be an odd value', () => {
  const rows = [buildRow({ settlementId: '' })];
  expect(entryOf('unknown_value', judge({ header: { id: 'S-1' }, rows }))).toMatchObject({
    count: 1,
    facts: { examples: [{ field: 'settlementId', value: 'S-1' }] },
  });
});

test('the settlement id of a row may be an odd value', () => {
  const result = judge({ rows: [buildRow({ settlementId: 'S-2' })] });
  expect(codesOf(result)).toEqual(['foreign_settlement', 'unknown_value']);
  expect(entryOf('unknown_value', result).facts).toEqual({
    examples: [{ field: 'settlementId', value: 'S-2' }],
  });
});

test.each<[string, Partial<Row>]>([
  ['transactionId', { id: 'tx-1' }],
  ['transactionId', { id: `${uuid(1)}0` }],
  ['chargeId', { chargeId: '00000000000040008000000000000001' }],
  ['orderId', { orderId: 'order 1' }],
  ['timestamp', { timestamp: '2026-13-01T00:00:00Z' }],
  ['timestamp', { timestamp: '05/03/2026' }],
  ['timestamp', { timestamp: '1772690400' }],
  ['timestamp', { timestamp: 'on 2026-03-05' }],
  ['timestamp', { timestamp: '2026-03-45' }],
  ['timestamp', { timestamp: '2026-03-1x' }],
  ['timestamp', { timestamp: '2026-03-05T25:00:00Z' }],
])('%s of a row is an odd value in %o', (field, row) => {
  const [value] = Object.values(row);
  const result = judge({ rows: [buildRow(row)] });
  expect(codesOf(result)).toEqual(['unknown_value']);
  expect(entryOf('unknown_value', result).facts).toEqual({ examples: [{ field, value }] });
});

test.each<Partial<Row>>([
  { timestamp: '2026-03-05' },
  { timestamp: '2026-03-15T23:59Z' },
  { timestamp: '2026-03-28T06:00Z' },
  { timestamp: '2026-03-05T06:00:00' },
  { timestamp: '2026-03-05T06:00:00.123456+05:30' },
  { id: 'ABCDEF00-0000-4000-8000-00000000000A' },
  { type: 'something new', state: 'never seen', paymentType: '' },
])('%o is not an odd value', (row) => {
  expect(codesOf(judge({ rows: [buildRow(row)] }))).toEqual([]);
});

test('a missing value is not an odd value', () => {
  const rows = [buildRow({ chargeId: '', orderId: '', timestamp: '' })];
  expect(codesOf(judge({ rows }))).toEqual([]);
});

test('each value is shown once, and each field has a place among the examples', () => {
  const rows = Array.from({ length: 20 }, (_, n) =>
    buildRow({ id: uuid(n), chargeId: `charge ${n}`, timestamp: 'noon' }),
  );
  const { count, facts } = entryOf('unknown_value', judge({ header: { status: '?' }, rows }));
  expect(count).toBe(41);
  expect(facts).toEqual({
    examples: [
      { field: 'chargeId', value: 'charge 0' },
      { field: 'settlementStatus', value: '?' },
      { field: 'timestamp', value: 'noon' },
      ...[1, 2, 3, 4, 5, 6, 7].map((n) => ({ field: 'chargeId', value: `charge ${n}` })),
    ],
  });
});
