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

test('lets everything through unless it is told otherwise', () => {
  expect(admitted({})).toBe('abc');
});

test('takes any of the values of a field, and all of the fields', () => {
  expect(admitted({ state: ['approved'] })).toBe('ac');
  expect(admitted({ state: ['approved', 'declined'], paymentType: ['card'] })).toBe('ac');
  expect(admitted({ state: ['approved'], type: ['purchase'] })).toBe('a');
  expect(admitted({ paymentType: ['wallet'] })).toBe('b');
});

test('takes values to the letter', () => {
  expect(admitted({ state: ['Approved'] })).toBe('');
});

test('knows the values that no row had, whatever their other fields, and those that there were', () => {
  const filter = new RowFilter({ state: ['approved', 'aproved'], type: ['refund'] });
  filter.admitted(rows.slice(0, 1));
  filter.admitted(rows.slice(1));
  expect(filter.unmatched()).toEqual([
    { field: 'state', value: 'aproved', seen: ['approved', 'declined'] },
  ]);
});

test('complains of nothing where there were no rows', () => {
  expect(new RowFilter({ state: ['approved'] }).unmatched()).toEqual([]);
});
