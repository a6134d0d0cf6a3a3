import { describe, expect, test } from 'vitest';
import { explainDifference } from '../../src/explain/explain.ts';
import { quick } from '../../src/explain/limits.ts';
import type { RoundingRule } from '../../src/money/rate.ts';
import type { Rules } from '../../src/reconcile/rules.ts';
import { inMinorUnits, roundingRules } from '../../src/reconcile/tariffs.ts';
import { columnsOf, defaultSettings, judge } from '../reconcile/judge.ts';
import { buildOutcome, buildRow, uuid } from '../support/build.ts';
import { Random } from '../support/random.ts';
import { ask, bestCauses, complete, headerOver, namedRows } from './ask.ts';

/** In millionths of a minor unit, and of the gross. */
interface Price {
  readonly fixed: bigint;
  readonly rate: bigint;
}

const card: Price = { fixed: 25_000_000n, rate: 14_000n };
const wallet: Price = { fixed: 10_000_000n, rate: 29_000n };
const taxRate = 200_000n;

/** A row with its fees before they are rounded. */
function charged(number: number, amount: bigint, price: Price, given: object = {}) {
  const exact = (amount < 0n ? -price.fixed : price.fixed) + price.rate * amount;
  const fees = inMinorUnits(exact, 'down');
  const tax = inMinorUnits(fees * taxRate, 'down');
  const [id, chargeId] = [uuid(number), uuid(number + 5000)];
  return { ...buildRow({ id, chargeId, amount, fees, tax, ...given }), exact };
}

type Charged = ReturnType<typeof charged>;

const sum = (numbers: readonly bigint[]) => numbers.reduce((total, one) => total + one, 0n);
const totalOf = (rows: readonly Charged[], rule: RoundingRule = 'half_up') =>
  inMinorUnits(sum(rows.map(({ exact }) => exact)), rule);

const amounts = Array.from({ length: 28 }, (_, n) => BigInt(11_30 + n * 9_11));
const shop = amounts.map((amount, n) => charged(n, amount, card));
const mixed = [
  ...shop,
  ...amounts.map((amount, n) => charged(n + 100, amount + 3n, wallet, { paymentType: 'wallet' })),
];

/** The facts of the only cause that explains all, by which the header rounds. */
function roundingFound(question: Parameters<typeof ask>[0]) {
  const causes = bestCauses(ask(question));
  expect(causes.map(({ code }) => code)).toEqual(['rounding']);
  return causes[0]?.facts;
}

describe('rounding of fees with a fixed part', () => {
  test('explains fees of 0.25 + 1.4 % that rows round down and the header rounds once', () => {
    const facts = roundingFound({ rows: shop, header: { fees: totalOf(shop) }, effort: quick });
    expect(facts).toMatchObject({
      tariffs: [{ fixed: 25_000_000, rate: 14_000, scope: {} }],
      rowsRule: 'down',
      rule: 'half_up',
      of: 'total',
    });
  });

  test('explains one tariff per payment type if the header rounds the total', () => {
    const facts = roundingFound({ rows: mixed, header: { fees: totalOf(mixed, 'up') } });
    expect(facts).toMatchObject({
      tariffs: [{ scope: { paymentType: 'card' } }, { scope: { paymentType: 'wallet' } }],
      rule: 'up',
      of: 'total',
    });
  });

  test('explains a total of purchases, and of refunds without the fixed part', () => {
    const refunds = amounts
      .slice(0, 6)
      .map((amount, n) => charged(n + 200, -amount, { ...card, fixed: 0n }, { type: 'refund' }));
    const rows = [...shop, ...refunds];
    const facts = roundingFound({ rows, header: { fees: totalOf(rows) } });
    expect(facts).toMatchObject({
      tariffs: [{ scope: { sign: 1 } }, { fixed: 0, scope: { sign: -1 } }],
      of: 'total',
    });
  });

  test('explains fees or tax, never both', () => {
    const fees = totalOf(shop);
    const tax = inMinorUnits(fees * taxRate, 'half_up');
    expect(bestCauses(ask({ rows: shop, header: { fees, tax } }))).toEqual([]);
    expect(roundingFound({ rows: shop, header: { fees } })).toMatchObject({ amount: 'fees' });
  });

  test('explains a total without a row that the header leaves out', () => {
    for (const [place, left] of shop.slice(0, 8).entries()) {
      const rest = shop.filter((row) => row !== left);
      const header = {
        transactions: rest.length,
        gross: sum(rest.map(({ amount }) => amount)),
        fees: totalOf(rest),
        tax: sum(rest.map(({ tax }) => tax)),
      };
      const explained = ask({ rows: shop, header });
      const codes = bestCauses(explained).map(({ code }) => code);
      expect(codes, `row ${place}`).toEqual(['rounding', 'row_not_counted']);
      expect(namedRows(explained)).toEqual([left.id]);
    }
  });

  test('explains a total that equals the rows until one row is left out', () => {
    // 0.5 + 0.5 cents: 0 + 0 in the rows, 1 in total; the third row makes it 1.5, and 1 with it.
    const price: Price = { fixed: 0n, rate: 10_000n };
    const rows = [1_50n, 2_50n, 3_00n, 9_98n, 4_02n].map((amount, n) => charged(n, amount, price));
    const [left, ...rest] = rows;
    const header = {
      transactions: 4,
      gross: sum(rest.map(({ amount }) => amount)),
      fees: totalOf(rest, 'up'),
      tax: sum(rest.map(({ tax }) => tax)),
    };
    const found = complete(ask({ rows, header }));
    const both = found.filter(({ codes }) => codes.join() === 'rounding,row_not_counted');
    const ids = both.flatMap(({ causes }) =>
      causes.flatMap((one) => one.rows.examples.map(({ transactionId }) => transactionId)),
    );
    expect(ids).toContain(left?.id);
  });
});

describe('rows of one price', () => {
  test('show a tariff that gives the difference', () => {
    const rows = Array.from({ length: 40 }, (_, n) => charged(n, 9_99n, card));
    const facts = roundingFound({ rows, header: { fees: totalOf(rows) } });
    expect(facts).toMatchObject({ of: 'total', rule: 'half_up' });
  });
});

describe('a small difference that no rule gives', () => {
  const listed = sum(shop.map(({ fees }) => fees));

  test.each([1n, -1n, 4n])('may be rounding without a rule: %s cents for 28 rows', (cents) => {
    const facts = roundingFound({ rows: shop, header: { fees: listed + cents } });
    expect(facts).toEqual({ of: 'unknown', amounts: ['fees'], rows: 28 });
  });

  describe('with a tariff that gives whole cents', () => {
    const codesOf = (rows: readonly Charged[]) =>
      complete(ask({ rows, header: { fees: sum(rows.map(({ fees }) => fees)) + 1n } })).flatMap(
        (one) => one.codes,
      );
    const exact = [100_00n, 50_00n, 150_00n, 70_00n].map((amount, n) =>
      charged(n, amount, { fixed: 0n, rate: 25_000n }),
    );

    test('is not rounding if all rows have whole cents', () => {
      expect(codesOf(exact)).not.toContain('rounding');
    });

    test('may be rounding if only most rows have whole cents', () => {
      const others = [77n, 12n, 41n].map((fees, n) => ({
        ...charged(n + 10, 10_01n + 7_77n * BigInt(n), card, { paymentType: 'wallet' }),
        fees,
      }));
      expect(codesOf([...exact, ...others])).toContain('rounding');
    });
  });

  test('is not rounding at 5 cents', () => {
    const explained = ask({ rows: shop, header: { fees: listed + 5n } });
    expect(complete(explained).flatMap(({ codes }) => codes)).not.toContain('rounding');
  });
});

test('rounding is found in all shops, by every rule, per row and in total', () => {
  const random = new Random(3);
  let [asked, found] = [0, 0];
  for (let n = 0; n < 40; n++) {
    const prices = ['card', 'wallet', 'invoice'].slice(0, random.int(1, 3)).map((paymentType) => ({
      paymentType,
      fixed: BigInt(random.pick([0, 10, 25, 35, 49])) * 1_000_000n,
      rate: BigInt(random.pick([9_000, 12_000, 14_000, 17_500, 29_000])),
    }));
    const rows = Array.from({ length: random.int(30, 300) }, (_, number) => {
      const { paymentType, ...price } = random.pick(prices);
      const sign = random.chance(10) ? -1n : 1n;
      const type = sign < 0n ? 'refund' : 'purchase';
      const amount = sign * BigInt(random.int(1_00, 300_00));
      return charged(number, amount, price, { paymentType, type });
    });
    const rule = random.pick(roundingRules);
    const isTotal = random.chance(60);
    const fees = isTotal
      ? totalOf(rows, rule)
      : sum(rows.map(({ exact }) => inMinorUnits(exact, rule)));
    if (fees === sum(rows.map((row) => row.fees))) continue;
    asked += 1;
    const [first] = complete(ask({ rows, header: { fees }, effort: quick }));
    const facts = first?.causes.map(({ cause }) => cause.facts);
    if (facts?.length === 1 && facts[0] && 'tariffs' in facts[0]) found += 1;
  }
  expect(asked).toBeGreaterThan(25);
  expect(found).toBe(asked);
});

test('rounding is found again if other rules apply to the same rows', () => {
  // Half of the fees are whole cents: they were not rounded.
  const rows = amounts.map((amount, n) =>
    charged(n, n % 2 ? amount : BigInt(10_00 + n * 5_00), card),
  );
  const settled = judge({
    rows,
    header: headerOver(rows, { fees: sum(rows.map((r) => r.fees)) + 2n }),
  });
  const evidence = { outcome: buildOutcome() };
  const by = (columns: ReturnType<typeof columnsOf>, rules: Rules) =>
    explainDifference(settled, columns, evidence, { ...defaultSettings, rules, effort: quick });
  const columns = columnsOf(rows);
  by(columns, { rounding: [{ amount: 'fees', of: 'total', round: 'half_up' }] });
  const roundedIn = ({ hypotheses }: ReturnType<typeof by>) =>
    hypotheses.flatMap((one) => ('causes' in one ? one.causes : [])).map(({ cause }) => cause);
  expect(roundedIn(by(columns, {}))).toEqual(roundedIn(by(columnsOf(rows), {})));
});
