import { isDayIn } from '../../base/calendar.ts';
import { groupedBy } from '../../base/keys.ts';
import { type BalanceOfAccount, isBookable } from '../../books/book.ts';
import type { JournalControl } from '../../books/control.ts';
import type { JournalEntry } from '../../model/journal-entry.ts';
import type { Settlement } from '../../model/settlement.ts';
import type { DateRange } from '../../model/source.ts';
import { absoluteSums, formatMinor, type Money, moneySums } from '../../money/money.ts';
import { isAccepted } from '../../reconcile/acceptance.ts';
import type { ReconciledRun, ReconciledSettlement } from '../../reconcile/reconciled.ts';
import type { RowSums } from '../../reconcile/sums.ts';
import type { BankReport } from '../bank/report.ts';
import { bankHeadline } from '../bank/summary.ts';
import { statementSentence } from '../bank/words.ts';
import {
  digitsOf,
  enumerate,
  firstOf,
  many,
  moneyText,
  netAndAbsoluteText,
  present,
  signedText,
} from '../common/phrase.ts';
import { sentenceOfItsOwn } from '../common/words.ts';
import { countsText } from '../settlements/summary.ts';

type Names = ReadonlyMap<string, string>;

/** So many findings in statements are named: `recon bank` lists them all. */
const mostNamed = 3;

/** What a journal comes to. */
export interface JournalReport {
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
    ...run.findings.filter(({ weight }) => weight === 'discrepancy').map(sentenceOfItsOwn),
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

/** `EUR 94380.20 and JPY 2305749`: what amounts come to, by currency. */
function sumsText(amounts: readonly Money[]): string {
  const sums = moneySums(amounts);
  return enumerate(sums.map((sum) => `${sum.currency} ${digitsOf(sum)}`));
}

/** Rows in another currency than their settlement, which are not booked: what they come to in one currency. */
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
    return `Not booked: ${names.get(token) ?? token}, ${many(count, 'row')} in another currency than the settlement: ${amounts.join(', ')}.`;
  });
}

/** The totals of one accounting token and currency, and that journal and report agree if nothing is left out. */
function controlSentence(
  { accountingToken, currency, scale, settlements, difference, ...amounts }: JournalControl,
  leftOut: readonly RowsLeftOut[],
  names: Names,
): string {
  const { gross, fees, tax, payIn } = amounts;
  const text = (words: string, minor: bigint | undefined) =>
    minor !== undefined && `${words} ${formatMinor(minor, scale)}`;
  const figures = present(
    text('gross', gross),
    text('fees', fees),
    text('tax', tax),
    text('pay-in', payIn),
    `difference ${signedText(difference, scale)}`,
  );
  const whose = names.get(accountingToken) ?? accountingToken;
  const isWhole = leftOut.every(
    ({ settlement: one }) => one.accountingToken !== accountingToken || one.currency !== currency,
  );
  const agree = isWhole ? ' Journal and report agree.' : '';
  return `Control: ${whose}, ${many(settlements, 'settlement')}: ${currency} ${figures.join(', ')}.${agree}`;
}

/** What becomes of the pending settlements of a run. */
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

/** What is on suspense: how many settlements, and their differences by currency; nothing where there is nothing. */
function suspenseSentences(entries: readonly JournalEntry[]): readonly string[] {
  const differences = entries.flatMap(({ currency, scale, postings }) =>
    postings.flatMap(({ purpose, minor }) =>
      purpose === 'suspense' ? { currency, scale, minor: -minor } : [],
    ),
  );
  return [...groupedBy(differences, ({ currency }) => currency)].map(([currency, all]) => {
    const [{ minor: net, scale } = { minor: 0n, scale: 0 }] = moneySums(all);
    const [{ minor: absolute } = { minor: 0n }] = absoluteSums(all);
    const text = netAndAbsoluteText({ net, absolute }, currency, scale);
    return `On suspense: ${many(all.length, 'settlement')}, ${text}.`;
  });
}

/** That entries in other currencies have no rate; nothing where there are none. */
function foreignSentence(entries: readonly JournalEntry[], own: string): string | undefined {
  const others = new Set(entries.map(({ currency }) => currency).filter((one) => one !== own));
  if (others.size === 0) return undefined;
  return `Entries in ${enumerate([...others].sort())} have no exchange rate. Check how they are converted when you import them.`;
}

/** That pay-outs from before the range are cleared in it; nothing where there are none. */
function olderSentence(older: readonly Money[]): string | undefined {
  if (older.length === 0) return undefined;
  const cleared = sumsText(older.map((one) => ({ ...one, minor: -one.minor })));
  return `Also cleared: pay-outs of earlier days that arrived in this range (${cleared}). If your books start with this range, add this as an opening balance in transit.`;
}

/** What is in transit at the end of a range. */
function transitSentence(
  balances: readonly BalanceOfAccount[],
  { to }: DateRange,
): string | undefined {
  if (balances.length === 0) return undefined;
  const texts = balances.map((balance) => `${moneyText(balance)} (${balance.account})`);
  return `In transit at the end of ${to}: ${enumerate(texts)}.`;
}

/**
 * Why a run can't be booked: the settlements that were not fully read, and what leaves it open whether
 * all were listed, with the settlements of incomplete days. Nothing where it can.
 */
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
        return present(sentenceOfItsOwn(finding), theirs).join(' ');
      }),
  ];
}
