import { expect, test } from 'vitest';
import { buildRow, uuid } from '../../support/build.ts';
import { codesOf, entryOf, judge } from '../judge.ts';

const unreadable = (record: string) => ({
  record,
  field: 'decimalPlaces',
  found: '""',
  expected: 'scale' as const,
});

test('unreadable rows make the settlement incomplete, and their fields are named', () => {
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

test('examples do not depend on the order of rows', () => {
  const records = ['3', '1', '2'].map((found) => ({ ...unreadable(''), found }));
  const [a, b] = [records, records.toReversed()].map((list) =>
    entryOf('unreadable_record', judge({ outcome: { unreadable: list } })),
  );
  expect(a).toEqual(b);
});

test('an unsteady read makes the settlement incomplete, and its discrepancies stay', () => {
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

test('rows that were not fetched whole have no other discrepancies', () => {
  const rows = [buildRow({ currency: 'USD', scale: 3, timestamp: 'noon', settlementId: uuid(9) })];
  const result = judge({ rows, outcome: { notRead: 'the service cannot be reached' } });
  expect(codesOf(result)).toEqual(['not_read']);
  expect(entryOf('not_read', result)).toEqual({
    code: 'not_read',
    weight: 'incomplete',
    count: 1,
    facts: {
      reason: { code: 'other', facts: { message: 'the service cannot be reached' } },
    },
  });
});

test('rows that were read whole are complete, even if repeated or corrected', () => {
  const outcome = { repeated: [{ row: buildRow(), copies: 1 }], corrections: [buildRow()] };
  expect(judge({ outcome }).complete).toBe(true);
});
