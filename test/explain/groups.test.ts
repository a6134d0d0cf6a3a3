import { describe, expect, test } from 'vitest';
import { uuid } from '../support/build.ts';
import { ask, bestCauses, causesOf, complete, outcomesOf, row } from './ask.ts';

const declined = { state: 'declined' };
const refund = { type: 'refund' };
/** Gross 165.00, fees 4.21, tax 0.83. */
const rows = [
  row(1, [100_00n, 2_50n, 50n]),
  row(2, [40_00n, 1_00n, 20n], declined),
  row(3, [60_00n, 1_50n, 30n], declined),
  row(4, [-25_00n, -62n, -13n], refund),
  row(5, [-10_00n, -17n, -4n], { ...refund, state: 'pending' }),
];

describe('state_left_out', () => {
  test('explains a header that leaves out the two declined rows of 40.00 and 60.00', () => {
    const header = { transactions: 3, gross: 65_00n, fees: 1_71n, tax: 33n };
    const explained = ask({ rows, header });
    expect(bestCauses(explained)).toEqual([
      { code: 'state_left_out', facts: { state: 'declined', only: false, count: 'follows' } },
    ]);
    expect(explained.best?.causes[0]?.rows.count).toBe(2);
  });

  test('explains a header that has only the declined rows and counts all', () => {
    const header = { gross: 100_00n, fees: 2_50n, tax: 50n };
    expect(causesOf(ask({ rows, header }))).toContainEqual([
      { code: 'state_left_out', facts: { state: 'declined', only: true, count: 'stays' } },
    ]);
  });

  test('names one state, not two, if the header has only the rows of one state', () => {
    const header = { transactions: 2, gross: 100_00n, fees: 2_50n, tax: 50n };
    const out = (state: string, only: boolean) => {
      return { code: 'state_left_out', facts: { state, only, count: 'follows' } };
    };
    const causes = causesOf(ask({ rows, header }));
    expect(causes).toContainEqual([out('declined', true)]);
    expect(causes).toContainEqual([out('approved', false), out('pending', false)]);
    expect(causes).not.toContainEqual([out('approved', false), out('declined', true)]);
  });

  test('does not explain one of two declined rows that is left out', () => {
    const header = { transactions: 4, gross: 105_00n, fees: 2_71n, tax: 53n };
    const explained = ask({ rows, header });
    expect(bestCauses(explained)).toEqual([
      { code: 'row_not_counted', facts: { count: 'follows' } },
    ]);
    expect(outcomesOf('state_left_out', explained)).not.toContain('explains');
  });

  test('ranks a state with one row before that row, and is not certain', () => {
    const header = { transactions: 4, gross: 175_00n, fees: 4_38n, tax: 87n };
    const explained = ask({ rows, header });
    expect(bestCauses(explained).map(({ code }) => code)).toEqual(['state_left_out']);
    expect(explained.certainty).toBe('one_of_several');
    expect(explained.rivals[0]?.codes).toEqual(['row_not_counted']);
  });
});

describe('type_left_out and type_sign', () => {
  test('explain a header that leaves out the refunds', () => {
    const header = { transactions: 3, gross: 200_00n, fees: 5_00n, tax: 1_00n };
    expect(bestCauses(ask({ rows, header }))).toEqual([
      { code: 'type_left_out', facts: { type: 'refund', part: 'all', count: 'follows' } },
    ]);
  });

  test('explain a header that leaves out refunds and keeps their fees', () => {
    const header = { fees: 5_00n, tax: 1_00n };
    expect(bestCauses(ask({ rows, header }))).toEqual([
      { code: 'type_left_out', facts: { type: 'refund', part: 'fees_and_tax', count: 'stays' } },
    ]);
  });

  test('explain a header that adds refunds: the difference is twice their sum', () => {
    const header = { gross: 235_00n, fees: 5_79n, tax: 1_17n };
    const explained = ask({ rows, header });
    expect(explained.target).toMatchObject({ gross: 70_00n, fees: 1_58n, tax: 34n, count: 0 });
    expect(bestCauses(explained)).toEqual([
      { code: 'type_sign', facts: { type: 'refund', part: 'all' } },
    ]);
  });

  test('explain a gross of refunds with the opposite sign', () => {
    expect(bestCauses(ask({ rows, header: { gross: 235_00n } }))).toEqual([
      { code: 'type_sign', facts: { type: 'refund', part: 'gross' } },
    ]);
  });

  test.each([
    ['no tax', { tax: 0n }],
    ['no fees', { fees: 0n }],
  ])('explain a gross of refunds with the opposite sign if refunds have %s', (_, other) => {
    const some = rows.map((one) => (one.type === 'refund' ? { ...one, ...other } : one));
    expect(bestCauses(ask({ rows: some, header: { gross: 235_00n } }))).toEqual([
      { code: 'type_sign', facts: { type: 'refund', part: 'gross' } },
    ]);
  });

  test('name no part of a type that has fees and no gross', () => {
    const monthly = [
      row(6, [0n, 5_00n, 0n], { type: 'fee' }),
      row(7, [0n, 7_00n, 0n], { type: 'fee' }),
    ];
    const explained = ask({ rows: [...rows, ...monthly], header: { fees: 4_21n } });
    const facts = causesOf(explained).flatMap(([one, ...more]) =>
      one?.code === 'type_left_out' && more.length === 0 ? [one.facts] : [],
    );
    expect(facts).toEqual([{ type: 'fee', part: 'all', count: 'stays' }]);
  });

  test('do not explain twice the sum of refunds and one cent', () => {
    const explained = ask({ rows, header: { gross: 235_01n, fees: 5_79n, tax: 1_17n } });
    expect(causesOf(explained)).toEqual([]);
    expect(outcomesOf('type_sign', explained)).toEqual(['partly']);
  });
});

describe('foreign_settlement_rows', () => {
  const moved = rows.map((one, n) => (n < 2 ? { ...one, settlementId: uuid(9) } : one));

  test('explains a header that leaves out the two rows of another settlement', () => {
    const header = { transactions: 3, gross: 25_00n, fees: 71n, tax: 13n };
    expect(bestCauses(ask({ rows: moved, header }))).toEqual([
      {
        code: 'foreign_settlement_rows',
        facts: { settlementIds: [uuid(9)], count: 'follows' },
      },
    ]);
  });

  test('costs one bit for the rows of all other settlements, and more for those of one', () => {
    const apart = moved.map((one, n) => (n === 0 ? { ...one, settlementId: uuid(8) } : one));
    const all = { transactions: 3, gross: 25_00n, fees: 71n, tax: 13n };
    const explained = ask({ rows: apart, header: all });
    expect(explained.best).toMatchObject({
      causes: [{ cause: { facts: { settlementIds: [uuid(8), uuid(9)] } } }],
      bits: 1,
    });
    // The same in two steps, and not what is left out already once more.
    const inTwo = complete(explained).filter(({ codes }) =>
      codes.join().startsWith('foreign_settlement_rows,foreign'),
    );
    expect(inTwo).toHaveLength(1);
    const ofOne = { gross: 65_00n, fees: 1_71n, tax: 33n };
    const facts = { settlementIds: [uuid(8)], count: 'stays' };
    expect(complete(ask({ rows: apart, header: ofOne }))).toContainEqual(
      expect.objectContaining({
        causes: [expect.objectContaining({ cause: { code: 'foreign_settlement_rows', facts } })],
        bits: 4.58,
      }),
    );
  });

  test('is ruled out if rows name this settlement in another case, or none', () => {
    const id = '00000000-0000-4000-8000-00000000000A';
    const [first, second, ...others] = rows.map((one) => ({ ...one, settlementId: id }));
    if (first === undefined || second === undefined) throw new Error('no rows');
    const named = [
      { ...first, settlementId: id.toLowerCase() },
      { ...second, settlementId: '' },
    ];
    const header = { id, transactions: 3, gross: 25_00n, fees: 71n, tax: 13n };
    expect(ask({ rows: [...named, ...others], header }).hypotheses).toContainEqual({
      outcome: 'ruled_out',
      codes: ['foreign_settlement_rows'],
      tried: 0,
    });
  });

  test('does not explain one of the two rows that is left out', () => {
    const header = { transactions: 4, gross: 65_00n, fees: 1_71n, tax: 33n };
    expect(outcomesOf('foreign_settlement_rows', ask({ rows: moved, header }))).not.toContain(
      'explains',
    );
  });
});

describe('foreign_currency_rows', () => {
  const foreign = { currency: 'JPY', scale: 0 };
  const mixed = [...rows, row(6, [700n, 20n, 4n], foreign), row(7, [300n, 10n, 2n], foreign)];
  const facts = { currencies: ['JPY'] };

  test('explains a header that adds 1,000 yen as 1,000.00 euro', () => {
    const header = { gross: 1165_00n, fees: 34_21n, tax: 6_83n };
    expect(bestCauses(ask({ rows: mixed, header }))).toEqual([
      { code: 'foreign_currency_rows', facts: { ...facts, reading: 'included', count: 'stays' } },
    ]);
  });

  test('explains a header that reads the digits of 1,000 yen as 10.00 euro', () => {
    const header = { gross: 175_00n, fees: 4_51n, tax: 89n };
    expect(bestCauses(ask({ rows: mixed, header }))).toEqual([
      { code: 'foreign_currency_rows', facts: { ...facts, reading: 'digits', count: 'stays' } },
    ]);
  });

  test('has one reading if the currencies have the same decimal places, counted or not', () => {
    const dollars = [...rows, row(6, [10_00n, 20n, 4n], { currency: 'USD' })];
    const header = { gross: 175_00n, fees: 4_41n, tax: 87n };
    const readings = (transactions: number) =>
      complete(ask({ rows: dollars, header: { ...header, transactions } })).flatMap((one) =>
        one.codes.join() === 'foreign_currency_rows'
          ? one.causes.map(({ cause }) => [cause.facts, one.bits])
          : [],
      );
    const facts = { currencies: ['USD'], reading: 'included' };
    expect(readings(6)).toEqual([[{ ...facts, count: 'stays' }, 2]]);
    expect(readings(5)).toEqual([[{ ...facts, count: 'follows' }, 4]]);
  });

  test('explains a header that does not count the rows', () => {
    expect(bestCauses(ask({ rows: mixed, header: { transactions: 5 } }))).toEqual([
      { code: 'foreign_currency_rows', facts: { ...facts, reading: 'left_out', count: 'follows' } },
    ]);
  });

  test('does not explain amounts with more decimal places than the header', () => {
    const dinars = row(6, [1_234n, 31n, 6n], { currency: 'KWD', scale: 3 });
    const explained = ask({ rows: [...rows, dinars], header: { transactions: 5 } });
    const readings = causesOf(explained).flatMap((causes) =>
      causes.flatMap((one) => (one.code === 'foreign_currency_rows' ? [one.facts.reading] : [])),
    );
    expect(readings).toEqual(['left_out']);
  });

  test('explains converted amounts by the rate on which gross, fees and tax agree', () => {
    const explained = ask({ rows: mixed, header: { gross: 171_13n, fees: 4_39n, tax: 87n } });
    const converted = { ...facts, reading: 'converted', count: 'stays', rate: '0.00613' };
    expect(bestCauses(explained)).toEqual([{ code: 'foreign_currency_rows', facts: converted }]);
    expect(explained.certainty).toBe('likely');
  });

  test('does not explain converted amounts at two rates, or rows in two currencies', () => {
    const twice = { gross: 171_13n, fees: 4_60n, tax: 87n };
    const explained = ask({ rows: mixed, header: twice });
    expect(causesOf(explained)).toEqual([]);
    expect(outcomesOf('foreign_currency_rows', explained)).toEqual(['ruled_out']);
    const dollar = row(8, [1_00n, 0n, 0n], { currency: 'USD' });
    const header = { gross: 171_13n, fees: 4_39n, tax: 87n };
    expect(causesOf(ask({ rows: [...mixed, dollar], header }))).toEqual([]);
  });
});

describe('scale_slip', () => {
  test('explains a header that multiplies all amounts by 100', () => {
    const header = { gross: 16500_00n, fees: 421_00n, tax: 83_00n };
    expect(bestCauses(ask({ rows, header }))).toEqual([
      { code: 'scale_slip', facts: { of: 'header', power: -2, decimalPlaces: undefined } },
    ]);
  });

  test('explains a row that the header multiplies by ten', () => {
    const header = { gross: 525_00n, fees: 13_21n, tax: 2_63n };
    expect(causesOf(ask({ rows, header }))).toContainEqual([
      { code: 'scale_slip', facts: { of: 'row', power: 1, decimalPlaces: undefined } },
    ]);
  });

  test('explains rows with three decimal places that the header reads with two', () => {
    const thousandths = rows.map((one, n) => (n === 1 || n === 2 ? { ...one, scale: 3 } : one));
    const header = { gross: 165_00n, fees: 4_21n, tax: 83n };
    const explained = ask({ rows: thousandths, header });
    expect(explained.scale).toBe(3);
    expect(bestCauses(explained)).toEqual([
      { code: 'scale_slip', facts: { of: 'rows', power: 1, decimalPlaces: 3 } },
    ]);
  });

  test('does not explain rows if only some of them can be read with other decimal places', () => {
    const thousandths = [
      row(6, [1_000n, 20n, 10n], { scale: 3 }),
      row(7, [1_005n, 25n, 5n], { ...declined, scale: 3 }),
    ];
    // With a tenth of the first one alone: that of the other is no whole number.
    const header = { scale: 3, gross: 165_000n + 100n + 1_005n, fees: 4_237n, tax: 836n };
    expect(causesOf(ask({ rows: [...rows, ...thousandths], header }))).not.toContainEqual([
      { code: 'scale_slip', facts: { of: 'rows', power: -1, decimalPlaces: 3 } },
    ]);
  });

  test('leaves out rows in another currency, whatever their decimal places', () => {
    const thousandths = rows.map((one, n) => (n === 1 || n === 2 ? { ...one, scale: 3 } : one));
    const dinars = row(6, [1_000n, 25n, 5n], { currency: 'KWD', scale: 3 });
    const header = { gross: 165_00n, fees: 4_21n, tax: 83n };
    const { best } = ask({ rows: [...thousandths, dinars], header });
    expect(best).toMatchObject({ codes: ['scale_slip'], causes: [{ rows: { count: 2 } }] });
  });

  test('does not explain the header if its pay-in would have a part of a minor unit', () => {
    const header = { gross: 16500_00n, fees: 421_00n, tax: 83_00n, payIn: 15996_01n };
    expect(outcomesOf('scale_slip', ask({ rows, header }))).not.toContain('explains');
  });

  test('explains a gross that the header multiplies by 100', () => {
    const facts = { of: 'gross', power: -2, decimalPlaces: undefined };
    const explained = ask({ rows, header: { gross: 16500_00n } });
    expect(causesOf(explained)).toEqual([[{ code: 'scale_slip', facts }]]);
  });
});
