import { describe, expect, test } from 'vitest';
import { type Cause, type CauseCode, cause } from '../../../src/explain/cause.ts';
import {
  causeNames,
  causePhrase,
  causeQuestions,
} from '../../../src/report/explain/cause-words.ts';

const count = 'follows' as const;
const stays = 'stays' as const;
const there = { settlementId: 'S2', date: '2026-03-06', count };
const tariff = { fixed: 25_000_000, rate: 14_500, scope: {} };
const rounding = { amount: 'fees', base: 'gross', tariffs: [tariff] } as const;

/** One of each code, and the words of it for one row. */
const phrases: { readonly [C in CauseCode]: readonly [Cause<C>, string] } = {
  missing_rows: [
    cause('missing_rows', {}),
    '2 rows counted in the header but not listed by the service',
  ],
  wrong_count: [cause('wrong_count', { by: 1 }), 'a wrong number of transactions in the header'],
  row_not_counted: [
    cause('row_not_counted', { count: stays }),
    'one row counted in the header without its amounts',
  ],
  row_counted_twice: [cause('row_counted_twice', { count }), 'one row counted twice in the header'],
  row_sign: [
    cause('row_sign', { part: 'gross' }),
    'twice the gross of one row (opposite sign in the header)',
  ],
  duplicate_rows: [
    cause('duplicate_rows', { kind: 'copies', count }),
    'the repeated listings of one row, included in the header',
  ],
  state_left_out: [
    cause('state_left_out', { state: 'declined', only: false, count }),
    'one row in state "declined" not included in the header',
  ],
  type_sign: [
    cause('type_sign', { type: 'refund', part: 'gross' }),
    'twice the gross of one row of type "refund" (opposite sign in the header)',
  ],
  type_left_out: [
    cause('type_left_out', { type: 'refund', part: 'fees_and_tax', count: stays }),
    'the fees and tax of one row of type "refund" not included in the header',
  ],
  sign_convention: [
    cause('sign_convention', { amounts: ['fees', 'tax'] }),
    'twice the fees and tax of the header (opposite sign in the rows)',
  ],
  foreign_settlement_rows: [
    cause('foreign_settlement_rows', { settlementIds: ['S2'], count }),
    'one row marked as belonging to another settlement (S2), not included in the header',
  ],
  foreign_currency_rows: [
    cause('foreign_currency_rows', { currencies: ['USD'], reading: 'included', count: stays }),
    'one row in USD added to the header as EUR',
  ],
  scale_slip: [
    cause('scale_slip', { of: 'row', power: -2, decimalPlaces: undefined }),
    'one row included in the header at 1/100 of the listed amounts',
  ],
  identity: [
    cause('identity', { identity: 'gross-fees+tax' }),
    'the effect of another equation, pay-in = gross - fees + tax',
  ],
  fees_tax_swapped: [cause('fees_tax_swapped', {}), 'a swap of fees and tax in the header'],
  tax_in_fees: [
    cause('tax_in_fees', { kind: 'moved' }),
    'the tax, which the header includes in its fees instead',
  ],
  fee_without_row: [
    cause('fee_without_row', { type: 'chargeback' }),
    'a fee for one row of type "chargeback" that no row lists',
  ],
  rounding: [
    cause('rounding', { ...rounding, rule: 'half_even', rowsRule: 'down', of: 'total' }),
    'the effect of rounding fees once, in total half to even (rows: each rounded down; fees: 0.25 + 1.45 % of gross)',
  ],
  neighbour: [
    cause('neighbour', { ...there, kind: 'listed_there' }),
    'one row listed only in settlement S2 of 2026-03-06, but included in this header',
  ],
  only_the_service: [
    cause('only_the_service', { status: 'settled_out_of_balance' }),
    'only the service reports it as out of balance ("settled_out_of_balance"): all sums agree, and its data do not show why',
  ],
};

const context = { currency: 'EUR', scale: 2, rows: 1, transactions: 2 };

describe('the words of a cause', () => {
  test.each(Object.values(phrases))('say what the differences equal: $code', (one, words) => {
    expect(causePhrase(one, context)).toBe(words);
    expect(causeNames[one.code]).toMatch(/^[a-z].*[a-z]$/);
    expect(causeQuestions[one.code]).toMatch(/^[A-Z].*\.$/);
  });

  test('tell several rows from one', () => {
    const [one] = phrases.row_not_counted;
    expect(causePhrase(one, { ...context, rows: 3 })).toBe(
      '3 rows counted in the header without their amounts',
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
