import { isDayIn } from '../base/calendar.ts';
import type { BankMatch, EntryShare } from '../match/match.ts';
import type { Purpose } from '../model/account-mapping.ts';
import type { JournalEntry, Posting } from '../model/journal-entry.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import { rescale } from '../money/money.ts';
import { type BookingRules, withName } from './book-settlement.ts';
import { withId } from './entry-id.ts';

/**
 * What the bank received of matched pay-outs, on the days of `range`: it clears what was in transit.
 * Several entries for one settlement are booked one by one; several settlements at once, with all
 * entries they came in, on the day of the last. Whatever is not `matched` clears nothing.
 */
export function matchEntries(
  { state, settlements, entries, currency, scale }: BankMatch,
  range: DateRange,
  { accountFor, names }: Omit<BookingRules, 'identity'>,
): readonly JournalEntry[] {
  const [first] = settlements;
  if (state !== 'matched' || !first) return [];
  const isOne = settlements.length === 1;
  const groups = isOne ? entries.map((entry) => [entry]) : [entries];
  return groups.flatMap((shares) => {
    const date = shares.map(({ entry }) => entry.date).reduce((a, b) => (a < b ? b : a), '');
    if (!isDayIn(range, date)) return [];
    const received = shares.map(({ amount }): Side => ({ ...first, purpose: 'bank', amount }));
    const paid = isOne
      ? received.map((one): Side => ({ ...one, purpose: 'in_transit', amount: -one.amount }))
      : settlements.map(({ settlement }): Side => {
          const { payIn, scale: from } = settlement;
          return { settlement, purpose: 'in_transit', amount: -rescale(payIn, from, scale) };
        });
    const postings = [...received, ...paid].flatMap(({ settlement, purpose, amount: minor }) => {
      const account = accountFor(purpose, { ...settlement, currency });
      const settlementId = isOne || purpose === 'in_transit' ? settlement.id : '';
      return minor === 0n ? [] : { purpose, account, minor, settlementId, transactionId: '' };
    });
    const entry = booked(settlements, postings, { date, currency, scale, names });
    return postings.length === 0 ? [] : withId(entry, shares.map(sourceOf).join(' '));
  });
}

interface Side {
  readonly settlement: Settlement;
  readonly purpose: Purpose;
  readonly amount: bigint;
}

function booked(
  settlements: BankMatch['settlements'],
  postings: readonly Posting[],
  {
    names,
    ...common
  }: Pick<JournalEntry, 'date' | 'currency' | 'scale'> & Pick<BookingRules, 'names'>,
): Omit<JournalEntry, 'id'> {
  const settlementIds = settlements.map(({ settlement }) => settlement.id);
  const tokens = [...new Set(settlements.map(({ settlement }) => settlement.accountingToken))];
  const [token = ''] = tokens;
  const accountingToken = tokens.length === 1 ? token : '';
  const [id] = settlementIds;
  const what =
    settlementIds.length === 1 ? `settlement ${id}` : `${settlementIds.length} settlements`;
  const text = withName(`Pay-out of ${what}`, names.get(accountingToken));
  return {
    ...common,
    settlementIds,
    accountingToken,
    text,
    isPending: false,
    reverses: undefined,
    postings,
  };
}

/** The entry of the bank, or the part of it. */
function sourceOf({ entry, part }: EntryShare): string {
  return part === undefined ? entry.id : `${entry.id}/${part}`;
}
