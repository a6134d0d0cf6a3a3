import { describe, expect, test } from 'vitest';
import { withId } from '../../src/books/entry.ts';
import { type BatchPlan, type JournalRun, planBatch } from '../../src/books/plan-batch.ts';
import type { Purpose } from '../../src/model/account-mapping.ts';
import { isOfBank, type JournalEntry } from '../../src/model/journal-entry.ts';
import { march } from './book-run.ts';
import { booked } from './build-entry.ts';

const plain = { reversesMissing: false, strays: new Set<string>() };
const reversing = { ...plain, reversesMissing: true };

/** A run that has read all of March: `listed` are the settlements without an entry of their own. */
function runOf(entries: readonly JournalEntry[], ...listed: readonly string[]): JournalRun {
  const ids = [...entries.flatMap(({ settlementIds }) => settlementIds), ...listed];
  const seen = entries.flatMap(({ bankEntryIds }) => bankEntryIds);
  const bank = { entries: new Set(seen), settlements: new Set(ids) };
  const own = entries.filter((one) => !isOfBank(one));
  const settled = new Set(own.flatMap(({ settlementIds }) => settlementIds));
  return { entries, range: march, isWhole: true, settled, listed: new Set(ids), bank };
}

/** The same run, with entries of the bank that it read. */
function seeing(run: JournalRun, ...ids: readonly string[]): JournalRun {
  return { ...run, bank: { ...run.bank, entries: new Set(ids) } };
}

/** Books runs one after the other, each as a batch, and gives their plans. */
function book(...runs: readonly (readonly JournalEntry[] | JournalRun)[]): readonly BatchPlan[] {
  const all: JournalEntry[] = [];
  return runs.map((one, index) => {
    const run = 'range' in one ? one : runOf(one);
    const plan = planBatch(all, run, index + 1, plain);
    all.push(...plan.entries);
    return plan;
  });
}

/** What entries come to, by account. */
function balances(plans: readonly Pick<BatchPlan, 'entries'>[]): Record<string, string> {
  const sums = new Map<string, bigint>();
  for (const { postings } of plans.flatMap(({ entries }) => entries)) {
    for (const { account, minor } of postings) sums.set(account, (sums.get(account) ?? 0n) + minor);
  }
  return Object.fromEntries([...sums].map(([account, sum]) => [account, String(sum)]).sort());
}

/** Money that the bank received of settlements. */
const received = (settlements: string, minor: bigint, ...ofBank: readonly string[]) =>
  booked(settlements, minor, { purposes: ['bank', 'in_transit'], ofBank });

/** What an entry moves. */
const moved = ({ postings }: JournalEntry) =>
  postings.map(({ purpose, settlementId, minor }) => `${purpose} ${settlementId} ${minor}`);

/** The same, with its settlement on each posting. */
function cleared(settlement: string, minor: bigint, ...ofBank: readonly string[]): JournalEntry {
  const entry = received(settlement, minor, ...ofBank);
  const postings = entry.postings.map((one) => ({ ...one, settlementId: settlement }));
  return withId({ ...entry, postings });
}

const [a, b] = [booked('a', 10_000n), booked('b', 5_000n)];
const day = booked('a b', 15_000n);
const nothing = { entries: [], onOtherAccounts: [], missing: [], heldBack: [] };

describe('a batch', () => {
  test('has what is not booked yet, and nothing twice', () => {
    const [first, second, third] = book([a], [a, b], [a, b]);
    expect(first?.entries).toEqual([a]);
    expect(second?.entries).toEqual([b]);
    expect(third).toEqual(nothing);
  });

  test('reverses what was restated, and books it again', () => {
    const restated = booked('a', 10_001n);
    const plans = book([a, b], [restated, b]);
    const [reversal, anew] = plans[1]?.entries ?? [];
    expect(reversal).toMatchObject({ reverses: a.id, date: a.date });
    expect(anew).toEqual(restated);
    expect(balances(plans)).toEqual(balances([{ entries: [restated, b] }]));
  });

  test('reverses a settlement that the service now lists under another accounting token', () => {
    const moved = withId({ ...a, accountingToken: 'another token' });
    const [, second] = book([a], [moved]);
    expect(
      second?.entries.map(({ reverses, accountingToken }) => [reverses, accountingToken]),
    ).toEqual([
      [a.id, 'token'],
      [undefined, 'another token'],
    ]);
  });

  test('only reverses what was restated to zero', () => {
    const none = { ...runOf([b], 'a'), settled: new Set(['a', 'b']) };
    const [, second, third] = book([a, b], none, none);
    expect(second).toMatchObject({ entries: [{ reverses: a.id }], missing: [] });
    expect(third).toEqual(nothing);
  });

  test('books a pending settlement again when it is settled', () => {
    const pending = booked('a', 10_000n, { isPending: true });
    const [, second] = book([pending], [a]);
    expect(second?.entries.map(({ reverses }) => reverses)).toEqual([pending.id, undefined]);
  });

  test('gives each entry an id of its own, also for figures that were booked before', () => {
    const restated = booked('a', 10_001n);
    const plans = book([a], [restated], [a], [restated], [a]);
    const ids = plans.flatMap(({ entries }) => entries.map(({ id }) => id));
    expect(new Set(ids).size).toBe(9);
    expect(balances(plans)).toEqual(balances([{ entries: [a] }]));
  });

  test.each([
    ['by day after by settlement', [a, b], [day]],
    ['by settlement after by day', [day], [a, b]],
  ])('books nothing twice %s', (_, before, after) => {
    expect(book(before, after)[1]).toEqual(nothing);
    const restated = after.map((one) => booked(one.settlementIds.join(' '), 7n));
    const plans = book(before, restated);
    expect(balances(plans)).toEqual(balances([{ entries: restated }]));
  });

  test('books a transaction only once, unless it changed', () => {
    const rows = (...minors: readonly [string, bigint][]) => booked('a', minors);
    const before = rows(['t1', 6_000n], ['t2', 4_000n]);
    expect(book([a], [before])[1]).toEqual(nothing);
    expect(book([before], [a])[1]).toEqual(nothing);
    expect(book([before], [rows(['t1', 5_000n], ['t2', 5_000n])])[1]?.entries).toHaveLength(2);
  });

  test('leaves booked entries on their accounts, and reverses them there', () => {
    const accounts = (purpose: Purpose) => `new:${purpose}`;
    const mapped = booked('a', 10_000n, { accounts });
    const restated = booked('a', 9_000n, { accounts });
    const [, second, third] = book([a], [mapped], [restated]);
    expect(second).toEqual({ ...nothing, onOtherAccounts: [a] });
    expect(third?.entries[0]?.postings.map(({ account }) => account)).toEqual(
      a.postings.map(({ account }) => account),
    );
  });

  test('names booked entries of which only an account is another one now', () => {
    const accounts = (purpose: Purpose) =>
      purpose === 'receivable' ? 'new:receivable' : `assets:${purpose}`;
    const [, second] = book([a], [booked('a', 10_000n, { accounts })]);
    expect(second).toEqual({ ...nothing, onOtherAccounts: [a] });
  });

  test('books a changed transaction beside what belongs to no transaction', () => {
    const rows = (...minors: readonly [string, bigint][]) => booked('a', [['', 5n], ...minors]);
    const before = rows(['t1', 6_000n], ['t2', 4_000n]);
    expect(book([before], [before])[1]).toEqual(nothing);
    const [, second] = book([before], [rows(['t1', 5_000n], ['t2', 5_000n])]);
    expect(second?.entries).toHaveLength(2);
  });

  test('is in the order of days', () => {
    const early = booked('c', 1n, { date: '2026-03-02' });
    expect(book([a, early])[0]?.entries).toEqual([early, a]);
  });

  test('books money at the bank beside the settlement, once', () => {
    const bank = received('a', 10_000n, 'e1');
    const [, second, third, fourth] = book([a], [a, bank], [a, bank], [a]);
    expect(second?.entries).toEqual([bank]);
    expect(third).toEqual(nothing);
    // Other statements, or none: what the bank said before still stands.
    expect(fourth).toEqual(nothing);
  });

  test('books each entry of the bank once, and transfers it where it is matched with others', () => {
    const february = { date: '2026-02-27', bookingDate: '2026-02-27' };
    const half = { ...received('a', 4_000n, 'e1'), ...february };
    const rest = received('a', 6_000n, 'e2');
    const [, second] = book([a, half], seeing(runOf([a, rest]), 'e1', 'e2'));
    expect(second?.entries).toEqual([rest]);
    const [ofA, ofB] = [cleared('a', 15_000n, 'e1'), cleared('b', 15_000n, 'e1')];
    const [, third] = book([a, b, ofA], [a, b, ofB]);
    expect(third?.entries.map(moved)).toEqual([['in_transit a 15000', 'in_transit b -15000']]);
  });

  test('reverses what a new reading of an entry of the bank no longer has', () => {
    const bank = received('a', 10_000n, 'e1');
    const returned = seeing(runOf([a]), 'e1', 'e2');
    const [, second, third] = book([a, bank], returned, returned);
    expect(second?.entries.map(moved)).toEqual([['bank  -10000', 'in_transit  10000']]);
    expect(third).toEqual(nothing);
  });

  test('leaves the sum of several entries of the bank until all of them are read again', () => {
    const bank = received('a', 10_000n, 'e1', 'e2');
    expect(book([a, bank], seeing(runOf([a]), 'e1'))[1]?.entries).toEqual([]);
    const [, second] = book([a, bank], seeing(runOf([a]), 'e1', 'e2'));
    expect(second?.entries.map(moved)).toEqual([['bank  -10000', 'in_transit  10000']]);
  });

  test('leaves the receipt of several settlements until all of them are read again', () => {
    const bank = received('a b', 15_000n, 'e1');
    const narrow = seeing({ ...runOf([a]), isWhole: false }, 'e1');
    expect(book([a, b, bank], narrow)[1]?.entries).toEqual([]);
    const [, second] = book([a, b, bank], seeing(runOf([a, b]), 'e1'));
    expect(second?.entries.map(moved)).toEqual([['bank  -15000', 'in_transit  15000']]);
  });

  test('reverses the eleventh part of an entry of the bank like the first', () => {
    const bank = received('a', 10_000n, 'e1/10');
    const [, second] = book([a, bank], seeing(runOf([a]), 'e1'));
    expect(second?.entries.map(moved)).toEqual([['bank  -10000', 'in_transit  10000']]);
  });

  test('leaves what the bank received of settlements that it has not read', () => {
    const bank = received('a', 10_000n, 'e1');
    const narrow = seeing({ ...runOf([b]), isWhole: false }, 'e1');
    expect(book([a, b, bank], narrow)[1]).toEqual(nothing);
    const batch = [received('a', 10_000n, 'e1/0'), received('b', 5_000n, 'e1/1')];
    const part = seeing({ ...runOf([b, ...batch.slice(1)]), isWhole: false }, 'e1');
    expect(book([a, b, ...batch], part)[1]?.entries).toEqual([]);
  });

  test('reverses what the bank received of a settlement as soon as the settlement is reversed', () => {
    const bank = received('a', 10_000n, 'e1');
    const gone = seeing(runOf([b]), 'e1');
    expect(book([a, b, bank], gone)[1]?.entries).toEqual([]);
    const { entries } = planBatch([a, b, bank], gone, 2, reversing);
    expect(entries.map(({ reverses }) => reverses)).toEqual([a.id, undefined]);
    expect(entries.slice(1).map(moved)).toEqual([['bank  -10000', 'in_transit  10000']]);
    const alone = planBatch([a, b, bank], runOf([b]), 2, reversing).entries;
    const later = planBatch([a, b, bank, ...alone], gone, 3, plain).entries;
    expect(later.map(moved)).toEqual([['bank  -10000', 'in_transit  10000']]);
  });

  test.each([
    ['as a whole', ['e1']],
    ['by another id', ['other']],
  ])('books the entry of the bank as soon as other statements have %s', (_, ids) => {
    const batch = [cleared('a', 10_000n, 'e1/0'), cleared('b', 5_000n, 'e1/1')];
    const whole = { ...cleared('a', 15_000n, ...ids), settlementIds: ['a', 'b'] };
    const [bank, first] = whole.postings;
    if (!bank || !first) throw new Error('postings');
    const shares = [
      { ...first, minor: -10_000n },
      { ...first, minor: -5_000n, settlementId: 'b' },
    ];
    const entry = withId({ ...whole, postings: [bank, ...shares] });
    for (const [before, after] of [
      [batch, [entry]],
      [[entry], batch],
    ] as const) {
      expect(book([a, b, ...before], [a, b, ...after])[1]).toEqual(nothing);
    }
    const otherwise = withId({ ...entry, date: '2026-03-06', bookingDate: '2026-03-06' });
    const [, second] = book([a, b, ...batch], [a, b, otherwise]);
    expect(second?.entries.length).toBe(ids[0] === 'e1' ? 2 : 0);
    expect(second?.heldBack).toEqual(ids[0] === 'e1' ? [] : [otherwise]);
  });
});

describe('a settlement that is booked and no longer listed', () => {
  test('stays booked, and is named', () => {
    expect(book([a, b], [b])[1]).toEqual({ ...nothing, missing: [{ id: 'a', date: a.date }] });
  });

  test('is not missing outside the range, nor if only some settlements were read', () => {
    const april = booked('c', 1n, { date: '2026-04-01' });
    expect(book([a, april], [a])[1]).toEqual(nothing);
    expect(book([a, b], { ...runOf([b]), isWhole: false })[1]).toEqual(nothing);
    // The service lists it with another month, from which it was booked.
    const strays = new Set([a.id]);
    expect(planBatch([a, b], runOf([b]), 2, { ...plain, strays })).toEqual(nothing);
  });

  test('is missing if it was settled and is pending now, but not if it was pending before', () => {
    expect(book([a], runOf([], 'a'))[1]?.missing).toEqual([{ id: 'a', date: a.date }]);
    const pending = booked('a', 10_000n, { isPending: true });
    expect(book([pending], runOf([], 'a'))[1]).toEqual(nothing);
  });

  test('delays what shares an entry with it', () => {
    const restated = booked('b', 4_999n);
    expect(book([day], [restated])[1]).toEqual({
      ...nothing,
      missing: [{ id: 'a', date: day.date }],
      heldBack: [restated],
    });
    // Part of a day was read: what the rest of it is now is not known.
    const part = { ...runOf([restated]), isWhole: false };
    expect(book([day], part)[1]).toEqual({ ...nothing, heldBack: [restated] });
  });

  test('is reversed on request, and what shares an entry with it is booked again', () => {
    const alone = planBatch([a, b], runOf([b]), 2, reversing);
    expect(alone.entries.map(({ reverses }) => reverses)).toEqual([a.id]);
    expect(alone.missing).toEqual([]);
    const restated = booked('b', 4_999n);
    const plan = planBatch([day], runOf([restated]), 2, reversing);
    expect(plan.entries.map(({ reverses }) => reverses)).toEqual([day.id, undefined]);
    expect(planBatch([...[a, b], ...alone.entries], runOf([b]), 3, reversing)).toEqual(nothing);
  });
});

test('the id of an entry depends on its figures only, not on its accounts and texts', () => {
  const accounts = (purpose: Purpose) => `new:${purpose}`;
  expect(a.id).toMatch(/^[A-Z2-7]{20}$/);
  expect(booked('a', 10_000n, { accounts, text: 'other' }).id).toBe(a.id);
  expect(booked('a', 10_001n).id).not.toBe(a.id);
  expect(withId({ ...a, reverses: a.id }).id).not.toBe(a.id);
});
