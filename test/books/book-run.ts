import { accountsIn } from '../../src/books/accounts.ts';
import { type BookingRequest, bookRun } from '../../src/books/book.ts';
import { clearingsOf } from '../../src/books/clearing.ts';
import { exampleMappings } from '../../src/books/example-mapping.ts';
import { plainAccounts } from '../../src/books/plain-text.ts';
import { BusinessDays } from '../../src/match/business-days.ts';
import type { BankMatch } from '../../src/match/match.ts';
import { type BankEntry, detailsBy } from '../../src/model/bank.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import { rescale } from '../../src/money/money.ts';
import type { IdentityName } from '../../src/reconcile/identity.ts';
import { type ReconciledRun, reconcileRun } from '../../src/reconcile/reconcile-run.ts';
import type { ReconciledSettlement } from '../../src/reconcile/reconcile-settlement.ts';
import { statement } from '../match/build.ts';
import { defaultSettings } from '../reconcile/judge.ts';

export const march = { from: '2026-03-01', to: '2026-03-31' };

export function runOf(
  settlements: readonly ReconciledSettlement[],
  identity: IdentityName = 'gross-fees-tax',
): ReconciledRun {
  return reconcileRun({
    settlements,
    headers: { unreadable: [] },
    shared: { finding: undefined },
    settings: { ...defaultSettings, identity },
  });
}

/** Books a run by the accounts of the example. */
export function bookedFrom(
  settlements: readonly ReconciledSettlement[],
  given: Partial<BookingRequest> = {},
) {
  return bookRun({
    run: runOf(settlements, given.identity),
    identity: 'gross-fees-tax',
    accountFor: accountsIn(exampleMappings.hledger, plainAccounts),
    names: new Map(),
    per: 'settlement',
    includesPending: false,
    range: march,
    acceptedOnBank: () => undefined,
    opening: [],
    ...given,
  });
}

/** What happened on a bank account whose statements cover March 2026. */
export function clearingsIn(matches: readonly BankMatch[]) {
  const { account } = bankEntry();
  return clearingsOf(matches, {
    businessDays: new BusinessDays(),
    statements: [statement({ account })],
  });
}

export function bankEntry(changes: Partial<BankEntry> = {}): BankEntry {
  return {
    id: 'entry-1',
    account: 'DE02120300000000202051',
    currency: 'EUR',
    scale: 2,
    amount: 0n,
    date: '2026-03-06',
    valueDate: '2026-03-06',
    status: 'booked',
    isReversal: false,
    returnReason: '',
    bankReference: '',
    details: detailsBy(() => []),
    parts: [],
    place: { file: 'march.xml', line: 1 },
    ...changes,
  };
}

/** Settlements found in entries. */
export function matchOf(
  settlements: readonly Settlement[],
  entries: readonly BankEntry[],
  state: BankMatch['state'] = 'matched',
): BankMatch {
  const scale = Math.max(...[...settlements, ...entries].map((one) => one.scale));
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n);
  const expected = sum(settlements.map((one) => rescale(one.payIn, one.scale, scale)));
  const shares = entries.map((entry) => ({
    entry,
    part: undefined,
    amount: rescale(entry.amount, entry.scale, scale),
  }));
  const received = sum(shares.map(({ amount }) => amount));
  return {
    state,
    by: 'end_to_end_id',
    reason: undefined,
    settlements: settlements.map((settlement) => ({ settlement, received: undefined })),
    entries: shares,
    currency: 'EUR',
    scale,
    expected,
    received,
    difference: received - expected,
    ageDays: undefined,
  };
}
