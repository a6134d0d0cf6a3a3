import { describe, expect, test } from 'vitest';
import { BusinessDays } from '../../src/match/business-days.ts';
import { matchPayouts } from '../../src/match/match-payouts.ts';
import type { BankEntry, BankRule } from '../../src/model/bank.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import { acceptedOn } from '../../src/reconcile/acceptance.ts';
import { entry, part, payout, statement, stranger } from './build.ts';

const fee: BankRule = { text: 'account fee', books_account: '4970' };
const other: BankRule = { text: 'fee', unrelated: true };
const line = (id: string, text: string, changes: Partial<BankEntry> = {}) =>
  entry(id, { texts: [text], accounts: [] }, { amount: -3_90n, ...changes });

function stories(
  rules: readonly BankRule[],
  entries: readonly BankEntry[],
  settlements: readonly Settlement[] = [],
  accepted = acceptedOn('2026-04-02', []),
): readonly string[] {
  const read = { statements: [statement()], entries, findings: [], repeated: 0 };
  const how = { counterparties: [], businessDays: new BusinessDays(), rules, accepted };
  const range = { from: '2026-03-01', to: '2026-03-31' };
  return matchPayouts(settlements, read, { range, ...how }).matches.map(({ state, reason, rule }) =>
    [state, reason, rule?.text].filter(Boolean).join(' '),
  );
}

describe('a rule for bank lines', () => {
  test('is the first that fits', () => {
    expect(stories([fee, other], [line('1', 'ACCOUNT   FEE 03/2026')])).toEqual([
      'by_rule account fee',
    ]);
    expect(stories([other, fee], [line('1', 'ACCOUNT FEE 03/2026')])).toEqual(['unrelated fee']);
  });

  test.each<[string, Partial<BankRule>, string]>([
    ['of the bank account', { account: 'nl99 bank 0000 0000 09' }, 'by_rule account fee'],
    ['of another bank account', { account: 'NL99BANK0000000008' }, 'unknown_on_bank'],
    ['for money out', { sign: 'out' }, 'by_rule account fee'],
    ['for money in', { sign: 'in' }, 'unknown_on_bank'],
    ['with another text', { text: 'account fees' }, 'unknown_on_bank'],
  ])('%s: %j', (_, changes, story) => {
    expect(stories([{ ...fee, ...changes }], [line('1', 'account fee')])).toEqual([story]);
  });

  test('looks at names and references too, and at entries of others', () => {
    const named = entry('1', { names: ['Account Fee Ltd'], accounts: [stranger] });
    expect(stories([fee], [named])).toEqual(['by_rule account fee']);
    expect(stories([fee], [entry('1', { references: ['account fee'] })])).toEqual([
      'by_rule account fee',
    ]);
  });

  test('takes parts of an entry by themselves, and nothing that is only announced', () => {
    const parts = [
      part({ amount: -1_00n, texts: ['account fee'] }),
      part({ amount: -2_90n, texts: ['paper'] }),
    ];
    expect(stories([fee], [line('1', '', { parts })])).toEqual([
      'by_rule account fee',
      'unknown_on_bank',
    ]);
    expect(stories([fee], [line('1', 'account fee', { status: 'pending' })])).toEqual([
      'pending_on_bank',
    ]);
  });

  test('leaves what a person accepted as it is', () => {
    const entries = [line('1', 'account fee')];
    const receipt = {
      ...{ entryId: '1', bankAccount: 'NL99BANK0000000009', bookingDate: '2026-03-06' },
      ...{ currency: 'EUR', scale: 2, expected: 0n, received: -3_90n },
      ...{ reason: 'known', by: 'Ada', on: '2026-04-02', until: undefined, account: '4980' },
    };
    const accepted = acceptedOn('2026-04-02', [receipt]);
    expect(stories([fee], entries, [], accepted)).toEqual(['unknown_on_bank']);
  });

  test('never takes money of a pay-out, or that may be, or that names one', () => {
    const all: BankRule = { text: 'pay', unrelated: true };
    const short = payout('B', { paymentEndToEndIds: ['7'], payIn: 50_00n });
    const given = [
      entry('1', { texts: ['pay E2E-20260305-A'], accounts: [] }),
      entry('2', { texts: ['pay'], accounts: [] }, { amount: 50_00n }),
      entry('3', { texts: ['pay 7'], accounts: [] }, { amount: 1_00n }),
      entry('4', { texts: ['pay 77'], accounts: [] }, { amount: 2_00n }),
    ];
    expect(stories([all], given, [payout('A'), short])).toEqual([
      'matched',
      'suggested',
      'unknown_on_bank rule_held',
      'unrelated pay',
    ]);
  });
});
