import { describe, expect, test } from 'vitest';
import type { Pattern } from '../../src/explain/pattern.ts';
import { patternsIn } from '../../src/explain/patterns.ts';
import type { Row } from '../../src/model/row.ts';
import { listedIn } from '../../src/reconcile/computed.ts';
import { reconcileSettlement } from '../../src/reconcile/reconcile-settlement.ts';
import { patternClause } from '../../src/report/explain/pattern-words.ts';
import { columnsOf, defaultSettings } from '../reconcile/judge.ts';
import type { Stated } from '../support/build.ts';
import { buildOutcome, buildSettlement, uuid } from '../support/build.ts';
import { headerOver, row } from './ask.ts';

type Header = Required<Pick<Stated, 'gross' | 'fees' | 'tax' | 'payIn' | 'transactions'>>;
type Change = (header: Header, rows: readonly Row[], at: number) => Partial<Header>;
type Amounts = readonly [gross: bigint, fees: bigint, tax: bigint];

const sets: readonly (readonly Amounts[])[] = [
  [
    [4590n, 89n, 19n],
    [12907n, 206n, 43n],
    [2513n, 60n, 13n],
    [7899n, 136n, 29n],
  ],
  [
    [15200n, 238n, 50n],
    [999n, 39n, 8n],
    [6420n, 115n, 24n],
  ],
  [
    [8800n, 148n, 31n],
    [2210n, 56n, 12n],
    [4999n, 95n, 20n],
    [3175n, 69n, 14n],
    [5050n, 96n, 20n],
  ],
];
const refunds = [-1530n, -999n, -2210n];

/** The rows of three settlements, each with a refund. */
const months: readonly (readonly Row[])[] = sets.map((set, at) => [
  ...set.map((amounts, n) => row(100 * at + n, amounts, { type: 'purchase' })),
  row(100 * at + 50, [refunds[at] ?? 0n, 0n, 0n], { type: 'refund' }),
]);

/** Settlements whose headers are changed, and the patterns in them. */
function found(
  change: Change,
  given = months,
  hasCause = () => false,
  date = (_: number) => '2026-03-01',
): readonly Pattern[] {
  const members = given.map((rows, at) => {
    const sums = headerOver(rows, {}) as Header;
    const own = change(sums, rows, at);
    const changed = { ...sums, ...own };
    const { gross, fees, tax } = changed;
    // The pay-in follows unless it is changed too.
    const { payIn = gross - fees - tax } = own;
    const settlement = buildSettlement({ ...changed, payIn, id: uuid(at + 1), date: date(at) });
    const columns = columnsOf(rows.map((one) => ({ ...one, settlementId: '' })));
    const outcome = buildOutcome();
    const settled = reconcileSettlement({
      settlement,
      rows: columns,
      outcome,
      settings: defaultSettings,
    });
    return { settled, listed: listedIn(settlement, columns), hasRows: true, outcome };
  });
  return patternsIn(members, [], defaultSettings, hasCause).patterns;
}

function said(...given: Parameters<typeof found>): readonly string[] {
  const form = { scale: 2, currency: 'EUR' };
  return found(...given).map(({ terms }) => patternClause(terms, form));
}

const sum = (rows: readonly Row[], of: 'amount' | 'fees' | 'tax') =>
  rows.reduce((total, one) => total + one[of], 0n);
const ofType = (rows: readonly Row[], type: string) => rows.filter((one) => one.type === type);
const shareOf = (minor: bigint, thousandths: bigint) => (minor * thousandths + 500n) / 1000n;

describe('what holds in three settlements is found', () => {
  test('a fee for each settlement, with its tax', () => {
    expect(said(({ fees, tax }) => ({ fees: fees + 25n, tax: tax + 5n }))).toEqual([
      "the settlement's fees are 0.25 EUR higher; the settlement's tax is 0.05 EUR higher",
    ]);
  });

  test('an amount that each pay-in lacks', () => {
    expect(said(({ payIn }) => ({ payIn: payIn - 50n }))).toEqual([
      'the net pay-out is 0.50 EUR lower',
    ]);
  });

  test('a fee for each row, and for each row of a type', () => {
    expect(said(({ fees }, rows) => ({ fees: fees + 7n * BigInt(rows.length) }))).toEqual([
      "the settlement's fees are 0.07 EUR higher for each transaction",
    ]);
    expect(
      said(({ fees }, rows) => ({ fees: fees + 7n * BigInt(ofType(rows, 'purchase').length) })),
    ).toEqual([
      `the settlement's fees are 0.07 EUR higher for each transaction of type "purchase"`,
    ]);
  });

  test('tax that only the header has, as a rate of the fees', () => {
    const untaxed = months.map((rows) => rows.map((one) => ({ ...one, tax: 0n })));
    expect(said((_, rows) => ({ tax: shareOf(sum(rows, 'fees'), 210n) }), untaxed)).toEqual([
      "the settlement's tax also includes 21 % of the fees of the transactions, rounded in total, half up",
    ]);
  });

  test('a share that is withheld', () => {
    expect(said(({ payIn }) => ({ payIn: payIn - shareOf(payIn, 100n) }))).toEqual([
      'the net pay-out is reduced by 10 % of the net pay-out as calculated, rounded in total, half up',
    ]);
  });

  test('refunds outside the gross and inside the pay-in', () => {
    const change: Change = ({ gross, payIn }, rows) => ({
      gross: gross - sum(ofType(rows, 'refund'), 'amount'),
      payIn,
    });
    expect(said(change)).toEqual([
      'the settlement\'s gross leaves out the gross of the transactions of type "refund"; ' +
        'the net pay-out also includes the gross of the transactions of type "refund"',
    ]);
  });

  test('rows that are net of fees and tax', () => {
    expect(
      said(({ gross }, rows) => ({ gross: gross + sum(rows, 'fees') + sum(rows, 'tax') })),
    ).toEqual(["the settlement's gross also includes the fees and tax of the transactions"]);
  });

  test('fees that come back with their refunds', () => {
    const withCharges = months.map((rows) =>
      rows.map((one) =>
        one.type === 'refund' ? { ...one, chargeId: rows[0]?.chargeId ?? '' } : one,
      ),
    );
    const change: Change = ({ fees, tax }, [first]) => ({
      fees: fees - (first?.fees ?? 0n),
      tax: tax - (first?.tax ?? 0n),
    });
    expect(said(change, withCharges)).toEqual([
      "the settlement's fees leave out the fees of the refunded purchases; " +
        "the settlement's tax leaves out the tax of the refunded purchases",
    ]);
  });

  test('a minimum and a maximum of the fees of each row', () => {
    const limited = (limit: (fees: bigint) => bigint): Change => {
      const charged = (rows: readonly Row[]) => ofType(rows, 'purchase').map(({ fees }) => fees);
      return (_, rows) => ({ fees: charged(rows).reduce((total, one) => total + limit(one), 0n) });
    };
    expect(said(limited((fees) => (fees < 100n ? 100n : fees)))).toEqual([
      "the settlement's fees have a minimum of 1.00 EUR for each transaction",
    ]);
    expect(said(limited((fees) => (fees > 90n ? 90n : fees)))).toEqual([
      "the settlement's fees have a maximum of 0.90 EUR for each transaction",
    ]);
  });

  test('a fee in the first settlement of each month', () => {
    const twelve = [...months, ...months, ...months, ...months];
    const change: Change = ({ fees }, _, at) => ({ fees: at % 3 === 0 ? fees + 15_00n : fees });
    const date = (at: number) =>
      `2026-${String(Math.floor(at / 3) + 1).padStart(2, '0')}-0${(at % 3) + 1}`;
    expect(said(change, twelve, () => false, date)).toEqual([
      "the settlement's fees are 15.00 EUR higher in the first settlement of each month",
    ]);
  });

  test('a pay-in in whole units', () => {
    expect(said(({ payIn }) => ({ payIn: payIn - (payIn % 100n) }))).toEqual([
      'the net pay-out is rounded to steps of 1.00 EUR, down',
    ]);
  });
});

describe('a pattern is not found', () => {
  test('in two settlements', () => {
    expect(said(({ fees }) => ({ fees: fees + 25n }), months.slice(1))).toEqual([]);
  });

  test('if one settlement agrees without it', () => {
    const four = [...months, ...months.slice(0, 1)];
    expect(said(({ fees }, _, at) => ({ fees: at === 3 ? fees : fees + 25n }), four)).toEqual([]);
  });

  test('if one differs otherwise, unless that has a cause of its own', () => {
    const four = [...months, ...months.slice(0, 1)];
    const change: Change = ({ fees }, _, at) => ({ fees: fees + (at === 3 ? 31n : 25n) });
    expect(said(change, four)).toEqual([]);
    expect(found(change, four, () => true)).toMatchObject([{ settlements: 4, wholly: 3 }]);
  });

  test('where it only leaves out a settlement that contradicts a shorter one', () => {
    // The settlement without the fee has no refund.
    const [first = [], ...others] = months;
    const five = [...months, first, ofType(first, 'purchase'), ...others];
    expect(said(({ fees }, _, at) => ({ fees: at === 4 ? fees : fees + 25n }), five)).toEqual([]);
  });

  test('in differences of the size of rounding', () => {
    expect(said(({ fees }) => ({ fees: fees + 1n }))).toEqual([]);
  });
});

test('each account and currency has patterns of its own, in any order', () => {
  const [one] = found(({ fees }) => ({ fees: fees + 25n }));
  const [other] = found(({ fees }) => ({ fees: fees + 25n }), months.toReversed());
  expect(one?.terms).toEqual(other?.terms);
});
