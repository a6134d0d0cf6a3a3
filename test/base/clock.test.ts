import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';

test('all sleepers wake with the reason of the signal, and Node does not warn of a leak', async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => void warnings.push(warning);
  process.on('warning', warned);
  onTestFinished(() => void process.off('warning', warned));
  const run = new AbortController();
  const asleep = Array.from({ length: 100 }, () => systemClock.sleep(600_000, run.signal));
  run.abort('enough');
  const reasons = await Promise.allSettled(asleep);
  expect(new Set(reasons.map((one) => one.status === 'rejected' && one.reason))).toEqual(
    new Set(['enough']),
  );
  await expect(systemClock.sleep(600_000, run.signal)).rejects.toBe('enough');
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});

test('a sleeper that has woken is not woken again', async () => {
  const run = new AbortController();
  await systemClock.sleep(1, run.signal);
  const second = systemClock.sleep(1, run.signal);
  await second;
  run.abort('late');
  await expect(second).resolves.toBeUndefined();
});

test('elapsed time does not depend on the wall clock', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const began = systemClock.monotonic();
  vi.setSystemTime(Date.now() - 3_600_000);
  await systemClock.sleep(2);
  const tookMs = systemClock.monotonic() - began;
  expect(tookMs).toBeGreaterThan(0);
  expect(tookMs).toBeLessThan(60_000);
});
