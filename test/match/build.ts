import { BusinessDays } from '../../src/match/business-days.ts';
import type { BankMatch, BankMatching } from '../../src/match/match.ts';
import { matchPayouts } from '../../src/match/match-payouts.ts';
import {
  type BankEntry,
  type BankStatement,
  type BankStatements,
  detailsBy,
  type EntryPart,
} from '../../src/model/bank.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import type { AcceptedDifferences } from '../../src/reconcile/acceptance.ts';
import { buildSettlement } from '../support/build.ts';

/** The service's account, and somebody else's. */
export const service = 'NL11PAYS0000000001';
export const stranger = 'DE22RENT0000000002';

/** A settlement of 2026-03-05 over 100.00 EUR, whose ids are made from its own. */
export function payout(id: string, overrides: Partial<Settlement> = {}): Settlement {
  const payIn = 100_00n;
  const paymentEndToEndIds = [`E2E-20260305-${id}`];
  return buildSettlement({ id, payIn, paymentEndToEndIds, paymentReferences: [], ...overrides });
}

/** What is said of a payment; nothing but the service's account by default. */
export function part(overrides: Partial<EntryPart> = {}): EntryPart {
  return {
    ...detailsBy((field) => (field === 'accounts' ? [service] : [])),
    amount: undefined,
    ...overrides,
  };
}

/** An entry of 2026-03-06 over 100.00 EUR with these details. */
export function entry(
  id: string,
  details: Partial<EntryPart> = {},
  overrides: Partial<BankEntry> = {},
): BankEntry {
  return {
    id,
    account: 'NL99BANK0000000009',
    currency: 'EUR',
    scale: 2,
    amount: 100_00n,
    date: '2026-03-06',
    valueDate: '2026-03-06',
    status: 'booked',
    isReversal: false,
    returnReason: '',
    bankReference: '',
    details: part(details),
    parts: [],
    place: { file: 'march.xml', line: 1 },
    ...overrides,
  };
}

/** A statement of March 2026. */
export function statement(overrides: Partial<BankStatement> = {}): BankStatement {
  return {
    format: 'MT940',
    account: 'NL99BANK0000000009',
    currency: 'EUR',
    scale: 2,
    number: '1',
    isWhole: true,
    notChecked: 'no_balances',
    from: '2026-03-01',
    to: '2026-03-31',
    opening: undefined,
    closing: undefined,
    entries: 0,
    sum: 0n,
    place: { file: 'march.xml', line: 1 },
    ...overrides,
  };
}

/** What is matched of a March. */
export function match(
  settlements: readonly Settlement[],
  entries: readonly BankEntry[],
  statements: readonly BankStatement[] = [statement()],
  counterparties: readonly string[] = [],
  accepted?: AcceptedDifferences,
): BankMatching {
  const read: BankStatements = { statements, entries, findings: [], repeated: 0 };
  const range = { from: '2026-03-01', to: '2026-03-31' };
  return matchPayouts(settlements, read, {
    range,
    counterparties,
    businessDays: new BusinessDays(),
    accepted,
  });
}

/** A match in a line: state, key, reason, who, and what the bank has more or less. */
function line(found: BankMatch): string {
  const { state, by, reason, settlements, entries, difference } = found;
  const names = [
    settlements.map(({ settlement }) => settlement.id).join('+'),
    entries.map(({ entry: { id }, part: at }) => (at === undefined ? id : `${id}.${at}`)).join('+'),
  ];
  const money = difference ? String(difference) : undefined;
  return [state, by, reason, names.join(' = '), money].filter((one) => one !== undefined).join(' ');
}

/** What is matched of a March, a line a match. */
export function lines(...given: Parameters<typeof match>): readonly string[] {
  return match(...given).matches.map(line);
}
