import { expect, test } from 'vitest';
import { lastOfMonth } from '../close/calendar.ts';
import { isInOrder } from './oracle.ts';
import { restatements, Year } from './year.ts';

/** A whole year, made as its bookkeeper lets it be made. */
function made(seed: number): Year {
  const year = new Year(seed, 12);
  for (const index of year.months.keys()) {
    if (index > 0) year.restate(index - 1);
    year.begin(index);
    if ((index + seed) % 2 === 0) year.restate(index);
  }
  return year;
}

test('the years of 40 seeds have every restatement, of what is paid and of what is not', () => {
  const years = Array.from({ length: 40 }, (_, seed) => made(seed + 1));
  const happened = years.flatMap((one) => one.happened.map(({ what }) => what));
  for (const kind of restatements) {
    for (const story of ['paid', 'at the end', 'negative', 'missing', 'returned']) {
      const found = happened.filter(
        (what) => what.startsWith(kind) && what.includes(`, ${story},`),
      );
      expect(found.length, `${kind}, ${story}`).toBeGreaterThan(0);
    }
  }
  const stories = new Set(years.flatMap(({ payouts }) => payouts.map(({ story }) => story)));
  expect([...stories].sort()).toEqual([
    'at the end',
    'late',
    'missing',
    'negative',
    'paid',
    'pending',
    'returned',
  ]);
});

test('in each month but the last something is restated', () => {
  for (const seed of [1, 2, 3, 4]) {
    const { months, happened } = made(seed);
    for (const month of months.slice(0, -1)) {
      expect(
        happened.some((one) => one.month === month),
        `${seed} ${month}`,
      ).toBe(true);
    }
  }
});

test('in every other year all is in order at most ends of months', () => {
  const ends = [1, 3, 5, 7, 9].flatMap((seed) => {
    const year = new Year(seed, 12);
    return year.months.map((month, index) => {
      if (index > 0) year.restate(index - 1);
      year.begin(index);
      return isInOrder(year.payouts, year.listed(index), lastOfMonth(month));
    });
  });
  expect(ends.filter((is) => is).length).toBeGreaterThan(ends.length / 3);
});

test('the same seed makes the same year', () => {
  const text = (year: Year) => JSON.stringify([year.payouts, year.happened]);
  expect(text(made(7))).toBe(text(made(7)));
  expect(text(made(7))).not.toBe(text(made(8)));
});
