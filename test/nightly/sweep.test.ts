import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, daysOf } from '../../src/base/calendar.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import type { DateRange, HeaderList, Source } from '../../src/model/source.ts';
import { compareHeaders, daysToSweep } from '../../src/nightly/plan.ts';
import { buildSettlement, uuid } from '../support/build.ts';

type Stored = Parameters<typeof compareHeaders>[0];

/** A service that gives these lists in turn, the last one for ever, and the ranges that it is asked for. */
function serviceOf(...lists: readonly HeaderList[]) {
  const ranges: DateRange[] = [];
  const headers: Source['headers'] = async ({ range }) => {
    ranges.push(range);
    const list = lists[Math.min(ranges.length, lists.length) - 1];
    if (!list) throw new RangeError('no list');
    return list;
  };
  const source = { headers } as Source;
  return { ranges, compare: (stored: Stored) => compareHeaders(stored, { source, filters: {} }) };
}

const listOf = (
  settlements: readonly Settlement[],
  rest: Partial<HeaderList> = {},
): HeaderList => ({
  settlements,
  conflicts: [],
  unreadable: [],
  ...rest,
});

const zero = '2026-01-01';
const daysUpTo = (last: number) => [...daysOf({ from: zero, to: addDays(zero, last) })];

describe('the days that a night sweeps', () => {
  test('have a turn within so many days, however many nights are missed', () => {
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

  test('are no more than needed, and none if that is switched off', () => {
    const days = daysUpTo(89);
    expect(daysToSweep(days, null, 30, 1)).toEqual(days.slice(0, 4));
    expect(daysToSweep(days, days[2] ?? '', 30, 1)).toEqual(days.slice(3, 7));
    expect(daysToSweep(days, null, 0, 9)).toEqual([]);
  });

  test('are listed in one request, or in two if they start again from the first', async () => {
    const days = daysUpTo(89);
    const swept = days[87] ?? '';
    const rangesFor = async (some: readonly string[]) => {
      const { ranges, compare } = serviceOf(listOf([]));
      await compare(new Map(some.map((day) => [day, listOf([])])));
      return ranges;
    };
    expect(await rangesFor(daysToSweep(days, swept, 30, 1))).toEqual([
      { from: days[88], to: days[89] },
      { from: days[0], to: days[1] },
    ]);
    expect(await rangesFor(days)).toEqual([{ from: days[0], to: days[89] }]);
    expect(await rangesFor([])).toEqual([]);
  });
});

describe('a swept day', () => {
  const [monday, tuesday] = ['2026-03-02', '2026-03-03'];
  const a = buildSettlement({ id: uuid(1), date: monday });
  const b = buildSettlement({ id: uuid(2), date: monday });
  const c = buildSettlement({ id: uuid(3), date: tuesday });
  const stored = new Map([
    [monday, listOf([a, b])],
    [tuesday, listOf([c])],
  ]);
  const compared = (...listed: readonly Settlement[]) => serviceOf(listOf(listed)).compare(stored);

  test('is not read again if it is listed as it is stored, in one list or two', async () => {
    const nothing = { changed: [], empty: [] };
    expect(await compared(c, b, a)).toEqual(nothing);
    const inTwo = new Map([...stored].reverse());
    expect(await serviceOf(listOf([c]), listOf([a, b])).compare(inTwo)).toEqual(nothing);
    expect(await serviceOf(listOf([])).compare(new Map([[monday, listOf([])]]))).toEqual(nothing);
  });

  test('has changed if one header differs by one minor unit or in its status', async () => {
    expect(await compared(a, { ...b, payIn: b.payIn + 1n }, c)).toEqual({
      changed: [monday],
      empty: [],
    });
    expect(await compared(a, b, { ...c, status: 'validated' })).toEqual({
      changed: [tuesday],
      empty: [],
    });
  });

  test('has changed if a settlement is new, or one of several is gone', async () => {
    const late = buildSettlement({ id: uuid(4), date: tuesday });
    expect(await compared(a, b, c, late)).toEqual({ changed: [tuesday], empty: [] });
    expect(await compared(a, c)).toEqual({ changed: [monday], empty: [] });
    const elsewhere = buildSettlement({ id: uuid(4), date: '2026-03-04' });
    expect(await compared(a, b, c, elsewhere)).toEqual({ changed: [], empty: [] });
  });

  test('is empty if all settlements are gone, and has changed if that is not certain', async () => {
    expect(await compared(a, b)).toEqual({ changed: [], empty: [tuesday] });
    const unreadable = [
      { record: uuid(3), field: 'fees', found: '1.5', expected: 'minor_units' } as const,
    ];
    const inTwo = new Map([...stored].reverse());
    for (const doubt of [{ unreadable }, { unsteady: 'walks_disagree' as const }]) {
      const { compare } = serviceOf(listOf([]), listOf([a, b], doubt));
      expect(await compare(inTwo)).toEqual({ changed: [tuesday], empty: [] });
    }
  });

  test('is not empty if its settlement is on another day, or has another in its place', async () => {
    expect(await compared(a, b, { ...c, date: monday })).toEqual({ changed: [tuesday], empty: [] });
    const other = buildSettlement({ id: uuid(4), date: tuesday });
    expect(await compared(a, b, other)).toEqual({ changed: [tuesday], empty: [] });
  });

  test('has changed if one of several contents of a settlement differs', async () => {
    const other = { ...c, fees: c.fees + 1n };
    const twice = (second: Settlement) => listOf([c], { conflicts: [[c, second]] });
    const of = new Map([[tuesday, twice(other)]]);
    expect(await serviceOf(twice(other)).compare(of)).toEqual({ changed: [], empty: [] });
    const now = twice({ ...other, fees: c.fees + 2n });
    expect(await serviceOf(now).compare(of)).toEqual({ changed: [tuesday], empty: [] });
    expect(await serviceOf(listOf([c])).compare(of)).toEqual({ changed: [tuesday], empty: [] });
  });
});
