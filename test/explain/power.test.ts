import { expect, test } from 'vitest';
import { faultless } from './generator.ts';
import { explainWorld, scorePairs, scoreSingles, total } from './measure.ts';

// A few of the seeds that `npm run power` measures.
const seeds = Array.from({ length: 8 }, (_, n) => 70_001 + n);

test('one injected cause is always found, and first in 19 of 20', { timeout: 60_000 }, () => {
  const scores = scoreSingles(seeds);
  const missed = [...scores].filter(([, { found, injected }]) => found < injected);
  expect(missed).toEqual([]);
  const { injected, first } = total(scores);
  expect(first / injected).toBeGreaterThanOrEqual(0.95);
});

test('two injected causes are found in 9 of 10', { timeout: 60_000 }, () => {
  const many = Array.from({ length: 50 }, (_, n) => 80_001 + n);
  const { injected, found } = total(scorePairs(many));
  expect(injected).toBe(50);
  expect(found).toBeGreaterThanOrEqual(45);
});

test('a faultless settlement has no explanation', () => {
  for (const seed of seeds) expect(explainWorld(faultless(seed)).hypotheses).toEqual([]);
});
