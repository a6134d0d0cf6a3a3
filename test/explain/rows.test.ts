import { describe, expect, test } from 'vitest';
import { uuid } from '../support/build.ts';
import { ask, bestCauses, causesOf, complete, namedRows, outcomesOf, row } from './ask.ts';

/** Gross 120.00, fees 3.00, tax 0.60. */
const rows = [
  row(1, [100_00n, 2_50n, 50n]),
  row(2, [41_00n, 1_03n, 21n]),
  row(3, [-21_00n, -53n, -11n], { type: 'refund', state: 'reversed' }),
];

describe('row_not_counted', () => {
  test('explains a header that leaves out the row of 41.00', () => {
    const explained = ask({
      rows,
      header: { transactions: 2, gross: 79_00n, fees: 1_97n, tax: 39n },
    });
    expect(explained.target).toEqual({
      count: -1,
      gross: -41_00n,
      fees: -1_03n,
      tax: -21n,
      payIn: -39_76n,
    });
    expect(bestCauses(explained)).toEqual([
      { code: 'row_not_counted', facts: { count: 'follows' } },
    ]);
    expect(namedRows(explained)).toEqual([uuid(2)]);
    expect(explained.best).toMatchObject({ candidates: 1, residual: { gross: 0n, payIn: 0n } });
    expect(explained.best?.figures).toEqual(['count', 'gross', 'fees', 'tax']);
  });

  test('explains a header that leaves out the amounts of a row and counts it', () => {
    const explained = ask({ rows, header: { gross: 79_00n, fees: 1_97n, tax: 39n } });
    expect(bestCauses(explained)).toEqual([{ code: 'row_not_counted', facts: { count: 'stays' } }]);
  });

  test('does not explain another difference in tax', () => {
    const explained = ask({
      rows,
      header: { transactions: 2, gross: 79_00n, fees: 1_97n, tax: 49n },
    });
    expect(causesOf(explained)).toEqual([]);
    expect(outcomesOf('row_not_counted', explained)).toEqual(['partly']);
    const [partial] = explained.hypotheses;
    expect(partial).toMatchObject({
      codes: ['row_not_counted'],
      figures: ['count', 'gross', 'fees'],
      residual: { count: 0, gross: 0n, fees: 0n, tax: 10n, payIn: -10n },
    });
  });

  test('explains two rows that are left out of a settlement of at most 500', () => {
    const header = { transactions: 1, gross: 41_00n, fees: 1_03n, tax: 21n };
    const explained = ask({ rows, header });
    expect(complete(explained)).toContainEqual(
      expect.objectContaining({ codes: ['row_not_counted'], candidates: 1 }),
    );
  });

  test.each([
    [2, 6],
    [3, 10],
  ])('counts each choice of %i rows that are alike once', (leftOut, candidates) => {
    const alike = Array.from({ length: leftOut + 2 }, (_, n) => row(n + 1, [10_00n, 25n, 5n]));
    const header = { transactions: 2, gross: 20_00n, fees: 50n, tax: 10n };
    const explained = ask({
      rows: [...alike, row(9, [0n, 7n, 0n])],
      header: {
        ...header,
        transactions: 3,
        fees: 57n,
      },
    });
    const fit = complete(explained).find(({ causes }) => causes[0]?.rows.count === leftOut);
    expect(fit).toMatchObject({ codes: ['row_not_counted'], candidates });
  });

  test('counts rows that are alike, and names the smallest id', () => {
    const alike = [...rows, row(5, [41_00n, 1_03n, 21n]), row(4, [41_00n, 1_03n, 21n])];
    const explained = ask({
      rows: alike,
      header: { transactions: 4, gross: 161_00n, fees: 4_03n, tax: 81n },
    });
    expect(explained.best).toMatchObject({ codes: ['row_not_counted'], candidates: 3 });
    expect(namedRows(explained)).toEqual([uuid(2)]);
  });
});

describe('row_counted_twice', () => {
  test('explains a header that has the refund twice', () => {
    const header = { transactions: 4, gross: 99_00n, fees: 2_47n, tax: 49n };
    const explained = ask({ rows, header });
    expect(bestCauses(explained)).toEqual([
      { code: 'row_counted_twice', facts: { count: 'follows' } },
    ]);
    expect(namedRows(explained)).toEqual([uuid(3)]);
  });

  test('explains a header that has the amounts of a row twice and counts it once', () => {
    const explained = ask({ rows, header: { gross: 99_00n, fees: 2_47n, tax: 49n } });
    expect(bestCauses(explained)).toEqual([
      { code: 'row_counted_twice', facts: { count: 'stays' } },
    ]);
  });

  test('does not explain a gross of 21.00 without the fees of the row', () => {
    const explained = ask({ rows, header: { transactions: 4, gross: 99_00n } });
    expect(outcomesOf('row_counted_twice', explained)).toEqual(['ruled_out']);
    expect(bestCauses(explained)).toEqual([{ code: 'missing_rows', facts: {} }]);
  });
});

describe('row_sign', () => {
  test.each([
    ['all', { gross: 162_00n, fees: 4_06n, tax: 82n }],
    ['gross', { gross: 162_00n }],
    ['fees_and_tax', { fees: 4_06n, tax: 82n }],
  ] as const)('explains a refund that has the opposite sign in the header: %s', (part, header) => {
    const explained = ask({
      rows: [...rows, row(4, [-7_00n, -18n, -4n], { type: 'refund' })],
      header: plusRow4(header),
    });
    expect(bestCauses(explained)).toEqual([{ code: 'row_sign', facts: { part } }]);
    expect(namedRows(explained)).toEqual([uuid(3)]);
  });

  test('has no part for a row without fees', () => {
    const free = [...rows, row(4, [7_00n, 0n, 0n])];
    const causes = causesOf(ask({ rows: free, header: { gross: 113_00n } }));
    const turned = causes.filter(([one, ...others]) => one?.code === 'row_sign' && !others.length);
    expect(turned).toEqual([[{ code: 'row_sign', facts: { part: 'all' } }]]);
  });
});

/** What a header has, with the row of -7.00. */
function plusRow4<Amounts extends { gross?: bigint; fees?: bigint; tax?: bigint }>(
  header: Amounts,
) {
  return {
    ...(header.gross !== undefined && { gross: header.gross - 7_00n }),
    ...(header.fees !== undefined && { fees: header.fees - 18n }),
    ...(header.tax !== undefined && { tax: header.tax - 4n }),
  };
}

describe('rows of mixed kinds', () => {
  test('explain one that is left out and another that is counted twice', () => {
    // Without the row of 41.00, and with the refund once more.
    const header = { gross: 58_00n, fees: 1_44n, tax: 28n };
    expect(causesOf(ask({ rows, header }))).toContainEqual([
      { code: 'row_counted_twice', facts: { count: 'follows' } },
      { code: 'row_not_counted', facts: { count: 'follows' } },
    ]);
  });

  test('explain one that is left out and another that has the opposite sign', () => {
    const header = { transactions: 2, gross: 121_00n, fees: 3_03n, tax: 61n };
    const explained = ask({ rows, header });
    expect(causesOf(explained)).toContainEqual([
      { code: 'row_not_counted', facts: { count: 'follows' } },
      { code: 'row_sign', facts: { part: 'all' } },
    ]);
  });

  test('never have one row twice', () => {
    // As if one were left out with its count, and its amounts were had twice.
    const causes = causesOf(ask({ rows, header: { transactions: 2 } }));
    expect(causes.filter((one) => one.length > 1)).toEqual([]);
  });
});

describe('missing_rows', () => {
  test('fits any amounts of two rows that are announced and not listed, and says so', () => {
    const header = { transactions: 5, gross: 150_00n, fees: 3_75n, tax: 75n };
    const explained = ask({ rows, header });
    expect(explained.best).toMatchObject({
      codes: ['missing_rows'],
      assumesAmounts: true,
      explained: { count: 2, gross: 30_00n, fees: 75n, tax: 15n, payIn: 29_10n },
    });
  });

  test('ranks after causes that are built from rows that were read', () => {
    const header = { transactions: 4, gross: 161_00n, fees: 4_03n, tax: 81n };
    const codes = complete(ask({ rows, header })).map((one) => one.codes);
    expect(codes[0]).toEqual(['row_counted_twice']);
    expect(codes.at(-1)).toEqual(['missing_rows']);
  });

  test('is ruled out if as many rows are listed as announced, or more', () => {
    const explained = ask({ rows, header: { gross: 1n, transactions: 2 } });
    expect(outcomesOf('missing_rows', explained)).toEqual(['ruled_out']);
  });

  test('does not explain a header that contradicts itself', () => {
    const explained = ask({ rows, header: { transactions: 4, gross: 130_00n, payIn: 100_00n } });
    expect(outcomesOf('missing_rows', explained)).toEqual(['partly']);
  });
});

describe('duplicate_rows', () => {
  const [, copied] = rows;
  const repeated = copied ? [{ row: copied, copies: 2 }] : [];

  test('explains a header that includes the two copies that reading removed', () => {
    const header = { transactions: 5, gross: 202_00n, fees: 5_06n, tax: 1_02n };
    const explained = ask({ rows, header, outcome: { repeated } });
    expect(bestCauses(explained)).toEqual([
      { code: 'duplicate_rows', facts: { kind: 'copies', count: 'follows' } },
    ]);
    expect(namedRows(explained)).toEqual([uuid(2)]);
    expect(causesOf(explained).filter(([one]) => one?.code === 'duplicate_rows')).toHaveLength(1);
  });

  test('does not explain one of two copies: that is a row counted twice', () => {
    const header = { transactions: 4, gross: 161_00n, fees: 4_03n, tax: 81n };
    const explained = ask({ rows, header, outcome: { repeated } });
    expect(bestCauses(explained)).toEqual([
      { code: 'row_counted_twice', facts: { count: 'follows' } },
    ]);
    expect(outcomesOf('duplicate_rows', explained)).not.toContain('explains');
  });

  test.each([
    [
      'all copies',
      'copies',
      'follows',
      1,
      { transactions: 6, gross: 302_00n, fees: 7_56n, tax: 1_52n },
    ],
    ['their amounts', 'copies', 'stays', 3, { gross: 302_00n, fees: 7_56n, tax: 1_52n }],
    [
      'those of one row',
      'one_row',
      'follows',
      5,
      { transactions: 5, gross: 202_00n, fees: 5_06n, tax: 1_02n },
    ],
    ['the amounts of these', 'one_row', 'stays', 7, { gross: 202_00n, fees: 5_06n, tax: 1_02n }],
  ])('explains a header with %s of two rows with copies', (_, kind, count, bits, header) => {
    const [first, second] = rows;
    if (first === undefined || second === undefined) throw new Error('no rows');
    const copies = [
      { row: first, copies: 1 },
      { row: second, copies: 2 },
    ];
    const explained = ask({ rows, header, outcome: { repeated: copies } });
    expect(bestCauses(explained)).toEqual([{ code: 'duplicate_rows', facts: { kind, count } }]);
    expect(explained.best).toMatchObject({ bits });
  });

  test('explains the count of a copy in another currency', () => {
    const yen = row(4, [500n, 5n, 1n], { currency: 'JPY', scale: 0 });
    const explained = ask({
      rows: [...rows, yen],
      header: { transactions: 5 },
      outcome: { repeated: [{ row: yen, copies: 1 }] },
    });
    expect(causesOf(explained)).toContainEqual([
      { code: 'duplicate_rows', facts: { kind: 'copies', count: 'follows' } },
    ]);
  });

  test('includes no copy twice', () => {
    const both = rows.slice(0, 2).map((one) => ({ row: one, copies: 1 }));
    // The copies of 100.00 and 41.00, and the one of 41.00 again.
    const header = { transactions: 6, gross: 302_00n, fees: 7_56n, tax: 1_52n };
    const codes = complete(ask({ rows, header, outcome: { repeated: both } })).map((one) =>
      one.codes.join(),
    );
    expect(codes).toContain('duplicate_rows,row_counted_twice');
    expect(codes).not.toContain('duplicate_rows,duplicate_rows');
  });

  test('explains a header that has the other content of an id with two contents', () => {
    const conflicts = copied ? [[copied, { ...copied, amount: 45_00n }]] : [];
    const explained = ask({ rows, header: { gross: 124_00n }, outcome: { conflicts } });
    expect(bestCauses(explained)).toEqual([
      { code: 'duplicate_rows', facts: { kind: 'other_content', count: 'stays' } },
    ]);
  });

  test('does not explain a content with more decimal places than the header', () => {
    const other = copied && { ...copied, scale: 3, amount: 45_001n };
    const conflicts = copied && other ? [[copied, other]] : [];
    // As if the row were not among them.
    const header = { gross: 79_00n, fees: 1_97n, tax: 39n };
    expect(outcomesOf('duplicate_rows', ask({ rows, header, outcome: { conflicts } }))).toEqual([
      'ruled_out',
    ]);
  });
});
