import { describe, expect, test } from 'vitest';
import type { RoundingRule } from '../../src/money/rate.ts';
import {
  type ChargedRows,
  inMinorUnits,
  million,
  roundingRules,
  type Tariff,
  tariffFinder,
} from '../../src/reconcile/tariffs.ts';
import { Random } from '../support/random.ts';

/** Rows with these amounts, and what is charged on them. */
function charged(...rows: readonly (readonly [base: number, value: number])[]): ChargedRows {
  return {
    bases: rows.map(([base]) => base),
    values: rows.map(([, value]) => value),
    kinds: rows.map(() => 0),
  };
}

/** The same, charged by a tariff. */
function chargedBy({ fixed, rate }: Tariff, rule: RoundingRule, bases: readonly number[]) {
  const rows = bases.map((base) => {
    const exact = BigInt(fixed) + BigInt(rate) * BigInt(Math.abs(base));
    return [base, Math.sign(base) * Number(inMinorUnits(exact, rule))] as const;
  });
  return charged(...rows);
}

const findTariffs = (rows: ChargedRows, known?: readonly Tariff[]) => tariffFinder(rows)(4, known);

/** Minor units and percent. */
const tariff = (fixed: number, percent: number): Tariff => ({
  fixed: Math.round(fixed * million),
  rate: Math.round(percent * 10_000),
});

describe('a tariff found in rows', () => {
  test('is the one with the fewest digits that gives every row', () => {
    const rows = charged([812_55, 14_22], [-399_99, -7_00]);
    expect(findTariffs(rows)[0]).toMatchObject({ tariff: tariff(0, 1.75), digits: 3 });
    expect(findTariffs(rows)[0]?.rules).toContain('half_up');
  });

  test('may have a fixed part: 0.25 + 1.4 %', () => {
    const rows = charged([11_30, 41], [20_41, 54], [58_85, 1_07], [238_05, 3_58], [-17_27, -49]);
    expect(findTariffs(rows)[0]).toMatchObject({ tariff: tariff(25, 1.4) });
  });

  test('has the opposite sign if all fees have the opposite sign', () => {
    const [found] = findTariffs(charged([1000_00, -25_00], [300_00, -7_50], [-10_00, 25]));
    expect(found?.tariff).toEqual(tariff(0, 2.5));
    expect(found?.totals[0]).toMatchObject({ listed: -32_25n, exact: -3_225_000_000n });
  });

  test('is found quickly among many rows with one fee', {
    timeout: 5_000,
  }, () => {
    const bases = Array.from({ length: 20_000 }, (_, n) => 10_00 + n * 7);
    const [found] = findTariffs(chargedBy(tariff(5, 0), 'half_up', bases));
    expect(found?.tariff).toEqual(tariff(5, 0));
  });

  test('may have a fixed part in tenths of a minor unit', () => {
    const bases = Array.from({ length: 40 }, (_, n) => 5_00 + n * 17_31);
    const [found] = findTariffs(chargedBy(tariff(12.3, 0.9), 'half_up', bases));
    expect(found?.tariff).toEqual(tariff(12.3, 0.9));
  });

  test.each([
    ['no row is charged', []],
    ['no amount is charged', [[100_00, 0] as const]],
    ['one of the signs is another', [[100_00, 1_00] as const, [300_00, -3_00] as const]],
    [
      'one row has a fee of its own',
      [
        [100_00, 1_00],
        [200_00, 2_00],
        [300_00, 3_30],
        [400_00, 4_00],
      ] as const,
    ],
  ])('does not exist if %s', (_, rows) => {
    expect(findTariffs(charged(...rows))).toEqual([]);
  });

  test('is exact for amounts whose products are above 2^53', () => {
    const base = 2 ** 53 - 1;
    const value = Number((BigInt(base) * 175n + 5_000n) / 10_000n);
    const [found] = findTariffs(charged([base, value]));
    expect(found).toMatchObject({
      tariff: tariff(0, 1.75),
      rules: ['half_up', 'half_even', 'down'],
    });
    expect(findTariffs(charged([base, value], [base, value + 1]))).toEqual([]);
  });

  test('is one of several if few rows allow them, with known parts first', () => {
    const rows = charged([9_99, 39], [9_99, 39]);
    expect(findTariffs(rows).map(({ digits }) => digits)).toEqual([1, 2, 2, 2]);
    const [first] = findTariffs(rows, [tariff(25, 1.4)]);
    expect(first).toMatchObject({ tariff: tariff(25, 1.4), digits: 0 });
  });

  test('has totals with and without rows whose fees are rounded to 0', () => {
    const rows = charged([100_00, 1_00], [50_00, 50], [33, 0], [75_00, 0]);
    const [without, withThem] = findTariffs(rows);
    expect(without?.totals[0]?.exact).toBe((1_500_000_00n / 100n) * 100n);
    expect(withThem?.totals[0]?.exact).toBe(150_330_000n);
  });

  test('has the number of rows that each rule rounds up, with refunds as purchases', () => {
    // 1 % of 1.50, 2.50 and 3.30.
    const rows = charged([1_50, 2], [2_50, 3], [3_30, 3], [-1_50, -2], [-2_50, -3], [-2_50, -3]);
    const [found] = findTariffs(rows);
    expect(found?.rules).toEqual(['half_up']);
    // Less than a half: 3.30. Above an even number: 2.50, -2.50 twice. Above an odd one: they cancel.
    expect(found?.totals[0]?.leftovers).toEqual([0, 1, -1, 0, 0]);
  });
});

test('each tariff that is found gives every row, and the right one is among the first', () => {
  const random = new Random(7);
  let first = 0;
  for (let n = 0; n < 200; n++) {
    const fixed = random.pick([0, 0, 10, 25, 30, 35, 49]);
    const percent = random.pick([0.9, 1.1, 1.4, 1.75, 2.5, 2.9, 3.25]);
    const rule = random.pick(roundingRules);
    const bases = Array.from(
      { length: random.int(20, 200) },
      () => random.pick([1, 1, 1, -1]) * random.int(1_00, random.pick([50_00, 900_00])),
    );
    const rows = chargedBy(tariff(fixed, percent), rule, bases);
    const found = findTariffs(rows);
    for (const { tariff, rules } of found) {
      for (const by of rules) expect(chargedBy(tariff, by, bases)).toEqual(rows);
    }
    expect(found.map((one) => one.tariff)).toContainEqual(tariff(fixed, percent));
    if (found[0]?.tariff.fixed === fixed * million) first += 1;
  }
  expect(first).toBeGreaterThan(190);
});
