import { expect, test } from 'vitest';
import { RowFilter, type RowFilters } from '../../src/app/row-filter.ts';
import { buildRow } from '../support/build.ts';

const rows = [
  buildRow({ id: 'a', state: 'approved', type: 'purchase', paymentType: 'card' }),
  buildRow({ id: 'b', state: 'declined', type: 'purchase', paymentType: 'wallet' }),
  buildRow({ id: 'c', state: 'approved', type: 'refund', paymentType: 'card' }),
];

function admitted(filters: RowFilters): string {
  return new RowFilter(filters)
    .admitted(rows)
    .map(({ id }) => id)
    .join('');
}

test('a filter without values admits all rows', () => {
  expect(admitted({})).toBe('abc');
});

test('a filter admits rows with any of the values of a field, in all of the fields', () => {
  expect(admitted({ state: ['approved'] })).toBe('ac');
  expect(admitted({ state: ['approved', 'declined'], paymentType: ['card'] })).toBe('ac');
  expect(admitted({ state: ['approved'], type: ['purchase'] })).toBe('a');
  expect(admitted({ paymentType: ['wallet'] })).toBe('b');
});

test('a filter compares the case of letters in values', () => {
  expect(admitted({ state: ['Approved'] })).toBe('');
});

test('a filter names the values that no row had, whatever their other fields, and the values that rows had', () => {
  const filter = new RowFilter({ state: ['approved', 'aproved'], type: ['refund'] });
  filter.admitted(rows.slice(0, 1));
  filter.admitted(rows.slice(1));
  expect(filter.unmatched()).toEqual([
    { field: 'state', value: 'aproved', seen: ['approved', 'declined'] },
  ]);
});

test('a filter names no values if there were no rows', () => {
  expect(new RowFilter({ state: ['approved'] }).unmatched()).toEqual([]);
});
