import type { BankReport } from '../../../src/app/bank-report.ts';
import { BusinessDays } from '../../../src/match/business-days.ts';
import type { BankMatch, EntryShare } from '../../../src/match/match.ts';
import type { BankEntry, BankStatement, StatementFinding } from '../../../src/model/bank.ts';
import type { Stated } from '../../support/build.ts';
import { idOf, lisbon, porto, settlement } from '../build-report.ts';

const account = 'PT50000201231234567890154';

export function bankEntry(changes: Partial<BankEntry> = {}): BankEntry {
  return {
    id: 'entry',
    account,
    currency: 'EUR',
    scale: 2,
    amount: 9_820n,
    date: '2026-03-05',
    valueDate: '2026-03-05',
    status: 'booked',
    isReversal: false,
    returnReason: '',
    bankReference: 'BANK-1',
    details: {
      endToEndIds: ['E2E-1'],
      paymentInformationIds: [],
      references: [],
      texts: ['SETTLEMENT', 'E2E-1'],
      names: ['Example Payments'],
      accounts: ['DE02120300000000202051'],
    },
    parts: [],
    place: { file: 'march.xml', line: 120 },
    ...changes,
  };
}

export function entryShare(changes: Partial<BankEntry> = {}, part?: number): EntryShare {
  const entry = bankEntry(changes);
  const { amount = entry.amount } = part === undefined ? entry : (entry.parts[part] ?? entry);
  return { entry, part, amount };
}

/** A match of settlements (by default one, of 98.20) with entries. */
export function bankMatch(
  changes: Partial<Omit<BankMatch, 'settlements'>> = {},
  settlements: readonly Stated[] = [settlement()],
): BankMatch {
  const { entries = [], scale = 2 } = changes;
  const expected = settlements.reduce((sum, { payIn }) => sum + payIn, 0n);
  const received = entries.reduce((sum, { amount }) => sum + amount, 0n);
  const counts = ['matched', 'difference', 'returned'].includes(changes.state ?? 'matched');
  return {
    state: 'matched',
    by: entries.length > 0 ? 'end_to_end_id' : undefined,
    reason: undefined,
    settlements: settlements.map((one) => ({ settlement: one, received: undefined })),
    entries,
    currency: 'EUR',
    scale,
    expected,
    received: counts ? received : 0n,
    difference: counts ? received - expected : undefined,
    ageDays: settlements.length > 0 ? 27 : undefined,
    ...changes,
  };
}

const statement: BankStatement = {
  format: 'camt.053',
  account,
  currency: 'EUR',
  scale: 2,
  number: '3',
  isWhole: true,
  notChecked: undefined,
  from: '2026-03-01',
  to: '2026-03-31',
  opening: 100_000n,
  closing: 150_000n,
  entries: 7,
  sum: 50_000n,
  place: { file: 'march.xml', line: 12 },
};

export function bankReport(
  matches: readonly BankMatch[],
  changes: Partial<BankReport> = {},
  findings: readonly StatementFinding[] = [],
): BankReport {
  const entries = matches.flatMap((match) => match.entries.map(({ entry }) => entry));
  return {
    matching: {
      matches,
      totals: [],
      outside: [],
      netted: [],
      near: new Map(),
      takenBack: new Map(),
      compared: new Set(),
      paidFrom: ['DE02120300000000202051'],
    },
    statements: { statements: [statement], entries, findings, repeated: 0 },
    businessDays: new BusinessDays(),
    paths: [],
    range: { from: '2026-03-01', to: '2026-03-31' },
    profile: undefined,
    filters: {},
    names: new Map([
      [lisbon, 'Lisbon'],
      [porto, 'Porto'],
    ]),
    flags: '',
    findings: [],
    accepted: undefined,
    conflicting: [],
    lacksDaysAround: false,
    decidesByUnknown: false,
    today: '2026-05-01',
    ...changes,
  };
}

/** One match of every state that needs a look, and more. */
export function everyState(): readonly BankMatch[] {
  const own = (number: number, changes: Partial<Stated> = {}) =>
    settlement({
      id: idOf(number),
      date: `2026-03-${String(number).padStart(2, '0')}`,
      paymentEndToEndIds: [`E2E-${number}`],
      ...changes,
    });
  const rent = {
    ...bankEntry().details,
    texts: ['Rent March'],
    names: ['Estates Ltd'],
    accounts: [],
  };
  return [
    bankMatch({ entries: [entryShare()] }, [own(2)]),
    bankMatch({ state: 'missing_on_bank' }, [own(3)]),
    bankMatch({ state: 'difference', entries: [entryShare({ amount: 9_670n })] }, [own(4)]),
    bankMatch(
      { state: 'difference', reason: 'paid_twice', entries: [entryShare(), entryShare()] },
      [own(5, { accountingToken: porto })],
    ),
    bankMatch(
      {
        state: 'difference',
        by: 'payment_information_id',
        entries: [entryShare({ amount: 19_000n })],
      },
      [own(6), own(7)],
    ),
    bankMatch(
      {
        state: 'returned',
        reason: 'returned',
        entries: [
          entryShare(),
          entryShare({ amount: -9_820n, isReversal: true, returnReason: 'AC04 closed account' }),
        ],
      },
      [own(8)],
    ),
    bankMatch(
      {
        state: 'ambiguous',
        by: 'amount_and_date',
        reason: 'same_amount',
        entries: [entryShare(), entryShare({ date: '2026-03-10' })],
      },
      [own(9)],
    ),
    bankMatch({ state: 'suggested', by: 'amount_and_date', entries: [entryShare()] }, [own(10)]),
    bankMatch({ state: 'in_transit', ageDays: 1 }, [own(30)]),
    bankMatch({ state: 'not_paid_yet', ageDays: 0 }, [own(31)]),
    bankMatch({ state: 'not_covered' }, [own(1)]),
    bankMatch({ state: 'unknown_on_bank', entries: [entryShare({ amount: 12_345n })] }, []),
    bankMatch(
      { state: 'unrelated', entries: [entryShare({ amount: -80_000n, details: rent })] },
      [],
    ),
  ];
}
