import { describe, expect, test } from 'vitest';
import { ask, bestCauses, causesOf, outcomesOf, row } from './ask.ts';

/** Gross 150.00, fees 3.75, tax 0.75, pay-in 145.50. */
const rows = [row(1, [100_00n, 2_50n, 50n]), row(2, [50_00n, 1_25n, 25n])];

describe('sign_convention', () => {
  test('explains fees that are negative in the rows and positive in the header', () => {
    const negative = rows.map((one) => ({ ...one, fees: -one.fees }));
    const explained = ask({ rows: negative, header: { fees: 3_75n } });
    expect(bestCauses(explained)).toEqual([
      { code: 'sign_convention', facts: { amounts: ['fees'] } },
    ]);
  });

  test('does not explain fees of one row with the opposite sign', () => {
    const one = rows.map((one, n) => (n === 0 ? { ...one, fees: -one.fees } : one));
    const explained = ask({ rows: one, header: { fees: 3_75n } });
    expect(outcomesOf('sign_convention', explained)).not.toContain('explains');
    // A pair that is as long to tell as the amounts themselves says nothing.
    expect(explained).toMatchObject({ certainty: 'one_of_several', mayBeChance: true });
  });
});

describe('fees_tax_swapped and tax_in_fees', () => {
  test('explain a header that swaps fees and tax: its pay-in agrees', () => {
    const explained = ask({ rows, header: { fees: 75n, tax: 3_75n } });
    expect(explained.target?.payIn).toBe(0n);
    expect(bestCauses(explained)).toEqual([{ code: 'fees_tax_swapped', facts: {} }]);
  });

  test('explain a header whose fees include the tax: 4.50 and none', () => {
    expect(bestCauses(ask({ rows, header: { fees: 4_50n, tax: 0n } }))).toEqual([
      { code: 'tax_in_fees', facts: { kind: 'moved' } },
    ]);
  });

  test('explain a header whose fees and tax both include the tax', () => {
    expect(bestCauses(ask({ rows, header: { fees: 4_50n } }))).toEqual([
      { code: 'tax_in_fees', facts: { kind: 'also_in_header' } },
    ]);
  });

  test('assume amounts if fees and tax differ by amounts that cancel', () => {
    const explained = ask({ rows, header: { fees: 4_05n, tax: 45n } });
    expect(causesOf(explained)).toEqual([]);
    expect(explained.best).toMatchObject({ codes: ['tax_in_fees'], assumesAmounts: true });
    expect(bestCauses(explained)).toEqual([{ code: 'tax_in_fees', facts: { kind: 'part' } }]);
  });

  test('do not explain fees and tax that differ by amounts that do not cancel', () => {
    const explained = ask({ rows, header: { fees: 4_05n, tax: 44n } });
    expect(causesOf(explained)).toEqual([]);
    expect(outcomesOf('fees_tax_swapped', explained)).toEqual(['ruled_out']);
  });
});

describe('identity', () => {
  test('explains a header that pays in gross − fees: its own amounts agree', () => {
    const explained = ask({ rows, header: { payIn: 146_25n } });
    expect(explained.target).toEqual({ count: 0, gross: 0n, fees: 0n, tax: 0n, payIn: 75n });
    expect(bestCauses(explained)).toEqual([
      { code: 'identity', facts: { identity: 'gross-fees' } },
    ]);
    expect(explained.best?.figures).toEqual(['payIn']);
  });

  test('does not explain a pay-in that is one cent less', () => {
    const explained = ask({ rows, header: { payIn: 146_24n } });
    expect(explained.best).toBeUndefined();
    expect(explained.residual).toEqual({ count: 0, gross: 0n, fees: 0n, tax: 0n, payIn: 74n });
    expect(outcomesOf('identity', explained)).toEqual(['ruled_out']);
  });

  test('is not tried, and a pay-in has no explanation, if the identity is off', () => {
    expect(ask({ rows, header: { payIn: 1n }, identity: 'off' }).hypotheses).toEqual([]);
  });
});

describe('rounding', () => {
  /** 1.75 % of 1.30, 2.70 and 4.90 is 2.275, 4.725 and 8.575 cents: 2, 5 and 9, rounded half up. */
  const small = [
    row(1, [1_30n, 2n, 0n]),
    row(2, [2_70n, 5n, 0n]),
    row(3, [4_90n, 9n, 0n]),
    row(4, [900_00n, 15_75n, 0n]),
  ];

  test('explains a header that rounds each fee down: 2, 4 and 8 cents', () => {
    const explained = ask({ rows: small, header: { fees: 15_89n } });
    expect(bestCauses(explained)).toEqual([
      {
        code: 'rounding',
        facts: {
          amount: 'fees',
          base: 'gross',
          tariffs: [{ fixed: 0, rate: 17_500, scope: {} }],
          rowsRule: 'half_up',
          rule: 'down',
          of: 'row',
        },
      },
    ]);
  });

  test('leaves out a monthly fee, which has no gross', () => {
    const monthly = row(5, [0n, 25_00n, 0n], { type: 'fee' });
    const explained = ask({ rows: [...small, monthly], header: { fees: 40_89n } });
    expect(bestCauses(explained).map(({ code }) => code)).toEqual(['rounding']);
  });

  test('explains a header that rounds each fee down if the fees of one type cancel', () => {
    // 4.725 and -5.005 cents.
    const cancelling = [row(1, [2_70n, 5n, 0n]), row(2, [-2_86n, -5n, 0n])];
    const other = row(3, [901_00n, 15_77n, 0n], { type: 'sale' });
    const explained = ask({ rows: [...cancelling, other], header: { fees: 15_75n } });
    expect(bestCauses(explained)).toMatchObject([
      { code: 'rounding', facts: { rule: 'down', of: 'row' } },
    ]);
  });

  test('does not explain three cents, which are more than any rule gives', () => {
    const explained = ask({ rows: small, header: { fees: 15_88n } });
    expect(outcomesOf('rounding', explained)).not.toContain('explains');
  });

  test('does not explain fees without a common rate', () => {
    const other = [...small.slice(0, 3), row(4, [900_00n, 15_00n, 0n])];
    const explained = ask({ rows: other, header: { fees: 15_14n } });
    expect(outcomesOf('rounding', explained)).toEqual(['ruled_out']);
  });
});

describe('with the identity off', () => {
  test('a header that multiplies all amounts by 100 is explained, whatever its pay-in', () => {
    const header = { gross: 15000_00n, fees: 375_00n, tax: 75_00n, payIn: 1n };
    expect(bestCauses(ask({ rows, header, identity: 'off' }))).toEqual([
      { code: 'scale_slip', facts: { of: 'header', power: -2, decimalPlaces: undefined } },
    ]);
  });

  test('a row does not explain a gross that differs by another amount', () => {
    const three = [...rows, row(3, [10_00n, 30n, 0n])];
    const header = { gross: 150_02n, fees: 3_75n };
    const explained = ask({ rows: three, header, identity: 'off' });
    expect(causesOf(explained)).toEqual([]);
  });
});

describe('only_the_service', () => {
  const status = 'settled_out_of_balance';

  test('explains a complaint of the service if all sums agree', () => {
    const explained = ask({ rows, header: { status } });
    expect(bestCauses(explained)).toEqual([{ code: 'only_the_service', facts: { status } }]);
    expect(explained.hypotheses).toHaveLength(1);
  });

  test('does not explain a complaint of the service if a sum differs', () => {
    const explained = ask({ rows, header: { status, payIn: 146_25n } });
    expect(outcomesOf('only_the_service', explained)).toEqual(['ruled_out']);
  });

  test('is not tried if the service does not complain', () => {
    expect(ask({ rows })).toMatchObject({ hypotheses: [], best: undefined, certainty: undefined });
  });
});
