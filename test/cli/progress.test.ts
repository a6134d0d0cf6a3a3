import { expect, test } from 'vitest';
import { progressText, together, waitText } from '../../src/cli/messages.ts';

const progress = { settlements: 40, decided: 12, rows: 8_400, expectedRows: 31_250 };

test('the progress shows how far the run is, how fast it is, and how long it will take', () => {
  expect(progressText(progress, 2_000)).toBe(
    'settlements 12/40  transactions 8,400/31,250  4,200 a second  6 s left',
  );
});

test('the progress shows minutes instead of many seconds', () => {
  expect(progressText(progress, 60_000)).toContain('2 min 44 s left');
});

test('the progress leaves the time out until it can be known', () => {
  expect(progressText(progress, 500)).not.toContain('left');
  expect(progressText({ ...progress, rows: 0 }, 5_000)).toBe(
    'settlements 12/40  transactions 0/31,250',
  );
});

test('the progress has nothing left if more came than was announced', () => {
  expect(progressText({ ...progress, rows: 31_251 }, 5_000)).not.toContain('left');
});

test('the progress names the day if days are read one after the other', () => {
  expect(progressText({ ...progress, day: '2026-03-05' }, 2_000)).toMatch(
    /^2026-03-05 {2}settlements \S+ {2}transactions .*$/,
  );
});

test('the progress of several profiles shows how far they are together', () => {
  const days = { ...progress, day: '2026-03-05' };
  expect(together([days])).toEqual(days);
  expect(progressText(together([days, progress]), 500)).toBe(
    'settlements 24/80  transactions 16,800/62,500  33,600 a second',
  );
});

test('the progress counts the attempts while no answer comes, and names a rate limit', () => {
  const wait = { failure: '', failed: 2, mostAttempts: 6, sinceMs: 0, nextMs: 400, mostMs: 60_000 };
  expect(waitText({ ...wait, reason: 'network' })).toBe('no answer (attempt 2 of 6): ');
  expect(waitText({ ...wait, reason: 'service' })).toBe('the service fails (attempt 2 of 6): ');
  expect(waitText({ ...wait, reason: 'rate_limit' })).toBe('rate limit: ');
});
