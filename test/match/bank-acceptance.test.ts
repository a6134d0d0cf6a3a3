import { expect, test } from 'vitest';
import { bankAcceptanceOf } from '../../src/match/bank-acceptance.ts';
import type {
  AcceptedBankDifference,
  AcceptedReceipt,
} from '../../src/model/accepted-difference.ts';
import type { BankEntry } from '../../src/model/bank.ts';
import { issueOf } from '../../src/nightly/bank.ts';
import { acceptedOn, receiptKey } from '../../src/reconcile/acceptance.ts';
import { entry, match, payout } from './build.ts';

/** The difference of A: 100.00 expected, 98.50 received. */
const line: AcceptedBankDifference = {
  ...{ settlementId: 'A', settlementDate: '2026-03-05', accountingToken: 'token-a' },
  ...{ currency: 'EUR', scale: 2, reason: 'bank fee', by: '', on: '2026-03-20' },
  ...{ until: '2026-04-30', account: '', expected: 100_00n, received: 98_50n },
};

const nothing = acceptedOn('2026-04-01', []);

const ids = { endToEndIds: ['E2E-20260305-A'] };

/** What is accepted of A, which the bank has with so much. */
function acceptance(
  bank: Partial<BankEntry>,
  changes: Partial<AcceptedBankDifference> = {},
  today = '2026-04-30',
) {
  const [found] = match([payout('A')], [entry('1', ids, bank)]).matches;
  const onBank = new Map([['a', { ...line, ...changes }]]);
  return found && bankAcceptanceOf(found, { ...nothing, onBank, today });
}

test('a difference is accepted until the end of its last day, at any scale of the amounts', () => {
  const accepted = { state: 'accepted', changes: [], line: { reason: 'bank fee' } };
  expect(acceptance({ amount: 98_50n })).toMatchObject(accepted);
  expect(acceptance({ amount: 98_5000n, scale: 4 })).toMatchObject(accepted);
  const finer = { scale: 3, expected: 100_000n, received: 98_500n };
  expect(acceptance({ amount: 98_50n }, finer)).toMatchObject(accepted);
  expect(acceptance({ amount: 98_50n }, {}, '2026-05-01')?.state).toBe('expired');
});

const amounts = (field: string, scale: number, before: bigint, after: bigint) => {
  return { field, before: { minor: before, scale }, after: { minor: after, scale } };
};

test('one minor unit more or less than accepted is a change with both amounts', () => {
  expect(acceptance({ amount: 98_49n })).toMatchObject({
    state: 'changed',
    changes: [amounts('received', 2, 98_50n, 98_49n)],
  });
  expect(acceptance({ amount: 98_5001n, scale: 4 })).toMatchObject({
    state: 'changed',
    changes: [amounts('received', 4, 98_5000n, 98_5001n)],
  });
  expect(acceptance({ amount: 98_50n }, { expected: 100_01n })).toMatchObject({
    state: 'changed',
    changes: [amounts('expected', 2, 100_01n, 100_00n)],
  });
  expect(acceptance({ amount: 98_50n }, { currency: 'USD' })).toMatchObject({
    state: 'changed',
    changes: [{ field: 'currency', before: 'USD', after: 'EUR' }],
  });
});

test('a matched or returned pay-out is never accepted, whatever the register has', () => {
  expect(acceptance({ amount: 100_00n }, { received: 100_00n })).toBeUndefined();
  const back = { amount: -100_00n, isReversal: true };
  expect(acceptance(back, { received: -100_00n })).toBeUndefined();
});

test('one line with the amounts of a whole batch accepts it, and outranks a changed line', () => {
  const shared = { paymentEndToEndIds: [], paymentReferences: ['FILE-1'] };
  const payouts = ['A', 'B', 'C'].map((id) => payout(id, shared));
  const batch = entry('1', { paymentInformationIds: ['FILE-1'] }, { amount: 298_50n });
  const [found] = match(payouts, [batch]).matches;
  if (!found) throw new RangeError('nothing is matched');
  const whole = { ...line, settlementId: 'B', expected: 300_00n, received: 298_50n };
  const of = (...lines: readonly AcceptedBankDifference[]) => {
    const onBank = new Map(lines.map((one) => [one.settlementId.toLowerCase(), one]));
    return bankAcceptanceOf(found, { ...nothing, onBank, today: '2026-04-01' });
  };
  expect(of(line, whole)).toMatchObject({ state: 'accepted', line: { settlementId: 'B' } });
  expect(of(line)).toMatchObject({ state: 'changed', line: { settlementId: 'A' } });
  expect(of()).toBeUndefined();
  expect(bankAcceptanceOf(found, undefined)).toBeUndefined();
});

/** The receipt of 100.00 that no pay-out explains. */
const receipt: AcceptedReceipt = {
  ...{ entryId: '1', bankAccount: 'NL99BANK0000000009', bookingDate: '2026-03-06' },
  ...{ currency: 'EUR', scale: 2, expected: 0n, received: 100_00n, account: '' },
  ...{ reason: 'a refund of ours', by: '', on: '2026-03-20', until: '2026-04-30' },
};

test('an unknown receipt is accepted by its account, id and amount, and is not news', () => {
  const found = (bank: Partial<BankEntry> = {}, payouts = [payout('A')]) =>
    match(payouts, [entry('1', {}, { amount: 123_00n, ...bank })]).matches.find(
      ({ entries }) => entries.length > 0,
    );
  const of = (one = found(), changes: Partial<AcceptedReceipt> = {}, today = '2026-04-30') => {
    const line = { ...receipt, received: 123_00n, ...changes };
    const accepted = { ...nothing, receipts: new Map([[receiptKey(line), line]]), today };
    const isNews =
      one && issueOf(one, { reportedIssues: [], problems: [] }, accepted) !== undefined;
    return { state: one && bankAcceptanceOf(one, accepted)?.state, isNews };
  };
  expect(of()).toEqual({ state: 'accepted', isNews: false });
  expect(of(found({ amount: 123_01n }))).toEqual({ state: 'changed', isNews: true });
  expect(of(found(), {}, '2026-05-01')).toEqual({ state: 'expired', isNews: true });
  expect(of(found({ account: 'NL00OTHER' }))).toEqual({ state: undefined, isNews: true });
  expect(of(found(), { entryId: '2' })).toEqual({ state: undefined, isNews: true });
  const late = payout('B', { payIn: 123_00n, paymentEndToEndIds: ['LATE'] });
  const explained = match([late], [entry('1', { endToEndIds: ['LATE'] }, { amount: 123_00n })]);
  expect(of(explained.matches[0])).toEqual({ state: undefined, isNews: false });
});
