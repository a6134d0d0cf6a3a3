import { expect, test } from 'vitest';
import { entry } from '../../src/reconcile/entry.ts';
import { partialSentence, reasonsOf } from '../../src/report/partial-words.ts';
import { buildSettlement, uuid } from '../support/build.ts';

const whole = {
  settlement: buildSettlement(),
  isPending: false,
  rows: 0,
  entries: [],
  changed: { count: 0, examples: [] },
};
const notRead = entry('not_read', 1, { reason: 'No answer.' });

test('a settlement is named, with each reason and one full stop', () => {
  const unsteady = entry('unsteady_read', 1, { reason: 'no_progress' });
  const changed = { count: 2, examples: ['a', 'b'] };
  expect(partialSentence({ ...whole, entries: [unsteady], changed })).toBe(
    `Settlement ${uuid(1)} (2026-03-05): it isn't certain that all of its rows were read: page ` +
      'after page repeats what came before; 2 transactions read otherwise after being listed ' +
      'here: a and b.',
  );
  expect(partialSentence({ ...whole, isPending: true, entries: [notRead] })).toBe(
    `Settlement ${uuid(1)} (2026-03-05, pending): its rows were not read: No answer.`,
  );
});

test('where the reading broke off, it is said how far it came', () => {
  expect(reasonsOf({ ...whole, rows: 47, entries: [notRead] })).toEqual([
    { code: 'not_read', message: 'only 47 rows could be read: No answer.' },
  ]);
});
