import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../support/fake-clock.ts';
import {
  advice,
  deciding,
  differencesOf,
  jsonOf,
  laddersOf,
  loudRefunds,
  missing,
  type OrderRecord,
  recordsOf,
  runOrders,
  runWithoutRange,
  verdicts,
} from './adapter.ts';
import { bytesOf, fileOf, mappings } from './files.ts';
import { type LaterMonth, makeLaterMonth, makeMonth } from './month.ts';
import {
  type Dialect,
  dayOf,
  daysUntil,
  decimals,
  type Month,
  normalised,
  range,
  type Truth,
} from './month-maker.ts';
import { judge } from './oracle.ts';
import { exportRows, serveRows } from './service.ts';

/** Two months of each shop by default; `ORDERS_SEEDS=40` for all that was asked for. */
const seeds = Array.from({ length: Number(process.env['ORDERS_SEEDS'] ?? 2) }, (_, n) => n + 1);
const dialects: readonly Dialect[] = ['shopify', 'plain'];
/** The cases of which nothing is to decide. */
const calm = [
  ...['settled', 'settled_in_parts', 'in_transit', 'nothing_due', 'out_of_scope', 'cancelled'],
  ...['partly_settled', 'pending', 'refunded', 'refunded_in_part', 'none', 'test'],
];

const inMillionths = (amount: bigint, currency: string) =>
  amount * 10n ** BigInt(6 - (decimals[currency] ?? 2));

/** What an order's record says otherwise than what is right; empty if it is right. */
function wrongIn(truth: Truth, currency: string, record: OrderRecord | undefined): string[] {
  if (!record) return ['no record'];
  const wrong: string[] = [];
  const compare = (name: string, found: unknown, right: unknown) => {
    if (found !== right) wrong.push(`${name} ${found} instead of ${right}`);
  };
  const refund = record.refund || 'none';
  // An order of which a row was left out is not settled without a word; which, is not said.
  const isOpen = truth.hasUncounted && !deciding.includes(record.state);
  if (!isOpen && !truth.or.includes(record.state)) compare('state', record.state, truth.state);
  if (truth.refund !== undefined) compare('refund', refund, truth.refund);
  if (truth.isQuiet && loudRefunds.includes(refund)) wrong.push(`refund ${refund} is an alarm`);
  if (truth.net === undefined || truth.due === undefined) return wrong;
  const net = inMillionths(truth.net, currency);
  compare('currency', record.currency, currency);
  compare('difference', record.difference, net - inMillionths(truth.due, currency));
  compare('net', record.net, net);
  return wrong;
}

describe.each(dialects)('a month of a shop: %s', (dialect) => {
  test.each(seeds)('has no wrong state and no wrong amount: seed %i', async (seed) => {
    const month = makeMonth(seed, dialect);
    const rows = await exportRows(month.rows);
    await writeFile(join(rows.folder, 'orders.csv'), bytesOf(fileOf(month)));
    const runAs = (format: string) =>
      runOrders(rows, ['orders.csv'], mappings[dialect], ['--format', format]);

    const csv = await runAs('csv');
    const records = recordsOf(csv);
    expectOrders(month, records);
    expectNet(records);
    expectStrays(month, records);

    const run = await runAs('json');
    const json = jsonOf(run);
    expect(json.verdict).toBe(verdicts.notReconciled);
    expect([csv.exitCode, run.exitCode]).toEqual([1, 1]);
    expectLadders(month, json);
    const ofJson = json.orders.map(({ orderRef, state, reason, refundState }) =>
      [orderRef, state === 'difference' ? reason : state, refundState ?? ''].join(' '),
    );
    const ofCsv = records.filter(({ ref }) => ref !== '');
    const silent = json.orders.filter(
      ({ orderRef, state, reason }) =>
        month.orders.get(normalised(orderRef, dialect))?.hasUncounted &&
        ['settled', 'settled_in_parts'].includes(state) &&
        reason === null,
    );
    expect(silent.map(({ orderRef }) => orderRef)).toEqual([]);
    expect(ofJson.sort()).toEqual(
      ofCsv.map(({ ref, state, refund }) => [ref, state, refund].join(' ')).sort(),
    );
  });
});

/** Whatever the states are called: where the net agrees nothing is to decide, and else it is told. */
function expectNet(records: readonly OrderRecord[]): void {
  const unknown = ['conflicting', 'ambiguous', 'other_currency'];
  const loud = [...loudRefunds, 'charged_back'];
  const waiting = ['not_covered', 'in_transit', 'partly_settled'];
  const wrong = records.filter(({ ref, state, refund, difference }) => {
    if (ref === '' || unknown.includes(state)) return false;
    if (difference === 0n) return deciding.includes(state);
    return ![...deciding, ...waiting].includes(state) && !loud.includes(refund);
  });
  expect(wrong.map(({ ref, state, difference }) => `${ref} ${state} ${difference}`)).toEqual([]);
}

function expectOrders({ dialect, docs, orders }: Month, records: readonly OrderRecord[]): void {
  const found = new Map(
    records
      .filter(({ ref }) => ref !== '')
      .map((record) => [normalised(record.ref, dialect), record]),
  );
  const currencies = new Map(docs.map(({ ref, currency }) => [normalised(ref, dialect), currency]));
  const wrong = [...orders].flatMap(([key, truth]) =>
    wrongIn(truth, currencies.get(key) ?? '', found.get(key)).map((what) => `${key}: ${what}`),
  );
  expect(wrong).toEqual([]);
  expect([...found.keys()].filter((key) => !orders.has(key))).toEqual([]);

  const paidOn = new Map(
    docs.map((doc) => [
      normalised(doc.ref, dialect),
      dayOf(dialect === 'shopify' ? doc.paidAt : doc.soldAt),
    ]),
  );
  for (const [key, { state }] of orders) {
    if (state !== 'in_transit' && state !== missing) continue;
    const age = daysUntil(paidOn.get(key) ?? '', range.to);
    expect(`${key} ${found.get(key)?.ageDays}`).toBe(`${key} ${age}`);
  }
}

function expectStrays({ strays }: Month, records: readonly OrderRecord[]): void {
  const found = records
    // A row whose keys disagree has no order either; its ladder line is another.
    .filter(({ ref, state }) => ref === '' && state !== 'ambiguous')
    .flatMap(({ transactionIds, state, refund }) =>
      transactionIds.map((id) => [id, state || refund] as const),
    );
  expect(new Map(found)).toEqual(new Map(strays));
}

describe.each(dialects)('the advice over a month: %s', (dialect) => {
  const states = [
    ...['amount_differs', 'unpaid_but_settled', 'cancelled_but_settled', 'settled_twice'],
    ...['missing_in_settlements', 'refund_missing', 'refund_unknown', 'charged_back'],
  ];
  test.each(seeds)('is what the net supports, state by state: seed %i', async (seed) => {
    const wrong: string[] = [];
    for (const state of [...states, 'calm']) {
      const options = { states: state === 'calm' ? calm : [state], times: 3, isPure: true };
      const month = makeMonth(seed, dialect, options);
      const rows = await serveRows(month.rows);
      await writeFile(join(rows.folder, 'orders.csv'), bytesOf(fileOf(month)));
      const args = ['--format', 'table'];
      const run = await runOrders(rows, ['orders.csv'], mappings[dialect], args);
      const text = run.stdout.replaceAll(/\s+/g, ' ');
      const truths = [...month.orders.values()];
      const judged = [...judge(month).orders.values()];
      const expected = {
        refund: truths.some(({ mayRefund }) => mayRefund),
        ask: judged.some((order) => order.state === missing),
        checkRefund: judged.some(({ refund }) => refund === 'refund_missing'),
      };
      for (const kind of ['refund', 'ask', 'checkRefund'] as const) {
        const found = advice[kind].test(text);
        if (found !== expected[kind]) wrong.push(`${state}: ${kind} ${found}`);
      }
      if (state === 'calm' && run.exitCode !== 0) wrong.push(`calm: exit code ${run.exitCode}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe.each(dialects)('a refund that is settled weeks later: %s', (dialect) => {
  test.each(seeds)('is found before anybody is told to pay: seed %i', async (seed) => {
    const month = makeLaterMonth(seed, dialect);
    const rows = await serveRows(month.rows);
    await writeFile(join(rows.folder, 'orders.csv'), bytesOf(fileOf(month)));
    const clock = new FakeClock(Date.UTC(2026, 5, 1));
    const mapping = mappings[dialect];
    const wrong = (records: readonly OrderRecord[], right: LaterMonth['whole']) => {
      const states = new Map(records.map(({ ref, state }) => [normalised(ref, dialect), state]));
      return [...right].flatMap(([key, { state, or }]) => {
        const found = states.get(key) ?? 'none';
        return [state, ...or].includes(found) ? [] : [`${found} instead of ${state}`];
      });
    };
    const csv = ['--format', 'csv'];
    const within = await runOrders(rows, ['orders.csv'], mapping, csv);
    expect(wrong(recordsOf(within), month.orders)).toEqual([]);
    const whole = await runWithoutRange(rows, ['orders.csv'], mapping, csv, { clock });
    expect(wrong(recordsOf(whole), month.whole)).toEqual([]);
  });
});

function expectLadders(month: Month, json: ReturnType<typeof jsonOf>): void {
  const judged = judge(month);
  const currencies = new Map(
    month.docs.map(({ ref, currency }) => [normalised(ref, month.dialect), currency]),
  );
  const ladders = laddersOf(json);
  for (const [currency, sums] of judged.sums) {
    const ladder = ladders.get(currency);
    const value = (amount: bigint) => inMillionths(amount, currency);
    expect(ladder?.rows, currency).toEqual({
      range: value(sums.range),
      ofOrders: value(sums.ofOrders),
      withoutOrder: value(sums.withoutOrder),
      ambiguous: value(sums.ambiguous),
      notCounted: value(sums.notCounted),
    });
    const steps = ladder?.steps ?? [];
    const stepped = steps.reduce((sum, { amount }) => sum + amount, 0n);
    expect((ladder?.shop ?? 0n) + stepped, currency).toBe(ladder?.settled);
    // Each step is the sum of the differences that the orders of it show.
    const shown = steps.filter(({ of, amount }) => of === 'orders' && amount !== 0n);
    expect(new Map(shown.map(({ state, amount }) => [state, amount])), currency).toEqual(
      differencesOf(json, currency),
    );
    // All that is settled: every row that counts, of whatever order or of none.
    expect(ladder?.settled, currency).toBe(value(sums.range - sums.notCounted));
    // What conflicting documents are worth is not known, and they alone have this currency.
    if (currency === 'GBP') continue;
    const own = [...judged.orders].filter(([key]) => currencies.get(key) === currency);
    const sum = (list: typeof own, of: 'due' | 'net') =>
      value(list.reduce((all, [, order]) => all + order[of], 0n));
    expect(ladder?.shop, currency).toBe(sum(own, 'due'));
    const lost = own.filter(([, { state }]) => state === missing);
    const step = steps.find(({ state }) => state === missing);
    expect(step?.amount ?? 0n, currency).toBe(sum(lost, 'net') - sum(lost, 'due'));
  }
}
