import { describe, expect, test } from 'vitest';
import { type Cause, type CauseCode, cause } from '../../../src/explain/cause.ts';
import type { PatternTerm } from '../../../src/explain/pattern.ts';
import {
  causeClause,
  causeNames,
  causeQuestions,
} from '../../../src/report/explain/cause-words.ts';

const count = 'follows' as const;
const stays = 'stays' as const;
const there = { settlementId: 'S2', date: '2026-03-06', count };
const tariff = { fixed: 25_000_000, rate: 14_500, scope: {} };
const rounding = { amount: 'fees', base: 'gross', tariffs: [tariff] } as const;

const perSettlement: PatternTerm = {
  figure: 'fees',
  form: 'times',
  base: { measure: 'settlements', of: 'rows' },
  amount: 25n,
};

/** One of each code, and the words of it for one row. */
const phrases: { readonly [C in CauseCode]: readonly [Cause<C>, string] } = {
  missing_rows: [
    cause('missing_rows', {}),
    'the settlement counts 2 transactions that are not listed',
  ],
  pattern: [
    cause('pattern', { terms: [perSettlement], settlements: 3, tested: 4, scale: 2 }),
    "as in 3 of 4 settlements, the settlement's fees are 0.25 EUR higher",
  ],
  refund_fees: [
    cause('refund_fees', { returned: 'in_full' }),
    'the settlement gives back the fees and tax of what one transaction refunds',
  ],
  wrong_count: [cause('wrong_count', { by: 1 }), 'the settlement counts one transaction too many'],
  row_not_counted: [
    cause('row_not_counted', { count: stays }),
    'the settlement counts one transaction, but does not include its amounts',
  ],
  row_counted_twice: [
    cause('row_counted_twice', { count }),
    'the settlement counts one transaction twice',
  ],
  row_sign: [
    cause('row_sign', { part: 'gross' }),
    'the settlement includes the gross of one transaction with the opposite sign',
  ],
  duplicate_rows: [
    cause('duplicate_rows', { kind: 'copies', count }),
    'the settlement includes the repeated listings of one transaction',
  ],
  state_left_out: [
    cause('state_left_out', { state: 'declined', only: false, count }),
    'the settlement does not include one transaction in state "declined"',
  ],
  type_sign: [
    cause('type_sign', { type: 'refund', part: 'gross' }),
    'the settlement includes the gross of one transaction of type "refund" with the opposite sign',
  ],
  type_left_out: [
    cause('type_left_out', { type: 'refund', part: 'fees_and_tax', count: stays }),
    'the settlement does not include the fees and tax of one transaction of type "refund"',
  ],
  sign_convention: [
    cause('sign_convention', { amounts: ['fees', 'tax'] }),
    'the settlement shows fees and tax with the opposite sign',
  ],
  foreign_settlement_rows: [
    cause('foreign_settlement_rows', { settlementIds: ['S2'], count }),
    'the settlement does not include one transaction marked as belonging to another settlement (S2)',
  ],
  foreign_currency_rows: [
    cause('foreign_currency_rows', { currencies: ['USD'], reading: 'included', count: stays }),
    'the settlement adds one transaction in USD as if it were in EUR',
  ],
  scale_slip: [
    cause('scale_slip', { of: 'row', power: -2, decimalPlaces: undefined }),
    'the settlement includes one transaction at 1/100 of the listed amounts',
  ],
  identity: [
    cause('identity', { identity: 'gross-fees+tax' }),
    'the settlement calculates its net pay-out as gross - fees + tax',
  ],
  fees_tax_swapped: [cause('fees_tax_swapped', {}), 'fees and tax are swapped in the settlement'],
  tax_in_fees: [
    cause('tax_in_fees', { kind: 'moved' }),
    'the settlement includes the tax in its fees',
  ],
  fee_without_row: [
    cause('fee_without_row', { type: 'chargeback' }),
    'the settlement includes a fee for one transaction of type "chargeback", but no transaction lists it',
  ],
  rounding: [
    cause('rounding', { ...rounding, rule: 'half_even', rowsRule: 'down', of: 'total' }),
    'the settlement rounds fees in total, half to even; the listed transactions are rounded down (fees: 0.25 + 1.45 % of gross)',
  ],
  neighbour: [
    cause('neighbour', { ...there, kind: 'listed_there' }),
    'the settlement includes one transaction listed only in settlement S2 of 2026-03-06',
  ],
  withheld: [
    cause('withheld', { base: 'gross', thousandths: 100, others: [] }),
    'the service withholds 10 % of the gross',
  ],
  pay_in_rounded: [
    cause('pay_in_rounded', {}),
    'the settlement rounds its net pay-out to whole units of the currency',
  ],
  one_off_fee: [
    cause('one_off_fee', {}),
    'the settlement includes a single fee that no transaction lists',
  ],
  page: [
    cause('page', { is: 'left_out', from: 50 }),
    'the settlement does not include a block of one transaction from position 51 in the list',
  ],
  only_the_service: [
    cause('only_the_service', { status: 'settled_out_of_balance' }),
    'only the service reports it as out of balance ("settled_out_of_balance"); all sums agree, and the data do not show why',
  ],
};

const context = { currency: 'EUR', scale: 2, rows: 1, transactions: 2 };

describe('the words of a cause', () => {
  test.each(Object.values(phrases))('are a clause: $code', (one, words) => {
    expect(causeClause(one, context)).toBe(words);
    expect(causeNames[one.code]).toMatch(/^[a-z].*[a-z]$/);
    expect(causeQuestions[one.code]).toMatch(/^[A-Z].*\.$/);
  });

  test('name the scope of each tariff', () => {
    const tariffs = [
      { fixed: 25_000_000, rate: 14_000, scope: { paymentType: 'card', sign: 1 } },
      { fixed: 0, rate: 14_000, scope: { paymentType: 'card', sign: -1 } },
      { fixed: 12_500_000, rate: 0, scope: { type: 'refund' } },
    ];
    const facts = { ...rounding, tariffs, rule: 'up', rowsRule: 'half_up' } as const;
    const one = cause('rounding', { ...facts, of: 'total' });
    expect(causeClause(one, context)).toBe(
      'the settlement rounds fees in total, up; the listed transactions are rounded half up (fees: 0.25 + 1.4 % of gross for card, positive amounts; 1.4 % of gross ' +
        'for card, negative amounts; 0.125 for refund)',
    );
  });

  test('distinguish several rows from one', () => {
    const [one] = phrases.row_not_counted;
    expect(causeClause(one, { ...context, rows: 3 })).toBe(
      'the settlement counts 3 transactions, but does not include their amounts',
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
      expect(causeClause(one, context)).toContain('settlement S2 of 2026-03-06');
    }
  });

  test.each([
    [1, 'settlements S2 of 2026-03-06 and S3 of 2026-03-07'],
    [3, '4 settlements, from S2 of 2026-03-06 to S5 of 2026-03-09'],
  ])('name several neighbours: %i more', (more, named) => {
    const others = [3, 4, 5].slice(0, more).map((n) => ({
      settlementId: `S${n}`,
      date: `2026-03-0${n + 4}`,
    }));
    for (const kind of ['carried_balance', 'reserve'] as const) {
      expect(causeClause(cause('neighbour', { ...there, kind, others }), context)).toContain(named);
    }
  });

  test.each([
    [50, 'gross', '5 % of the gross'],
    [25, 'pay_in', '2.5 % of the net pay-out'],
    [undefined, 'amount', 'the same amount'],
  ] as const)('name the amount withheld: %s thousandths', (thousandths, base, named) => {
    const others = [2, 3].map((n) => ({ settlementId: `S${n}`, date: `2026-03-0${n + 4}` }));
    const share = thousandths === undefined ? {} : { thousandths };
    const one = cause('withheld', { base, ...share, others });
    expect(causeClause(one, context)).toBe(
      `the service withholds ${named}, as in settlements S2 of 2026-03-06 and S3 of 2026-03-07`,
    );
  });
});
