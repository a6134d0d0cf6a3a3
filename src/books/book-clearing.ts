import { isDayIn } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import type { BankMatch, EntryShare } from '../match/match.ts';
import type { AcceptedBankDifference } from '../model/accepted-difference.ts';
import type { Purpose } from '../model/account-mapping.ts';
import type { JournalEntry, Posting } from '../model/journal-entry.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import type { BookingRules } from './book-settlement.ts';
import { type Clearing, clearedBy } from './clearing.ts';
import { entryIfAny, withName } from './entry.ts';

export interface ClearingRules extends Omit<BookingRules, 'identity'> {
  readonly range: DateRange;
  /** The line that accepts the difference or receipt of a match; undefined if nobody has. */
  readonly acceptedOnBank: (
    match: BankMatch,
  ) => Pick<AcceptedBankDifference, 'account'> | undefined;
}

/**
 * What the bank received is booked on its own day, whatever became of it: what of it is not, or not
 * certainly, a pay-in stands on suspense. What was accepted moves on from there, on the day of the difference.
 */
export function clearingEntries(
  clearings: readonly Clearing[],
  rules: ClearingRules,
): readonly JournalEntry[] {
  const ofRange = clearings.filter(({ date }) => isDayIn(rules.range, date));
  return [...groupedBy(ofRange, ({ match }) => match)].flatMap(([match, all]) => {
    const accepted = rules.acceptedOnBank(match);
    return [...groupedBy(all, stepOf).values()].flatMap((step) => {
      const text = textOf(step);
      const own = entryOf(step, text, clearingPostings, rules);
      if (!accepted) return own;
      return [...own, ...entryOf(step, `Accepted: ${text}`, acceptedPostings(accepted), rules)];
    });
  });
}

/** Movements with the same step are one entry. */
function stepOf({ date, entry, short }: Clearing): string {
  return [date, entry && bankEntryId(entry), short !== 0n].join(' ');
}

type Amounts = readonly (readonly [purpose: Purpose, minor: bigint, account?: string])[];

function clearingPostings(one: Clearing): Amounts {
  return [
    ['bank', one.bank],
    ['in_transit', -clearedBy(one)],
    ['bank_fees', one.charges],
    ['overpaid', -one.over],
    ['bank_difference', one.short],
    ['unknown_receipt', -one.suspense],
  ];
}

/** A transfer from suspense. Money that came before its settlement's day isn't what was accepted. */
function acceptedPostings({ account }: Pick<AcceptedBankDifference, 'account'>) {
  return ({ match, over, short, suspense }: Clearing): Amounts => {
    const unknown = match.settlements.length === 0 ? suspense : 0n;
    return [
      ['overpaid', over],
      ['bank_difference', -short],
      ['unknown_receipt', unknown],
      ['accepted', short - over - unknown, account],
    ];
  };
}

function entryOf(
  step: readonly Clearing[],
  what: string,
  amountsOf: (one: Clearing) => Amounts,
  { accountFor, names }: ClearingRules,
): readonly JournalEntry[] {
  const [first] = step;
  if (!first) return [];
  const { date, currency, scale, match } = first;
  const settlements = settlementsOf(step);
  const [oldest = first, ...others] = settlements;
  const only = settlements.length === 1 ? settlements[0]?.id : undefined;
  const postings = step.flatMap((one) =>
    amountsOf(one).flatMap(([purpose, minor, named]): Posting | [] => {
      if (minor === 0n) return [];
      // One entry of the bank is one line, on one account.
      const { accountingToken } = purpose === 'bank' ? oldest : one;
      const account = accountFor(purpose, { accountingToken, currency }, named);
      const settlementId = (purpose === 'bank' ? only : one.settlement?.id) ?? '';
      return { purpose, account, minor, settlementId, transactionId: '' };
    }),
  );
  const isOneToken = others.every((one) => one.accountingToken === oldest.accountingToken);
  const accountingToken = isOneToken ? oldest.accountingToken : '';
  const known = match.entries.filter(({ entry }) => entry.date <= date);
  return entryIfAny({
    ...{ date, bookingDate: date, currency, scale, accountingToken, postings },
    settlementIds: settlements.map(({ id }) => id),
    bankEntryIds: (first.entry ? [first.entry] : known).map(bankEntryId),
    text: withName(what, names.get(accountingToken)),
    isPending: false,
    reverses: undefined,
  });
}

/** The settlements of a step whose date has come. */
function settlementsOf([first]: readonly Clearing[]): readonly Settlement[] {
  if (!first || isOfNobody(first)) return [];
  const { match, date } = first;
  const all = match.settlements.map(({ settlement }) => settlement);
  return all.filter((one) => one.date <= date);
}

function isOfNobody(one: Clearing): boolean {
  return one.settlement === undefined && one.bank === one.suspense && one.short === 0n;
}

function textOf(step: readonly Clearing[]): string {
  const [first] = step;
  const settlements = settlementsOf(step);
  const [only, ...others] = settlements;
  if (!first || !only) return 'Receipt that no pay-out explains';
  const whose = others.length === 0 ? `settlement ${only.id}` : `${settlements.length} settlements`;
  if (first.short !== 0n) return `Short on the last due day: pay-out of ${whose}`;
  return first.entry ? `Pay-out of ${whose}` : `Received before its day: pay-out of ${whose}`;
}

function bankEntryId({ entry: { id }, part }: EntryShare): string {
  return part === undefined ? id : `${id}/${part}`;
}
