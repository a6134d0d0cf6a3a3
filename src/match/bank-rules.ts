import { accountNumber, type BankRule, saidOf } from '../model/bank.ts';
import type { Settlement } from '../model/settlement.ts';
import { type AcceptedDifferences, receiptKey } from '../reconcile/acceptance.ts';
import { isBooked, type Piece } from './finding.ts';
import { IdOwners, payoutIdsOf } from './id-owners.ts';
import { entryKey } from './match.ts';

/** The rule of the profile for an entry that no pay-out explains, if one fits. */
export interface RuleUse {
  readonly rule: BankRule;
  /** Whether the line has the id of a pay-out, however short, so that the rule does not take it. */
  readonly isHeld: boolean;
}

/** Finds the first rule that fits a booked entry of which people have not decided. */
export function bankRulesOn(
  rules: readonly BankRule[],
  settlements: readonly Settlement[],
  accepted: AcceptedDifferences | undefined,
): (piece: Piece) => RuleUse | undefined {
  const wanted = rules.map((rule) => ({ rule, text: plain(rule.text) }));
  let owners: IdOwners | undefined;
  return (piece) => {
    if (wanted.length === 0 || !isBooked(piece)) return undefined;
    const said = saidOf(piece.details);
    const all = plain(said.join(' '));
    const found = wanted.find(({ rule, text }) => all.includes(text) && fits(rule, piece));
    const key = { bankAccount: piece.entry.account, entryId: entryKey(piece) };
    if (!found || accepted?.receipts.has(receiptKey(key))) return undefined;
    owners ??= new IdOwners(settlements, payoutIdsOf, 1);
    return { rule: found.rule, isHeld: said.some((text) => owners?.isNamedIn(text)) };
  };
}

function fits({ account, sign }: BankRule, { entry, amount }: Piece): boolean {
  const isOfAccount = !account || accountNumber(account) === accountNumber(entry.account);
  return isOfAccount && (!sign || sign === (amount < 0n ? 'out' : 'in'));
}

/** In small letters, with single spaces: banks write both as they like. */
const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();
