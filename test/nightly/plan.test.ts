import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, daysOf } from '../../src/base/calendar.ts';
import { readUpToAfterFailure } from '../../src/nightly/night.ts';
import { planNight } from '../../src/nightly/plan.ts';

type PlanInput = Parameters<typeof planNight>[0];

const zero = '2026-03-01';
const dayNumber = (number: number) => addDays(zero, number);

/** A folder without days, one day after the first that is wanted. */
const nothing: PlanInput = {
  days: new Map(),
  since: zero,
  readUpTo: undefined,
  unread: new Set(),
  yesterday: zero,
  restatedDays: 7,
};

/** The plan in short: `2026-03-01 new`. */
const planned = (facts: Partial<PlanInput>) =>
  planNight({ ...nothing, ...facts }).map(({ day, reason }) => `${day} ${reason}`);

const whole = (...days: readonly string[]) => new Map(days.map((day) => [day, 'whole'] as const));

describe('a night reads', () => {
  test('all days since the first wanted day if the folder is empty', () => {
    expect(planned({ yesterday: '2026-03-03' })).toEqual([
      '2026-03-01 new',
      '2026-03-02 new',
      '2026-03-03 new',
    ]);
  });

  test('no day if the first day is not known', () => {
    expect(planned({ since: undefined })).toEqual([]);
  });

  test('new days, missing days before them, and the last days again', () => {
    const days = whole('2026-03-01', '2026-03-02', '2026-03-04', '2026-03-05');
    const facts = { days, since: undefined, readUpTo: '2026-03-05', restatedDays: 2 };
    expect(planned({ ...facts, yesterday: '2026-03-06' })).toEqual([
      '2026-03-03 missing',
      '2026-03-04 recent',
      '2026-03-05 recent',
      '2026-03-06 new',
    ]);
  });

  test('the last days before missed nights again', () => {
    const days = whole('2026-03-01', '2026-03-02', '2026-03-03');
    const facts = { days, readUpTo: '2026-03-03', restatedDays: 1, yesterday: '2026-03-06' };
    expect(planned(facts)).toEqual([
      '2026-03-03 recent',
      '2026-03-04 new',
      '2026-03-05 new',
      '2026-03-06 new',
    ]);
  });

  test('no day in place if no days are to be read again', () => {
    const days = whole('2026-03-01', '2026-03-02');
    const facts = { days, readUpTo: '2026-03-02', restatedDays: 0, yesterday: '2026-03-02' };
    expect(planned(facts)).toEqual([]);
  });

  test('days that failed before, however old', () => {
    const days = new Map([
      ...whole('2026-03-01', '2026-03-02', '2026-03-31'),
      ['2026-03-03', 'incomplete'] as const,
      ['2026-03-04', 'damaged'] as const,
    ]);
    const unread = new Set(['2026-03-02', '2026-03-05']);
    const since = '2026-03-31';
    const plan = planned({ days, unread, since, readUpTo: '2026-03-31', yesterday: '2026-03-31' });
    expect(plan.slice(0, 5)).toEqual([
      '2026-03-02 unread',
      '2026-03-03 incomplete',
      '2026-03-04 damaged',
      '2026-03-05 unread',
      '2026-03-06 missing',
    ]);
  });

  test('no day after yesterday, even if a wrong clock published one', () => {
    const days = whole('2026-03-01', '2026-03-02', '2026-03-30');
    const facts = { days, readUpTo: '2026-03-30', restatedDays: 1, yesterday: '2026-03-03' };
    expect(planned(facts)).toEqual(['2026-03-03 new']);
  });
});

const someDay = fc.integer({ min: 0, max: 40 }).map(dayNumber);
const someFacts: fc.Arbitrary<PlanInput> = fc.record({
  days: fc
    .array(fc.tuple(someDay, fc.constantFrom('whole', 'incomplete', 'damaged')))
    .map((days) => new Map(days)),
  since: fc.option(someDay, { nil: undefined }),
  readUpTo: fc.option(someDay, { nil: undefined }),
  unread: fc.array(someDay).map((days) => new Set(days)),
  yesterday: someDay,
  restatedDays: fc.integer({ min: 0, max: 20 }),
});

test('each past day that is not whole in place is read once, in order', () => {
  fc.assert(
    fc.property(someFacts, (facts) => {
      const { days, since, yesterday } = facts;
      const plan = planNight(facts).map(({ day }) => day);
      expect(plan).toEqual([...new Set(plan)].sort());
      const past = [...days.keys()].filter((day) => day <= yesterday);
      const first = [...past, ...(since === undefined ? [] : [since])].sort()[0];
      const wanted =
        first === undefined || first > yesterday ? [] : [...daysOf({ from: first, to: yesterday })];
      expect(plan.filter((day) => !wanted.includes(day))).toEqual([]);
      const missing = wanted.filter((day) => days.get(day) !== 'whole');
      expect(missing.filter((day) => !plan.includes(day))).toEqual([]);
    }),
  );
});

/** Nights as they come: how many days the clock goes on or back, and which days cannot be read, or none. */
const nights = fc.array(
  fc.record({
    step: fc.oneof(
      { weight: 5, arbitrary: fc.constant(1) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: 12 }) },
      { weight: 1, arbitrary: fc.integer({ min: -5, max: -1 }) },
    ),
    unreadable: fc.array(fc.integer({ min: 0, max: 60 }).map(dayNumber)),
    fails: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
  }),
  { maxLength: 15 },
);

const earlier = (one: string, other: string) => (one < other ? one : other);

test('each past day is in place and was read again, whatever nights are missed, fail or have a wrong clock', () => {
  fc.assert(
    fc.property(nights, fc.integer({ min: 1, max: 9 }), (course, restatedDays) => {
      let facts: PlanInput = { ...nothing, restatedDays };
      /** Of each day in place, the last day that was over when it was read last. */
      let readOn = new Map<string, string>();
      for (const { step, unreadable, fails } of course) {
        const next = addDays(facts.yesterday, step);
        facts = { ...facts, yesterday: next < zero ? zero : next };
        const { yesterday } = facts;
        // What was read while the clock was ahead was read earlier than it seemed.
        readOn = new Map([...readOn].map(([day, on]) => [day, earlier(on, yesterday)]));
        const plan = fails ? [] : planNight(facts).map(({ day }) => day);
        const read = plan.filter((day) => !unreadable.includes(day));
        for (const day of read) readOn.set(day, yesterday);
        facts = {
          ...facts,
          days: new Map([...facts.days, ...whole(...read)]),
          unread: new Set((fails ? [...facts.unread] : plan).filter((day) => !read.includes(day))),
          readUpTo: fails
            ? (readUpToAfterFailure(facts.readUpTo ?? null, yesterday) ?? undefined)
            : yesterday,
        };
        if (fails) continue;
        const late = [...daysOf({ from: zero, to: yesterday })].filter((day) => {
          const enough = earlier(addDays(day, restatedDays), yesterday);
          return (readOn.get(day) ?? '') < enough && !unreadable.includes(day);
        });
        expect(late).toEqual([]);
      }
    }),
    { numRuns: 150 },
  );
});
