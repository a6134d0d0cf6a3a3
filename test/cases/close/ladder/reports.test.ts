import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { tokens } from '../year.ts';
import { type Closing, closeTwice } from './closing.ts';
import { makeMonths, months } from './months.ts';
import { openingsOf, unitsOf } from './open.ts';
import { jsonOf, linesOf, type Money, minorOf } from './said.ts';
import { seeds } from './seeds.ts';

interface Group {
  readonly currency: string;
  readonly settlements: Readonly<Record<string, number>>;
  readonly computed: Readonly<Record<string, Money>>;
  readonly reported: Readonly<Record<string, Money>>;
  readonly difference: Readonly<Record<string, Money>>;
}

interface Report {
  readonly verdict: string;
}

interface Settlements extends Report {
  readonly groups: readonly Group[];
}

interface Bank extends Report {
  readonly movements: readonly {
    readonly currency: string;
    readonly received: Money;
    readonly earlier: Money;
  }[];
}

interface Fees extends Report {
  readonly lines: readonly {
    readonly currency: string;
    readonly over: Money;
    readonly taxOver: Money;
    readonly overRows: number;
  }[];
}

interface Row {
  readonly state: string;
  readonly currency: string;
  readonly settled: Money;
  readonly refunded: Money;
  readonly chargedBack: Money;
  readonly settlements: readonly { readonly id: string; readonly date: string }[];
}

interface Orders extends Report {
  readonly ladders: readonly {
    readonly currency: string;
    readonly months: readonly { month: string; count: number; due: Money }[];
  }[];
  readonly orders: readonly (Row & {
    readonly orderDate: string;
    readonly refundState: string;
    readonly difference: Money | null;
  })[];
  readonly rowsWithoutOrder: readonly Row[];
}

/** Runs what the checklist prints beside a step. */
async function reportOf<Json extends Report>(closing: Closing, step: string) {
  const { json, shop, where } = closing;
  const line = json.checklist.find((one) => one.step === step);
  const [, ...args] = (line?.command ?? '').replace(/ --config \S+/, '').split(' ');
  const report = jsonOf<Json>(await shop.run([...args, '--format', 'json']));
  expect.soft(line?.answer, `${where} ${step}`).toBe(report.verdict);
  return report;
}

/** The amount of a line, and 0 for a line that is not there. */
function amountIn({ json }: Closing, currency: string, key: string): bigint {
  const line = linesOf(json, currency)[key];
  return line ? minorOf(line.amount) : 0n;
}

function add(sums: Record<string, bigint>, key: string, amount: bigint): void {
  sums[key] = (sums[key] ?? 0n) + amount;
}

const nonZero = (sums: Readonly<Record<string, bigint>>) =>
  Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0n));

async function expectSettlements(closing: Closing): Promise<void> {
  const { groups } = await reportOf<Settlements>(closing, 'settlements');
  const sums: Record<string, bigint> = {};
  const counts: Record<string, bigint> = {};
  for (const { currency, computed, reported, difference, settlements } of groups) {
    const { gross, fees, tax } = computed;
    if (!gross || !fees || !tax || !reported['payIn'] || !difference['payIn']) continue;
    add(sums, `${currency} gross`, minorOf(gross));
    add(sums, `${currency} fees`, -minorOf(fees));
    add(sums, `${currency} tax`, -minorOf(tax));
    add(sums, `${currency} pay_in`, minorOf(reported['payIn']));
    add(sums, `${currency} pay_in_difference`, minorOf(difference['payIn']));
    const { balanced = 0, out_of_balance = 0 } = settlements;
    add(counts, currency, BigInt(balanced + out_of_balance));
  }
  for (const { currency } of closing.json.ladders) {
    for (const key of ['gross', 'fees', 'tax', 'pay_in', 'pay_in_difference'])
      expect
        .soft(amountIn(closing, currency, key), `${closing.where} ${currency} ${key}`)
        .toBe(sums[`${currency} ${key}`] ?? 0n);
    const { gross } = linesOf(closing.json, currency);
    expect.soft(BigInt(gross?.count ?? 0), closing.where).toBe(counts[currency] ?? 0n);
  }
}

async function expectBank(closing: Closing): Promise<void> {
  const { movements } = await reportOf<Bank>(closing, 'bank');
  const received: Record<string, bigint> = {};
  for (const one of movements)
    add(received, one.currency, minorOf(one.received) + minorOf(one.earlier));
  for (const { currency } of closing.json.ladders)
    expect
      .soft(amountIn(closing, currency, 'received'), `${closing.where} ${currency} received`)
      .toBe(-(received[currency] ?? 0n));
}

async function expectFees(closing: Closing): Promise<void> {
  const { lines } = await reportOf<Fees>(closing, 'fees');
  const over: Record<string, bigint> = {};
  for (const one of lines) add(over, one.currency, minorOf(one.over) + minorOf(one.taxOver));
  const point = closing.json.blockers.find(({ code }) => code === 'overcharged');
  const said = (point?.amounts ?? []).map(({ currency, net }) => [currency, minorOf(net)]);
  expect.soft(Object.fromEntries(said), closing.where).toEqual(nonZero(over));
  const rows = lines.reduce((sum, { overRows }) => sum + overRows, 0);
  expect.soft(point?.count ?? 0, closing.where).toBe(rows);
}

const ofRefund: ReadonlySet<string> = new Set([
  ...['refund_missing', 'refund_unknown', 'refund_in_transit', 'charged_back'],
]);

async function expectOrders(closing: Closing): Promise<void> {
  const { month, where } = closing;
  const { ladders, orders, rowsWithoutOrder } = await reportOf<Orders>(closing, 'orders');
  const states: Record<string, bigint> = {};
  for (const { orderDate, state, refundState, currency, difference } of orders) {
    if (!difference || !orderDate.startsWith(month.name)) continue;
    const said = ofRefund.has(refundState) ? refundState : state;
    add(states, `${currency} orders ${said}`, minorOf(difference));
  }
  for (const { state, currency, settled, refunded, chargedBack, settlements } of rowsWithoutOrder)
    if (
      settlements.every(
        ({ date }) => date >= month.from && date <= month.to && !isPending(closing, settlements),
      )
    )
      add(
        states,
        `${currency} rows ${state}`,
        minorOf(settled) - minorOf(refunded) - minorOf(chargedBack),
      );
  const inLadder: Record<string, bigint> = {};
  for (const { currency, lines } of closing.json.ladders) {
    const due = ladders
      .find((one) => one.currency === currency)
      ?.months.find((one) => one.month === month.name);
    const sold = linesOf(closing.json, currency)['sold'];
    expect
      .soft([sold && minorOf(sold.amount), sold?.count], `${where} ${currency} sold`)
      .toEqual([due ? minorOf(due.due) : 0n, due?.count ?? 0]);
    for (const { code, state, amount } of lines)
      if (code === 'orders' || code === 'rows')
        add(inLadder, `${currency} ${code} ${state}`, minorOf(amount));
  }
  expect.soft(nonZero(inLadder), where).toEqual(nonZero(states));
}

/** Pending settlements are in no ladder. */
function isPending({ truth }: Closing, settlements: readonly { readonly id: string }[]): boolean {
  return settlements.some(({ id }) => truth.pending.has(id));
}

/** What the journal from the first day of the books leaves in transit. */
async function expectJournal(closing: Closing, seed: number): Promise<void> {
  const { shop, month, where } = closing;
  const range = ['--from', months[0].from, '--to', month.to];
  const { stdout } = await shop.run(['journal', ...range, '--for', 'csv', '--bank']);
  const postings: readonly Readonly<Record<string, string>>[] = parse(stdout, { columns: true });
  const merchant = makeMonths(seed);
  const left: Record<string, bigint> = { ...openingsOf(merchant) };
  for (const { date = '', purpose, currency = '', debit = '', credit = '' } of postings)
    if (purpose === 'in_transit' && date <= month.to)
      add(left, currency, unitsOf(debit, currency) - unitsOf(credit, currency));
  for (const currency of new Set(tokens.map((one) => one.currency)))
    expect
      .soft(amountIn(closing, currency, 'in_books'), `${where} ${currency} in the books`)
      .toBe(left[currency] ?? 0n);
}

test.each(seeds)(
  'each figure stands in the report that is named beside it: seed %i',
  async (seed) => {
    for await (const closing of closeTwice(makeMonths(seed))) {
      await expectOrders(closing);
      await expectSettlements(closing);
      await expectFees(closing);
      await expectBank(closing);
      await expectJournal(closing, seed);
    }
  },
);
