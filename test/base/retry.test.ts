import { expect, test } from 'vitest';
import { backoff, retry } from '../../src/base/retry.ts';
import { FakeClock } from '../support/fake-clock.ts';

const signal = new AbortController().signal;

test('tries until it succeeds, waiting as told', async () => {
  const clock = new FakeClock();
  const work = async (attempt: number) => {
    if (attempt < 3) throw new Error(`attempt ${attempt}`);
    return attempt;
  };
  const delay = (_: unknown, attempt: number) => attempt * 100;
  expect(await retry(work, { delay, clock, signal })).toBe(3);
  expect(clock.slept).toEqual([100, 200]);
});

test('throws the last error when the delays end', async () => {
  const work = async (attempt: number) => {
    throw new Error(`attempt ${attempt}`);
  };
  const delay = (_: unknown, attempt: number) => (attempt < 4 ? 0 : undefined);
  await expect(retry(work, { delay, clock: new FakeClock(), signal })).rejects.toThrow('attempt 4');
});

test('an aborted run is not tried again', async () => {
  const run = new AbortController();
  let attempts = 0;
  const work = async () => {
    attempts += 1;
    run.abort(new Error('enough'));
    throw new Error('fault');
  };
  const options = { delay: () => 0, clock: new FakeClock(), signal: run.signal };
  await expect(retry(work, options)).rejects.toThrow('enough');
  expect(attempts).toBe(1);
});

test('backoff doubles up to a cap and is spread by chance', () => {
  const policy = { baseMs: 500, capMs: 3_000 };
  const longest = [1, 2, 3, 4, 5].map((attempt) => backoff(attempt, policy, () => 1));
  expect(longest).toEqual([500, 1000, 2000, 3000, 3000]);
  expect(backoff(3, policy, () => 0.5)).toBe(1000);
});
