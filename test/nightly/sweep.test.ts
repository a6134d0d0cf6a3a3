import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, daysOf } from '../../src/base/calendar.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import type { HeaderList } from '../../src/model/source.ts';
import { daysToSweep, diffHeaders, rangesToList } from '../../src/nightly/plan.ts';
import { buildSettlement, uuid } from '../support/build.ts';

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
          const all = daysUpTo(first + since.reduce((sum, gap) => sum + gap, 0));
          for (const gap of since) {
            now += gap;
            const days = all.slice(0, first + now + 1);
            const chosen = daysToSweep(days, swept, sweptDays, gap);
            for (const day of chosen) seen.set(day, now);
            swept = chosen.at(-1) ?? swept;
            // A day has its first turn within a round since it was there.
            const late = days.filter((day, at) => {
              const before = seen.get(day) ?? Math.max(0, at - first);
              return now - before >= sweptDays + gap;
            });
            expect(late).toEqual([]);
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

describe('what is listed of swept days against what is stored', () => {
  const [monday, tuesday] = ['2026-03-02', '2026-03-03'];
  const a = buildSettlement({ id: uuid(1), date: monday });
  const b = buildSettlement({ id: uuid(2), date: monday });
  const c = buildSettlement({ id: uuid(3), date: tuesday });
  const header = (settlements: readonly Settlement[], rest: Partial<HeaderList> = {}) => ({
    ...{ settlements, conflicts: [], unreadable: [] },
    ...rest,
  });
  const stored = new Map([
    [monday, header([a, b])],
    [tuesday, header([c])],
  ]);
  const compared = (...listed: readonly Settlement[]) => diffHeaders(stored, [header(listed)]);

  test('days that are listed as they are stored are not read again, in one list or two', () => {
    const nothing = { changed: [], empty: [] };
    expect(compared(c, b, a)).toEqual(nothing);
    expect(diffHeaders(stored, [header([c]), header([a, b])])).toEqual(nothing);
    expect(diffHeaders(new Map([[monday, header([])]]), [header([])])).toEqual(nothing);
  });

  test('a day has changed where one header differs by a minor unit, or in its status', () => {
    expect(compared(a, { ...b, payIn: b.payIn + 1n }, c)).toEqual({ changed: [monday], empty: [] });
    expect(compared(a, b, { ...c, status: 'validated' })).toEqual({
      changed: [tuesday],
      empty: [],
    });
  });

  test('a day has changed where a settlement is new on it, or one of several is gone', () => {
    const late = buildSettlement({ id: uuid(4), date: tuesday });
    expect(compared(a, b, c, late)).toEqual({ changed: [tuesday], empty: [] });
    expect(compared(a, c)).toEqual({ changed: [monday], empty: [] });
    const elsewhere = buildSettlement({ id: uuid(4), date: '2026-03-04' });
    expect(compared(a, b, c, elsewhere)).toEqual({ changed: [], empty: [] });
  });

  test('a day is empty where all that it had is gone, and has changed where that is not sure', () => {
    expect(compared(a, b)).toEqual({ changed: [], empty: [tuesday] });
    const unreadable = [{ record: uuid(3), field: 'fees', found: '1.5', expected: 'a number' }];
    for (const doubt of [{ unreadable }, { unsteady: 'walks_disagree' as const }]) {
      const lists = [header([a, b], doubt), header([])];
      expect(diffHeaders(stored, lists)).toEqual({ changed: [tuesday], empty: [] });
    }
  });

  test('a day is not empty where what it had is listed on another day, or something else on it', () => {
    expect(compared(a, b, { ...c, date: monday })).toEqual({ changed: [tuesday], empty: [] });
    const other = buildSettlement({ id: uuid(4), date: tuesday });
    expect(compared(a, b, other)).toEqual({ changed: [tuesday], empty: [] });
  });

  test('of a settlement with several contents each counts', () => {
    const other = { ...c, fees: c.fees + 1n };
    const twice = (second: Settlement) => header([c], { conflicts: [[c, second]] });
    const of = new Map([[tuesday, twice(other)]]);
    expect(diffHeaders(of, [twice(other)])).toEqual({ changed: [], empty: [] });
    const now = twice({ ...other, fees: c.fees + 2n });
    expect(diffHeaders(of, [now])).toEqual({ changed: [tuesday], empty: [] });
    expect(diffHeaders(of, [header([c])])).toEqual({ changed: [tuesday], empty: [] });
  });
});
