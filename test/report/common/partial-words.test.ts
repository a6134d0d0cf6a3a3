import { expect, test } from 'vitest';
import { entry } from '../../../src/reconcile/entry.ts';
import { partialSentences, reasonsOf } from '../../../src/report/common/partial-words.ts';
import { buildSettlement, uuid } from '../../support/build.ts';

const whole = {
  settlement: buildSettlement(),
  isPending: false,
  rows: 0,
  entries: [],
  changed: { count: 0, examples: [] },
};
const notRead = entry('not_read', 1, {
  reason: { code: 'other', facts: { message: 'No answer.' } },
});

test('a sentence has the settlement, each reason and one full stop', () => {
  const unsteady = entry('unsteady_read', 1, { reason: 'no_progress' });
  const changed = { count: 2, examples: ['a', 'b'] };
  expect(partialSentences([{ ...whole, entries: [unsteady], changed }])).toEqual([
    `Settlement ${uuid(1)} (2026-03-05): some of its transactions may not have been read: pages keep ` +
      'repeating earlier records; 2 transactions changed after being listed here: a and b.',
  ]);
  expect(partialSentences([{ ...whole, isPending: true, entries: [notRead] }])).toEqual([
    `Settlement ${uuid(1)} (2026-03-05, pending): its transactions were not read: No answer.`,
  ]);
});

test('a reason has the number of rows that could be read', () => {
  expect(reasonsOf({ ...whole, rows: 47, entries: [notRead] })).toEqual([
    { code: 'not_read', message: 'only 47 transactions could be read: No answer' },
  ]);
});

test('sentences name the first three settlements per kind of reason, and count the others', () => {
  const unsteady = entry('unsteady_read', 1, { reason: 'no_progress' });
  const partial = [notRead, notRead, notRead, notRead, unsteady, notRead].map((one, at) => ({
    ...whole,
    settlement: buildSettlement({ id: uuid(at) }),
    entries: [one],
  }));
  const said = partialSentences(partial);
  expect(said.map((text) => /^Settlement (\S+)/.exec(text)?.[1] ?? text)).toEqual([
    ...[0, 1, 2, 4].map(uuid),
    '2 more settlements not fully read (not_read).',
  ]);
});
