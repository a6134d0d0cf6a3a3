import { expect, test } from 'vitest';
import { buildRow, uuid } from '../../support/build.ts';
import { codesOf, entryOf, judge } from '../judge.ts';

const unreadable = (record: string) => ({
  record,
  field: 'decimalPlaces',
  found: '""',
  expected: 'digits',
});

test('unreadable rows leave the settlement incomplete, with the field named', () => {
  const records = Array.from({ length: 11 }, (_, n) => unreadable(uuid(20 - n)));
  const result = judge({ outcome: { unreadable: records } });
  expect(codesOf(result)).toEqual(['unreadable_record']);
  expect(entryOf('unreadable_record', result)).toEqual({
    code: 'unreadable_record',
    weight: 'incomplete',
    count: 11,
    facts: { examples: Array.from({ length: 10 }, (_, n) => unreadable(uuid(10 + n))) },
  });
  expect(result.verdict).toBe('incomplete');
});

test('which examples are shown does not depend on the order of listing', () => {
  const records = ['3', '1', '2'].map((found) => ({ ...unreadable(''), found }));
  const [a, b] = [records, records.toReversed()].map((list) =>
    entryOf('unreadable_record', judge({ outcome: { unreadable: list } })),
  );
  expect(a).toEqual(b);
});

test('an unsteady read leaves the settlement incomplete; what was found in it is still said', () => {
  const result = judge({
    rows: [buildRow({ currency: 'USD' })],
    outcome: { unsteady: 'walks_disagree' },
  });
  expect(codesOf(result)).toEqual(['currency', 'unsteady_read']);
  expect(entryOf('unsteady_read', result)).toEqual({
    code: 'unsteady_read',
    weight: 'incomplete',
    count: 1,
    facts: { reason: 'walks_disagree' },
  });
});

test('rows that could not be fetched: nothing is said of the part that came', () => {
  const rows = [buildRow({ currency: 'USD', scale: 3, timestamp: 'noon', settlementId: uuid(9) })];
  const result = judge({ rows, outcome: { notRead: 'the service cannot be reached' } });
  expect(codesOf(result)).toEqual(['not_read']);
  expect(entryOf('not_read', result)).toEqual({
    code: 'not_read',
    weight: 'incomplete',
    count: 1,
    facts: { reason: 'the service cannot be reached' },
  });
});

test('rows read whole are complete, though they repeat or were corrected', () => {
  const outcome = { repeated: [{ row: buildRow(), copies: 1 }], corrections: [buildRow()] };
  expect(judge({ outcome }).complete).toBe(true);
});
