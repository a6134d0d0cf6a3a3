import { expect, test } from 'vitest';
import { buildRow } from '../../support/build.ts';
import { codesOf, entryOf, eur, judge } from '../judge.ts';

test('a header that contradicts itself, by one minor unit', () => {
  const result = judge({ header: { payIn: 963n } });
  expect(codesOf(result)).toEqual(['identity']);
  expect(entryOf('identity', result)).toEqual({
    code: 'identity',
    weight: 'discrepancy',
    count: 1,
    facts: {
      reported: eur(963n),
      computed: eur(964n),
      difference: eur(-1n),
      identity: 'gross-fees-tax',
    },
  });
});

test('a header that agrees with itself, though not with its rows', () => {
  const rows = [buildRow({ amount: 900n, fees: 20n })];
  expect(codesOf(judge({ rows }))).toEqual(['gross', 'fees']);
});

test('a header that contradicts itself but whose pay-in is what the rows give', () => {
  const result = judge({ header: { fees: 31n } });
  expect(codesOf(result)).toEqual(['fees', 'identity']);
  expect(result.difference?.payIn).toBe(0n);
});

test('another identity, or none', () => {
  const header = { payIn: 970n };
  expect(codesOf(judge({ header, settings: { identity: 'gross-fees' } }))).toEqual([]);
  expect(codesOf(judge({ header, settings: { identity: 'off' } }))).toEqual([]);
});

test('it concerns the header alone, so an incomplete settlement has it as well', () => {
  const result = judge({ header: { payIn: 963n }, outcome: { notRead: 'offline' } });
  expect(codesOf(result)).toEqual(['identity', 'not_read']);
});
