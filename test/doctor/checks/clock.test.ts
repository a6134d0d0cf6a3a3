import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serviceChecks } from '../../../src/doctor/checks/service.ts';
import type { Setup } from '../../../src/doctor/examination.ts';
import { evidence, exchange, now } from '../sightings.ts';

function judge(exchanges: readonly ReturnType<typeof exchange>[], setup: Partial<Setup> = {}) {
  const check = serviceChecks.clock(evidence({ exchanges }, { setup }));
  if (!check?.facts) throw new Error('not checked');
  const { aheadSeconds } = check.facts as { readonly aheadSeconds: number };
  return { level: check.level, aheadSeconds };
}

/** An answer whose server wrote its Date in the middle, by a clock that ours is ahead of. */
function answer(startedAt: number, ms: number, aheadMs: number) {
  const written = startedAt + Math.floor(ms / 2) - aheadMs;
  return exchange({ startedAt, ms, date: Math.floor(written / 1000) * 1000 });
}

const moments = fc.integer({ min: now, max: now + 1_000_000 });
const durations = fc.integer({ min: 0, max: 20_000 });

describe('the clock', () => {
  test('is never reported as off if it is right', () => {
    fc.assert(
      fc.property(moments, durations, (startedAt, ms) => {
        expect(judge([answer(startedAt, ms, 0)]).aheadSeconds).toBe(0);
      }),
    );
  });

  test('is reported with direction and seconds if it is off by more than the answer took', () => {
    const offsets = fc.integer({ min: -1_000_000, max: 1_000_000 });
    fc.assert(
      fc.property(moments, durations, offsets, (startedAt, ms, aheadMs) => {
        fc.pre(Math.abs(aheadMs) > ms + 1000);
        const { aheadSeconds } = judge([answer(startedAt, ms, aheadMs)]);
        expect(Math.sign(aheadSeconds)).toBe(Math.sign(aheadMs));
        expect(Math.abs(aheadSeconds - aheadMs / 1000)).toBeLessThanOrEqual(ms / 2000 + 1);
      }),
    );
  });

  test('is judged by the fastest answer', () => {
    const slow = answer(now, 30_000, 90_000);
    const { aheadSeconds } = judge([slow, answer(now, 10, 20_000), slow]);
    expect(aheadSeconds).toBe(20);
  });

  test.each([
    ['v2', 60, 'ok'],
    ['v2', 62, 'warning'],
    ['v1', 1, 'ok'],
    ['v1', 3, 'warning'],
    ['v1', -3, 'warning'],
  ] as const)('with %s, %i seconds ahead: %s', (charges, ahead, level) => {
    const setup: Partial<Setup> = { schemes: { settlements: 'v2', charges } };
    expect(judge([answer(now, 0, ahead * 1000)], setup).level).toBe(level);
  });

  test('is not checked without a Date in an answer, and waits without an answer', () => {
    expect(
      serviceChecks.clock(evidence({ exchanges: [exchange({ date: undefined })] })),
    ).toMatchObject({
      level: 'not_checked',
      found: 'Skipped: no answer with a Date header found.',
    });
    const none = exchange({ status: undefined, date: undefined });
    expect(serviceChecks.clock(evidence({ exchanges: [none] }))).toBeUndefined();
  });
});
