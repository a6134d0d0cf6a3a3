import type { BankEntry, BankRule } from '../model/bank.ts';
import type { Settlement } from '../model/settlement.ts';
import type { Money } from '../money/money.ts';
import { serviceSays } from '../reconcile/verdict.ts';

/**
 * The key of a match, the strongest first:
 * - `end_to_end_id`: the whole EndToEndId of a payment (doc 2.7)
 * - `payment_information_id`: the whole PmtInfId, on sums
 * - `reference`: one of both in another field for references
 * - `text`: one of both, or the id of the settlement, whole in the remittance text
 * - `text_start`: the beginning of one of these, where the bank cut it
 * - `confirmed`: a person says so
 * - `amount_and_date`: amount, currency, date and counterparty, unique both ways
 * - `sum`: several with the same total, in one way only
 * - `short_id`: an id that is too short to count alone, on a day when the money is expected
 */
export const matchKeys = [
  ...(['end_to_end_id', 'payment_information_id', 'reference', 'text', 'text_start'] as const),
  ...(['confirmed', 'amount_and_date', 'sum', 'short_id'] as const),
] as const;

export type MatchKey = (typeof matchKeys)[number];

/**
 * The state of a pay-out or of an entry without one:
 * - `matched`: on the bank with its own key and amount
 * - `charged`: the same, less charges that the bank states and that explain it exactly
 * - `difference`: on the bank with its own key and another amount
 * - `returned`: paid, and returned by the bank
 * - `suggested`: an entry fits by amount and date, or by a sum: nothing is counted as paid
 * - `ambiguous`: several are possible, and none is chosen
 * - `missing_on_bank`: paid by the service, not on the bank, and the statements cover the days
 * - `in_transit`: paid by the service, and its days are not over by the last statement; a part may be on the bank
 * - `not_covered`: not found, and the statements do not cover its days
 * - `pending_on_bank`: announced by the bank, and not booked
 * - `not_paid_yet`: pending at the service
 * - `nothing_due`: a pay-in of zero
 * - `unknown_on_bank`: no pay-out explains the entry, and it is from the service's account or that is unknown
 * - `by_rule`: a rule of the profile books the entry to an account
 * - `unrelated`: an entry from another account, or by a rule
 */
export type BankState =
  | 'matched'
  | 'charged'
  | 'difference'
  | 'returned'
  | 'suggested'
  | 'ambiguous'
  | 'missing_on_bank'
  | 'in_transit'
  | 'not_covered'
  | 'pending_on_bank'
  | 'not_paid_yet'
  | 'nothing_due'
  | 'unknown_on_bank'
  | 'by_rule'
  | 'unrelated';

/** Whether the bank received the expected amount, less stated charges if any. */
export function hasArrived({ state }: Pick<BankMatch, 'state'>): boolean {
  return state === 'matched' || state === 'charged';
}

/** Whether the bank received another amount, even if the rest may still come. */
export function isOff({ state, difference }: Pick<BankMatch, 'state' | 'difference'>): boolean {
  return state === 'difference' || (state === 'in_transit' && difference !== undefined);
}

/** The reason of a difference or a doubt, if it is known. */
export type MatchReason =
  | 'paid_twice'
  | 'other_currency'
  | 'returned'
  | 'same_amount'
  | 'same_key'
  | 'several_sums'
  | 'rule_held'
  | 'settled_with'
  | 'other_profile';

/** Settlements and entries that belong together, or may do so. Amounts are minor units at `scale`. */
export interface BankMatch {
  readonly state: BankState;
  readonly by: MatchKey | undefined;
  readonly reason: MatchReason | undefined;
  /** The rule of the profile that takes an entry without a pay-out. */
  readonly rule?: BankRule | undefined;
  /** By date, then id. An ambiguous match has all possible ones. */
  readonly settlements: readonly SettlementShare[];
  /** By date, then id; of a batch, only its part. */
  readonly entries: readonly EntryShare[];
  readonly currency: string;
  readonly scale: number;
  /** What the service paid, by `amountPayIn`. */
  readonly expected: bigint;
  /** What the bank received, in the same currency; suggestions do not count. */
  readonly received: bigint;
  /** Received − expected; absent if nothing counts as received. */
  readonly difference: bigint | undefined;
  /** Days from the settlement's date to the end of the statements; absent for entries alone. */
  readonly ageDays: number | undefined;
  /** Pay-outs of other profiles to which its entries may belong as well. */
  readonly rivals?: readonly Rival[];
}

interface Rival {
  readonly profile: string;
  readonly settlementId: string;
}

export interface SettlementShare {
  readonly settlement: Settlement;
  /** What the bank has received for it, minor units at the scale of the match; absent if only the sum is known. */
  readonly received: bigint | undefined;
}

/** An entry in a match, or the part of it that belongs there. */
export interface EntryShare {
  readonly entry: BankEntry;
  /** The number of its part, from 0; absent for the whole entry. */
  readonly part: number | undefined;
  /** Minor units at the scale of the match. */
  readonly amount: bigint;
}

/** The sums of a state; amounts are minor units at the scale of the total. */
export interface StateTotal {
  readonly settlements: number;
  readonly entries: number;
  readonly expected: bigint;
  readonly received: bigint;
  readonly difference: { readonly net: bigint; readonly absolute: bigint };
}

/** What one account has in one currency. */
export interface BankTotal {
  /** An accounting token; empty for entries without one. */
  readonly accountingToken: string;
  readonly currency: string;
  readonly scale: number;
  readonly states: ReadonlyMap<BankState, StateTotal>;
}

/** Pay-outs that the service may have paid as one. Minor units at `scale`. */
export interface NettedPayouts extends Money {
  /** By date. */
  readonly settlements: readonly Settlement[];
}

export interface BankMatching {
  /** Each settlement of the range once, each entry once except those in `outside`; by date, then id. */
  readonly matches: readonly BankMatch[];
  /** By accounting token, then currency. */
  readonly totals: readonly BankTotal[];
  /** Matches of settlements outside the range: they explain entries, and are not reported. */
  readonly outside: readonly BankMatch[];
  /** Of the range: none of them counts as paid so. */
  readonly netted: readonly NettedPayouts[];
  /** Missing pay-outs and unknown entries of nearly one amount, each with the other: a hint alone. */
  readonly near: ReadonlyMap<BankMatch, BankMatch>;
  /** Of suggestions, the entries that may take the money back, and those with which it came again: a hint alone. */
  readonly takenBack: ReadonlyMap<BankMatch, readonly EntryShare[]>;
  /** The ids of all settlements that were compared, also of those outside the range that are in no match. */
  readonly compared: ReadonlySet<string>;
  /** The accounts that the service pays from, set or learned, in order; none if unknown. */
  readonly paidFrom: readonly string[];
}

/** The matches of a range, and those outside it. */
export function bankMatchesIn({ matches, outside }: BankMatching): readonly BankMatch[] {
  return [...matches, ...outside];
}

/** The id of an entry or its part. */
export function entryKey({ entry, part }: EntryShare): string {
  return part === undefined ? entry.id : `${entry.id}#${part}`;
}

/** Whether the entries of a match count for its settlements. */
export function isExplained({ settlements, difference }: BankMatch): boolean {
  return settlements.length > 0 && difference !== undefined;
}

/** The entries that count for pay-outs. */
export function explainedEntries(matches: readonly BankMatch[]): ReadonlySet<string> {
  return new Set(matches.filter(isExplained).flatMap(({ entries }) => entries.map(entryKey)));
}

/** Whether the service says that it has paid something. */
export function isDue(settlement: Settlement): boolean {
  return isPaid(settlement) && settlement.payIn !== 0n;
}

/** Whether the service says that a settlement is settled (doc 3.4). */
export function isPaid({ status }: Pick<Settlement, 'status'>): boolean {
  return ['balanced', 'out_of_balance', 'nothing'].includes(serviceSays(status));
}
