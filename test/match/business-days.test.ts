import { expect, test } from 'vitest';
import { addDays } from '../../src/base/calendar.ts';
import { BusinessDays } from '../../src/match/business-days.ts';

const days = new BusinessDays();

test('EUR is due by the days of TARGET, and other currencies are due from Monday to Friday', () => {
  // Good Friday and Easter Monday are 3 and 6 April.
  expect(days.daysDue({ date: '2026-03-31', currency: 'EUR' }).to).toBe('2026-04-09');
  expect(days.daysDue({ date: '2026-03-31', currency: 'JPY' }).to).toBe('2026-04-07');
  expect(days.daysDue({ date: '2026-04-07', currency: 'EUR' }).from).toBe('2026-04-02');
});

test.each([
  ...['1961-04-02', '2000-04-23', '2008-03-23', '2011-04-24', '2024-03-31', '2025-04-20'],
  ...['2026-04-05', '2027-03-28', '2038-04-25', '2049-04-18', '2076-04-19', '2100-03-28'],
])('TARGET is closed around Easter, %s', (easter) => {
  const open = [-3, -2, 1, 2].map((days_) => days.isOpen(addDays(easter, days_), 'EUR'));
  expect(open).toEqual([true, false, false, true]);
});

test('TARGET is closed on four fixed days, and not on a weekday in place of a weekend', () => {
  const closed = ['2026-01-01', '2026-05-01', '2026-12-25'];
  expect(closed.filter((day) => days.isOpen(day, 'EUR'))).toEqual([]);
  expect(closed.every((day) => days.isOpen(day, 'USD'))).toBe(true);
  // 26 December 2026 is a Saturday.
  expect(days.isOpen('2026-12-28', 'EUR')).toBe(true);
  expect(days.isOpen('2025-12-26', 'EUR')).toBe(false);
});

test('holidays of the profile apply to their currency or to all', () => {
  const own = new BusinessDays(
    new Map([
      ['JPY', new Set(['2026-03-20'])],
      ['', new Set(['2026-03-19'])],
    ]),
  );
  expect(['2026-03-19', '2026-03-20'].map((day) => own.isOpen(day, 'JPY'))).toEqual([false, false]);
  expect(['2026-03-19', '2026-03-20'].map((day) => own.isOpen(day, 'EUR'))).toEqual([false, true]);
  expect([own.holidaysOf('JPY'), own.holidaysOf('EUR')]).toEqual([2, 1]);
});
