import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, daysOf } from '../../src/base/calendar.ts';
import { daysToSweep, rangesToList } from '../../src/nightly/sweep.ts';

const zero = '2026-01-01';
const daysUpTo = (last: number) => [...daysOf({ from: zero, to: addDays(zero, last) })];

describe('the days that a night sweeps', () => {
  test('each has its turn within so many days, however many nights are missed', () => {
    const gaps = fc.array(fc.constantFrom(1, 1, 1, 2, 5), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 200 }),
        gaps,
        (sweptDays, first, since) => {
          const seen = new Map<string, number>();
          let [swept, now]: [string | null, number] = [null, 0];
          for (const gap of since) {
            now += gap;
            const days = daysUpTo(first + now);
            const chosen = daysToSweep(days, swept, sweptDays, gap);
            for (const day of chosen) seen.set(day, now);
            swept = chosen.at(-1) ?? swept;
            // A day has its first turn within a round since it was there.
            for (const day of days) {
              const before = seen.get(day) ?? Math.max(0, days.indexOf(day) - first);
              expect(now - before).toBeLessThan(sweptDays + gap);
            }
            expect(new Set(chosen).size).toBe(chosen.length);
          }
        },
      ),
    );
  });

  test('no more of them than it takes, and none where that is switched off', () => {
    const days = daysUpTo(89);
    expect(daysToSweep(days, null, 30, 1)).toEqual(days.slice(0, 4));
    expect(daysToSweep(days, days[2] ?? '', 30, 1)).toEqual(days.slice(3, 7));
    expect(daysToSweep(days, null, 0, 9)).toEqual([]);
  });

  test('are listed all at once, or in two parts where they begin anew', () => {
    const days = daysUpTo(89);
    const swept = days[87] ?? '';
    const chosen = daysToSweep(days, swept, 30, 1);
    expect(rangesToList(chosen)).toEqual([
      { from: days[88], to: days[89] },
      { from: days[0], to: days[1] },
    ]);
    expect(rangesToList(days)).toEqual([{ from: days[0], to: days[89] }]);
    expect(rangesToList([])).toEqual([]);
  });
});
