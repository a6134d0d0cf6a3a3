import { describe, expect, test } from 'vitest';
import type { Stated } from '../support/build.ts';
import { ask, complete, row } from './ask.ts';

/** Gross 118.00, fees 2.96, tax 0.60: two chargebacks among five rows. */
const rows = [
  row(1, [100_00n, 2_50n, 50n]),
  row(2, [41_00n, 1_03n, 21n]),
  row(5, [3_00n, 8n, 2n]),
  row(3, [-21_00n, -53n, -11n], { type: 'chargeback' }),
  row(4, [-5_00n, -12n, -2n], { type: 'chargeback' }),
];
const ofChargebacks = { code: 'fee_without_row', facts: { type: 'chargeback' } };

function told(header: Partial<Stated>) {
  return complete(ask({ rows, header })).map(({ causes }) => causes.map(({ cause }) => cause));
}

describe('fee_without_row', () => {
  test('explains a fee of 17.50 for each of two chargebacks', () => {
    const { best } = ask({ rows, header: { fees: 37_96n } });
    expect(best?.causes).toMatchObject([
      { cause: ofChargebacks, explained: { fees: 35_00n, tax: 0n }, rows: { count: 2 } },
    ]);
  });

  test('explains the tax on that fee too, at the rate of the other fees', () => {
    const { best } = ask({ rows, header: { fees: 37_96n, tax: 7_60n } });
    expect(best?.causes).toMatchObject([
      { cause: ofChargebacks, explained: { fees: 35_00n, tax: 7_00n } },
    ]);
  });

  test('does not explain 17.51, which two rows cannot share equally', () => {
    expect(told({ fees: 20_47n })).not.toContainEqual([ofChargebacks]);
  });

  test('does not explain fees if the gross differs too', () => {
    expect(told({ gross: 119_00n, fees: 37_96n })).not.toContainEqual([ofChargebacks]);
  });

  test.each([
    ['less than the rows cost on average', { fees: 2_98n }],
    ['paid back', { fees: -32_04n }],
    ['taxed otherwise', { fees: 37_96n, tax: 12_60n }],
  ])('does not explain fees that are %s', (_, header) => {
    expect(told(header)).not.toContainEqual([ofChargebacks]);
  });

  test('stands beside a cause that explains the other figures', () => {
    const { best } = ask({ rows, header: { fees: 37_96n, payIn: 118_00n } });
    expect(best?.causes.map(({ cause }) => cause)).toEqual([
      ofChargebacks,
      { code: 'identity', facts: { identity: 'gross' } },
    ]);
    const declined = row(6, [9_00n, 23n, 5n], { state: 'declined', type: 'refund' });
    const header = { transactions: 5, gross: 118_00n, fees: 37_96n, tax: 60n };
    const explained = complete(ask({ rows: [...rows, declined], header }));
    expect(explained.map(({ codes }) => codes)).toContainEqual([
      'fee_without_row',
      'state_left_out',
    ]);
  });

  test('stands beside a row that explains the count and the gross', () => {
    const left = row(6, [9_00n, 23n, 5n]);
    const header = { transactions: 5, gross: 118_00n, fees: 37_96n, tax: 60n };
    const { best } = ask({ rows: [...rows, left], header });
    expect(best?.causes).toMatchObject([
      { cause: ofChargebacks, explained: { fees: 35_00n } },
      { cause: { code: 'row_not_counted' }, rows: { examples: [{ transactionId: left.id }] } },
    ]);
  });

  test('explains fees below zero that a rounding hides', () => {
    const negative = rows.map((one) => ({ ...one, fees: -one.fees, tax: -one.tax }));
    const found = ask({ rows: negative, header: { fees: -37_97n } });
    expect(
      complete(found).map(({ causes }) => causes.map(({ cause }) => cause.code)),
    ).toContainEqual(['fee_without_row', 'rounding']);
  });
});
