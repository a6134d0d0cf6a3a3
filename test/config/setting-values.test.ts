import { describe, expect, test } from 'vitest';
import type { RawSetting } from '../../src/config/raw.ts';
import { formatScales, settingTable } from '../../src/config/table.ts';

const { tolerance, concurrency, timeout, time_zone, expected_scales, names, identity, ignore } =
  settingTable;
const given = (text: string): RawSetting => ({ key: 'it', text, origin: 'flag --it' });

describe('values of settings', () => {
  test('are understood', () => {
    expect(tolerance.parse(given('12'))).toBe(12n);
    expect(concurrency.parse(given('64'))).toBe(64);
    expect(time_zone.parse(given('Europe/Berlin'))).toBe('Europe/Berlin');
    expect(timeout.parse(given('15m'))).toBe(900_000);
    expect(timeout.parse(given('none'))).toBeUndefined();
    const scales = { JPY: 2, CLF: 18 };
    expect(formatScales(scales)).toBe('CLF=18,JPY=2');
    expect(Object.fromEntries(expected_scales.parse(given(formatScales(scales))))).toEqual(scales);
    expect(expected_scales.parse(given(''))).toEqual(new Map());
    expect(names.parse(given('{"A.1":"Shop, Madrid"}'))).toEqual(
      new Map([['A.1', 'Shop, Madrid']]),
    );
    expect(names.parse(given('{}'))).toEqual(new Map());
    expect(identity.parse(given('gross-fees'))).toBe('gross-fees');
    expect(ignore.parse(given('count, gross,,count'))).toEqual(['gross', 'count']);
    expect(ignore.parse(given(''))).toEqual([]);
  });

  test.each([
    ['a tolerance in decimals', () => tolerance.parse(given('0.05')), 'write 5'],
    ['a negative tolerance', () => tolerance.parse(given('-1')), 'write 5'],
    ['a currency in small letters', () => expected_scales.parse(given('jpy=2')), '{ JPY = 2 }'],
    ['too many decimal places', () => expected_scales.parse(given('EUR=2,JPY=19')), '{ JPY = 2 }'],
    ['decimal places below none', () => expected_scales.parse(given('JPY=-1')), '{ JPY = 2 }'],
    [
      'a name that is no text',
      () => names.parse(given('{"A.1":1}')),
      '{"TOKEN": "Shop in Madrid"}',
    ],
    ['names in another form', () => names.parse(given('A.1=Shop')), '{"TOKEN": "Shop in Madrid"}'],
    ['no names', () => names.parse(given('null')), '{"TOKEN": "Shop in Madrid"}'],
    ['no concurrency', () => concurrency.parse(given('0')), 'in parallel'],
    ['too much concurrency', () => concurrency.parse(given('65')), 'in parallel'],
    ['a fraction of a request', () => concurrency.parse(given('1.5')), 'in parallel'],
    ['an unknown zone', () => time_zone.parse(given('Mars/Base')), 'Europe/Berlin'],
    ['a bare number of seconds', () => timeout.parse(given('90')), '90s, 15m'],
    ['an unknown word', () => identity.parse(given('gross-fee')), 'Did you mean gross-fees?'],
    ['one unknown word of several', () => ignore.parse(given('gross,nonsense')), 'Known: gross'],
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
  expect(timeout.parse(given(text))).toBe(ms);
});

test.each(['', '90', '0s', '577h', '1.5h', '-5s', '5 s', '30s1m', '5S', '1d'])(
  '%j is not a duration',
  (text) => {
    expect(() => timeout.parse(given(text))).toThrow('it must be a duration');
  },
);
