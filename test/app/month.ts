import type { BankInput } from '../../src/app/match-bank.ts';
import { BusinessDays } from '../../src/match/business-days.ts';
import type { BankEntry } from '../../src/model/bank.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import { entry, statement } from '../match/build.ts';
import { defaultSettings } from '../reconcile/judge.ts';
import { buildSettlement, uuid } from '../support/build.ts';
import { type FakeReading, FakeSource, rowOf } from './fake-source.ts';

export const march = { range: { from: '2026-03-01', to: '2026-03-31' }, filters: {} };

export const euros = buildSettlement({ paymentEndToEndIds: ['E2E-EUR'] });
export const yen = buildSettlement({
  id: uuid(2),
  accountingToken: 'token-b',
  currency: 'JPY',
  scale: 0,
  gross: 1_000n,
  payIn: 964n,
  paymentEndToEndIds: ['E2E-JPY'],
});

const inYen = { currency: 'JPY', scale: 0, amount: 1_000n } as const;

/** A month of two settlements, in two currencies and of two accounts. */
export function month(
  settlements: readonly Settlement[] = [euros, yen],
  readings: Readonly<Record<string, FakeReading>> = {},
): FakeSource {
  const ofYen = { batches: [[rowOf(yen.id, inYen)]] };
  return new FakeSource(settlements, { [yen.id]: ofYen, ...readings });
}

const inJapan = { account: 'JP00BANK0000000008', currency: 'JPY', scale: 0 };

export const paid: readonly BankEntry[] = [
  entry('eur', { endToEndIds: ['E2E-EUR'] }, { amount: 9_64n }),
  entry('jpy', { endToEndIds: ['E2E-JPY'] }, { ...inJapan, amount: 964n }),
];

/** Statements of both accounts over March, with balances that agree. */
export function bankWith(entries: readonly BankEntry[] = paid): BankInput {
  const of = (currency: string) => entries.filter((one) => one.currency === currency);
  const sumOf = (currency: string) => of(currency).reduce((sum, { amount }) => sum + amount, 0n);
  const balanced = (currency: string) => ({
    entries: of(currency).length,
    sum: sumOf(currency),
    opening: 0n,
    closing: sumOf(currency),
    notChecked: undefined,
  });
  const statements = [statement(balanced('EUR')), statement({ ...inJapan, ...balanced('JPY') })];
  return {
    statements: { statements, entries, findings: [], repeated: 0 },
    paths: [],
    counterparties: [],
    businessDays: new BusinessDays(),
    decidesByUnknown: false,
    today: '2026-05-01',
    profile: undefined,
    names: new Map(),
    flags: '',
  };
}

export const judged = { settings: defaultSettings, ahead: 2 };
