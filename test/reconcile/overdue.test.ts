import { expect, test } from 'vitest';
import { type Ageing, asReported } from '../../src/reconcile/as-reported.ts';
import { buildRow } from '../support/build.ts';
import { type Case, codesOf, entryOf, eur, judge } from './judge.ts';

const pending = { status: 'pending_settlement', date: '2026-03-30' };

function on(today: string, { pendingDays = 14, ...given }: Case & Partial<Ageing> = {}) {
  return asReported(judge({ header: pending, ...given }), { ageing: { today, pendingDays } });
}

test('a pending settlement that is too old is overdue, with its age and pay-in', () => {
  expect(codesOf(on('2026-04-13'))).not.toContain('overdue');
  const late = on('2026-04-14');
  expect(entryOf('overdue', late)).toEqual({
    code: 'overdue',
    weight: 'notice',
    count: 1,
    facts: { today: '2026-04-14', pendingDays: 14, days: 15, payIn: eur(964n) },
  });
  expect([late.verdict, late.discrepancies]).toEqual(['pending', []]);
});

test.each([
  ['the end of a short month', '2026-02-28', '2026-03-01', 1],
  ['29 February', '2028-02-28', '2028-03-01', 2],
  ['the end of a year', '2025-12-31', '2026-01-01', 1],
  ['a day of 23 hours', '2026-03-28', '2026-03-30', 2],
  ['a day of 25 hours', '2026-10-24', '2026-10-26', 2],
  ['a year', '2025-03-30', '2026-03-30', 365],
])('the age is in days of the calendar, over %s', (_, date, today, days) => {
  const late = on(today, { header: { ...pending, date }, pendingDays: 0 });
  expect(entryOf('overdue', late).facts).toMatchObject({ days });
});

test('a pending settlement is not overdue on its date or the day before, even with 0 days', () => {
  for (const today of ['2026-03-29', '2026-03-30']) {
    expect(codesOf(on(today, { pendingDays: 0 }))).not.toContain('overdue');
  }
});

test('only a pending settlement is overdue', () => {
  for (const status of ['settled', 'settled_out_of_balance']) {
    expect(codesOf(on('2027-01-01', { header: { ...pending, status } }))).not.toContain('overdue');
  }
  const off = { header: { ...pending, status: 'on_hold' }, rows: [buildRow({ fees: 31n })] };
  expect(codesOf(on('2027-01-01', off))).not.toContain('overdue');
});

test('a settlement is overdue too if it has an unknown status or cannot be read whole', () => {
  for (const given of [
    { header: { date: '2026-03-30', status: 'on_hold' } },
    { outcome: { notRead: 'offline' } },
    { rows: [buildRow({ fees: 31n })] },
  ]) {
    expect(codesOf(on('2026-05-01', given))).toContain('overdue');
  }
});

test('no settlement is overdue if age is not checked', () => {
  const old = judge({ header: { ...pending, date: '1999-01-01' } });
  expect(asReported(old)).toBe(old);
});
