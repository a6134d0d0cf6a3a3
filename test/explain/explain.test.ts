import { describe, expect, test } from 'vitest';
import { explainDifference } from '../../src/explain/explain.ts';
import type { Explained } from '../../src/explain/explained.ts';
import { type Effort, quick, thorough } from '../../src/explain/limits.ts';
import type { Row } from '../../src/model/row.ts';
import { batchOf } from '../../src/model/row-batch.ts';
import { columnsOf, judge } from '../reconcile/judge.ts';
import { buildOutcome, uuid } from '../support/build.ts';
import { ask, bestCauses, causesOf, complete, outcomesOf, row } from './ask.ts';

const known: Row[] = [];

/** Rows whose amounts are all different, always the same. */
function manyRows(count: number): readonly Row[] {
  for (let n = known.length; n < count; n++) {
    known.push(row(n + 1, [BigInt(10_00 + n * n * 7), BigInt(25 + n), BigInt(5 + (n % 13))]));
  }
  return known.slice(0, count);
}

/** The header that leaves out the rows with these numbers. */
function without(rows: readonly Row[], ...numbers: readonly number[]) {
  const kept = rows.filter((_, n) => !numbers.includes(n));
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n);
  return {
    transactions: kept.length,
    gross: sum(kept.map(({ amount }) => amount)),
    fees: sum(kept.map(({ fees }) => fees)),
    tax: sum(kept.map(({ tax }) => tax)),
  };
}

describe('the report on the search', () => {
  const notSearched = (rows: readonly Row[]) =>
    ask({ rows, header: { gross: 1n } }).hypotheses.flatMap((one) =>
      one.outcome === 'not_searched' && one.obstacle.reason === 'too_many_rows'
        ? [[one.codes.join(), one.obstacle]]
        : [],
    );

  test('three rows at once are tried up to 500 rows, and more rows are reported as not searched', () => {
    expect(notSearched(manyRows(500))).toEqual([]);
    const three = { reason: 'too_many_rows', rows: 501, limit: 500, atOnce: 3 };
    expect(notSearched(manyRows(501))).toEqual([
      ['row_not_counted', three],
      ['row_counted_twice', three],
    ]);
  });

  test('each cause has the number of candidates that were tried, explained or ruled out', () => {
    const rows = manyRows(5);
    const { best, hypotheses } = ask({ rows, header: without(rows, 2) });
    expect(best).toMatchObject({ codes: ['row_not_counted'], candidates: 1, tried: 5 });
    const tried = hypotheses.map((one) => ('tried' in one ? one.tried : 0));
    expect(Math.min(...tried)).toBeGreaterThanOrEqual(0);
    const ruledOut = hypotheses.find((one) => one.codes.join() === 'row_counted_twice');
    expect(ruledOut).toMatchObject({ outcome: 'ruled_out', tried: 5 });
  });

  test('a cause that explains all is not listed again as one that explains some', () => {
    const rows = manyRows(5);
    const { hypotheses } = ask({ rows, header: without(rows, 2) });
    const partly = hypotheses.filter((one) => one.outcome === 'partly');
    expect(partly.map(({ codes }) => codes)).not.toContainEqual(['row_not_counted']);
  });

  test('no cause is searched if not all rows were read', () => {
    const unread = judge({ outcome: { notRead: 'offline' } });
    const { hypotheses, pairObstacles } = explainDifference(
      unread,
      columnsOf([]),
      { outcome: buildOutcome() },
      { identity: 'gross-fees-tax', rules: {}, effort: quick },
    );
    const obstacle = { reason: 'incomplete' };
    for (const one of hypotheses) expect(one).toMatchObject({ outcome: 'not_searched', obstacle });
    expect(pairObstacles).toEqual([obstacle]);
  });
});

describe('two causes at once', () => {
  const rows = [
    row(1, [100_00n, 2_50n, 50n]),
    row(2, [41_00n, 1_03n, 21n]),
    row(3, [-21_00n, -53n, -11n], { type: 'refund' }),
    row(4, [-9_00n, -22n, -4n], { type: 'refund' }),
  ];

  test('explain a row left out and refunds with the opposite sign', () => {
    const header = { transactions: 3, gross: 130_00n, fees: 3_25n, tax: 65n };
    const explained = ask({ rows, header });
    expect(bestCauses(explained).map(({ code }) => code)).toEqual(['row_not_counted', 'type_sign']);
    expect(explained.best?.causes.map((one) => one.explained.gross)).toEqual([-41_00n, 60_00n]);
    expect(explained.residual).toMatchObject({ count: 0, gross: 0n, payIn: 0n });
  });

  test('explain a row left out and a pay-in that follows from gross alone', () => {
    const header = { transactions: 3, gross: 70_00n, fees: 1_75n, tax: 35n, payIn: 70_00n };
    expect(bestCauses(ask({ rows, header })).map(({ code }) => code)).toEqual([
      'identity',
      'row_not_counted',
    ]);
  });

  test('count once if both change the header, in either order', () => {
    const hundredfold = { gross: 11100_00n, fees: 278_00n, tax: 56_00n };
    const { best } = ask({ rows, header: { ...hundredfold, payIn: 11100_00n } });
    expect(best).toMatchObject({ codes: ['identity', 'scale_slip'], candidates: 1 });
  });

  test.each([
    ['fees_tax_swapped,scale_slip', { fees: 56_00n, tax: 278_00n }],
    ['scale_slip,tax_in_fees', { fees: 334_00n, tax: 56_00n }],
  ])('explain two changes of the header, one after the other: %s', (codes, amounts) => {
    const { best } = ask({ rows, header: { gross: 11100_00n, ...amounts } });
    expect(best?.codes.join()).toBe(codes);
  });

  /** 1.75 %: 2.275, 4.725 and 8.575 cents, rounded half up. */
  const small = [
    row(1, [1_30n, 2n, 0n]),
    row(2, [2_70n, 5n, 0n]),
    row(3, [4_90n, 9n, 0n]),
    row(4, [900_00n, 15_75n, 0n]),
  ];

  test.each([
    ['has no fees', row(5, [50_00n, 0n, 0n]), 0n],
    ['is a monthly fee', row(5, [0n, 25_00n, 0n]), -25_00n],
  ])('explain a row left out that %s, and each fee rounded down', (_, one, fees) => {
    const header = { transactions: 4, gross: 908_90n, fees: 15_89n };
    const { best } = ask({ rows: [...small, one], header });
    expect(best?.causes).toMatchObject([
      { cause: { code: 'rounding', facts: { rule: 'down', of: 'row' } }, explained: { fees: -2n } },
      { cause: { code: 'row_not_counted' }, explained: { fees } },
    ]);
  });

  test.each([
    ['type_left_out', { transactions: 4, gross: 908_90n, fees: 15_89n }],
    ['type_sign', { gross: 916_50n, fees: 16_01n }],
  ])('explain %s of the refunds, and each fee rounded down', (code, header) => {
    const refunds = [row(5, [-2_70n, -5n, 0n]), row(6, [-4_90n, -9n, 0n])];
    const all = [...small, ...refunds.map((one) => ({ ...one, type: 'refund' }))];
    const causes = causesOf(ask({ rows: all, header }));
    const rounding = { code: 'rounding', facts: { rule: 'down', of: 'row' } };
    expect(causes[0]).toMatchObject([rounding, { code, facts: { type: 'refund', part: 'all' } }]);
  });

  test('explain a row left out, and each of the other fees rounded down', () => {
    const header = { transactions: 4, gross: 909_20n, fees: 15_90n };
    // Rounded once, in total, the fees would be 15.91.
    const all = complete(ask({ rows: [...small, row(5, [3_00n, 5n, 0n])], header }));
    expect(all.map(({ causes }) => causes)).toContainEqual([
      expect.objectContaining({
        cause: expect.objectContaining({
          facts: expect.objectContaining({ rule: 'down', of: 'row' }),
        }),
        explained: expect.objectContaining({ fees: -2n }),
      }),
      expect.objectContaining({ explained: expect.objectContaining({ gross: -2_70n, fees: -4n }) }),
    ]);
  });

  test.each([
    ['row_not_counted', { transactions: 3, gross: 70_00n, fees: 2_10n, tax: 0n }],
    ['row_counted_twice', { transactions: 5, gross: 152_00n, fees: 4_58n, tax: 0n }],
  ])('explain %s, and tax in the fees of all rows', (code, header) => {
    const { best } = ask({ rows, header });
    const facts = { kind: 'moved' };
    expect(best?.causes).toMatchObject([
      { cause: { code }, rows: { examples: [{ transactionId: uuid(2) }] } },
      { cause: { code: 'tax_in_fees', facts }, explained: { fees: 56n, tax: -56n } },
    ]);
  });

  test('explain rows added in another currency, with their tax in the fees too', () => {
    const yen = row(5, [500n, 20n, 4n], { currency: 'JPY', scale: 2 });
    const header = { gross: 116_00n, fees: 2_78n + 56n + 24n, tax: 0n };
    const { best } = ask({ rows: [...rows, yen], header });
    expect(best?.causes).toMatchObject([
      { cause: { code: 'foreign_currency_rows', facts: { reading: 'included' } } },
      { cause: { code: 'tax_in_fees', facts: { kind: 'moved' } } },
    ]);
  });

  test('explain copies that are included, with their tax in the fees too', () => {
    const [copied] = rows;
    const repeated = copied ? [{ row: copied, copies: 2 }] : [];
    const header = { transactions: 6, gross: 311_00n, fees: 7_78n + 1_56n, tax: 0n };
    const { best } = ask({ rows, header, outcome: { repeated } });
    expect(best?.causes).toMatchObject([
      {
        cause: { code: 'duplicate_rows', facts: { kind: 'copies' } },
        explained: { gross: 200_00n },
      },
      { cause: { code: 'tax_in_fees', facts: { kind: 'moved' } } },
    ]);
  });

  test('never leave out a type and two rows, one of them of that type', () => {
    // Without the refunds, the row of 41.00, and the refund of 21.00 once more.
    const header = { transactions: 0, gross: 121_00n, fees: 3_03n, tax: 61n };
    const codes = complete(ask({ rows, header })).map((one) => one.codes.join());
    expect(codes).not.toContain('row_not_counted,type_left_out');
  });

  test('never leave out a row both with its type and by itself', () => {
    // Twice the refund of 21.00, and the one of 9.00.
    const header = { transactions: 1, gross: 162_00n, fees: 4_06n, tax: 82n };
    const codes = complete(ask({ rows, header })).map((one) => one.codes.join());
    expect(codes).not.toContain('row_not_counted,type_left_out');
  });
});

describe('limits of the search', () => {
  test.each([thorough, quick])('two rows are found among 20,000, with %o', (effort) => {
    const rows = manyRows(20_000);
    const { best } = ask({ rows, header: without(rows, 3, 19_999), effort });
    expect(best?.causes.map(({ cause }) => cause)).toEqual([
      { code: 'row_not_counted', facts: { count: 'follows' } },
    ]);
    expect(best?.causes[0]?.rows.count).toBe(2);
  });

  test('three rows are found among 500, and not tried among 501', () => {
    const among = (count: number) => {
      const rows = manyRows(count);
      return complete(ask({ rows, header: without(rows, 3, 20, count - 1) }));
    };
    const three = expect.objectContaining({ codes: ['row_not_counted'], candidates: 1 });
    expect(among(500)).toContainEqual(three);
    expect(among(501)).not.toContainEqual(three);
  });

  test('all sets of rows that fit by chance are counted', () => {
    const alike = Array.from({ length: 20_000 }, (_, n) => row(n + 1, [9_99n, 25n, 5n]));
    const { best } = ask({ rows: alike, header: without(alike, 3, 800) });
    expect(best?.candidates).toBe((20_000 * 19_999) / 2);
    const named = best?.causes[0]?.rows.examples.map(({ transactionId }) => transactionId);
    expect(named).toEqual([uuid(1), uuid(2)]);
  });

  test('a hypothesis is tested whole or not at all, whatever the order of rows', () => {
    const rows = manyRows(30);
    const explained = ask({ rows, header: without(rows, 3), effort: { candidates: 10 } });
    expect(explained.hypotheses).toContainEqual({
      outcome: 'not_searched',
      codes: ['row_counted_twice'],
      obstacle: { reason: 'too_many_candidates', candidates: 4 },
    });
    expect(causesOf(explained)).toEqual([]);
    expect(explained.pairObstacles).toMatchObject([{ reason: 'too_many_candidates' }]);
  });

  test('one row is found among any number', () => {
    const rows = manyRows(501);
    expect(bestCauses(ask({ rows, header: without(rows, 3) }))).toEqual([
      { code: 'row_not_counted', facts: { count: 'follows' } },
    ]);
  });

  test('one row is found beside another cause among any number', () => {
    const rows = manyRows(20_001);
    const header = without(rows, 3);
    const { best } = ask({ rows, header: { ...header, payIn: header.gross } });
    expect(best?.codes).toEqual(['identity', 'row_not_counted']);
  });

  test('two rows are found beside another cause if the budget allows it', () => {
    const rows = manyRows(5_000);
    const header = without(rows, 3, 4_000);
    const asked = { rows, header: { ...header, payIn: header.gross } };
    expect(ask(asked).best?.codes).toEqual(['identity', 'row_not_counted']);
    const { pairObstacles } = ask({ ...asked, effort: { candidates: 3_000 } });
    expect(pairObstacles).toContainEqual(
      expect.objectContaining({ reason: 'too_many_candidates' }),
    );
  });

  /** The codes that were left out for want of budget. */
  const unaffordable = ({ hypotheses }: Explained, candidates?: number) =>
    hypotheses.flatMap((one) =>
      one.outcome === 'not_searched' &&
      one.obstacle.reason === 'too_many_candidates' &&
      (candidates === undefined || one.obstacle.candidates === candidates)
        ? one.codes
        : [],
    );
  const ofGroups = [
    'scale_slip',
    'tax_in_fees',
    'foreign_settlement_rows',
    'foreign_currency_rows',
    'state_left_out',
    'type_left_out',
    'type_sign',
  ];
  const ofRows = ['row_not_counted', 'row_counted_twice', 'row_sign'];

  test('groups are tried among 500 kinds of rows, and not among 501', () => {
    const among = (count: number) => {
      const rows = manyRows(count).map((one, n) => ({ ...one, settlementId: uuid(5000 + n) }));
      return unaffordable(ask({ rows, header: { gross: 1n } }), count);
    };
    expect(among(500)).toEqual([]);
    expect(among(501)).toEqual([...ofGroups, 'rounding']);
  });

  test('a short budget goes to groups of rows, then to rows, then to rounding', () => {
    const rows = manyRows(30);
    const left = (candidates: number) =>
      unaffordable(ask({ rows, header: { gross: 1n }, effort: { candidates } }));
    expect(left(0)).toEqual([...ofRows, ...ofGroups, 'rounding']);
    expect(left(7)).toEqual([...ofRows, 'scale_slip', 'rounding']);
    expect(left(7 + 3)).toEqual([...ofRows, 'scale_slip', 'rounding']);
    expect(left(7 + 3 * 4)).toEqual(['scale_slip', 'rounding']);
    expect(left(7 + 4 * 4)).toEqual(['rounding']);
    expect(left(7 + 4 * 4 + 29)).toEqual(['rounding']);
    expect(left(7 + 4 * 4 + 30)).toEqual([]);
  });

  test('a cause beyond the budget is not tried beside another cause either', () => {
    const rows = manyRows(30).map((one, n) => ({
      ...one,
      fees: (one.amount * 14n + 500n) / 1000n,
      tax: 0n,
      state: n < 3 ? 'declined' : 'approved',
    }));
    const kept = without(rows, 0, 1, 2);
    const downwards = rows.slice(3).reduce((sum, { amount }) => sum + (amount * 14n) / 1000n, 0n);
    const answer = (candidates: number) =>
      ask({ rows, header: { ...kept, fees: downwards }, effort: { candidates } });
    expect(answer(5_000).best?.codes).toEqual(['rounding', 'state_left_out']);
    const short = answer(50);
    expect(unaffordable(short)).toEqual(['rounding']);
    expect(complete(short).flatMap(({ codes }) => codes)).not.toContain('rounding');
  });

  test('two groups at once are tried if the groups are few', () => {
    const rows = manyRows(40);
    const ofTypes = rows.map((one, n) => ({ ...one, type: `type ${n}` }));
    const obstacles = (given: readonly Row[]) =>
      ask({ rows: given, header: { gross: 1n }, effort: { candidates: 100_000 } }).pairObstacles;
    expect(obstacles(rows)).toEqual([]);
    expect(obstacles(ofTypes)).toMatchObject([{ reason: 'too_many_candidates' }]);
  });

  test('200,000 rows are explained, and 200,001 are not', { timeout: 60_000 }, () => {
    const one = row(1, [10_00n, 30n, 6n]);
    const thousand = batchOf(Array.from({ length: 1_000 }, (_, n) => ({ ...one, id: uuid(n) })));
    const rows = columnsOf([]);
    for (let times = 0; times < 200; times++) rows.add(thousand);
    const settled = judge({ header: { transactions: 7 } });
    const explainedWith = (effort: Effort) =>
      explainDifference(
        settled,
        rows,
        { outcome: buildOutcome() },
        { identity: 'gross-fees-tax', rules: {}, effort },
      );
    expect(explainedWith({ candidates: 0 }).best?.codes).toEqual(['wrong_count']);
    rows.add(batchOf([{ ...one, id: 'one more' }]));
    const explained = explainedWith(thorough);
    expect(explained.best).toBeUndefined();
    expect(explained.residual).toEqual(explained.target);
    expect(explained.pairObstacles).toEqual([
      { reason: 'too_many_rows', rows: 200_001, limit: 200_000, atOnce: 1 },
    ]);
    expect(new Set(explained.hypotheses.map(({ outcome }) => outcome))).toEqual(
      new Set(['not_searched']),
    );
  });
});

test('rows that were not read whole lead to no conclusion', () => {
  const settled = judge({ outcome: { notRead: 'offline' } });
  const options = { identity: 'gross-fees-tax', rules: {}, effort: quick } as const;
  const explained = explainDifference(settled, columnsOf([]), { outcome: buildOutcome() }, options);
  expect(explained.target).toBeUndefined();
  expect(outcomesOf('row_not_counted', explained)).toEqual(['not_searched']);
});

test('ids decide only between rows that are alike', () => {
  const rows = manyRows(4).map((one, n) => ({ ...one, id: uuid(900 - n) }));
  const explained = ask({ rows, header: without(rows, 2) });
  expect(explained.best?.causes[0]?.rows.examples[0]?.transactionId).toBe(uuid(898));
});
