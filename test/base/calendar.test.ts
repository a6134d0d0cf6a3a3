import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  dayAt,
  daysBetween,
  daysOfMonth,
  isDay,
  microsecondsOf,
  rangeBefore,
  writtenDay,
  writtenZone,
} from '../../src/base/calendar.ts';

test.each([
  '2026-02-31',
  '2026-13-01',
  '0026-03-01',
  '2026-3-1',
  '01.03.2026',
  '2026-03-01 ',
  '',
  'garbage 2026',
])('%j is not a day', (text) => {
  expect(isDay(text)).toBe(false);
});

test('a leap day is a day in a leap year only', () => {
  expect(isDay('2028-02-29')).toBe(true);
  expect(isDay('2026-02-29')).toBe(false);
});

test('days are counted across the ends of months and years, and across changes of the clock', () => {
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  expect(addDays('2026-03-28', 2)).toBe('2026-03-30');
});

const anyDay = fc.integer({ min: 0, max: 60_000 }).map((days) => addDays('1960-01-01', days));

test('the number of days between a day and the day n days later is n', () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: -2_000, max: 2_000 }), (day, days) => {
      expect(daysBetween(day, addDays(day, days))).toBe(days);
    }),
  );
});

test('a day some months ago is in that month, on the same day or on the last of a shorter month', () => {
  expect(addMonths('2026-03-31', -1)).toBe('2026-02-28');
  expect(addMonths('2028-03-31', -1)).toBe('2028-02-29');
  expect(addMonths('2026-01-15', -2)).toBe('2025-11-15');
  fc.assert(
    fc.property(anyDay, fc.integer({ min: 0, max: 600 }), (day, months) => {
      const ago = addMonths(day, -months);
      const monthOf = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7));
      expect(monthOf(day) - monthOf(ago)).toBe(months);
      const last = daysOfMonth(ago.slice(0, 7))?.to ?? '';
      const same = `${ago.slice(0, 8)}${day.slice(8)}`;
      expect(ago).toBe(same < last ? same : last);
    }),
  );
});

test('the later of two days is not the earlier one some months ago', () => {
  fc.assert(
    fc.property(anyDay, anyDay, fc.integer({ min: 0, max: 600 }), (one, other, months) => {
      const [early = '', late = ''] = [one, other].sort();
      expect(addMonths(early, -months) <= addMonths(late, -months)).toBe(true);
    }),
  );
});

test('a month has its first and last day', () => {
  expect(daysOfMonth('2026-02')).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  expect(daysOfMonth('2026-13')).toBeUndefined();
});

test('the day of a moment depends on the time zone', () => {
  const moment = Date.UTC(2026, 2, 5, 23, 30);
  expect(dayAt(moment, 'UTC')).toBe('2026-03-05');
  expect(dayAt(moment, 'Europe/Berlin')).toBe('2026-03-06');
  expect(dayAt(moment, 'America/New_York')).toBe('2026-03-05');
});

test('the day of a timestamp is the one written, whatever its offset', () => {
  expect(writtenDay('2026-03-05T23:30:00-05:00')).toBe('2026-03-05');
  expect(writtenDay('2026-03-05')).toBe('2026-03-05');
  expect(writtenDay('20260305T233000-0500')).toBe('2026-03-05');
  expect(writtenDay('20260305')).toBe('2026-03-05');
  expect(writtenDay('2026-02-30T00:00:00Z')).toBeUndefined();
  expect(writtenDay('5 March 2026')).toBeUndefined();
});

test.each([
  ['2026-03-05T23:30:00Z', 'Z'],
  ['2026-03-05T23:30:00.123Z', 'Z'],
  ['2026-03-05T23:30:00-05:00', '-05:00'],
  ['2026-03-05 23:30:00 +0530', '+0530'],
  ['2026-03-05T23:30+01', '+01'],
  ['20260305T233000Z', 'Z'],
  ['20260305T233000-0500', '-0500'],
  ['2026-03-05T23:30:00', ''],
  ['2026-03-05', ''],
  ['', ''],
])('the zone of %j is the one written', (timestamp, zone) => {
  expect(writtenZone(timestamp)).toBe(zone);
});

test.each([
  ['2026-03-05T10:15:30Z', '2026-03-05T10:15:30.000Z', 0n],
  ['2026-03-05t10:15z', '2026-03-05T10:15:00.000Z', 0n],
  ['2026-03-05 10:15:30,1 +0530', '2026-03-05T04:45:30.100Z', 0n],
  ['20260305T233000.1234569-05', '2026-03-06T04:30:00.123Z', 456n],
  ['1969-12-31T23:59:59.9999Z', '1969-12-31T23:59:59.999Z', 900n],
  ['0099-01-01T00:00:00Z', undefined, 0n],
  ['2026-02-29T00:00:00Z', undefined, 0n],
  ['2026-03-05T24:00:00Z', undefined, 0n],
  ['2026-03-05T23:59:60Z', undefined, 0n],
  ['2026-03-05T10:15:30', undefined, 0n],
  ['2026-03-05', undefined, 0n],
  ['', undefined, 0n],
])('%j is read in microseconds', (timestamp, expected, beyond) => {
  const micros = microsecondsOf(timestamp);
  expect(micros).toBe(expected && BigInt(Date.parse(expected)) * 1000n + beyond);
});

test.each([
  ['a month', '2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
  ['a short month', '2026-02-01', '2026-02-28', '2026-01-01', '2026-01-31'],
  ['a month of a leap year', '2028-03-01', '2028-03-31', '2028-02-01', '2028-02-29'],
  ['a quarter', '2026-01-01', '2026-03-31', '2025-10-01', '2025-12-31'],
  ['a week', '2026-03-02', '2026-03-08', '2026-02-23', '2026-03-01'],
  ['a day', '2026-03-01', '2026-03-01', '2026-02-28', '2026-02-28'],
  ['a month without its last day', '2026-03-01', '2026-03-30', '2026-01-30', '2026-02-28'],
])('the range before %s has the same length', (_, from, to, first, last) => {
  expect(rangeBefore({ from, to })).toEqual({ from: first, to: last });
});
