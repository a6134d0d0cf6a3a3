import { isDayIn } from '../base/calendar.ts';
import { append } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import {
  isBySettlement,
  isOfBank,
  type JournalEntry,
  type Posting,
} from '../model/journal-entry.ts';
import type { DateRange } from '../model/source.ts';
import { maxScale, rescale } from '../money/money.ts';
import { withId } from './entry-id.ts';

/** What a run of the journal would book if nothing were booked yet. */
export interface JournalRun {
  readonly entries: readonly JournalEntry[];
  readonly range: DateRange;
  /** Whether the run read every settlement of the range: only then can one that is booked be missing. */
  readonly isWhole: boolean;
  /** The ids of the settlements that it books, and of those that come to nothing. */
  readonly settled: ReadonlySet<string>;
  /** The ids of all settlements that were read, also of those that are not booked as they are pending. */
  readonly listed: ReadonlySet<string>;
  readonly bank: SeenOnBank;
}

/** What a run knows of the bank, also where it books nothing of it; nothing where it read no statements. */
export interface SeenOnBank {
  /** The ids of all entries that were read. */
  readonly entries: ReadonlySet<string>;
  /** The ids of all settlements that were compared with them. */
  readonly settlements: ReadonlySet<string>;
}

/** What is to be booked in a batch, and what is to be said of the rest. */
export interface BatchPlan {
  /** Each reversal stands before what takes its place. */
  readonly entries: readonly JournalEntry[];
  /** Booked at the same figures on other accounts than today's: they stay as they are. */
  readonly onOtherAccounts: readonly JournalEntry[];
  /** Booked, and no longer listed as settlements to be booked: they stay as they are. */
  readonly missing: readonly MissingSettlement[];
  /** Not booked: what they would replace also books a settlement that the run has no entry for. */
  readonly heldBack: readonly JournalEntry[];
}

/** How a run is compared with what is booked. */
interface PlanOptions {
  /** Whether missing settlements are reversed. */
  readonly reversesMissing: boolean;
  /** The ids of entries whose day is outside the range they were booked from: the service lists them there. */
  readonly strays: ReadonlySet<string>;
}

/** The id of a settlement, and the date of its entry. */
type MissingSettlement = Pick<JournalEntry, 'id' | 'date'>;

interface Group {
  readonly keys: string[];
  readonly live: JournalEntry[];
  readonly wanted: JournalEntry[];
}

/**
 * Compares a run with all that is booked. Entries that share a settlement, or an entry of the bank, are
 * compared as a whole, so nothing is ever booked twice, however entries are grouped: where their sums by
 * purpose are the same nothing is booked; else what is booked is reversed and booked anew. What is booked of
 * the bank is also reversed where the bank no longer says so, and stays where the run has not read both the
 * entry and its settlements; missing settlements are reversed on request.
 */
export function planBatch(
  booked: readonly JournalEntry[],
  run: JournalRun,
  batch: number,
  { reversesMissing, strays }: PlanOptions,
): BatchPlan {
  const entries: JournalEntry[] = [];
  const onOtherAccounts: JournalEntry[] = [];
  const missing: MissingSettlement[] = [];
  const heldBack: JournalEntry[] = [];
  const known = new Set(booked.map(({ id }) => id));
  const missingOf = missingFrom(run, strays);
  const allLive = liveOf(booked);
  const toReverse = reversesMissing ? allLive.flatMap(missingOf).map(({ id }) => id) : [];
  const isKnown = knownBy(run.bank, withoutEntry(booked, allLive, toReverse));
  for (const { live, wanted } of groupsOf(allLive, run)) {
    const gone = live.flatMap(missingOf);
    const isReplaceable =
      (live.every(isKnown) && (isCovered(live, wanted, run) || isWithdrawn(live, run.range))) ||
      (reversesMissing && gone.length > 0);
    if (live.length > 0 && isSameMoney(live, wanted)) {
      const accounts = new Set(wanted.flatMap(accountsOf));
      const isElsewhere = (one: JournalEntry) => !accountsOf(one).every((at) => accounts.has(at));
      append(onOtherAccounts, live.filter(isElsewhere));
    } else if (isReplaceable) {
      const anew = wanted.map((one) => (known.has(one.id) ? withId(one, `batch ${batch}`) : one));
      append(entries, [...live.map(reversalOf), ...anew]);
    } else {
      append(missing, gone);
      append(heldBack, wanted);
    }
  }
  const byDate = (one: JournalEntry, other: JournalEntry) => byText(one.date, other.date);
  return { entries: entries.sort(byDate), onOtherAccounts, missing, heldBack };
}

/** Whether the bank no longer says what was booked: a pay-out came back, or is no longer matched. */
function isWithdrawn(live: readonly JournalEntry[], range: DateRange): boolean {
  return live.every((entry) => isOfBank(entry) && isDayIn(range, entry.date));
}

/** Whether a run can say of what is booked that it is otherwise: of the bank only if it read both sides. */
function knownBy({ entries, settlements }: SeenOnBank, reversed: ReadonlySet<string>) {
  return (booked: JournalEntry): boolean =>
    !isOfBank(booked) ||
    (bankIdsOf(booked).every((id) => entries.has(id)) &&
      booked.settlementIds.every((id) => settlements.has(id) || reversed.has(id)));
}

/** The settlements that were booked once, and have no entry any longer or are to be reversed now. */
function withoutEntry(
  booked: readonly JournalEntry[],
  live: readonly JournalEntry[],
  toReverse: readonly string[],
): ReadonlySet<string> {
  const idsOf = (entries: readonly JournalEntry[]) =>
    entries.flatMap((one) => (isOfBank(one) ? [] : one.settlementIds));
  const left = new Set(idsOf(live));
  return new Set([...idsOf(booked).filter((id) => !left.has(id)), ...toReverse]);
}

/** The entry that takes another one back: the same postings with opposite signs. */
function reversalOf(entry: JournalEntry): JournalEntry {
  const postings = entry.postings.map((posting) => ({ ...posting, minor: -posting.minor }));
  return withId({ ...entry, postings, reverses: entry.id });
}

/** What is booked and not reversed. */
function liveOf(booked: readonly JournalEntry[]): readonly JournalEntry[] {
  const reversed = new Set(booked.map(({ reverses }) => reverses));
  return booked.filter(({ id, reverses }) => reverses === undefined && !reversed.has(id));
}

function missingFrom({ settled, range, isWhole, listed }: JournalRun, strays: ReadonlySet<string>) {
  return (booked: JournalEntry): readonly MissingSettlement[] => {
    const { id, date, settlementIds, isPending } = booked;
    const isRead = isWhole && isDayIn(range, date) && !strays.has(id);
    if (!isRead || isOfBank(booked)) return [];
    // One that was pending, and still is, may have no entry in this run.
    const known = isPending ? listed : settled;
    return settlementIds.filter((one) => !known.has(one)).map((one) => ({ id: one, date }));
  };
}

/**
 * Entries, in their order, with all those that share a settlement, or an entry of the bank, with them. Where
 * the run hasn't read an entry of the bank that is booked, whatever else clears its settlements belongs to
 * it: other statements may write the same money in another way.
 */
function groupsOf(live: readonly JournalEntry[], { entries, bank }: JournalRun): Iterable<Group> {
  const isUnread = (entry: JournalEntry) => bankIdsOf(entry).some((id) => !bank.entries.has(id));
  const unread = new Set(live.filter(isUnread).flatMap(({ settlementIds }) => settlementIds));
  const clearedBy = ({ settlementIds }: JournalEntry) =>
    settlementIds.filter((id) => unread.has(id)).map((id) => `cleared ${id}`);
  const groups = new Map<string, Group>();
  const join = (entry: JournalEntry, side: 'live' | 'wanted', isLinked: boolean) => {
    const keys = [...keysOf(entry), ...(isLinked ? clearedBy(entry) : [])];
    const [first = { keys: [], live: [], wanted: [] }, ...others] = new Set(
      keys.flatMap((key) => groups.get(key) ?? []),
    );
    first[side].push(entry);
    for (const other of others) {
      append(first.live, other.live);
      append(first.wanted, other.wanted);
      append(keys, other.keys);
    }
    append(first.keys, keys);
    for (const key of keys) groups.set(key, first);
  };
  for (const entry of live) join(entry, 'live', isUnread(entry));
  for (const entry of entries) join(entry, 'wanted', isOfBank(entry));
  return new Set(groups.values());
}

/** What an entry books: settlements, or apart from these what the bank received of them. */
function keysOf(entry: JournalEntry): readonly string[] {
  return isOfBank(entry) ? bankIdsOf(entry).map((id) => `bank ${id}`) : entry.settlementIds;
}

/** The entries of the bank, also where parts of them are booked. */
function bankIdsOf({ bankEntryIds }: Pick<JournalEntry, 'bankEntryIds'>): readonly string[] {
  return bankEntryIds.map((id) => id.replace(/\/.*/, ''));
}

/** Whether two lists of entries come to the same by date, account, currency and purpose. */
function isSameMoney(some: readonly JournalEntry[], others: readonly JournalEntry[]): boolean {
  const isDetailed = [some, others].every((entries) =>
    entries.some(({ postings }) => postings.some(({ transactionId }) => transactionId !== '')),
  );
  const sums = new Map<string, bigint>();
  const add = (entries: readonly JournalEntry[], sign: bigint) => {
    for (const entry of entries) {
      const { date, currency, scale, isPending } = entry;
      for (const posting of entry.postings) {
        const { purpose, minor, transactionId } = posting;
        const what = [date, currency, isPending, purpose, ownerOf(posting, entry)];
        const key = JSON.stringify([...what, isDetailed ? transactionId : '']);
        sums.set(key, (sums.get(key) ?? 0n) + sign * rescale(minor, scale, maxScale));
      }
    }
  };
  add(some, 1n);
  add(others, -1n);
  return [...sums.values()].every((sum) => sum === 0n);
}

/** Whose a posting is, however entries are grouped: its settlement's where each counts, or its account's. */
function ownerOf(posting: Posting, entry: JournalEntry): string {
  if (isOfBank(entry)) return posting.purpose === 'bank' ? '' : posting.settlementId;
  return isBySettlement(posting) ? posting.settlementId : entry.accountingToken;
}

/** Whether others book all that some entries book, or it has come to nothing. */
function isCovered(
  some: readonly JournalEntry[],
  others: readonly JournalEntry[],
  { settled }: JournalRun,
): boolean {
  const keys = new Set([...others.flatMap(keysOf), ...settled]);
  return some.flatMap(keysOf).every((key) => keys.has(key));
}

/** The accounts of an entry, each with its purpose. */
function accountsOf({ postings }: JournalEntry): readonly string[] {
  return postings.map(({ purpose, account }) => `${purpose} ${account}`);
}
