import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';

test('all who sleep wake with the reason of the signal, which has one listener for them', async () => {
  const run = new AbortController();
  const asleep = Array.from({ length: 100 }, () => systemClock.sleep(600_000, run.signal));
  expect(getEventListeners(run.signal, 'abort')).toHaveLength(1);
  run.abort('enough');
  const reasons = await Promise.allSettled(asleep);
  expect(new Set(reasons.map((one) => one.status === 'rejected' && one.reason))).toEqual(
    new Set(['enough']),
  );
  await expect(systemClock.sleep(600_000, run.signal)).rejects.toBe('enough');
});

test('who has slept enough is not woken again', async () => {
  const run = new AbortController();
  await systemClock.sleep(1, run.signal);
  const second = systemClock.sleep(1, run.signal);
  await second;
  run.abort('late');
  await expect(second).resolves.toBeUndefined();
});
