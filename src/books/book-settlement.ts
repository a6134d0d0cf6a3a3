import { ReconError } from '../base/errors.ts';
import type { Purpose } from '../model/account-mapping.ts';
import type { JournalEntry, Posting } from '../model/journal-entry.ts';
import type { Names } from '../model/settlement.ts';
import { rescale } from '../money/money.ts';
import { isAccepted } from '../reconcile/acceptance.ts';
import { type IdentityName, payInOf } from '../reconcile/identity.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import type { AccountFor } from './accounts.ts';
import { withId } from './entry-id.ts';

/** What a settlement or a transaction comes to; minor units at the scale of the settlement. */
export interface BookedFigures {
  /** Empty for a settlement as a whole. */
  readonly transactionId: string;
  readonly gross: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
}

/** How settlements are booked. */
export interface BookingRules {
  readonly identity: IdentityName;
  readonly accountFor: AccountFor;
  /** Of accounting tokens. */
  readonly names: Names;
}

/** A settlement that was read whole. */
export type BookableSettlement = ReconciledSettlement & {
  readonly computed: NonNullable<ReconciledSettlement['computed']>;
};

/**
 * A settlement as an entry: what is paid in as reported; fees, tax and gross as computed, each of
 * `transactions` apart where there are any; and the difference on suspense, or where it was accepted.
 * The identity says on which sides fees and tax stand, and whether at all. Undefined where every
 * amount is zero.
 */
export function settlementEntry(
  one: BookableSettlement,
  { identity, accountFor, names }: BookingRules,
  transactions: readonly BookedFigures[] = [],
): JournalEntry | undefined {
  const { settlement, scale, computed, verdict } = one;
  const { id, currency, accountingToken } = settlement;
  // Every format writes a currency as three letters; others could be read as something else.
  if (!/^[A-Z]{3}$/.test(currency)) {
    const message = `Settlement ${id} cannot be booked: its currency is ${JSON.stringify(currency)}.`;
    throw new ReconError('service', message, { hint: 'Report it to the provider.' });
  }
  const postings: Posting[] = [];
  const post = (purpose: Purpose, minor: bigint, transactionId = '', named = '') => {
    if (minor === 0n) return;
    const account = accountFor(purpose, settlement, named);
    postings.push({ purpose, account, minor, settlementId: id, transactionId });
  };
  post('in_transit', rescale(settlement.payIn, settlement.scale, scale));
  for (const { gross, fees, tax, transactionId } of partsOf(computed, transactions)) {
    post('fees', -payInOf(identity, 0n, fees, 0n), transactionId);
    post('tax', -payInOf(identity, 0n, 0n, tax), transactionId);
    post('receivable', -gross, transactionId);
  }
  const rest = -postings.reduce((sum, { minor }) => sum + minor, 0n);
  if (isAccepted(one)) post('accepted', rest, '', one.acceptance?.line.account);
  else post('suspense', rest);
  if (postings.length === 0) return undefined;
  return withId({
    date: settlement.date,
    currency,
    scale,
    settlementIds: [id],
    bankEntryIds: [],
    accountingToken,
    text: withName(`Settlement ${id}`, names.get(accountingToken)),
    isPending: verdict === 'pending',
    reverses: undefined,
    postings,
  });
}

/** A text about something of an accounting token, with the name of that if it has one. */
export function withName(text: string, name: string | undefined): string {
  return name === undefined ? text : `${text}, ${name}`;
}

/** The transactions, and what rules about totals add to them; or else the settlement as a whole. */
function partsOf(
  { gross, fees, tax }: Omit<BookedFigures, 'transactionId'>,
  transactions: readonly BookedFigures[],
): readonly BookedFigures[] {
  const sum = (amount: 'gross' | 'fees' | 'tax') =>
    transactions.reduce((total, one) => total + one[amount], 0n);
  const rest = { gross: gross - sum('gross'), fees: fees - sum('fees'), tax: tax - sum('tax') };
  return [...transactions, { ...rest, transactionId: '' }];
}
