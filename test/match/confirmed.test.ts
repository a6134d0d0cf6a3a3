import { describe, expect, test } from 'vitest';
import { bankAcceptanceOf } from '../../src/match/bank-acceptance.ts';
import { confirmationsOf } from '../../src/match/confirmed.ts';
import { shortIdsIn } from '../../src/match/id-owners.ts';
import type { AcceptedPayout, ConfirmedEntries } from '../../src/model/accepted-difference.ts';
import type { BankEntry } from '../../src/model/bank.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import { acceptedOn } from '../../src/reconcile/acceptance.ts';
import { entry, lines, match, part, payout, statement, stranger } from './build.ts';

const one = payout('A');
const two = payout('B');

/** A line that confirms entries of 100.00 each for a pay-out of as much. */
function confirmed(
  own: Settlement,
  entryIds: readonly string[],
  changes: Partial<AcceptedPayout & ConfirmedEntries> = {},
): AcceptedPayout {
  const { others = [], ...more } = changes;
  const places = entryIds.map((_, at) => `march.xml:${at + 1}`);
  return {
    ...{ settlementId: own.id, settlementDate: own.date, accountingToken: own.accountingToken },
    ...{ currency: 'EUR', scale: 2, expected: own.payIn, received: own.payIn },
    ...{ reason: '', by: 'Ada', on: '2026-04-02', until: undefined, account: '' },
    decision: 'confirmed',
    confirmed: { entryIds, places, bookingDate: '2026-03-06', others },
    ...more,
  };
}

const by = (...decided: readonly AcceptedPayout[]) =>
  [[statement()], [], acceptedOn('2026-04-02', decided)] as const;

describe('entries that a person confirmed', () => {
  test('are the money of their pay-out, and the others stay possible for the rest', () => {
    const given = [entry('1'), entry('2')];
    expect(lines([one, two], given)).toEqual(['ambiguous amount_and_date same_amount A+B = 1+2']);
    expect(lines([one, two], given, ...by(confirmed(one, ['2'])))).toEqual([
      'matched confirmed A = 2',
      'suggested amount_and_date B = 1',
    ]);
  });

  test('may be of anybody, and say nothing of who else pays', () => {
    const given = [
      entry('1', { accounts: [stranger] }),
      entry('2', { accounts: [] }, { amount: 1n }),
    ];
    const { matches, paidFrom } = match([one], given, ...by(confirmed(one, ['1'])));
    expect(matches.map(({ state }) => state)).toEqual(['matched', 'unknown_on_bank']);
    expect(paidFrom).toEqual([]);
  });

  test('may be several of one pay-out, parts of an entry, or one of a batch', () => {
    const halves = [entry('1', {}, { amount: 60_00n }), entry('2', {}, { amount: 40_00n })];
    expect(lines([one], halves, ...by(confirmed(one, ['1', '2'])))).toEqual([
      'matched confirmed A = 1+2',
    ]);
    const parts = [part({ amount: 100_00n }), part({ amount: 150_00n })];
    const whole = entry('3', {}, { amount: 250_00n, parts });
    expect(lines([one], [whole], ...by(confirmed(one, ['3#0'])))).toContain(
      'matched confirmed A = 3.0',
    );
    const sum = entry('4', {}, { amount: 200_00n });
    const batch = confirmed(one, ['4'], { others: ['B'], expected: 200_00n, received: 200_00n });
    expect(lines([one, two], [sum], ...by(batch))).toEqual(['matched confirmed A+B = 4']);
  });

  test('add to what has an id: paid in two, or paid twice', () => {
    const named = entry('1', { endToEndIds: one.paymentEndToEndIds }, { amount: 60_00n });
    const rest = entry('2', {}, { amount: 40_00n });
    const line = confirmed(one, ['2'], { received: 40_00n });
    expect(lines([one], [named, rest], ...by(line))).toEqual(['matched confirmed A = 1+2']);
    const again = [{ ...named, amount: 100_00n }, entry('3')];
    expect(lines([one], again, ...by(confirmed(one, ['3'])))).toEqual([
      'difference confirmed paid_twice A = 1+3 10000',
    ]);
  });

  test('with another amount than expected are a difference', () => {
    const less = entry('1', {}, { amount: 98_50n });
    expect(lines([one], [less], ...by(confirmed(one, ['1'], { received: 98_50n })))).toEqual([
      'difference confirmed A = 1 -150',
    ]);
  });
});

describe('a confirmation no longer counts', () => {
  const batch = confirmed(one, ['1'], { others: ['B'], expected: 200_00n, received: 200_00n });
  const cases: readonly (readonly [
    string,
    readonly [readonly Settlement[], readonly BankEntry[], AcceptedPayout],
    string | undefined,
  ])[] = [
    ['if the entry is gone', [[one], [], confirmed(one, ['1'])], 'confirmed'],
    [
      'if one of two is gone',
      [[one], [entry('1', {}, { amount: 60_00n })], confirmed(one, ['1', '2'])],
      'confirmed',
    ],
    [
      'if the entry has another amount',
      [[one], [entry('1', {}, { amount: 99_00n })], confirmed(one, ['1'])],
      'confirmed',
    ],
    [
      'if the entry is only announced',
      [[one], [entry('1', {}, { status: 'pending' })], confirmed(one, ['1'])],
      'confirmed',
    ],
    [
      'if the entry has the id of another pay-out',
      [[one, two], [entry('1', { endToEndIds: two.paymentEndToEndIds })], confirmed(one, ['1'])],
      'confirmed',
    ],
    [
      'if the pay-out changes',
      [[payout('A', { payIn: 101_00n })], [entry('1')], confirmed(one, ['1'])],
      'expected',
    ],
    [
      'if the pay-out is pending again',
      [[payout('A', { status: 'pending_settlement' })], [entry('1')], confirmed(one, ['1'])],
      'confirmed',
    ],
    [
      'if another pay-out of the batch changes',
      [[one, payout('B', { payIn: 99_00n })], [entry('1', {}, { amount: 200_00n })], batch],
      'confirmed',
    ],
    [
      'after its last day',
      [[one], [entry('1')], confirmed(one, ['1'], { until: '2026-04-01' })],
      undefined,
    ],
  ];
  test.each(cases)('%s, and the report says so', (_, [settlements, entries, line], field) => {
    const { matches } = match(settlements, entries, ...by(line));
    const own = matches.find((of) =>
      of.settlements.some(({ settlement }) => settlement.id === 'A'),
    );
    const accepted = acceptedOn('2026-04-02', [line]);
    expect(own?.by).not.toBe('confirmed');
    expect(own && confirmationsOf(own, accepted)).toEqual([]);
    const acceptance = own && bankAcceptanceOf(own, accepted);
    expect(acceptance).toMatchObject({ state: field ? 'changed' : 'expired' });
    expect(acceptance?.changes.map((change) => change.field)).toEqual(field ? [field] : []);
  });
});

describe('ids that are too short to count alone', () => {
  const short = payout('A', {
    paymentEndToEndIds: ['PMT-0', 'E2E'],
    paymentReferences: ['NONREF'],
  });
  test.each([
    ['SETTLEMENT PMT-0', ['PMT-0']],
    ['settlement pmt 0 e2e', ['PMT-0', 'E2E']],
    ['SETTLEMENT PMT-01 E2E2 NONREF', []],
  ])('stand in %j', (text, ids) => {
    expect(shortIdsIn(short, [text])).toEqual(ids);
  });

  test('are not the long ones, which count', () => {
    expect(shortIdsIn(one, [`PAYMENT ${one.paymentEndToEndIds[0]}`])).toEqual([]);
  });
});
