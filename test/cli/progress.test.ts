import { expect, test } from 'vitest';
import { progressText, together, waitText } from '../../src/cli/messages.ts';

const progress = { settlements: 40, decided: 12, rows: 8_400, expectedRows: 31_250 };

test('says how far the run has come, how fast it is, and how long it will take', () => {
  expect(progressText(progress, 2_000)).toBe(
    'settlements 12/40  rows 8,400/31,250  4,200 rows/s  6 s left',
  );
});

test('gives minutes where seconds would be many', () => {
  expect(progressText(progress, 60_000)).toContain('2 min 44 s left');
});

test('leaves the time out until it can be known', () => {
  expect(progressText(progress, 500)).not.toContain('left');
  expect(progressText({ ...progress, rows: 0 }, 5_000)).toBe('settlements 12/40  rows 0/31,250');
});

test('has nothing left where more came than was announced', () => {
  expect(progressText({ ...progress, rows: 31_251 }, 5_000)).not.toContain('left');
});

test('where days are read one after the other, it says which', () => {
  expect(progressText({ ...progress, day: '2026-03-05' }, 2_000)).toMatch(
    /^2026-03-05 {2}settlements \S+ {2}rows [^s]+$/,
  );
});

test('of several profiles it says how far they have come together', () => {
  const days = { ...progress, day: '2026-03-05' };
  expect(together([days])).toEqual(days);
  expect(progressText(together([days, progress]), 500)).toBe(
    'settlements 24/80  rows 16,800/62,500  33,600 rows/s',
  );
});

test('counts the attempts while no answer comes, and names a rate limit', () => {
  const wait = { failure: '', failed: 2, mostAttempts: 6, sinceMs: 0, nextMs: 400, mostMs: 60_000 };
  expect(waitText({ ...wait, reason: 'network' })).toBe('no answer (attempt 2 of 6): ');
  expect(waitText({ ...wait, reason: 'service' })).toBe('the service fails (attempt 2 of 6): ');
  expect(waitText({ ...wait, reason: 'rate_limit' })).toBe('rate limit: ');
});
