import { describe, expect, test } from 'vitest';
import type { Given } from '../../src/config/given.ts';
import {
  formatScales,
  oneOf,
  parseConcurrency,
  parseDuration,
  parseNames,
  parseScales,
  parseTimeout,
  parseTimeZone,
  parseTolerance,
  someOf,
} from '../../src/config/table.ts';

const given = (text: string): Given => ({ key: 'it', text, origin: 'flag --it' });
const checks = ['gross', 'fees', 'count'] as const;

describe('values of settings', () => {
  test('are understood', () => {
    expect(parseTolerance(given('12'))).toBe(12n);
    expect(parseConcurrency(given('64'))).toBe(64);
    expect(parseTimeZone(given('Europe/Berlin'))).toBe('Europe/Berlin');
    expect(parseTimeout(given('15m'))).toBe(900_000);
    expect(parseTimeout(given('none'))).toBeUndefined();
    const scales = { JPY: 2, CLF: 18 };
    expect(formatScales(scales)).toBe('CLF=18,JPY=2');
    expect(Object.fromEntries(parseScales(given(formatScales(scales))))).toEqual(scales);
    expect(parseScales(given(''))).toEqual(new Map());
    expect(parseNames(given('{"A.1":"Shop, Madrid"}'))).toEqual(new Map([['A.1', 'Shop, Madrid']]));
    expect(parseNames(given('{}'))).toEqual(new Map());
    expect(oneOf(checks)(given('fees'))).toBe('fees');
    expect(someOf(checks)(given('count, gross,,count'))).toEqual(['gross', 'count']);
    expect(someOf(checks)(given(''))).toEqual([]);
  });

  test.each([
    ['a tolerance in decimals', () => parseTolerance(given('0.05')), 'write 5'],
    ['a negative tolerance', () => parseTolerance(given('-1')), 'write 5'],
    ['a currency in small letters', () => parseScales(given('jpy=2')), '{ JPY = 2 }'],
    ['too many decimal places', () => parseScales(given('EUR=2,JPY=19')), '{ JPY = 2 }'],
    ['decimal places below none', () => parseScales(given('JPY=-1')), '{ JPY = 2 }'],
    ['a name that is no text', () => parseNames(given('{"A.1":1}')), '{"TOKEN": "Shop in Madrid"}'],
    ['names in another form', () => parseNames(given('A.1=Shop')), '{"TOKEN": "Shop in Madrid"}'],
    ['no names', () => parseNames(given('null')), '{"TOKEN": "Shop in Madrid"}'],
    ['no concurrency', () => parseConcurrency(given('0')), 'in parallel'],
    ['too much concurrency', () => parseConcurrency(given('65')), 'in parallel'],
    ['a fraction of a request', () => parseConcurrency(given('1.5')), 'in parallel'],
    ['an unknown zone', () => parseTimeZone(given('Mars/Base')), 'Europe/Berlin'],
    ['a bare number of seconds', () => parseTimeout(given('90')), '90s, 15m'],
    ['an unknown word', () => oneOf(checks)(given('fee')), 'Did you mean fees?'],
    ['one unknown word of several', () => someOf(checks)(given('gross,x')), 'Known: gross'],
  ])('%s is a usage error with advice', (_name, parsing, hint) => {
    expect(parsing).toThrow(
      expect.objectContaining({
        failure: 'usage',
        message: expect.stringMatching(/^(it|it\."A\.1"|Unknown value for it:) /),
        where: 'flag --it',
        hint: expect.stringContaining(hint),
      }),
    );
  });
});

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
