import { expect, test } from 'vitest';
import { claims, feesVerdict, readRates, reportFees } from '../../src/app/fees-report.ts';
import type { AgreedRate } from '../../src/model/agreed-rates.ts';
import { euros, judged, march, month, yen } from './month.ts';

const rateOf = (currency: string, percent: string): AgreedRate => {
  return { name: currency, currency, percent, day: 'row', round: 'sum', sign: 'charged' };
};

function fees(...rates: readonly AgreedRate[]) {
  return reportFees({
    ...judged,
    source: month([euros, yen]),
    query: march,
    settings: { ...judged.settings, profile: undefined, filters: {} },
    names: new Map(),
    agreement: { rates, fees: [], timeZone: 'UTC' },
    faultOf: () => new Error('fault'),
    settleDays: 7,
    lastDay: '2026-03-31',
  });
}

test('fees as they were agreed in both currencies are in order', async () => {
  const report = await fees(rateOf('EUR', '3'), rateOf('JPY', '3'));
  expect([feesVerdict(report), claims(report.fees)]).toEqual(['as_agreed', []]);
});

test('what is above the rate of one currency is claimed in that currency alone', async () => {
  const report = await fees(rateOf('EUR', '2'), rateOf('JPY', '3'));
  expect(feesVerdict(report)).toBe('overcharged');
  expect(claims(report.fees)).toEqual([{ minor: 10n, scale: 2, currency: 'EUR' }]);
});

test('the rates that rows show are read without an agreement', async () => {
  const rates = await readRates(march, { source: month(), ahead: 2 });
  expect(rates.map(({ currency, rows }) => [currency, rows])).toEqual([
    ['EUR', 1],
    ['JPY', 1],
  ]);
});
