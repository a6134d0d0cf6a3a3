import type { BankStatements } from '../model/bank.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import type { BankMatching } from './match.ts';

/** How pay-outs are matched. */
export interface MatchOptions {
  /** The settlements that are reported; others explain entries. */
  readonly range: DateRange;
  /** IBANs or numbers of the accounts that the service pays from; more are learned from matches by keys. */
  readonly counterparties: readonly string[];
}

/** How many days before its date a settlement's money may arrive, and after it. */
export const daysAround = { before: 7, after: 14 } as const;

/** Matches pay-outs with the entries of statements, exactly, each once. The order of both makes no difference. */
export function matchPayouts(
  _settlements: readonly Settlement[],
  _statements: BankStatements,
  _options: MatchOptions,
): BankMatching {
  return { matches: [], totals: [], outside: [] };
}
