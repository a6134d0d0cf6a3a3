import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Estimate, Inflow } from '../../src/api/pace.ts';
import { bucket } from './limited-service.ts';

/** Sends at these times, in milliseconds, to a bucket; gives the refusals, with what was learnt. */
function send(perSecond: number, burst: number, times: Iterable<number>) {
  const inflow = new Inflow();
  const limit = bucket(perSecond, burst);
  const refusals: { at: number; estimate: Estimate | undefined }[] = [];
  for (const at of times) {
    if (limit(at, 0)) inflow.accepted(at);
    else refusals.push({ at, estimate: inflow.refused(at) });
  }
  return refusals;
}

/** Times from `from` on, each `gap(index)` milliseconds after the one before. */
function* every(gap: (index: number) => number, from: number, count: number) {
  let at = from;
  for (let index = 0; index < count; index += 1) {
    yield at;
    at += gap(index);
  }
}

test('the first refusal gives no estimate of the pace', () => {
  const [first] = send(
    10,
    3,
    every(() => 1, 0, 4),
  );
  expect(first).toMatchObject({ at: 3, estimate: undefined });
});

test.each([2, 5, 20, 200])(
  'the estimate is what flows in between two refusals: %i saved up',
  (burst) => {
    const last = send(
      20,
      burst,
      every(() => 40, 0, 3_000),
    ).at(-1);
    expect(last?.estimate?.perSecond).toBeGreaterThan(19);
    expect(last?.estimate?.perSecond).toBeLessThan(21.5);
  },
);

test.each([1, 5, 40])(
  'the estimate leaves out a pause in which the bucket overflowed: %i saved up',
  (burst) => {
    const first = every(() => 1, 0, 1.2 * burst + 1);
    // From 20 a second, and ever faster.
    const second = every((index) => 50 / 1.02 ** index, 10_000, 200);
    const refusals = send(100, burst, [...first, ...second]);
    const found = refusals.find(({ at }) => at >= 10_000);
    expect(found?.estimate?.isTight).toBe(true);
    expect(found?.estimate?.perSecond).toBeGreaterThan(85);
    expect(found?.estimate?.perSecond).toBeLessThanOrEqual(100);
  },
);

test('the estimate is uncertain if a few requests used what was saved up in a pause', () => {
  const times = [...every(() => 1, 0, 6), ...every(() => 1, 10_000, 6)];
  expect(send(100, 5, times).at(-1)?.estimate).toMatchObject({ isTight: false });
});

test('the estimate is never more than what flows in, whenever requests are sent', () => {
  const gaps = fc.array(
    fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ max: 3_000, min: 0 })),
    {
      minLength: 5,
      maxLength: 300,
    },
  );
  const perSecond = fc.integer({ min: 1, max: 200 });
  fc.assert(
    fc.property(perSecond, fc.integer({ min: 1, max: 50 }), gaps, (rate, burst, waits) => {
      const refusals = send(
        rate,
        burst,
        every((index) => waits[index] ?? 0, 0, waits.length),
      );
      refusals.forEach(({ at, estimate }, index) => {
        const before = refusals[index - 1]?.at ?? at;
        // A part of a request may have been left at the refusal before.
        const most = rate + 1_000 / Math.max(1, at - before);
        if (estimate) expect(estimate.perSecond).toBeLessThanOrEqual(most * 1.000_001);
      });
    }),
  );
});
