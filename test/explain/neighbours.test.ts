import { describe, expect, test } from 'vitest';
import type { Stated } from '../support/build.ts';
import { buildSettlement, uuid } from '../support/build.ts';
import {
  ask,
  bestCauses,
  causesOf,
  headerOver,
  namedRows,
  outcomesOf,
  type Question,
  row,
} from './ask.ts';

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
  test('explains 10.00 too little here by 10.00 too much there', () => {
    const there = { ...neighbour, payIn: neighbour.payIn + 10_00n };
    const explained = ask({
      rows,
      header: { payIn: 135_50n },
      neighbours: [{ settlement: there }],
    });
    expect(bestCauses(explained)).toEqual(neighbourFacts('opposite_difference'));
  });

  test.each([
    ['at the same scale', 2, 10_00n],
    ['at a larger scale', 3, 10_000n],
  ])('needs no rows for a difference that is known %s', (_, scale, amount) => {
    const difference = { transactions: 1, gross: amount, fees: 0n, tax: 0n, payIn: amount, scale };
    const explained = ask({
      rows,
      header: { transactions: 1, gross: 140_00n },
      neighbours: [{ settlement: neighbour, difference }],
    });
    expect(bestCauses(explained)).toEqual(neighbourFacts('opposite_difference'));
  });

  test.each([
    ['a difference of the size of rounding', { payIn: 145_49n }, { payIn: 1n }],
    ['the same difference', { fees: 4_00n }, { fees: 25n, payIn: -25n }],
  ])('is no partner of %s', (_, header, given) => {
    const difference = { transactions: 0, gross: 0n, fees: 0n, tax: 0n, ...given };
    const neighbours = [{ settlement: neighbour, difference: { ...difference, scale: 2 } }];
    const explained = ask({ rows, header, neighbours });
    const codes = causesOf(explained)
      .flat()
      .map(({ code }) => code);
    expect(codes).not.toContain('neighbour');
  });

  test('keeps all decimal places of a known difference of 10.0001', () => {
    const payIn = 10_0001n;
    const difference = { transactions: 0, gross: 0n, fees: 0n, tax: 0n, payIn, scale: 4 };
    const explained = ask({
      rows,
      header: { payIn: 135_50n },
      neighbours: [{ settlement: neighbour, difference }],
    });
    expect(explained.best).toBeUndefined();
  });

  test('does not explain 10.00 here by 9.99 there', () => {
    const there = { ...neighbour, payIn: neighbour.payIn + 9_99n };
    const explained = ask({
      rows,
      header: { payIn: 135_50n },
      neighbours: [{ settlement: there }],
    });
    expect(explained.best).toBeUndefined();
    expect(outcomesOf('neighbour', explained)).toContain('ruled_out');
  });

  test('explains a negative pay-in of 12.00 that is set off in a later settlement', () => {
    const amounts = { gross: -11_00n, fees: 83n, tax: 17n, payIn: -12_00n };
    const explained = ask({
      rows,
      header: { payIn: 133_50n },
      neighbours: [{ settlement: { ...neighbour, ...amounts } }],
    });
    expect(bestCauses(explained)).toEqual(neighbourFacts('negative_pay_in'));
  });

  test.each([
    ['2026-03-05', true],
    ['2026-03-06', false],
  ])('sets off what %s owed in a settlement of 2026-03-05: %s', (date, isSetOff) => {
    const owing = { ...neighbour, date, gross: -11_00n, payIn: -12_00n };
    const explained = ask({
      rows,
      header: { payIn: 133_50n },
      neighbours: [{ settlement: owing }],
    });
    expect(bestCauses(explained).some(({ code }) => code === 'neighbour')).toBe(isSetOff);
  });

  test('does not use pay-ins if no identity is assumed', () => {
    const owing = { ...neighbour, gross: -11_00n, payIn: -12_00n };
    const explained = ask({
      rows,
      header: { gross: 149_00n },
      neighbours: [{ settlement: owing }],
      identity: 'off',
    });
    expect(explained.hypotheses).toContainEqual({
      outcome: 'ruled_out',
      codes: ['neighbour'],
      tried: 0,
    });
  });

  test.each([
    ['gross', { gross: 7_00n, payIn: 7_00n }],
    ['fees', { fees: 7n, payIn: -7n }],
    ['tax', { tax: 7n, payIn: -7n }],
    ['pay-in alone', { payIn: 7_00n }],
  ])('explains the opposite difference in %s', (_, given) => {
    const change = { gross: 0n, fees: 0n, tax: 0n, ...given };
    const changed = (settlement: typeof change, sign: bigint) => ({
      gross: settlement.gross + sign * change.gross,
      fees: settlement.fees + sign * change.fees,
      tax: settlement.tax + sign * change.tax,
      payIn: settlement.payIn + sign * change.payIn,
    });
    const here = changed({ gross: 150_00n, fees: 3_75n, tax: 75n, payIn: 145_50n }, 1n);
    const there = { settlement: { ...neighbour, ...changed(neighbour, -1n) }, rows: theirs };
    const { hypotheses } = ask({ rows, header: here, neighbours: [there] });
    const opposite = hypotheses.find(
      (one) => 'causes' in one && one.causes.map(({ cause }) => cause.code).join() === 'neighbour',
    );
    expect(opposite).toMatchObject({ outcome: 'explains' });
    expect(opposite).toMatchObject({
      causes: [{ cause: neighbourFacts('opposite_difference')[0] }],
    });
  });

  test('explains two negative pay-ins of 12.00 and 5.00 that are set off here', () => {
    const owing = [12_00n, 5_00n].map((amount, n) => ({
      settlement: { ...neighbour, id: uuid(n + 2), gross: 1_00n - amount, payIn: -amount },
    }));
    const explained = ask({ rows, header: { payIn: 128_50n }, neighbours: owing });
    expect(bestCauses(explained)).toMatchObject([
      {
        facts: {
          kind: 'carried_balance',
          settlementId: uuid(2),
          others: [{ settlementId: uuid(3) }],
        },
      },
    ]);
  });

  const included = { transactions: 3, gross: 180_00n, fees: 4_50n, tax: 90n };

  test('explains a row that the neighbour lists and this header includes', () => {
    const neighbours = [{ settlement: neighbour, rows: theirs }];
    const explained = ask({ rows, header: included, neighbours });
    expect(bestCauses(explained)).toEqual(neighbourFacts('listed_there'));
    expect(namedRows(explained)).toEqual([uuid(11)]);
  });

  test('is no more than likely if the neighbour balances with the row', () => {
    const neighbours = [{ settlement: neighbour, rows: theirs }];
    const explained = ask({ rows, header: included, neighbours });
    expect(bestCauses(explained)).toEqual(neighbourFacts('listed_there'));
    expect(explained).toMatchObject({ certainty: 'likely' });
  });

  test('explains a refund that the neighbour lists, if its purchase is here', () => {
    const chargeId = uuid(2001);
    const refund = row(13, [-100_00n, -2_50n, -50n], { chargeId, type: 'refund' });
    const neighbours = [{ settlement: neighbour, rows: [...theirs, refund] }];
    const header = { transactions: 3, gross: 50_00n, fees: 1_25n, tax: 25n };
    const explained = ask({ rows, header, neighbours });
    expect(causesOf(explained)).toContainEqual(neighbourFacts('charge_included'));
  });

  test('explains a purchase that is left out here, if its refund is there', () => {
    const chargeId = uuid(2002);
    const refund = row(13, [-50_00n, -1_25n, -25n], { chargeId, type: 'refund' });
    const neighbours = [{ settlement: neighbour, rows: [...theirs, refund] }];
    const header = { transactions: 1, gross: 100_00n, fees: 2_50n, tax: 50n };
    expect(causesOf(ask({ rows, header, neighbours }))).toContainEqual(
      neighbourFacts('charge_left_out'),
    );
  });

  test('does not pair rows without a charge', () => {
    const free = [...rows, row(3, [0n, 0n, 0n], { chargeId: '' })];
    const [first, ...others] = theirs.map((one) => ({ ...one, chargeId: '' }));
    if (first === undefined) throw new Error('no row');
    const neighbours = [{ settlement: neighbour, rows: [first, ...others] }];
    const header = { ...included, transactions: 4 };
    expect(bestCauses(ask({ rows: free, header, neighbours }))).toEqual(
      neighbourFacts('listed_there'),
    );
  });

  test('explains one row of each of two neighbours', () => {
    const more = [21, 22, 23].map((n) => row(n, [BigInt(n * n) * 31n, BigInt(n), BigInt(n % 5)]));
    const [first, last] = [theirs[0], more[2]];
    if (first === undefined || last === undefined) throw new Error('no rows');
    const neighbours = [
      { settlement: neighbour, rows: theirs },
      { settlement: { ...neighbour, id: uuid(3) }, rows: more },
    ];
    const explained = ask({ rows, header: headerOver([...rows, first, last], {}), neighbours });
    expect(namedRows(explained)).toEqual([first.id, last.id]);
  });

  test('explains a row that both list and only the neighbour counts', () => {
    const [, shared = row(2, [0n, 0n, 0n])] = rows;
    const neighbours = [{ settlement: neighbour, rows: [...theirs, shared] }];
    const header = { transactions: 1, gross: 100_00n, fees: 2_50n, tax: 50n };
    expect(causesOf(ask({ rows, header, neighbours }))).toContainEqual(
      neighbourFacts('listed_in_both'),
    );
  });

  test('tells what is not known of neighbours beside what was found', () => {
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

  test('explains two rows of a neighbour that has 5,000', () => {
    const many = Array.from({ length: 5_000 }, (_, n) =>
      row(n + 11, [BigInt(10_00 + n * n * 7), BigInt(25 + n), 5n]),
    );
    const [first, second] = [many[3], many[800]];
    if (first === undefined || second === undefined) throw new Error('no rows');
    const header = headerOver([...rows.slice(0, 1), first, second], {});
    const neighbours = [{ settlement: neighbour, rows: many }];
    const explained = ask({ rows: rows.slice(0, 1), header, neighbours });
    expect(namedRows(explained)).toEqual([first.id, second.id]);
  });

  test('is not ruled out by neighbours that were not read', () => {
    const reasons = (given: Partial<Question>) => {
      const explained = ask({ rows, header: included, ...given });
      const told = explained.hypotheses.flatMap((one) =>
        one.outcome === 'not_searched' && one.codes[0] === 'neighbour' ? [one.obstacle.reason] : [],
      );
      return [...told, ...outcomesOf('neighbour', explained).filter((one) => one === 'ruled_out')];
    };
    const headers = [{ settlement: neighbour }];
    expect(reasons({})).toEqual(['no_neighbours']);
    expect(reasons({ neighbours: headers })).toEqual(['no_neighbour_rows', 'ruled_out']);
    expect(reasons({ neighbours: [] })).toEqual(['ruled_out']);
    const failure = [{ reason: 'neighbours_not_read', failure: 'offline' }] as const;
    expect(reasons({ obstacles: failure })).toEqual(['neighbours_not_read']);
    const uncertain = [{ reason: 'neighbours_uncertain' }] as const;
    expect(reasons({ obstacles: uncertain })).toEqual(['neighbours_uncertain', 'no_neighbours']);
    const unread = [{ reason: 'neighbour_rows_not_read', unread: 1, neighbours: 1 }] as const;
    expect(reasons({ neighbours: headers, obstacles: unread })).toEqual([
      'neighbour_rows_not_read',
      'ruled_out',
    ]);
  });

  test('is not searched if the rows of neighbours are more than the budget allows', () => {
    const neighbours = [
      { settlement: neighbour, rows: theirs },
      { settlement: { ...neighbour, id: uuid(3) }, rows: theirs.slice(0, 1) },
    ];
    const explained = ask({ rows, header: included, neighbours, effort: { candidates: 20 } });
    expect(explained.hypotheses).toContainEqual({
      outcome: 'not_searched',
      codes: ['neighbour'],
      obstacle: { reason: 'too_many_candidates', candidates: 2 * (2 + 2) + 2 * (1 + 2) },
    });
  });
});

describe('several neighbours together', () => {
  /** The settlement is of 2026-03-05; these are a day each, and off by so much. */
  const off = (amounts: Readonly<Record<string, bigint>>, given: Partial<Stated> = {}) =>
    Object.entries(amounts).map(([date, amount], n) => ({
      settlement: {
        ...neighbour,
        id: uuid(n + 2),
        date,
        payIn: neighbour.payIn + amount,
        ...given,
      },
    }));

  test('release in one settlement the reserve that three withheld', () => {
    const withheld = { '2026-03-02': -3_00n, '2026-03-03': -4_00n, '2026-03-04': -5_00n };
    const { best } = ask({ rows, header: { payIn: 157_50n }, neighbours: off(withheld) });
    expect(best?.causes.map(({ cause }) => cause)).toEqual([
      {
        code: 'neighbour',
        facts: {
          kind: 'reserve',
          settlementId: uuid(2),
          date: '2026-03-02',
          count: 'follows',
          others: [
            { settlementId: uuid(3), date: '2026-03-03' },
            { settlementId: uuid(4), date: '2026-03-04' },
          ],
        },
      },
    ]);
  });

  test('release a reserve later that two of them and this one withheld', () => {
    const around = { '2026-03-03': -3_00n, '2026-03-04': -4_00n, '2026-03-07': 9_00n };
    const { best } = ask({ rows, header: { payIn: 143_50n }, neighbours: off(around) });
    expect(best?.causes).toMatchObject([
      { cause: { facts: { kind: 'reserve', settlementId: uuid(2) } } },
    ]);
  });

  test('show no reserve if one between them has another difference', () => {
    const around = { '2026-03-02': -3_00n, '2026-03-03': 1_00n, '2026-03-04': -4_00n };
    const explained = ask({ rows, header: { payIn: 152_50n }, neighbours: off(around) });
    expect(causesOf(explained).flat()).not.toContainEqual(
      expect.objectContaining({ facts: expect.objectContaining({ kind: 'reserve' }) }),
    );
  });

  const owing = (pairs: readonly (readonly [string, bigint])[]) =>
    pairs.map(([date, payIn], n) => ({
      settlement: { ...neighbour, id: uuid(n + 2), date, gross: payIn, fees: 0n, tax: 0n, payIn },
    }));

  test.each([
    [
      'each shows it',
      owing([
        ['2026-03-02', -3_00n],
        ['2026-03-03', 0n],
        ['2026-03-04', -4_00n],
      ]),
    ],
    [
      'each pays nothing',
      owing([
        ['2026-03-02', -3_00n],
        ['2026-03-04', -4_00n],
      ]).map(({ settlement }) => ({
        settlement: { ...settlement, payIn: 0n },
      })),
    ],
  ])('carry over a negative balance of two, and %s', (_, neighbours) => {
    const { best } = ask({ rows, header: { payIn: 138_50n }, neighbours });
    expect(best?.causes).toMatchObject([
      { cause: { facts: { kind: 'carried_balance', date: '2026-03-02' } } },
    ]);
  });

  test('carry over no negative balance if one between them was paid', () => {
    const neighbours = owing([
      ['2026-03-02', -3_00n],
      ['2026-03-03', 1_00n],
      ['2026-03-04', -4_00n],
    ]);
    const causes = causesOf(ask({ rows, header: { payIn: 138_50n }, neighbours })).flat();
    expect(causes).not.toContainEqual(
      expect.objectContaining({ facts: expect.objectContaining({ kind: 'carried_balance' }) }),
    );
  });

  /** A settlement of so much gross without fees, of which so much is withheld. */
  const withholding = (gross: bigint, withheld: bigint, n: number) => ({
    settlement: {
      ...neighbour,
      id: uuid(n),
      date: `2026-03-0${n}`,
      gross,
      fees: 0n,
      tax: 0n,
      payIn: gross - withheld,
    },
  });

  test('withhold the same share of each', () => {
    // 5 % of a gross of 150.00, and of 333.33 and 200.10.
    const neighbours = [withholding(333_33n, 16_67n, 2), withholding(200_10n, 10_00n, 3)];
    const { best } = ask({ rows, header: { payIn: 138_00n }, neighbours });
    expect(best?.causes).toMatchObject([
      { cause: { code: 'withheld', facts: { thousandths: 50, base: 'gross' } } },
    ]);
  });

  test.each([
    ['one of them withholds another share', withholding(200_10n, 10_02n, 3)],
    ['only one of them does', withholding(200_10n, 0n, 3)],
    ['one is too small to show a share', withholding(20_00n, 1_00n, 3)],
  ])('show no share if %s', (_, other) => {
    const neighbours = [withholding(333_33n, 16_67n, 2), other];
    const causes = causesOf(ask({ rows, header: { payIn: 138_00n }, neighbours })).flat();
    expect(causes.filter(({ facts }) => 'thousandths' in facts && facts.others.length > 0)).toEqual(
      [],
    );
  });
});
