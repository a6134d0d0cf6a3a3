import { expect, test } from 'vitest';
import { buildRow } from '../../support/build.ts';
import { codesOf, entryOf, judge } from '../judge.ts';

/** A balanced settlement whose header and row have the same decimal places. */
const alike = (currency: string, scale: number, expected: readonly [string, number][] = []) =>
  judge({
    header: { currency, scale },
    rows: [buildRow({ currency, scale })],
    settings: { expectedScales: new Map(expected) },
  });

test.each([
  ['JPY', 2, 0],
  ['EUR', 0, 2],
  ['KWD', 2, 3],
])('%s with %i decimal places is balanced, with a notice', (currency, scale, expected) => {
  const result = alike(currency, scale);
  expect(result).toMatchObject({ verdict: 'balanced', scale });
  expect(codesOf(result)).toEqual(['unusual_scale']);
  expect(entryOf('unusual_scale', result)).toEqual({
    code: 'unusual_scale',
    weight: 'notice',
    count: 1,
    facts: { currency, decimalPlaces: scale, expected },
  });
});

test.each([
  ['EUR', 2],
  ['JPY', 0],
  ['CLF', 4],
  ['XAU', 6],
  ['QQQ', 5],
])('%s with %i decimal places is nothing to remark', (currency, scale) => {
  expect(codesOf(alike(currency, scale))).toEqual([]);
});

test('what is expected of a currency counts in place of ISO 4217', () => {
  expect(codesOf(alike('JPY', 2, [['JPY', 2]]))).toEqual([]);
  expect(codesOf(alike('EUR', 0, [['JPY', 2]]))).toEqual(['unusual_scale']);
  expect(entryOf('unusual_scale', alike('JPY', 0, [['JPY', 2]])).facts).toEqual({
    currency: 'JPY',
    decimalPlaces: 0,
    expected: 2,
  });
});

test('rows that differ from a usual header are another notice', () => {
  const rows = [buildRow({ scale: 3, amount: 10_000n, fees: 300n, tax: 60n })];
  expect(codesOf(judge({ rows }))).toEqual(['scale']);
});
