import { ReconError } from '../base/errors.ts';
import { groupedBy, largestOf } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import type { Purpose } from '../model/account-mapping.ts';
import type { JournalEntry, Posting } from '../model/journal-entry.ts';
import type { RowKind } from '../model/row-batch.ts';
import type { Amounts, Names } from '../model/settlement.ts';
import { formatMinor, rescale, sumAt } from '../money/money.ts';
import { isAccepted } from '../reconcile/acceptance.ts';
import { receivableOf } from '../reconcile/computed.ts';
import { type IdentityName, payInOf } from '../reconcile/identity.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { type Rules, seenByRules } from '../reconcile/rules.ts';
import { amountsBy, type Counted, noRows, type RowSums } from '../reconcile/sums.ts';
import type { AccountFor } from './accounts.ts';
import { entryIfAny, withName } from './entry.ts';

/** The figures of a part that is booked separately: a transaction or a type. Minor units at `scale`. */
export interface BookedFigures extends Amounts {
  /** Empty for a type. */
  readonly transactionId: string;
  readonly type: string;
  /** The last day of the month of the sale, if it is before that of the settlement; else empty. */
  readonly soldOn: string;
  readonly currency: string;
  readonly scale: number;
  /** How many transactions count. */
  readonly rows: number;
}

/** A part of what is booked for a settlement in a currency; the remaining part has no id and no type. */
type Part = Omit<BookedFigures, 'currency' | 'scale' | 'rows'>;

export interface BookingRules {
  readonly identity: IdentityName;
  readonly accountFor: AccountFor;
  readonly names: Names;
  /** The currency of the books, if they have only one: only rows in it are booked beside their settlement. */
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

/** A settlement that was read completely. */
export type BookableSettlement = ReconciledSettlement & {
  readonly computed: NonNullable<ReconciledSettlement['computed']>;
};

/** An entry against suspense for each other currency of rows: the amount paid for them is unknown. */
export function foreignEntries(
  one: BookableSettlement,
  rules: BookingRules,
  apart: readonly BookedFigures[] = [],
): readonly JournalEntry[] {
  return foreignRows(one, rules).booked.flatMap(({ transactions, ...sums }) => {
    const { gross, fees, tax } = sums;
    const { currency } = gross;
    const scale = Math.max(gross.scale, fees.scale, tax.scale);
    const whole = amountsBy((name) => rescale(sums[name].minor, sums[name].scale, scale));
    const parts = partsOf(whole, ofCurrency(apart, currency, scale));
    const what = `, ${rowsText(transactions)} in ${currency}`;
    return entryOf(one, { currency, scale, payIn: 0n, parts, what, isAccepted: false }, rules);
  });
}

/**
 * A settlement as an entry: its pay-in as reported; fees, tax and gross as computed, for each part that is
 * booked separately; the difference on suspense or its accepted account. None if every amount is zero.
 */
export function settlementEntry(
  one: BookableSettlement,
  rules: BookingRules,
  apart: readonly BookedFigures[] = [],
): readonly JournalEntry[] {
  const { settlement, scale, computed } = one;
  const { id, currency } = settlement;
  if (!currencyForm.test(currency)) {
    const message = `Settlement ${id} cannot be booked: its currency is ${JSON.stringify(currency)}.`;
    throw new ReconError('service', message, { hint: 'Report it to the provider.' });
  }
  const payIn = rescale(settlement.payIn, settlement.scale, scale);
  const gross = receivableOf(computed);
  const parts = partsOf({ ...computed, gross }, ofCurrency(apart, currency, scale));
  const figures = { currency, scale, payIn, parts, what: '', isAccepted: isAccepted(one) };
  const { leftOut } = foreignRows(one, rules);
  return entryOf(one, figures, rules).map((entry) =>
    leftOut.length === 0 ? entry : { ...entry, text: `${entry.text}. ${leftOutText(leftOut)}` },
  );
}

/** What is booked for a settlement in one currency; minor units at `scale`. */
interface FiguresInCurrency {
  readonly currency: string;
  readonly scale: number;
  readonly payIn: bigint;
  readonly parts: readonly Part[];
  readonly what: string;
  readonly isAccepted: boolean;
}

/** The entry of these figures. The identity decides the sides of fees and tax, and whether they are booked. */
function entryOf(
  one: BookableSettlement,
  { currency, scale, payIn, parts, what, isAccepted }: FiguresInCurrency,
  { identity, accountFor, names }: BookingRules,
): readonly JournalEntry[] {
  const { settlement, acceptance } = one;
  const { id, accountingToken } = settlement;
  const postings: Posting[] = [];
  const whole = { transactionId: '', type: '' };
  const post = (purpose: Purpose, minor: bigint, { transactionId, type } = whole, named = '') => {
    if (minor === 0n) return;
    const account = accountFor(purpose, { accountingToken, currency, type }, named);
    postings.push({ purpose, account, minor, settlementId: id, transactionId });
  };
  post('in_transit', payIn);
  // Grouped by transaction or settlement, so another type does not change the order.
  for (const together of groupedBy(parts, ({ transactionId }) => transactionId).values()) {
    for (const one of together) post('fees', -payInOf(identity, 0n, one.fees, 0n), one);
    for (const one of together) post('tax', -payInOf(identity, 0n, 0n, one.tax), one);
    for (const one of together) {
      post(one.soldOn === '' ? 'receivable' : 'accrued_sales', -one.gross, one);
    }
  }
  const rest = -postings.reduce((sum, { minor }) => sum + minor, 0n);
  if (isAccepted) post('accepted', rest, whole, acceptance?.line.account);
  else post('suspense', rest);
  const text = `Settlement ${id}${what}`;
  return entryFor(one, { date: settlement.date, currency, scale, postings, text }, names);
}

/** An entry about one settlement; none if its postings come to zero. */
export function entryFor(
  { settlement: { id, accountingToken }, verdict }: BookableSettlement,
  entry: Pick<JournalEntry, 'date' | 'currency' | 'scale' | 'postings' | 'text'>,
  names: Names,
): readonly JournalEntry[] {
  return entryIfAny({
    ...entry,
    accountingToken,
    settlementIds: [id],
    bankEntryIds: [],
    text: withName(entry.text, names.get(accountingToken)),
    isPending: verdict === 'pending',
  });
}

const rowsText = (rows: number) => (rows === 1 ? '1 transaction' : `${rows} transactions`);

/** `Not booked: 1 row, 129.00 USD`: the totals of rows in other currencies. */
export function leftOutText(leftOut: readonly RowSums[]): string {
  const texts = leftOut.map(({ transactions: rows, gross: { minor, scale, currency } }) => {
    return `${rowsText(rows)}, ${formatMinor(minor, scale)} ${currency}`;
  });
  return `Not booked: ${texts.join('; ')}`;
}

/** The parts booked separately and the remaining amounts, such as those from rules about totals; or else the whole. */
function partsOf(whole: Amounts, apart: readonly Part[]): readonly Part[] {
  const rest = amountsBy((name) => apart.reduce((left, one) => left - one[name], whole[name]));
  return [...apart, { ...rest, transactionId: '', type: '', soldOn: '' }];
}

function ofCurrency(all: readonly BookedFigures[], currency: string, scale: number) {
  return all
    .filter((one) => one.currency === currency)
    .map((one) => ({ ...one, ...amountsBy((name) => rescale(one[name], one.scale, scale)) }));
}

/** Tells the `soldOn` of a row. */
export type SoldOn = (row: number) => string;

/** The transactions of a settlement that count by the rules, by id. */
export function transactionFigures(
  rows: RowColumns,
  rules: Rules,
  soldOn: SoldOn = () => '',
): readonly BookedFigures[] {
  return rows
    .ofKind(() => true)
    .map((row) => {
      const kind = rows.kind(row);
      const { type, currency, scale } = kind;
      const { count, ...seen } = seenByRules(rules, kind, { count: 1, ...rows.amounts(row) });
      const sold = soldOn(row);
      const what = { transactionId: rows.id(row), rows: count, type, soldOn: sold };
      return { ...what, currency, scale, ...seen };
    })
    .sort((a, b) => byText(a.transactionId, b.transactionId));
}

/** The totals of transactions of a settlement by currency, type and month of sale, by the rules. */
export function typeFigures(
  rows: RowColumns,
  rules: Rules,
  soldOn?: SoldOn,
): readonly BookedFigures[] {
  const all = [...sumsByMonth(rows, soldOn)].map(({ kind, sold, sums }): BookedFigures => {
    const { count, ...seen } = seenByRules(rules, kind, sums);
    const { type, currency, scale } = kind;
    return { transactionId: '', rows: count, type, soldOn: sold, currency, scale, ...seen };
  });
  const byType = groupedBy(all, ({ type, currency, soldOn }) =>
    JSON.stringify([currency, type, soldOn]),
  );
  return [...byType].sort(([a], [b]) => byText(a, b)).flatMap(([, those]) => addedUp(those));
}

function sumsByMonth(rows: RowColumns, soldOn: SoldOn | undefined) {
  if (!soldOn) {
    return rows.kinds.map((kind, at) => ({ kind, sold: '', sums: rows.sums[at] ?? noRows }));
  }
  const found = new Map<string, { kind: RowKind; sold: string; sums: Counted }>();
  for (const row of rows.ofKind(() => true)) {
    const sold = soldOn(row);
    const key = `${rows.kindNumber(row)} ${sold}`;
    const { sums } = found.get(key) ?? { sums: noRows };
    const own = rows.amounts(row);
    const more = amountsBy((name) => sums[name] + own[name]);
    found.set(key, { kind: rows.kind(row), sold, sums: { count: sums.count + 1, ...more } });
  }
  return [...found.values()];
}

function addedUp(all: readonly BookedFigures[]): readonly BookedFigures[] {
  const [first] = all;
  if (!first) return [];
  const scale = largestOf(all.map((one) => one.scale));
  const rows = all.reduce((total, one) => total + one.rows, 0);
  const sums = amountsBy((name) => sumAt(scale, all, (one) => one[name]));
  return [{ ...first, rows, scale, ...sums }];
}
