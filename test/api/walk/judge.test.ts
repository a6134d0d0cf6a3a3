import { expect, test } from 'vitest';
import { judge } from '../../../src/api/walk/read-list.ts';
import type { WalkSummary } from '../../../src/api/walk/walk-records.ts';

function walk(overrides: Partial<WalkSummary> = {}): WalkSummary {
  return {
    ended: true,
    stopped: undefined,
    unique: 10,
    irregular: false,
    lostContents: false,
    largestPage: 10,
    digest: { high: 1, low: 1 },
    ...overrides,
  };
}
const other = { high: 2, low: 2 };

test.each<[string, WalkSummary[], number, number | undefined, string]>([
  ['a clean walk with the announced number', [walk()], 10, 10, 'complete'],
  [
    'the right number, but a record on two pages',
    [walk({ irregular: true })],
    10,
    10,
    'walk_again',
  ],
  ['the right number, but no end', [walk({ ended: false })], 10, 10, 'walk_again'],
  ['fewer than announced', [walk({ unique: 9 })], 9, 10, 'walk_again'],
  ['more than announced', [walk({ unique: 11 })], 11, 10, 'walk_again'],
  [
    'two walks that make up the announced number',
    [walk({ unique: 9 }), walk({ unique: 9 })],
    10,
    10,
    'complete',
  ],
  [
    'two walks with the same, but not the announced number',
    [walk({ unique: 9 }), walk({ unique: 9 })],
    9,
    10,
    'complete',
  ],
  [
    'the same ids with other contents',
    [walk({ unique: 9 }), walk({ unique: 9, digest: other })],
    9,
    10,
    'walk_again',
  ],
  [
    'the second agrees, the first had one more',
    [walk({ unique: 11 }), walk({ unique: 10 })],
    11,
    10,
    'walk_again',
  ],
  [
    'two of three agree, the other had one more',
    [walk({ unique: 12 }), walk({ unique: 11 }), walk({ unique: 11 })],
    12,
    10,
    'unsteady',
  ],
  [
    'two of three agree, the other had one less',
    [walk({ unique: 10 }), walk({ unique: 11 }), walk({ unique: 11 })],
    11,
    9,
    'complete',
  ],
  [
    'two walks agree, one of them without an end',
    [walk({ unique: 9 }), walk({ unique: 9, ended: false })],
    9,
    10,
    'walk_again',
  ],
  [
    'an id with a content that is lost',
    [walk({ irregular: true }), walk({ lostContents: true })],
    10,
    10,
    'walk_again',
  ],
  ['one walk without a total', [walk()], 10, undefined, 'walk_again'],
  ['two walks without a total that agree', [walk(), walk()], 10, undefined, 'complete'],
  [
    'two walks without a total that list the same ids with other contents',
    [walk(), walk({ digest: other })],
    10,
    undefined,
    'walk_again',
  ],
  [
    'three walks without a total, of which the last two have the same contents',
    [walk(), walk({ digest: other }), walk({ digest: other })],
    10,
    undefined,
    'complete',
  ],
  [
    'two walks without a total that do not',
    [walk(), walk({ unique: 9 })],
    10,
    undefined,
    'walk_again',
  ],
  ['one walk that was too long', [walk({ ended: false, stopped: 'too_long' })], 10, 9, 'unsteady'],
  [
    'two empty walks without a total',
    [walk({ unique: 0 }), walk({ unique: 0 })],
    0,
    undefined,
    'complete',
  ],
])('%s: %#', (_, walks, distinct, total, state) => {
  const judgement = judge({ walks, distinct, total });
  const isUnsteady = judgement !== 'complete' && judgement !== 'walk_again';
  expect(isUnsteady ? 'unsteady' : judgement).toBe(state);
});

test('an unsteady judgement says why the walks do not agree', () => {
  const walks = [walk({ unique: 7 }), walk({ unique: 8 }), walk({ unique: 9 })];
  expect(judge({ walks, distinct: 9, total: 10 })).toBe('walks_disagree');
  const stuck = walks.map((one) => ({ ...one, ended: false, stopped: 'no_progress' as const }));
  expect(judge({ walks: stuck, distinct: 9, total: 10 })).toBe('no_progress');
});
