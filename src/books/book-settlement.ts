import { ReconError } from '../base/errors.ts';
import type { Purpose } from '../model/account-mapping.ts';
import type { JournalEntry, Posting } from '../model/journal-entry.ts';
import type { Names } from '../model/settlement.ts';
import { formatMinor, type Money, rescale } from '../money/money.ts';
import { isAccepted } from '../reconcile/acceptance.ts';
import { type IdentityName, payInOf } from '../reconcile/identity.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import type { RowSums } from '../reconcile/sums.ts';
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
  /** Where the books have only one currency: that of the rows that can be booked beside their settlement. */
  readonly onlyCurrency?: string | undefined;
}

/** Every format writes a currency as three letters; others could be read as something else. */
const currencyForm = /^[A-Z]{3}$/;

/** The rows of a settlement in another currency that are not booked, a total for each currency. */
export function rowsLeftOut(
  one: ReconciledSettlement,
  { onlyCurrency }: Pick<BookingRules, 'onlyCurrency'>,
): readonly RowSums[] {
  return foreignRows(one).filter(
    ({ gross: { currency } }) =>
      !currencyForm.test(currency) || (onlyCurrency !== undefined && currency !== onlyCurrency),
  );
}

/** The rows of a settlement in other currencies, a total for each. */
export function foreignRows({ discrepancies, notices }: ReconciledSettlement): readonly RowSums[] {
  const entries = [...discrepancies, ...notices];
  return entries.flatMap((entry) => (entry.code === 'currency' ? entry.facts.totals : []));
}

/**
 * The rows of a settlement in other currencies, each currency in an entry of its own. Nobody knows what the
 * service paid for them: they stand against suspense, without a rate.
 */
export function foreignEntries(
  one: BookableSettlement,
  rules: BookingRules,
): readonly JournalEntry[] {
  const leftOut = rowsLeftOut(one, rules);
  const booked = foreignRows(one).filter((sums) => !leftOut.includes(sums));
  return booked.flatMap((sums) => foreignEntry(one, sums, rules));
}

function foreignEntry(
  { settlement, verdict }: BookableSettlement,
  { transactions: rows, gross, fees, tax }: RowSums,
  { identity, accountFor, names }: BookingRules,
): readonly JournalEntry[] {
  const { id, date, accountingToken } = settlement;
  const { currency } = gross;
  const scale = Math.max(gross.scale, fees.scale, tax.scale);
  const at = (money: Money) => rescale(money.minor, money.scale, scale);
  const postings: Posting[] = [];
  const post = (purpose: Purpose, minor: bigint) => {
    if (minor === 0n) return;
    const account = accountFor(purpose, { accountingToken, currency });
    postings.push({ purpose, account, minor, settlementId: id, transactionId: '' });
  };
  post('fees', -payInOf(identity, 0n, at(fees), 0n));
  post('tax', -payInOf(identity, 0n, 0n, at(tax)));
  post('receivable', -at(gross));
  post('suspense', -postings.reduce((sum, { minor }) => sum + minor, 0n));
  if (postings.length === 0) return [];
  const what = `Settlement ${id}, ${rows === 1 ? '1 row' : `${rows} rows`} in ${currency}`;
  return [
    withId({
      ...{ date, bookingDate: date, currency, scale, accountingToken, postings },
      settlementIds: [id],
      bankEntryIds: [],
      text: withName(what, names.get(accountingToken)),
      isPending: verdict === 'pending',
      reverses: undefined,
    }),
  ];
}

/** A settlement that was read whole. */
export type BookableSettlement = ReconciledSettlement & {
  readonly computed: NonNullable<ReconciledSettlement['computed']>;
};

/**
 * A settlement as an entry: what is paid in as reported; fees, tax and gross as computed, each of
 * `transactions` apart where there are any; and the difference on suspense, or where it was accepted.
 * The identity says on which sides fees and tax stand, and whether at all. None where every
 * amount is zero.
 */
export function settlementEntry(
  one: BookableSettlement,
  rules: BookingRules,
  transactions: readonly BookedFigures[] = [],
): readonly JournalEntry[] {
  const { identity, accountFor, names } = rules;
  const { settlement, scale, computed, verdict } = one;
  const { id, currency, accountingToken, date } = settlement;
  if (!currencyForm.test(currency)) {
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
  if (postings.length === 0) return [];
  const text = withName(`Settlement ${id}`, names.get(accountingToken));
  const leftOut = rowsLeftOut(one, rules);
  return [
    withId({
      ...{ date, bookingDate: date, currency, scale, accountingToken, postings },
      settlementIds: [id],
      bankEntryIds: [],
      text: leftOut.length === 0 ? text : `${text}. ${leftOutText(leftOut)}`,
      isPending: verdict === 'pending',
      reverses: undefined,
    }),
  ];
}

/** `Not booked: 1 row, 129.00 USD`: what rows in other currencies come to. */
export function leftOutText(leftOut: readonly RowSums[]): string {
  const texts = leftOut.map(({ transactions: rows, gross: { minor, scale, currency } }) => {
    const count = rows === 1 ? '1 row' : `${rows} rows`;
    return `${count}, ${formatMinor(minor, scale)} ${currency}`;
  });
  return `Not booked: ${texts.join('; ')}`;
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
