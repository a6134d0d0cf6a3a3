import { expect, test } from 'vitest';
import { backoff } from '../../src/base/clock.ts';

test('a pause doubles up to a cap and is spread by chance', () => {
  const policy = { baseMs: 500, capMs: 3_000 };
  const longest = [1, 2, 3, 4, 5].map((attempt) => backoff(attempt, policy, () => 1));
  expect(longest).toEqual([500, 1000, 2000, 3000, 3000]);
  expect(backoff(3, policy, () => 0.5)).toBe(1000);
});
