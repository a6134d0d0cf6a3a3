import { expect, test } from 'vitest';
import { parseDuration } from '../../src/config/duration.ts';

test.each([
  ['90s', 90_000],
  ['15m', 900_000],
  ['2h', 7_200_000],
  ['1h30m', 5_400_000],
  ['1h0m5s', 3_605_000],
  ['576h', 2_073_600_000],
])('%s is %d ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(['', '90', '0s', '577h', '1.5h', '-5s', '5 s', '30s1m', '5S', '1d'])(
  '%j is no duration',
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);
