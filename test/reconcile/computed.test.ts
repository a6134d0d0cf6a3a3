import { describe, expect, test } from 'vitest';
import { rowsRead } from '../../src/reconcile/computed.ts';
import type { Rules } from '../../src/reconcile/rules.ts';
import { buildRow, uuid } from '../support/build.ts';
import { judge } from './judge.ts';

type Amounts = readonly [amount: bigint, fees: bigint, tax: bigint];

function rowOf(number: number, [amount, fees, tax]: Amounts, more = {}) {
  return buildRow({ id: uuid(number), amount, fees, tax, ...more });
}

/** What rows come to by rules: computed figures, and what each rule has made of them. */
function computed(rules: Rules, rows: Parameters<typeof judge>[0] & object) {
  const judged = judge({ ...rows, settings: { rules } });
  const amounts = (figures: typeof judged.computed) =>
    figures && [figures.transactions, figures.gross, figures.fees, figures.tax, figures.payIn];
  return {
    scale: judged.scale,
    computed: amounts(judged.computed),
    byRule: judged.byRule.map(({ rows, change }) => [rows, amounts(change)]),
    read: rowsRead(judged),
  };
}

const declined = { state: 'declined' };
const refund = { type: 'refund' };
const rows = [
  rowOf(1, [10_00n, 30n, 6n]),
  rowOf(2, [5_00n, 20n, 4n], declined),
  rowOf(3, [-2_00n, -10n, -2n], refund),
  rowOf(4, [-1_00n, -5n, -1n], { ...refund, ...declined }),
];

describe('the computed amounts', () => {
  test('are the sums of the rows without rules', () => {
    expect(computed({}, { rows })).toEqual({
      scale: 2,
      computed: [4, 12_00n, 35n, 7n, 11_58n],
      byRule: [],
      read: 4,
    });
  });

  test('leave out rows by state and type, and the first rule that fits decides', () => {
    const not_counted = [
      { ...refund, ...declined, count: 'stays' as const },
      { ...declined, count: 'follows' as const },
    ];
    expect(computed({ not_counted }, { rows })).toEqual({
      scale: 2,
      computed: [3, 8_00n, 20n, 4n, 7_76n],
      byRule: [
        [1, [0, 1_00n, 5n, 1n, 94n]],
        [1, [-1, -5_00n, -20n, -4n, -4_76n]],
      ],
      read: 4,
    });
  });

  test('have the opposite sign for rows of a type, for an amount, or for both', () => {
    const signs = [{ ...refund, amount: 'gross' as const }, { amount: 'fees_and_tax' as const }];
    const { computed: figures, byRule } = computed({ signs }, { rows });
    expect(figures).toEqual([4, 18_00n, -35n, -7n, 18_42n]);
    expect(byRule).toEqual([
      [2, [0, 6_00n, 0n, 0n, 6_00n]],
      [4, [0, 0n, -70n, -14n, 84n]],
    ]);
  });

  test.each([
    ['moved', [4, 12_00n, 42n, 0n, 11_58n]],
    ['also_in_header', [4, 12_00n, 42n, 7n, 11_51n]],
    ['also_in_rows', [4, 12_00n, 28n, 7n, 11_65n]],
  ] as const)('have tax in fees: %s', (tax_in_fees, figures) => {
    expect(computed({ tax_in_fees }, { rows }).computed).toEqual(figures);
  });

  test('count rows in another currency and leave out their amounts', () => {
    const usd = rowOf(5, [7_00n, 1n, 1n], { ...declined, currency: 'USD' });
    const not_counted = [{ ...declined, count: 'follows' as const }];
    const { byRule, computed: figures } = computed({ not_counted }, { rows: [...rows, usd] });
    expect(figures).toEqual([2, 8_00n, 20n, 4n, 7_76n]);
    expect(byRule).toEqual([[3, [-3, -4_00n, -15n, -3n, -3_82n]]]);
  });

  test('have the most decimal places among header and rows', () => {
    const finer = rowOf(5, [1_000n, 10n, 5n], { ...declined, scale: 3 });
    const not_counted = [{ ...declined, count: 'follows' as const }];
    const { scale, byRule } = computed({ not_counted }, { rows: [rowOf(1, [1n, 1n, 1n]), finer] });
    expect([scale, byRule]).toEqual([3, [[1, [-1, -1_000n, -10n, -5n, -985n]]]]);
  });

  test('ignore the decimal places of a row that was replaced', () => {
    const finer = rowOf(1, [1_000n, 10n, 5n], { scale: 3 });
    const outcome = { corrections: [rowOf(1, [1_00n, 1n, 1n])] };
    expect(computed({}, { rows: [finer], outcome })).toMatchObject({
      scale: 2,
      computed: [1, 1_00n, 1n, 1n, 98n],
    });
  });

  test('are unknown if the rows were not read whole', () => {
    const tax_in_fees = 'moved';
    const unread = computed({ tax_in_fees }, { outcome: { notRead: 'offline' } });
    expect(unread).toMatchObject({ computed: undefined, byRule: [], read: 0 });
  });
});

describe('a rule rounds an amount', () => {
  // 1.4 % of each, half up: 1.40, 0.147, 0.133 and 0.777 of a hundredth each.
  const charged = [100_00n, 10_50n, 9_50n, 55_50n].map((gross, n) =>
    rowOf(n + 1, [gross, [1_40n, 15n, 13n, 78n][n] ?? 0n, 0n]),
  );
  const rounding = [{ amount: 'fees', of: 'total', round: 'half_up' }] as const;

  test('of the total at the rate that the rows show', () => {
    // 1.4 % of 175.50 is 2.457, and the rows list 2.46: one more row makes the difference.
    expect(computed({ rounding }, { rows: charged }).byRule).toEqual([]);
    const one = rowOf(9, [10_50n, 15n, 0n]);
    const { byRule, computed: figures } = computed({ rounding }, { rows: [...charged, one] });
    expect(byRule).toEqual([[5, [0, 0n, -1n, 0n, 1n]]]);
    expect(figures).toEqual([5, 186_00n, 2_60n, 0n, 183_40n]);
  });

  test('without the rows that another rule leaves out', () => {
    const not_counted = [{ ...declined, count: 'follows' as const }];
    const left = rowOf(9, [10_50n, 15n, 0n], declined);
    expect(computed({ not_counted, rounding }, { rows: [...charged, left] }).byRule).toEqual([
      [1, [-1, -10_50n, -15n, 0n, -10_35n]],
    ]);
  });

  test('only if the rows show a rate, and reports if they do not', () => {
    const odd = rowOf(9, [10_00n, 99n, 0n]);
    const { byRule, computed: figures } = computed({ rounding }, { rows: [...charged, odd] });
    expect(byRule).toEqual([[5, undefined]]);
    expect(figures).toEqual([5, 185_50n, 3_45n, 0n, 182_05n]);
  });
});
