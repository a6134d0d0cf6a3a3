import { describe, expect, test } from 'vitest';
import { buildSettlement, uuid } from '../../support/build.ts';
import { ask, bestCauses, causesOf, headerOver, namedRows, outcomesOf, row } from './ask.ts';

/** Gross 150.00, fees 3.75, tax 0.75, pay-in 145.50. */
const rows = [row(1, [100_00n, 2_50n, 50n]), row(2, [50_00n, 1_25n, 25n])];
const theirs = [row(11, [30_00n, 75n, 15n]), row(12, [7_00n, 18n, 4n])];
const names = { id: uuid(2), date: '2026-03-04' };
const neighbour = buildSettlement({ ...headerOver(theirs, {}), ...names });

function neighbourFacts(kind: string) {
  const facts = { kind, settlementId: uuid(2), date: '2026-03-04', count: 'follows' };
  return [{ code: 'neighbour', facts }];
}

describe('neighbour', () => {
  test('10.00 too little here, 10.00 too much there', () => {
    const there = { ...neighbour, payIn: neighbour.payIn + 10_00n };
    const explained = ask({
      rows,
      header: { payIn: 135_50n },
      neighbours: [{ settlement: there }],
    });
    expect(bestCauses(explained)).toEqual(neighbourFacts('opposite_difference'));
  });

  test('9.99 there is not the opposite', () => {
    const there = { ...neighbour, payIn: neighbour.payIn + 9_99n };
    const explained = ask({
      rows,
      header: { payIn: 135_50n },
      neighbours: [{ settlement: there }],
    });
    expect(explained.best).toBeUndefined();
    expect(outcomesOf('neighbour', explained)).toContain('ruled_out');
  });

  test('an earlier settlement owed 12.00, which is set off here', () => {
    const amounts = { gross: -11_00n, fees: 83n, tax: 17n, payIn: -12_00n };
    const explained = ask({
      rows,
      header: { payIn: 133_50n },
      neighbours: [{ settlement: { ...neighbour, ...amounts } }],
    });
    expect(bestCauses(explained)).toEqual(neighbourFacts('negative_pay_in'));
  });

  test('two earlier settlements owed 12.00 and 5.00, and both are set off here', () => {
    const owing = [12_00n, 5_00n].map((amount, n) => ({
      settlement: { ...neighbour, id: uuid(n + 2), gross: 1_00n - amount, payIn: -amount },
    }));
    const explained = ask({ rows, header: { payIn: 128_50n }, neighbours: owing });
    expect(bestCauses(explained)).toMatchObject([
      { facts: { kind: 'negative_pay_in', settlementId: uuid(2) } },
      { facts: { kind: 'negative_pay_in', settlementId: uuid(3) } },
    ]);
  });

  const included = { transactions: 3, gross: 180_00n, fees: 4_50n, tax: 90n };

  test('a row that is listed there and in this header', () => {
    const neighbours = [{ settlement: neighbour, rows: theirs }];
    const explained = ask({ rows, header: included, neighbours });
    expect(bestCauses(explained)).toEqual(neighbourFacts('listed_there'));
    expect(namedRows(explained)).toEqual([uuid(11)]);
  });

  test('a row of a charge whose purchase is here', () => {
    const chargeId = uuid(2001);
    const refund = row(13, [-100_00n, -2_50n, -50n], { chargeId, type: 'refund' });
    const neighbours = [{ settlement: neighbour, rows: [...theirs, refund] }];
    const header = { transactions: 3, gross: 50_00n, fees: 1_25n, tax: 25n };
    const explained = ask({ rows, header, neighbours });
    expect(causesOf(explained)).toContainEqual(neighbourFacts('charge_included'));
  });

  test('a row that is listed in both, and counted there', () => {
    const [, shared = row(2, [0n, 0n, 0n])] = rows;
    const neighbours = [{ settlement: neighbour, rows: [...theirs, shared] }];
    const header = { transactions: 1, gross: 100_00n, fees: 2_50n, tax: 50n };
    expect(causesOf(ask({ rows, header, neighbours }))).toContainEqual(
      neighbourFacts('listed_in_both'),
    );
  });

  test.each([
    ['another accounting token', { accountingToken: 'token-b' }],
    ['another currency', { currency: 'USD' }],
    ['the settlement itself', { id: uuid(1) }],
  ])('%s is no neighbour', (_, other) => {
    const neighbours = [{ settlement: { ...neighbour, ...other }, rows: theirs }];
    const explained = ask({ rows, header: included, neighbours });
    expect(causesOf(explained)).toEqual([]);
  });

  test('what is not known of them is told, beside what was found', () => {
    const obstacles = [{ reason: 'neighbours_uncertain' }] as const;
    const neighbours = [{ settlement: neighbour, rows: theirs }];
    const explained = ask({ rows, header: included, neighbours, obstacles });
    expect(bestCauses(explained)).toEqual(neighbourFacts('listed_there'));
    expect(explained.hypotheses).toContainEqual({
      outcome: 'not_searched',
      codes: ['neighbour'],
      obstacle: obstacles[0],
    });
  });

  test.each([
    [1499, true],
    [1500, false],
  ])('two rows of a neighbour that has %i are tried: %s', (count, areTried) => {
    const many = Array.from({ length: count }, (_, n) =>
      row(n + 11, [BigInt(10_00 + n * n * 7), BigInt(25 + n), 5n]),
    );
    const [first, second] = [many[3], many[800]];
    if (first === undefined || second === undefined) throw new Error('no rows');
    const header = headerOver([...rows.slice(0, 1), first, second], {});
    const neighbours = [{ settlement: neighbour, rows: many }];
    const explained = ask({ rows: rows.slice(0, 1), header, neighbours });
    expect(namedRows(explained)).toEqual(areTried ? [first.id, second.id] : []);
  });

  test('what was not asked for is not ruled out', () => {
    const without = ask({ rows, header: included });
    expect(outcomesOf('neighbour', without)).toEqual(['not_searched']);
    const headersOnly = ask({ rows, header: included, neighbours: [{ settlement: neighbour }] });
    expect(outcomesOf('neighbour', headersOnly)).toEqual(['not_searched', 'ruled_out']);
    const none = ask({ rows, header: included, neighbours: [] });
    expect(outcomesOf('neighbour', none)).toEqual(['ruled_out']);
  });
});
