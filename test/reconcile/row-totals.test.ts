import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rescale } from '../../src/money/money.ts';
import { totalsBy } from '../../src/reconcile/groups.ts';
import { RowTotals, rowTotalsBy } from '../../src/reconcile/row-totals.ts';
import { partsBy, type SplitName } from '../../src/reconcile/split.ts';
import { buildRow, uuid } from '../support/build.ts';
import { type Case, columnsOf, defaultSettings, judge } from './judge.ts';

/** The totals of the rows of these settlements. */
function addUp(cases: readonly Case[], settings: Partial<typeof defaultSettings> = {}) {
  const totals = new RowTotals({ ...defaultSettings, ...settings }.rules);
  const settlements = cases.map((one) => {
    const settlement = judge({ ...one, settings });
    totals.add(settlement, columnsOf(one.rows ?? [buildRow()]));
    return settlement;
  });
  return { settlements, rowTotals: totals.all() };
}

function split(cases: readonly Case[], names: readonly SplitName[]) {
  return rowTotalsBy(addUp(cases).rowTotals, partsBy(names), 'gross-fees-tax');
}

const wallet = buildRow({ id: uuid(1002), paymentType: 'wallet', amount: 500n });
const refund = buildRow({ id: uuid(1003), type: 'refund', amount: -200n, fees: 0n, tax: 0n });

test('rows are added up by payment type, then by currency', () => {
  const yen = { header: { currency: 'JPY' }, rows: [buildRow({ currency: 'JPY' })] };
  const both = { rows: [wallet, buildRow(), refund] };
  expect(split([yen, both, { rows: [wallet] }], ['payment'])).toEqual([
    {
      paymentType: 'card',
      currency: 'EUR',
      scale: 2,
      transactions: 2,
      gross: 800n,
      ...feesOf(1n),
      payIn: 764n,
    },
    {
      paymentType: 'card',
      currency: 'JPY',
      scale: 2,
      transactions: 1,
      gross: 1000n,
      ...feesOf(1n),
      payIn: 964n,
    },
    {
      paymentType: 'wallet',
      currency: 'EUR',
      scale: 2,
      transactions: 2,
      gross: 1000n,
      ...feesOf(2n),
      payIn: 928n,
    },
  ]);
});

function feesOf(rows: bigint) {
  return { fees: 30n * rows, tax: 6n * rows };
}

test('two splits have the order in which they are given, and the currency is last unless named', () => {
  const april = { header: { date: '2026-04-01' }, rows: [wallet] };
  const cases = [april, { rows: [wallet, buildRow()] }];
  const parts = (names: readonly SplitName[]) =>
    split(cases, names).map(
      ({ scale: _, transactions, gross: _g, fees: _f, tax: _t, payIn: _p, ...rest }) => [
        ...Object.values(rest),
        transactions,
      ],
    );
  expect(parts(['month', 'payment'])).toEqual([
    ['2026-03', 'card', 'EUR', 1],
    ['2026-03', 'wallet', 'EUR', 1],
    ['2026-04', 'wallet', 'EUR', 1],
  ]);
  expect(parts(['payment', 'day'])).toEqual([
    ['card', '2026-03-05', 'EUR', 1],
    ['wallet', '2026-03-05', 'EUR', 1],
    ['wallet', '2026-04-01', 'EUR', 1],
  ]);
  expect(parts(['currency', 'type'])).toEqual([['EUR', 'purchase', 3]]);
});

test('totals leave out pending and incomplete settlements', () => {
  const pending = { header: { status: 'pending_settlement' } };
  expect(split([pending, { outcome: { notRead: 'offline' } }], ['type'])).toEqual([]);
});

test('totals have no pay-in if the identity is off', () => {
  const [line] = rowTotalsBy(addUp([{}]).rowTotals, partsBy(['type']), 'off');
  expect(line).toMatchObject({ gross: 1000n, payIn: undefined });
});

describe('law: totals of rows add up to the computed amounts of settlements', () => {
  const row = fc.record({
    type: fc.constantFrom('purchase', 'refund', ''),
    paymentType: fc.constantFrom('card', 'wallet', ''),
    state: fc.constantFrom('approved', 'declined'),
    currency: fc.constantFrom('EUR', 'EUR', 'JPY'),
    scale: fc.constantFrom(0, 2, 3),
    amount: fc.bigInt({ min: -2000n, max: 2000n }),
    fees: fc.bigInt({ min: -50n, max: 50n }),
    tax: fc.bigInt({ min: -20n, max: 20n }),
  });
  const cases = fc.array(
    fc.record({
      header: fc.record({
        date: fc.constantFrom('2026-03-05', '2026-03-06', '2026-04-01'),
        accountingToken: fc.constantFrom('a', 'b'),
        currency: fc.constantFrom('EUR', 'JPY'),
        status: fc.constantFrom('settled', 'settled_out_of_balance', 'validated'),
        scale: fc.constantFrom(0, 2, 18),
      }),
      rows: fc
        .array(row, { maxLength: 5 })
        .map((rows) => rows.map((one, at) => buildRow({ ...one, id: uuid(at) }))),
    }),
    { maxLength: 6 },
  );
  const rules = fc.constantFrom(
    {},
    { not_counted: [{ state: 'declined', count: 'follows' as const }] },
    { signs: [{ type: 'refund' }] },
    { tax_in_fees: 'moved' as const },
  );
  const names = fc.constantFrom<readonly SplitName[]>(
    ['payment'],
    ['type'],
    ['month', 'payment'],
    ['account', 'type'],
    ['type', 'payment'],
  );

  test.each(['gross', 'fees', 'tax', 'payIn'] as const)('%s', (measure) => {
    fc.assert(
      fc.property(cases, rules, names, (all, by, splits) => {
        const { settlements, rowTotals } = addUp(all, { rules: by });
        const lines = rowTotalsBy(rowTotals, partsBy(splits), 'gross-fees-tax');
        for (const total of totalsBy(settlements, partsBy(['currency']), true)) {
          const own = lines.filter(({ currency }) => currency === total.currency);
          // A line has no more decimal places than the totals, which are also of what they leave out.
          const amounts = own.map((one) => rescale(one[measure] ?? 0n, one.scale, total.scale));
          const sum = amounts.reduce((before, amount) => before + amount, 0n);
          expect(sum).toBe(total[measure].computed);
        }
      }),
      { numRuns: 50 },
    );
  });
});

test('totals leave out and do not count rows in another currency than the settlement', () => {
  const dollars = buildRow({ id: uuid(1004), currency: 'USD' });
  const totals = split([{ rows: [buildRow(), dollars] }], ['type']);
  expect(totals.map(({ currency, transactions }) => [currency, transactions])).toEqual([
    ['EUR', 1],
  ]);
});
