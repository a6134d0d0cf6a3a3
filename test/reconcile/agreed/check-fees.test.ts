import { describe, expect, test } from 'vitest';
import type { AgreedRate } from '../../../src/model/agreed-rates.ts';
import { FeeCheck } from '../../../src/reconcile/agreed/check-fees.ts';
import { buildRow, buildSettlement, uuid } from '../../support/build.ts';
import { columnsOf, judge } from '../judge.ts';

/** 10 %, and 20 % of tax on the fees of a whole settlement. */
const tenPercent = (currency: string): AgreedRate => ({
  name: currency,
  currency,
  percent: '10',
  rounding: 'down',
  round: 'sum',
  sign: 'charged',
  day: 'settlement',
  tax: { percent: '20', rounding: 'down', per: 'settlement' },
});

/** The claims in each settlement of one row or more, by currency. */
function claimsOf(...settlements: readonly (readonly Parameters<typeof buildRow>[0][])[]) {
  const check = new FeeCheck({
    agreement: { rates: ['EUR', 'USD'].map(tenPercent), fees: [], timeZone: 'UTC' },
    rules: {},
    faultOf: () => new Error('no fault'),
  });
  for (const [number, given] of settlements.entries()) {
    const rows = given.map((row, index) => buildRow({ id: uuid(10 * number + index), ...row }));
    const settlement = buildSettlement({ id: uuid(100 + number) });
    check.add({ ...judge({ rows }), settlement, verdict: 'balanced' }, columnsOf(rows));
  }
  return check.checked().differences.map(({ line, claim }) => `${claim} ${line.currency}`);
}

const charged = { amount: 100_00n, fees: 10_00n };
const [tooMuch, tooLittle] = [
  { ...charged, tax: 4_00n },
  { ...charged, tax: 0n },
];

describe('tax that is agreed per settlement', () => {
  test('is added up over the rows of a settlement', () => {
    expect(claimsOf([tooMuch, tooLittle])).toEqual([]);
  });

  test('is claimed in each currency, whatever was charged in another', () => {
    const claims = claimsOf([tooMuch, { ...tooLittle, currency: 'USD' }]);
    expect(claims).toEqual(['200 EUR', '0 USD']);
  });

  test('is claimed in each settlement, whatever was charged in another', () => {
    expect(claimsOf([tooMuch], [tooLittle])).toEqual(['200 EUR', '0 EUR']);
  });

  test('is claimed at each scale, whatever was charged at another', () => {
    const claims = claimsOf([tooMuch, { ...tooLittle, scale: 3 }]);
    expect(claims).toEqual(['200 EUR', '0 EUR']);
  });
});
