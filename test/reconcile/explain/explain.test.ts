import { describe, expect, test } from 'vitest';
import type { Row } from '../../../src/model/row.ts';
import { explain } from '../../../src/reconcile/explain/explain.ts';
import { type Effort, quick, thorough } from '../../../src/reconcile/explain/limits.ts';
import { buildOutcome, uuid } from '../../support/build.ts';
import { columnsOf, judge } from '../judge.ts';
import { ask, bestCauses, causesOf, complete, outcomesOf, row } from './ask.ts';
import { inject, injections } from './generator.ts';
import { explainWorld } from './measure.ts';

/** Rows whose amounts are all different. */
function manyRows(count: number): readonly Row[] {
  return Array.from({ length: count }, (_, n) =>
    row(n + 1, [BigInt(10_00 + n * n * 7), BigInt(25 + n), BigInt(5 + (n % 13))]),
  );
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

describe('what is told of the search', () => {
  const notSearched = (rows: readonly Row[]) =>
    ask({ rows, header: { gross: 1n } }).hypotheses.flatMap((one) =>
      one.outcome === 'not_searched' && one.obstacle.reason === 'too_many_rows'
        ? [[one.codes.join(), one.obstacle]]
        : [],
    );

  test('several rows at once are tried up to 60 and 500 rows, and beyond that it says so', () => {
    const three = { reason: 'too_many_rows', rows: 61, limit: 60, atOnce: 3 };
    expect(notSearched(manyRows(60))).toEqual([]);
    expect(notSearched(manyRows(61))).toEqual([
      ['row_not_counted', three],
      ['row_counted_twice', three],
    ]);
    const many = ['row_not_counted', 'row_counted_twice'].flatMap((code) =>
      [
        { atOnce: 2, limit: 500 },
        { atOnce: 3, limit: 60 },
      ].map((bound) => [code, { reason: 'too_many_rows', rows: 501, ...bound }]),
    );
    expect(notSearched(manyRows(501))).toEqual(many);
  });

  test('how many were tried, for each cause of an explanation and for what is ruled out', () => {
    const rows = manyRows(5);
    const { best, hypotheses } = ask({ rows, header: without(rows, 2) });
    expect(best).toMatchObject({ codes: ['row_not_counted'], candidates: 1, tried: 5 });
    const tried = hypotheses.map((one) => ('tried' in one ? one.tried : 0));
    expect(Math.min(...tried)).toBeGreaterThanOrEqual(0);
    const ruledOut = hypotheses.find((one) => one.codes.join() === 'row_counted_twice');
    expect(ruledOut).toMatchObject({ outcome: 'ruled_out', tried: 5 });
  });

  test('a cause that explains all is not told again for explaining some', () => {
    const rows = manyRows(5);
    const { hypotheses } = ask({ rows, header: without(rows, 2) });
    const partly = hypotheses.filter((one) => one.outcome === 'partly');
    expect(partly.map(({ codes }) => codes)).not.toContainEqual(['row_not_counted']);
  });

  test('nothing is searched where not all was read', () => {
    const unread = judge({ outcome: { notRead: 'offline' } });
    const { hypotheses, pairObstacles } = explain(
      unread,
      columnsOf([]),
      { outcome: buildOutcome() },
      { identity: 'gross-fees-tax', effort: quick },
    );
    const obstacle = { reason: 'incomplete' };
    for (const one of hypotheses) expect(one).toMatchObject({ outcome: 'not_searched', obstacle });
    expect(pairObstacles).toEqual([obstacle]);
  });

  test('nor where there are more than 200,000 rows', { timeout: 60_000 }, () => {
    const one = row(1, [1n, 0n, 0n]);
    const rows = columnsOf(Array.from({ length: 200_001 }, () => one));
    const settled = judge({ header: { gross: 1n } });
    const evidence = { outcome: buildOutcome() };
    const { pairObstacles } = explain(settled, rows, evidence, {
      identity: 'gross-fees-tax',
      effort: quick,
    });
    expect(pairObstacles).toEqual([
      { reason: 'too_many_rows', rows: 200_001, limit: 200_000, atOnce: 1 },
    ]);
  });
});

describe('two causes at once', () => {
  const rows = [
    row(1, [100_00n, 2_50n, 50n]),
    row(2, [41_00n, 1_03n, 21n]),
    row(3, [-21_00n, -53n, -11n], { type: 'refund' }),
    row(4, [-9_00n, -22n, -4n], { type: 'refund' }),
  ];

  test('a row is left out, and refunds have the other sign', () => {
    const header = { transactions: 3, gross: 130_00n, fees: 3_25n, tax: 65n };
    const explained = ask({ rows, header });
    expect(bestCauses(explained).map(({ code }) => code)).toEqual(['row_not_counted', 'type_sign']);
    expect(explained.best?.causes.map((one) => one.explained.gross)).toEqual([-41_00n, 60_00n]);
    expect(explained.residual).toMatchObject({ count: 0, gross: 0n, payIn: 0n });
  });

  test('a row is left out, and the pay-in follows from gross alone', () => {
    const header = { transactions: 3, gross: 70_00n, fees: 1_75n, tax: 35n, payIn: 70_00n };
    expect(bestCauses(ask({ rows, header })).map(({ code }) => code)).toEqual([
      'identity',
      'row_not_counted',
    ]);
  });

  test('a row can not be left out with its type and by itself', () => {
    // Twice the refund of 21.00, and the one of 9.00.
    const header = { transactions: 1, gross: 162_00n, fees: 4_06n, tax: 82n };
    const codes = complete(ask({ rows, header })).map((one) => one.codes.join());
    expect(codes).not.toContain('row_not_counted,type_left_out');
  });
});

describe('the bounds', () => {
  test('two rows are tried among 500, and not among 501', () => {
    const among = (count: number) => {
      const rows = manyRows(count);
      return ask({ rows, header: without(rows, 3, count - 1) });
    };
    expect(causesOf(among(500))).toContainEqual([
      { code: 'row_not_counted', facts: { count: 'follows' } },
    ]);
    expect(causesOf(among(501))).toEqual([]);
    expect(among(501).hypotheses).toContainEqual({
      outcome: 'not_searched',
      codes: ['row_not_counted'],
      obstacle: { reason: 'too_many_rows', rows: 501, limit: 500, atOnce: 2 },
    });
  });

  test('three rows are tried among 60, and not among 61', () => {
    const among = (count: number) => {
      const rows = manyRows(count);
      return complete(ask({ rows, header: without(rows, 3, 20, count - 1) }));
    };
    const three = expect.objectContaining({ codes: ['row_not_counted'], free: 3 });
    expect(among(60)).toContainEqual(three);
    expect(among(61)).not.toContainEqual(three);
  });

  test('a hypothesis is tested whole or not at all: the order of rows plays no part', () => {
    const rows = manyRows(30);
    const explained = ask({ rows, header: without(rows, 3), effort: { candidates: 40 } });
    expect(explained.hypotheses).toContainEqual({
      outcome: 'not_searched',
      codes: ['row_not_counted'],
      obstacle: { reason: 'too_many_candidates', candidates: 60 },
    });
    expect(explained.pairObstacles).toMatchObject([{ reason: 'too_many_candidates' }]);
  });

  test('200,000 rows are explained, and nothing beyond', { timeout: 60_000 }, () => {
    const rows = columnsOf([]);
    const one = row(1, [10_00n, 30n, 6n]);
    for (let n = 1; n <= 200_000; n++) rows.add({ ...one, id: `t-${n}` });
    const settled = judge({ header: { transactions: 7 } });
    const explainedWith = (effort: Effort) =>
      explain(settled, rows, { outcome: buildOutcome() }, { identity: 'gross-fees-tax', effort });
    expect(explainedWith({ candidates: 0 }).best?.codes).toEqual(['missing_rows']);
    rows.add({ ...one, id: 'one more' });
    const explained = explainedWith(thorough);
    expect(explained.best).toBeUndefined();
    expect(explained.residual).toEqual(explained.target);
    expect(new Set(explained.hypotheses.map(({ outcome }) => outcome))).toEqual(
      new Set(['not_searched']),
    );
  });
});

test('nothing is concluded from rows that were not read whole', () => {
  const settled = judge({ outcome: { notRead: 'offline' } });
  const options = { identity: 'gross-fees-tax', effort: quick } as const;
  const explained = explain(settled, columnsOf([]), { outcome: buildOutcome() }, options);
  expect(explained.target).toBeUndefined();
  expect(outcomesOf('row_not_counted', explained)).toEqual(['not_searched']);
});

test('the order in which rows and neighbours are listed makes no difference', () => {
  for (const [n, injection] of injections.entries()) {
    const { world } = inject(31 + n, [injection]);
    const turned = {
      ...world,
      rows: world.rows.toReversed(),
      neighbours: world.neighbours.map((one) => ({ ...one, rows: one.rows.toReversed() })),
    };
    expect(explainWorld(turned)).toEqual(explainWorld(world));
    expect(explainWorld(turned, quick)).toEqual(explainWorld(world, quick));
  }
});

test('ids decide only between rows that are alike', () => {
  const rows = manyRows(4).map((one, n) => ({ ...one, id: uuid(900 - n) }));
  const explained = ask({ rows, header: without(rows, 2) });
  expect(explained.best?.causes[0]?.rows.examples[0]?.transactionId).toBe(uuid(898));
});
