import type { JournalReport } from '../../app/book-range.ts';
import { isDayIn } from '../../base/calendar.ts';
import { groupedBy, keysOf } from '../../base/lists.ts';
import { ownAccount } from '../../books/accounts.ts';
import type { BalanceOfAccount, ForeignRows } from '../../books/book.ts';
import { leftOutText } from '../../books/book-settlement.ts';
import type { JournalControl } from '../../books/control.ts';
import type { NewType } from '../../books/new-types.ts';
import type { BatchPlan } from '../../books/plan-batch.ts';
import { accruedBy } from '../../books/sale-month.ts';
import type { AccountMapping } from '../../model/account-mapping.ts';
import type { JournalEntry } from '../../model/journal-entry.ts';
import type { Names, Settlement } from '../../model/settlement.ts';
import type { DateRange } from '../../model/source.ts';
import {
  formatMinor,
  type Money,
  magnitude,
  moneySums,
  netAndAbsoluteSums,
} from '../../money/money.ts';
import { isAccepted } from '../../reconcile/acceptance.ts';
import type { ReconciledRun } from '../../reconcile/reconcile-run.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import type { BookedBatch, FinishedBatch } from '../../register/booked-register.ts';
import { bankHeadline } from '../bank/summary.ts';
import { statementSentence } from '../bank/words.ts';
import {
  accountName,
  enumerate,
  firstOf,
  grouped,
  many,
  moneyText,
  present,
  signedMoneyText,
} from '../common/phrase.ts';
import { countsText, entrySentence } from '../common/words.ts';

/** The most findings in statements that are named: `recon bank` lists all. */
const mostNamed = 3;

/** The notes on a journal, in its file and on the screen. */
export function journalSentences(report: JournalReport): readonly string[] {
  const { run, booked, withoutPayout, mapping, range, onBank, onlyCurrency, names } = report;
  const { entries, inTransit, change, foreignRows } = booked;
  const accepted = run.settlements.filter(isAccepted).length;
  const { leftOut } = foreignRows;
  return present(
    countsText((verdict) => run.counts[verdict], accepted),
    ...run.findings.filter(({ weight }) => weight === 'discrepancy').map(entrySentence),
    ...report.control.map((total) => controlSentence(total, leftOut, names)),
    ...leftOutSentences(leftOut, names),
    foreignRowSentence(foreignRows.booked),
    ...report.newTypes.map(newTypeSentence),
    ...accruedSentences(report),
    ...suspenseSentences(entries),
    ...bankSuspenseSentences(entries),
    bankFeesSentence(entries, mapping),
    taxKeySentence(report),
    elsewhereSentence(report),
    withoutPayout > 0 &&
      `Not booked: ${many(withoutPayout, 'receipt')} that no pay-out explains. Other settlements than those that were read may explain them.`,
    ...pendingSentences(run.settlements, booked.settlements),
    onBank && `Bank: ${bankHeadline(onBank)}`,
    ...(onBank?.statements.findings ?? []).slice(0, mostNamed).map(statementSentence),
    inTransit ? transitSentence(inTransit, range) : changeSentence(change, range),
    onlyCurrency && foreignSentence(entries, onlyCurrency),
    entries.length === 0 && 'Nothing to book.',
  );
}

/** A key that computes the tax of fees, beside an account for it, would count the tax twice. */
function taxKeySentence({ format, mapping }: JournalReport): string | false {
  const { fees: key } = (format === 'datev' && mapping.datev?.tax_keys) || {};
  const isTwice = key !== undefined && mapping.tax !== mapping.fees;
  return (
    isTwice &&
    `Fees have the tax key ${key}, and their tax is booked to the account ${mapping.tax} too. If the key computes tax, it counts twice: remove it from tax_keys.`
  );
}

function elsewhereSentence({ elsewhere }: JournalReport): string | false {
  const counts = [...elsewhere].map(
    ([currency, entries]) => `${many(entries.length, 'entry', 'entries')} in ${currency}`,
  );
  return counts.length > 0 && `Left out by --currency: ${enumerate(counts)}.`;
}

/** `94,380.20 EUR and 2,305,749 JPY`: sums by currency. */
function sumsText(amounts: readonly Money[]): string {
  return enumerate(moneySums(amounts).map(moneyText));
}

/** Amounts that are not booked, by accounting token and currency; empty if all are booked. */
export function leftOutSentences(leftOut: readonly ForeignRows[], names: Names): readonly string[] {
  const all = groupedBy(leftOut, ({ settlement, gross }) =>
    JSON.stringify([settlement.accountingToken, gross.currency]),
  );
  return [...all.values()].map((rows) => {
    const [{ settlement } = { settlement: undefined }] = rows;
    const count = rows.reduce((sum, { transactions }) => sum + transactions, 0);
    const amounts = (['gross', 'fees', 'tax'] as const).map(
      (amount) => `${amount} ${sumsText(rows.map((one) => one[amount]))}`,
    );
    const token = settlement?.accountingToken ?? '';
    return `Not booked: ${accountName(names, token)}, ${many(count, 'transaction')} in another currency than the settlement: ${amounts.join(', ')}.`;
  });
}

function controlSentence(
  { accountingToken, currency, scale, settlements, difference, ...amounts }: JournalControl,
  leftOut: readonly ForeignRows[],
  names: Names,
): string {
  const { gross, fees, tax, payIn } = amounts;
  const text = (words: string, minor: bigint | undefined) =>
    minor !== undefined && `${words} ${grouped(formatMinor(minor, scale))}`;
  const figures = present(
    text('gross', gross),
    text('fees', fees),
    text('tax', tax),
    text('net pay-out', payIn),
    `difference ${signedMoneyText({ minor: difference, scale, currency })}`,
  );
  const whose = accountName(names, accountingToken);
  const own = leftOut.filter(
    ({ settlement: one }) => one.accountingToken === accountingToken && one.currency === currency,
  );
  const agree = own.length === 0 ? ' Journal and report agree.' : ` ${leftOutText(own)}.`;
  return `Control: ${whose}, ${many(settlements, 'settlement')}: ${figures.join(', ')}.${agree}`;
}

function pendingSentences(
  settlements: readonly ReconciledSettlement[],
  bookable: readonly ReconciledSettlement[],
): readonly string[] {
  const known = new Set(bookable);
  const isBooked = (one: ReconciledSettlement) => known.has(one);
  const all = settlements.filter((one) => one.verdict === 'pending');
  const booked = all.filter(isBooked).map(({ settlement }) => settlement);
  const open = all.filter((one) => !isBooked(one));
  const unread = open.filter(({ complete }) => !complete).map(({ settlement }) => settlement);
  const waiting = open.filter(({ complete }) => complete).map(({ settlement }) => settlement);
  const pending = (all: readonly Settlement[]) =>
    `${many(all.length, 'pending settlement')} (${sumsText(all.map(payInOf))})`;
  return present(
    booked.length > 0 && `Booked as pending: ${pending(booked)}.`,
    waiting.length > 0 &&
      `Not booked: ${pending(waiting)}. To book them too, add --include-pending.`,
    unread.length > 0 && `Not booked: ${pending(unread)}, not fully read.`,
  );
}

function payInOf({ payIn: minor, scale, currency }: Settlement): Money {
  return { minor, scale, currency };
}

function suspenseSentences(entries: readonly JournalEntry[]): readonly string[] {
  const differences = entries.flatMap(({ currency, scale, postings }) =>
    postings.flatMap(({ purpose, minor }) =>
      purpose === 'suspense' ? { currency, scale, minor: -minor } : [],
    ),
  );
  return [...groupedBy(differences, ({ currency }) => currency).values()].flatMap((all) =>
    netAndAbsoluteSums(all).map(({ net, absolute, scale, currency }) => {
      // If more was reported than computed, the rest is owed: a credit.
      const side = net === 0n ? '' : net > 0n ? ' credit' : ' debit';
      const text = (minor: bigint) => moneyText({ minor, scale, currency });
      return `On suspense: ${many(all.length, 'settlement')}, ${text(magnitude(net))}${side} net, ${text(absolute)} absolute.`;
    }),
  );
}

/** What of sales is accrued, what of it is settled, and how far that is known. */
function accruedSentences({ booked, later, mapping }: JournalReport): readonly string[] {
  if (!mapping.by_sale_month) return [];
  const { entries, accruals } = booked;
  const sums = (isAccrued: boolean) => {
    const sign = isAccrued ? 1n : -1n;
    const own = accruedBy(entries.filter((one) => accruals.has(one) === isAccrued));
    return sumsText(own.map((one) => ({ ...one, minor: sign * one.minor })));
  };
  const [accrued, settled] = [sums(true), sums(false)];
  return present(
    accrued !== '' && `Accrued, sold in a month before its settlement: ${accrued}.`,
    settled !== '' && `Settled of what was accrued: ${settled}.`,
    later && `Settlements until ${later.until} are read for what was sold before.`,
  );
}

function foreignSentence(entries: readonly JournalEntry[], own: string): string | undefined {
  const others = new Set(entries.map(({ currency }) => currency).filter((one) => one !== own));
  if (others.size === 0) return undefined;
  return `Entries in ${enumerate([...others].sort())} have no exchange rate. Check how they are converted when you import them.`;
}

function foreignRowSentence(booked: readonly ForeignRows[]): string | undefined {
  const count = booked.reduce((sum, { transactions }) => sum + transactions, 0);
  if (count === 0) return undefined;
  const amounts = sumsText(booked.map(({ gross }) => gross));
  return `Booked in another currency than the settlement, without a rate: ${many(count, 'transaction')}, ${amounts}. What the service paid for ${count === 1 ? 'it' : 'them'} is not known: suspense is the counterpart.`;
}

function newTypeSentence({ type, rows, gross, accounts }: NewType): string {
  const amounts = enumerate(gross.map(signedMoneyText));
  return `${many(rows, 'transaction')} of the new type ${JSON.stringify(type)}, ${amounts}, booked to ${enumerate(accounts)}. To book it elsewhere, set its accounts under [profiles.NAME.books.type].`;
}

const suspenseWords = {
  overpaid: 'overpaid: more than the net pay-out',
  bank_difference: 'underpaid: less than the net pay-out',
  unknown_receipt: 'received without a pay-out',
} as const;

/** Amounts on bank entries that need a decision. */
function bankSuspenseSentences(entries: readonly JournalEntry[]): readonly string[] {
  const words = keysOf(suspenseWords).flatMap((purpose) => {
    const postings = entries.flatMap(({ currency, scale, postings }) =>
      postings.flatMap((one) =>
        one.purpose === purpose
          ? { currency, scale, minor: purpose === 'bank_difference' ? one.minor : -one.minor }
          : [],
      ),
    );
    const sums = moneySums(postings).filter(({ minor }) => minor !== 0n);
    return sums.length === 0 ? [] : `${suspenseWords[purpose]} ${enumerate(sums.map(moneyText))}`;
  });
  return words.length === 0 ? [] : [`On suspense from the bank: ${words.join('; ')}.`];
}

/** Bank charges that are booked to suspense, as they have no account. */
function bankFeesSentence(
  entries: readonly JournalEntry[],
  mapping: AccountMapping,
): string | undefined {
  const fees = entries.flatMap((entry) =>
    entry.postings
      .filter(({ purpose }) => purpose === 'bank_fees')
      .filter(() => ownAccount(mapping, 'bank_fees', entry) === undefined)
      .map(({ minor }) => ({ ...entry, minor })),
  );
  if (fees.length === 0) return undefined;
  return `No account is set for bank_fees: charges of the bank are booked to suspense, ${sumsText(fees)}.`;
}

/** Says that entries of closed days were not moved. */
export function closedSentences(late: readonly JournalEntry[], closed: string): readonly string[] {
  const days = [...new Set(late.map(({ bookingDate }) => bookingDate))];
  return present(
    late.length > 0 &&
      `Of closed days, until ${closed}: ${many(late.length, 'entry', 'entries')} (${firstOf(days)}). Without a register nothing is moved. To post only what is new, on open days, use --booked.`,
  );
}

/** The entries that are posted on a later day. */
export function movedSentences({ entries }: Pick<BatchPlan, 'entries'>): readonly string[] {
  const moved = entries.filter(({ date, bookingDate }) => date !== bookingDate);
  return [...groupedBy(moved, ({ date }) => date)].map(([date, all]) => {
    const days = [...new Set(all.map(({ bookingDate }) => bookingDate))].sort();
    return `Posted on ${date}: ${many(all.length, 'entry', 'entries')} of earlier days (${firstOf(days)}).`;
  });
}

function transitSentence(
  balances: readonly BalanceOfAccount[],
  { to }: DateRange,
): string | undefined {
  if (balances.length === 0) return undefined;
  const texts = balances.map((balance) => `${moneyText(balance)} (${balance.account})`);
  return `In transit at the end of ${to}: ${enumerate(texts)}.`;
}

/** The change in transit, if the opening is not known. */
function changeSentence(change: readonly BalanceOfAccount[], { from, to }: DateRange): string {
  const texts = change.map((one) => `${signedMoneyText(one)} (${one.account})`);
  const sums = texts.length === 0 ? 'nothing' : enumerate(texts);
  return `In transit from ${from} to ${to} changes: ${sums}. What was in transit before ${from} is not known: no balance is asserted.`;
}

/** Why a run cannot be booked: settlements that were not fully read, and those of incomplete days. */
export function unreadReasons({ settlements, findings }: ReconciledRun): readonly string[] {
  const unread = settlements.filter(({ verdict }) => verdict === 'incomplete');
  const named = (all: readonly ReconciledSettlement[]) =>
    firstOf(all.map(({ settlement: { id, date } }) => `${id} (${date})`));
  return [
    ...(unread.length === 0
      ? []
      : [`Not fully read: ${many(unread.length, 'settlement')}: ${named(unread)}.`]),
    ...findings
      .filter(({ weight, code }) => weight === 'incomplete' || code === 'incomplete_day')
      .map((finding) => {
        const days = finding.code === 'incomplete_day' ? finding.facts.examples : [];
        const there = settlements.filter(({ settlement: { date } }) =>
          days.some((range) => isDayIn(range, date)),
        );
        const theirs = there.length > 0 && `Settlements of these days: ${named(there)}.`;
        return present(entrySentence(finding), theirs).join(' ');
      }),
  ];
}

export function batchSentence({
  number,
  entries,
}: Pick<BookedBatch, 'number' | 'entries'>): string {
  const reversals = entries.filter(({ reverses }) => reverses !== undefined).length;
  const reversed = reversals === 0 ? '' : ` (${many(reversals, 'reversal')})`;
  return `Batch ${number}: ${many(entries.length, 'entry', 'entries')}${reversed}.`;
}

/** Says that a batch of an earlier run was completed first. */
export function finishedSentence({ number, output }: FinishedBatch): string {
  return `Completed batch ${number} of an earlier run, which was interrupted: ${output}. Import it if you have not done so.`;
}

export const nothingToBook = 'Nothing new to book. Nothing was written.';

/** Booked entries that stay on their accounts, although the mapping has changed. */
export function keptSentences({ onOtherAccounts }: BatchPlan): readonly string[] {
  const count = onOtherAccounts.length;
  return present(
    count > 0 &&
      `The accounts have changed. ${many(count, 'booked entry stays', 'booked entries stay')} unchanged.`,
  );
}

/** Booked settlements that are no longer listed, and entries that are not booked because of them. */
export function missingSentences({ missing, heldBack }: BatchPlan): readonly string[] {
  const named = missing.map(({ id, date }) => `${id} (${date})`);
  const days = [...new Set(heldBack.map(({ date }) => date))];
  return present(
    missing.length > 0 &&
      `Booked, but no longer listed as settled: ${many(missing.length, 'settlement')}: ${firstOf(named)}. Nothing was reversed. Check with the provider. To reverse them, add --reverse-missing.`,
    heldBack.length > 0 &&
      `Not booked: ${many(heldBack.length, 'changed entry', 'changed entries')} (${firstOf(days)}). The booked entries also include settlements or bank entries that are not in this run.`,
  );
}
