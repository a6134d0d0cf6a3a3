import { describe, expect, test } from 'vitest';
import { type Cause, type CauseCode, cause } from '../../../src/explain/cause.ts';
import { causePhrase, causeWords } from '../../../src/report/explain/cause-words.ts';

const count = 'follows' as const;
const stays = 'stays' as const;
const there = { settlementId: 'S2', date: '2026-03-06', count };
const rounding = { amount: 'fees', base: 'gross', rate: { digits: 145n, decimals: 4 } } as const;

/** One of each code, and the words of it for one row. */
const phrases: { readonly [C in CauseCode]: readonly [Cause<C>, string] } = {
  missing_rows: [
    cause('missing_rows', {}),
    '2 rows that the header counts and the service does not list',
  ],
  row_not_counted: [
    cause('row_not_counted', { count: stays }),
    'one row whose amounts the header leaves out, though it counts it',
  ],
  row_counted_twice: [cause('row_counted_twice', { count }), 'one row that the header has twice'],
  duplicate_rows: [
    cause('duplicate_rows', { kind: 'copies', count }),
    'the copies of one row listed more than once, which the header includes',
  ],
  state_left_out: [
    cause('state_left_out', { state: 'declined', only: false, count }),
    'one row in state "declined" that the header leaves out',
  ],
  type_sign: [
    cause('type_sign', { type: 'refund', part: 'gross' }),
    'twice the gross of one row of type "refund": the header has the opposite sign',
  ],
  type_left_out: [
    cause('type_left_out', { type: 'refund', part: 'fees_and_tax', count: stays }),
    'the fees and tax of one row of type "refund" that the header leaves out',
  ],
  sign_convention: [
    cause('sign_convention', { amounts: ['fees', 'tax'] }),
    'twice the fees and tax of the header: the rows have the opposite sign',
  ],
  foreign_settlement_rows: [
    cause('foreign_settlement_rows', { settlementIds: ['S2'], count }),
    'one row said to belong to another settlement (S2) that the header leaves out',
  ],
  foreign_currency_rows: [
    cause('foreign_currency_rows', { currencies: ['USD'], reading: 'included', count: stays }),
    'one row in USD that the header adds as if in EUR',
  ],
  scale_slip: [
    cause('scale_slip', { of: 'row', power: -2, decimalPlaces: undefined }),
    'one row that the header reads as 1/100 of what is listed',
  ],
  identity: [
    cause('identity', { identity: 'gross-fees+tax' }),
    'another equation: the header has pay-in = gross - fees + tax',
  ],
  fees_tax_swapped: [
    cause('fees_tax_swapped', {}),
    'fees and tax in place of each other in the header',
  ],
  tax_in_fees: [
    cause('tax_in_fees', { kind: 'moved' }),
    'the tax, which the header has within its fees',
  ],
  rounding: [
    cause('rounding', { ...rounding, rule: 'half_even', rowsRule: 'down', of: 'total' }),
    'another rounding of fees at 1.45 % of gross: the header rounds the total half to even, the rows are rounded down',
  ],
  neighbour: [
    cause('neighbour', { ...there, kind: 'listed_there' }),
    'one row that only settlement S2 of 2026-03-06 lists and this header includes',
  ],
  only_the_service: [
    cause('only_the_service', { status: 'settled_out_of_balance' }),
    'only the service says that it is out of balance ("settled_out_of_balance"): every sum agrees, and nothing in its own data shows why',
  ],
};

const context = { currency: 'EUR', rows: 1, transactions: 2 };

describe('the words of a cause', () => {
  test.each(Object.values(phrases))('say what the differences equal: $code', (one, words) => {
    expect(causePhrase(one, context)).toBe(words);
    expect(causeWords[one.code].name).toMatch(/^[a-z].*[a-z]$/);
    expect(causeWords[one.code].question).toMatch(/^[A-Z].*\.$/);
  });

  test('tell several rows from one', () => {
    const [one] = phrases.row_not_counted;
    expect(causePhrase(one, { ...context, rows: 3 })).toBe(
      '3 rows whose amounts the header leaves out, though it counts them',
    );
  });

  test.each([
    'opposite_difference',
    'negative_pay_in',
    'listed_there',
    'listed_in_both',
    'charge_included',
    'charge_left_out',
  ] as const)('name the neighbour: %s', (kind) => {
    for (const rule of [count, stays]) {
      const one = cause('neighbour', { ...there, kind, count: rule });
      expect(causePhrase(one, context)).toContain('settlement S2 of 2026-03-06');
    }
  });
});
