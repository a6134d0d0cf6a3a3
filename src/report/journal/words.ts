import type { BankReport } from '../../app/bank-report.ts';
import { isDayIn } from '../../base/calendar.ts';
import { groupedBy } from '../../base/lists.ts';
import { type BalanceOfAccount, isBookable } from '../../books/book.ts';
import type { JournalControl } from '../../books/control.ts';
import type { BatchPlan } from '../../books/plan-batch.ts';
import type { JournalEntry } from '../../model/journal-entry.ts';
import type { Names, Settlement } from '../../model/settlement.ts';
import type { DateRange } from '../../model/source.ts';
import { absoluteSums, formatMinor, type Money, magnitude, moneySums } from '../../money/money.ts';
import { isAccepted } from '../../reconcile/acceptance.ts';
import type { ReconciledRun } from '../../reconcile/reconcile-run.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import type { RowSums } from '../../reconcile/sums.ts';
import type { FinishedBatch } from '../../register/book-batch.ts';
import type { BookedBatch } from '../../register/booked-register.ts';
import { bankHeadline, statementSentence } from '../bank/words.ts';
import {
  enumerate,
  firstOf,
  grouped,
  many,
  moneyText,
  present,
  signedMoneyText,
} from '../common/phrase.ts';
import { accountName } from '../common/report.ts';
import { countsText, entrySentence } from '../common/words.ts';

/** So many findings in statements are named: `recon bank` lists them all. */
const mostNamed = 3;

interface JournalReport {
  readonly run: ReconciledRun;
  readonly control: readonly JournalControl[];
  readonly entries: readonly JournalEntry[];
  /** What is in transit at the end of the range. */
  readonly balances: readonly BalanceOfAccount[];
  /** What was in transit before the range, and is cleared in it. */
  readonly older: readonly Money[];
  readonly range: DateRange;
  readonly includesPending: boolean;
  /** Absent where no statements are read. */
  readonly onBank: BankReport | undefined;
  /** That of the books, where their format has only one. */
  readonly currency: string | undefined;
  readonly names: Names;
}

/** All that is to be said of a journal, in its file and beside it. */
export function journalSentences({
  run,
  control,
  entries,
  balances,
  older,
  range,
  includesPending,
  onBank,
  currency,
  names,
}: JournalReport): readonly string[] {
  const accepted = run.settlements.filter(isAccepted).length;
  const booked = run.settlements.filter((one) => isBookable(one, includesPending));
  const leftOut = rowsLeftOut(booked);
  return present(
    countsText((verdict) => run.counts[verdict], accepted),
    ...run.findings.filter(({ weight }) => weight === 'discrepancy').map(entrySentence),
    ...control.map((total) => controlSentence(total, leftOut, names)),
    ...leftOutSentences(booked, names),
    ...suspenseSentences(entries),
    ...pendingSentences(run.settlements, includesPending),
    onBank && `Bank: ${bankHeadline(onBank)}`,
    ...(onBank?.statements.findings ?? []).slice(0, mostNamed).map(statementSentence),
    olderSentence(older),
    transitSentence(balances, range),
    currency && foreignSentence(entries, currency),
    entries.length === 0 && 'Nothing to book.',
  );
}

/** `94,380.20 EUR and 2,305,749 JPY`: what amounts come to, by currency. */
function sumsText(amounts: readonly Money[]): string {
  const sums = moneySums(amounts);
  return enumerate(sums.map(moneyText));
}

interface RowsLeftOut extends RowSums {
  readonly settlement: Settlement;
}

function rowsLeftOut(settlements: readonly ReconciledSettlement[]): readonly RowsLeftOut[] {
  return settlements.flatMap(({ settlement, discrepancies, notices }) =>
    [...discrepancies, ...notices].flatMap((entry) =>
      entry.code === 'currency' ? entry.facts.totals.map((sums) => ({ settlement, ...sums })) : [],
    ),
  );
}

/** What of some settlements is not booked, by accounting token and currency; nothing where all of it is. */
export function leftOutSentences(
  settlements: readonly ReconciledSettlement[],
  names: Names,
): readonly string[] {
  const all = groupedBy(rowsLeftOut(settlements), ({ settlement, gross }) =>
    JSON.stringify([settlement.accountingToken, gross.currency]),
  );
  return [...all.values()].map((rows) => {
    const [{ settlement } = { settlement: undefined }] = rows;
    const count = rows.reduce((sum, { transactions }) => sum + transactions, 0);
    const amounts = (['gross', 'fees', 'tax'] as const).map(
      (amount) => `${amount} ${sumsText(rows.map((one) => one[amount]))}`,
    );
    const token = settlement?.accountingToken ?? '';
    return `Not booked: ${accountName(names, token)}, ${many(count, 'row')} in another currency than the settlement: ${amounts.join(', ')}.`;
  });
}

function controlSentence(
  { accountingToken, currency, scale, settlements, difference, ...amounts }: JournalControl,
  leftOut: readonly RowsLeftOut[],
  names: Names,
): string {
  const { gross, fees, tax, payIn } = amounts;
  const text = (words: string, minor: bigint | undefined) =>
    minor !== undefined && `${words} ${grouped(formatMinor(minor, scale))}`;
  const figures = present(
    text('gross', gross),
    text('fees', fees),
    text('tax', tax),
    text('pay-in', payIn),
    `difference ${signedMoneyText({ minor: difference, scale, currency })}`,
  );
  const whose = accountName(names, accountingToken);
  const isWhole = leftOut.every(
    ({ settlement: one }) => one.accountingToken !== accountingToken || one.currency !== currency,
  );
  const agree = isWhole ? ' Journal and report agree.' : '';
  return `Control: ${whose}, ${many(settlements, 'settlement')}: ${figures.join(', ')}.${agree}`;
}

function pendingSentences(
  settlements: readonly ReconciledSettlement[],
  includesPending: boolean,
): readonly string[] {
  const isBooked = (one: ReconciledSettlement) => isBookable(one, includesPending);
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
  return [...groupedBy(differences, ({ currency }) => currency)].map(([currency, all]) => {
    const [{ minor: net, scale } = { minor: 0n, scale: 0 }] = moneySums(all);
    const [{ minor: absolute } = { minor: 0n }] = absoluteSums(all);
    // What was reported beyond what was computed is owed: a credit.
    const side = net === 0n ? '' : net > 0n ? ' credit' : ' debit';
    const text = (minor: bigint) => moneyText({ minor, scale, currency });
    return `On suspense: ${many(all.length, 'settlement')}, ${text(magnitude(net))}${side} net, ${text(absolute)} absolute.`;
  });
}

function foreignSentence(entries: readonly JournalEntry[], own: string): string | undefined {
  const others = new Set(entries.map(({ currency }) => currency).filter((one) => one !== own));
  if (others.size === 0) return undefined;
  return `Entries in ${enumerate([...others].sort())} have no exchange rate. Check how they are converted when you import them.`;
}

function olderSentence(older: readonly Money[]): string | undefined {
  if (older.length === 0) return undefined;
  const cleared = sumsText(older.map((one) => ({ ...one, minor: -one.minor })));
  return `Also cleared: pay-outs of earlier days that arrived in this range (${cleared}). If your books start with this range, add this as an opening balance in transit.`;
}

function transitSentence(
  balances: readonly BalanceOfAccount[],
  { to }: DateRange,
): string | undefined {
  if (balances.length === 0) return undefined;
  const texts = balances.map((balance) => `${moneyText(balance)} (${balance.account})`);
  return `In transit at the end of ${to}: ${enumerate(texts)}.`;
}

/** Why a run cannot be booked: what was not fully read, and the settlements of incomplete days. */
export function whyIncomplete({ settlements, findings }: ReconciledRun): readonly string[] {
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

/** What a batch has. */
export function batchSentence({
  number,
  entries,
}: Pick<BookedBatch, 'number' | 'entries'>): string {
  const reversals = entries.filter(({ reverses }) => reverses !== undefined).length;
  const reversed = reversals === 0 ? '' : ` (${many(reversals, 'reversal')})`;
  return `Batch ${number}: ${many(entries.length, 'entry', 'entries')}${reversed}.`;
}

/** That a batch of an earlier run was completed first. */
export function finishedSentence({ number, output }: FinishedBatch): string {
  return `Completed batch ${number} of an earlier run, which was interrupted: ${output}. Import it if you have not done so.`;
}

/** That a run has nothing to book. */
export const nothingNew = 'Nothing new to book. Nothing was written.';

/** What stays as it is booked, though the mapping has changed. */
export function keptSentences({ onOtherAccounts }: BatchPlan): readonly string[] {
  const count = onOtherAccounts.length;
  return present(
    count > 0 &&
      `The accounts have changed. ${many(count, 'booked entry stays', 'booked entries stay')} unchanged.`,
  );
}

/** What has to be looked at: settlements that are booked and no longer listed, and what they hold back. */
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
