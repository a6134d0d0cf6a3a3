import { daysOfMonth, monthName } from '../base/calendar.ts';
import { groupedBy, largestOf } from '../base/lists.ts';
import type { Purpose } from '../model/account-mapping.ts';
import type { Account } from '../model/close.ts';
import type { JournalEntry, Posting } from '../model/journal-entry.ts';
import { type Money, moneySums, rescale } from '../money/money.ts';
import { rowDay } from '../reconcile/agreed/price.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import {
  type BookableSettlement,
  type BookedFigures,
  type BookingRules,
  entryFor,
  foreignRows,
} from './book-settlement.ts';

/**
 * Tells the last day of the month in which a row was sold, if that is before the month of its settlement; else it is
 * empty, as for a row without a day. Needs rows with details.
 */
export function salesBefore(settlementDay: string, rows: RowColumns, timeZone: string) {
  const lastDays = new Map<string, string>();
  return (row: number): string => {
    const month = rowDay(rows.details(row).timestamp, timeZone).slice(0, 7);
    if (month === '' || month >= settlementDay.slice(0, 7)) return '';
    const known = lastDays.get(month) ?? daysOfMonth(month)?.to ?? '';
    lastDays.set(month, known);
    return known;
  };
}

/**
 * What a settlement pays of sales of earlier months, as entries on the last days of these months: each debits what is
 * accrued by the receivable. The entry of the settlement takes it back.
 */
export function accrualEntries(
  one: BookableSettlement,
  rules: BookingRules,
  apart: readonly BookedFigures[] = [],
): readonly JournalEntry[] {
  const { id, accountingToken, currency: own } = one.settlement;
  const booked = [own, ...foreignRows(one, rules).booked.map(({ gross }) => gross.currency)];
  const sold = apart.filter(({ soldOn, currency }) => soldOn !== '' && booked.includes(currency));
  const byDay = groupedBy(sold, ({ soldOn, currency }) => `${soldOn} ${currency}`);
  return [...byDay.values()].flatMap((all) => {
    const [{ soldOn: date, currency } = { soldOn: '', currency: '' }] = all;
    const scale = largestOf(all.map((part) => part.scale));
    const postings = all.flatMap((part) => {
      const { type, transactionId } = part;
      const post = (purpose: Purpose, minor: bigint): Posting => {
        const account = rules.accountFor(purpose, { accountingToken, currency, type });
        return { purpose, account, minor, settlementId: id, transactionId };
      };
      const gross = rescale(part.gross, part.scale, scale);
      return gross === 0n ? [] : [post('accrued_sales', gross), post('receivable', -gross)];
    });
    const text = `Sold in ${monthName(date)}: settlement ${id}`;
    return entryFor(one, { date, currency, scale, postings, text }, rules.names);
  });
}

/** What is accrued of sales, for an accounting token and a currency. */
export type AccruedSales = Account & Money;

/** The sums that entries post to accrued sales; without those of zero. */
export function accruedBy(entries: readonly JournalEntry[]): readonly AccruedSales[] {
  const all = entries.flatMap(({ accountingToken, currency, scale, postings }) =>
    postings.flatMap(({ purpose, minor }) =>
      purpose === 'accrued_sales' ? { accountingToken, currency, scale, minor } : [],
    ),
  );
  const byToken = groupedBy(all, ({ accountingToken }) => accountingToken);
  return [...byToken].flatMap(([accountingToken, own]) =>
    moneySums(own).flatMap((sum) => (sum.minor === 0n ? [] : { ...sum, accountingToken })),
  );
}
