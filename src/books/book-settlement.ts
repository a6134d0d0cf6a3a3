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

/** The rows of a settlement in other currencies, a total for each: booked, or left out. */
export function foreignRows(
  { discrepancies, notices }: ReconciledSettlement,
  { onlyCurrency }: Pick<BookingRules, 'onlyCurrency'>,
) {
  const all = [...discrepancies, ...notices].flatMap((entry) =>
    entry.code === 'currency' ? entry.facts.totals : [],
  );
  const isBooked = ({ gross: { currency } }: RowSums) =>
    currencyForm.test(currency) && (onlyCurrency === undefined || currency === onlyCurrency);
  return { booked: all.filter(isBooked), leftOut: all.filter((sums) => !isBooked(sums)) };
}

/** A settlement that was read whole. */
export type BookableSettlement = ReconciledSettlement & {
  readonly computed: NonNullable<ReconciledSettlement['computed']>;
};

/**
 * The rows of a settlement in other currencies, each currency in an entry of its own. Nobody knows what the
 * service paid for them: they stand against suspense, without a rate.
 */
export function foreignEntries(
  one: BookableSettlement,
  rules: BookingRules,
): readonly JournalEntry[] {
  return foreignRows(one, rules).booked.flatMap(({ transactions, ...sums }) => {
    const { gross, fees, tax } = sums;
    const scale = Math.max(gross.scale, fees.scale, tax.scale);
    const at = (money: Money) => rescale(money.minor, money.scale, scale);
    const parts = [{ gross: at(gross), fees: at(fees), tax: at(tax), transactionId: '' }];
    const { currency } = gross;
    const what = `, ${rowsText(transactions)} in ${currency}`;
    return entryOf(one, { currency, scale, payIn: 0n, parts, what, isAccepted: false }, rules);
  });
}

/**
 * A settlement as an entry: what is paid in as reported; fees, tax and gross as computed, each of
 * `transactions` apart where there are any; and the difference on suspense, or where it was accepted.
 * None where every amount is zero.
 */
export function settlementEntry(
  one: BookableSettlement,
  rules: BookingRules,
  transactions: readonly BookedFigures[] = [],
): readonly JournalEntry[] {
  const { settlement, scale, computed } = one;
  const { id, currency } = settlement;
  if (!currencyForm.test(currency)) {
    const message = `Settlement ${id} cannot be booked: its currency is ${JSON.stringify(currency)}.`;
    throw new ReconError('service', message, { hint: 'Report it to the provider.' });
  }
  const payIn = rescale(settlement.payIn, settlement.scale, scale);
  const parts = partsOf(computed, transactions);
  const figures = { currency, scale, payIn, parts, what: '', isAccepted: isAccepted(one) };
  const { leftOut } = foreignRows(one, rules);
  return entryOf(one, figures, rules).map((entry) =>
    leftOut.length === 0 ? entry : { ...entry, text: `${entry.text}. ${leftOutText(leftOut)}` },
  );
}

/** What is booked of a settlement in one currency; minor units at `scale`. */
interface FiguresInCurrency {
  readonly currency: string;
  readonly scale: number;
  readonly payIn: bigint;
  readonly parts: readonly BookedFigures[];
  readonly what: string;
  readonly isAccepted: boolean;
}

/** The entry of these; the identity says on which sides fees and tax stand, and whether at all. */
function entryOf(
  { settlement, verdict, acceptance }: BookableSettlement,
  { currency, scale, payIn, parts, what, isAccepted }: FiguresInCurrency,
  { identity, accountFor, names }: BookingRules,
): readonly JournalEntry[] {
  const { id, accountingToken, date } = settlement;
  const postings: Posting[] = [];
  const post = (purpose: Purpose, minor: bigint, transactionId = '', named = '') => {
    if (minor === 0n) return;
    const account = accountFor(purpose, { accountingToken, currency }, named);
    postings.push({ purpose, account, minor, settlementId: id, transactionId });
  };
  post('in_transit', payIn);
  for (const { gross, fees, tax, transactionId } of parts) {
    post('fees', -payInOf(identity, 0n, fees, 0n), transactionId);
    post('tax', -payInOf(identity, 0n, 0n, tax), transactionId);
    post('receivable', -gross, transactionId);
  }
  const rest = -postings.reduce((sum, { minor }) => sum + minor, 0n);
  if (isAccepted) post('accepted', rest, '', acceptance?.line.account);
  else post('suspense', rest);
  if (postings.length === 0) return [];
  return [
    withId({
      ...{ date, bookingDate: date, currency, scale, accountingToken, postings },
      settlementIds: [id],
      bankEntryIds: [],
      text: withName(`Settlement ${id}${what}`, names.get(accountingToken)),
      isPending: verdict === 'pending',
      reverses: undefined,
    }),
  ];
}

const rowsText = (rows: number) => (rows === 1 ? '1 row' : `${rows} rows`);

/** `Not booked: 1 row, 129.00 USD`: what rows in other currencies come to. */
export function leftOutText(leftOut: readonly RowSums[]): string {
  const texts = leftOut.map(({ transactions: rows, gross: { minor, scale, currency } }) => {
    return `${rowsText(rows)}, ${formatMinor(minor, scale)} ${currency}`;
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
