import { isDayIn } from '../base/calendar.ts';
import type { BankMatch } from '../match/match.ts';
import type { AcceptedBankDifference } from '../model/accepted-difference.ts';
import type { Purpose } from '../model/account-mapping.ts';
import type { JournalEntry, Posting } from '../model/journal-entry.ts';
import type { DateRange } from '../model/source.ts';
import { rescale } from '../money/money.ts';
import { type BookingRules, withName } from './book-settlement.ts';
import { withId } from './entry-id.ts';

/** How matches are booked. */
export interface MatchRules extends Omit<BookingRules, 'identity'> {
  /** The days of the bank's entries that are booked. */
  readonly range: DateRange;
  /** Undefined where nobody has accepted the difference of a match as it is. */
  readonly acceptedOnBank: (
    match: BankMatch,
  ) => Pick<AcceptedBankDifference, 'account'> | undefined;
}

/**
 * What the bank received of pay-outs clears what was in transit: where they are matched, or with a
 * difference that was accepted, and by nothing weaker. Each of several entries for one settlement is
 * booked on its own day; what has to be seen together, on the day of its last entry.
 */
export function matchEntries(match: BankMatch, rules: MatchRules): readonly JournalEntry[] {
  const { state, difference, settlements, entries } = match;
  // Money in another currency has no difference, and no place in an entry of this one.
  const isComparable = state === 'difference' && difference !== undefined;
  const accepted = isComparable ? rules.acceptedOnBank(match) : undefined;
  if (state !== 'matched' && !accepted) return [];
  const isOneByOne = settlements.length === 1 && !accepted;
  const groups = isOneByOne ? entries.map((entry) => [entry]) : [entries];
  return groups.flatMap((shares) => {
    const date = shares.map(({ entry }) => entry.date).reduce((a, b) => (a < b ? b : a), '');
    if (!isDayIn(rules.range, date)) return [];
    const postings = postingsOf({ ...match, entries: shares }, { ...rules, isOneByOne, accepted });
    if (postings.length === 0) return [];
    const bankEntryIds = shares.map(({ entry: { id }, part }) =>
      part === undefined ? id : `${id}/${part}`,
    );
    return withId({ ...describedBy(match, rules), bankEntryIds, date, postings });
  });
}

interface PostingRules extends MatchRules {
  /** Whether an entry of the bank clears what it came to, and not the whole settlement. */
  readonly isOneByOne: boolean;
  readonly accepted: ReturnType<MatchRules['acceptedOnBank']>;
}

function postingsOf(
  { settlements, entries, currency, scale }: BankMatch,
  { accountFor, isOneByOne, accepted }: PostingRules,
): readonly Posting[] {
  const [first] = settlements;
  if (!first) return [];
  const only = settlements.length === 1 ? first.settlement.id : '';
  const post = (purpose: Purpose, minor: bigint, settlement = first.settlement, named = '') => {
    const account = accountFor(purpose, { ...settlement, currency }, named);
    const settlementId = purpose === 'in_transit' ? settlement.id : only;
    return { purpose, account, minor, settlementId, transactionId: '' };
  };
  const received = entries.map(({ amount }) => post('bank', amount));
  const cleared = isOneByOne
    ? entries.map(({ amount }) => post('in_transit', -amount))
    : settlements.map(({ settlement }) =>
        post('in_transit', -rescale(settlement.payIn, settlement.scale, scale), settlement),
      );
  const postings = [...received, ...cleared];
  const rest = postings.reduce((sum, { minor }) => sum - minor, 0n);
  if (accepted) postings.push(post('accepted', rest, first.settlement, accepted.account));
  return postings.filter(({ minor }) => minor !== 0n);
}

function describedBy(
  { settlements, currency, scale }: BankMatch,
  { names }: Pick<MatchRules, 'names'>,
) {
  const ids = settlements.map(({ settlement }) => settlement.id);
  const tokens = new Set(settlements.map(({ settlement }) => settlement.accountingToken));
  const [token = ''] = tokens;
  const accountingToken = tokens.size === 1 ? token : '';
  const what = ids.length === 1 ? `settlement ${ids[0]}` : `${ids.length} settlements`;
  return {
    currency,
    scale,
    settlementIds: ids,
    accountingToken,
    text: withName(`Pay-out of ${what}`, names.get(accountingToken)),
    isPending: false,
    reverses: undefined,
  };
}
