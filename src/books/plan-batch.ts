import { addDays, isDayIn, monthName } from '../base/calendar.ts';
import { append, largestOf } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import type { Purpose } from '../model/account-mapping.ts';
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
interface PlanOptions extends Walls {
  /** Whether missing settlements are reversed. */
  readonly reversesMissing: boolean;
  /** The ids of entries whose day is outside the range they were booked from: the service lists them there. */
  readonly strays: ReadonlySet<string>;
}

/** Days on which nothing is posted any more. */
interface Walls {
  /** The last closed day, if any: what belongs to it or before it is posted on the day after it. */
  readonly closedThrough?: string | undefined;
  /** The last day whose money at the bank was booked by match, and not each receipt on its day. */
  readonly byMatchThrough?: string | undefined;
}

function lastDayOver({ closedThrough = '', byMatchThrough = '' }: Walls): string {
  return closedThrough < byMatchThrough ? byMatchThrough : closedThrough;
}

/** The id of a settlement, and the date of its entry. */
type MissingSettlement = Pick<JournalEntry, 'id' | 'date'>;

interface Group {
  readonly keys: string[];
  readonly live: JournalEntry[];
  readonly wanted: JournalEntry[];
}

/**
 * Compares a run with all that is booked, so that nothing is ever booked twice, however entries are grouped.
 * Where settlements come to something else by purpose, what is booked is reversed and booked anew; missing
 * ones are reversed on request. What is booked of the bank stays: only what it differs by is transferred, and
 * not where the run has not read both the entries and their settlements.
 */
export function planBatch(
  booked: readonly JournalEntry[],
  run: JournalRun,
  batch: number,
  options: PlanOptions,
): BatchPlan {
  const plan = { entries: [], onOtherAccounts: [], missing: [], heldBack: [] };
  const live = liveOf(booked);
  const missingOf = missingFrom(run, options.strays);
  const toReverse = options.reversesMissing ? live.flatMap(missingOf).map(({ id }) => id) : [];
  planSettlements(plan, live, run, missingOf, options);
  planBank(plan, live, run, withoutEntry(booked, live, toReverse), options);
  const known = new Set(booked.map(({ id }) => id));
  const entries = plan.entries.map((one: JournalEntry) =>
    known.has(one.id) ? withId(one, `batch ${batch}`) : one,
  );
  return { ...plan, entries: entries.sort((one, other) => byText(one.date, other.date)) };
}

interface OpenPlan {
  readonly entries: JournalEntry[];
  readonly onOtherAccounts: JournalEntry[];
  readonly missing: MissingSettlement[];
  readonly heldBack: JournalEntry[];
}

function planSettlements(
  plan: OpenPlan,
  allLive: readonly JournalEntry[],
  run: JournalRun,
  missingOf: (booked: JournalEntry) => readonly MissingSettlement[],
  { reversesMissing, closedThrough, byMatchThrough }: PlanOptions,
): void {
  const ids = new Set(allLive.flatMap((one) => (isOfBank(one) ? [] : one.settlementIds)));
  // Earlier versions did not book what a settlement has in another currency.
  const isAdded = ({ settlementIds }: JournalEntry) => settlementIds.every((id) => ids.has(id));
  const keysOf = ({ settlementIds, currency }: JournalEntry) =>
    settlementIds.map((id) => `${id} ${currency}`);
  const ofSettlements = (entries: readonly JournalEntry[]) =>
    entries.filter((one) => !isOfBank(one));
  for (const { live, wanted } of groupsOf(
    ofSettlements(allLive),
    ofSettlements(run.entries),
    keysOf,
  )) {
    const gone = live.flatMap(missingOf);
    const isRead = live.every((one) => one.settlementIds.every((id) => run.settled.has(id)));
    if (live.length > 0 && isSameMoney(live, wanted)) {
      append(plan.onOtherAccounts, elsewhere(live, wanted));
    } else if (isRead || (reversesMissing && gone.length > 0)) {
      const isAddition = live.length === 0 && wanted.every(isAdded);
      const walls = isAddition ? { closedThrough, byMatchThrough } : { closedThrough };
      const entries = [...live.map(reversalOf), ...wanted];
      append(
        plan.entries,
        entries.map((one) => posted(one, walls)),
      );
    } else {
      const named = new Set(plan.missing.map(({ id }) => id));
      append(
        plan.missing,
        gone.filter(({ id }) => !named.has(id)),
      );
      append(plan.heldBack, wanted);
    }
  }
}

function planBank(
  plan: OpenPlan,
  allLive: readonly JournalEntry[],
  run: JournalRun,
  reversed: ReadonlySet<string>,
  options: PlanOptions,
): void {
  const isKnown = knownBy(run, reversed);
  const through = lastDayOver(options);
  // All that is posted on the same day may be compared at once.
  const dayOf = ({ bookingDate, currency }: JournalEntry) =>
    `${bookingDate <= through ? '' : bookingDate} ${currency}`;
  const live = allLive.filter(isOfBank);
  const groups = groupsOf(live, run.entries.filter(isOfBank), bankKeys(live, run.bank));
  for (const { live, wanted } of groups) {
    const booked = live.filter((one) => isDayIn(run.range, one.bookingDate));
    const days = [...new Set([...booked, ...wanted].map(dayOf))].map((day) => {
      const ofDay = (one: JournalEntry) => dayOf(one) === day;
      return { booked: booked.filter(ofDay), wanted: wanted.filter(ofDay) };
    });
    const changed = days.filter((day) => !isSameMoney(day.booked, day.wanted));
    if (changed.length === 0) {
      const changed = new Set(without(booked, wanted));
      append(
        plan.onOtherAccounts,
        elsewhere(
          booked.filter((one) => !changed.has(one)),
          wanted,
        ),
      );
    } else if (live.every(isKnown)) {
      const entries = changed.flatMap((day) => changesOf(day.booked, day.wanted));
      append(
        plan.entries,
        entries.map((one) => posted(one, options)),
      );
    } else {
      // Money that is booked already is only not explained by this run.
      const ids = new Set(live.flatMap(bankIdsOf));
      const isNew = (one: JournalEntry) => !bankIdsOf(one).every((id) => ids.has(id));
      append(plan.heldBack, wanted.filter(isNew));
    }
  }
}

/** What has to be booked besides what stands: new entries as they are, and otherwise a transfer. */
function changesOf(
  booked: readonly JournalEntry[],
  wanted: readonly JournalEntry[],
): readonly JournalEntry[] {
  const gone = without(booked, wanted);
  const left = without(wanted, booked);
  const bankIds = new Set(gone.flatMap(bankIdsOf));
  const isNew = (one: JournalEntry) => bankIdsOf(one).every((id) => !bankIds.has(id));
  const others = left.filter((one) => !isNew(one));
  const { scale, postings } = differencesOf(others, gone);
  const all = [...gone, ...others].sort((one, other) => byText(one.bookingDate, other.bookingDate));
  const last = all.at(-1);
  if (!last || postings.length === 0) return left.filter(isNew);
  const transfer = withId({
    ...{ ...last, scale, postings },
    settlementIds: [...new Set(all.flatMap((one) => one.settlementIds))],
    bankEntryIds: [...new Set(all.flatMap((one) => one.bankEntryIds))],
    text: `Transfer: ${plainText(last.text)}`,
  });
  return [...left.filter(isNew), transfer];
}

/** The entries that are not among others. */
function without(entries: readonly JournalEntry[], others: readonly JournalEntry[]) {
  const ids = new Set(others.map(({ id }) => id));
  return entries.filter(({ id }) => !ids.has(id));
}

/** An entry on the day on which it is posted: its own, or the first one after all that is over. */
function posted(entry: JournalEntry, options: Walls) {
  const { closedThrough = '' } = options;
  const through = lastDayOver(options);
  const { bookingDate: day } = entry;
  if (day > through) return entry;
  const date = addDays(through, 1);
  const why =
    day > closedThrough
      ? `earlier batches end on ${through}`
      : `${closedWords(closedThrough)} closed`;
  return { ...entry, date, text: `${entry.text}, of ${day}, posted on ${date} because ${why}` };
}

/** A text without what was said of its posting. */
function plainText(text: string): string {
  return text.replace(/^Transfer: /, '').replace(/, of \S+, posted on \S+ because .*$/, '');
}

/** `March 2026 is`, where that is the last day of a month. */
function closedWords(through: string): string {
  const isMonth = addDays(through, 1).endsWith('-01');
  return isMonth ? `${monthName(through)} is` : `all days until ${through} are`;
}

/** Whether a run can say of what is booked of the bank that it is otherwise: only if it read both sides. */
function knownBy({ bank, isWhole }: JournalRun, reversed: ReadonlySet<string>) {
  const isRead = (id: string) => bank.settlements.has(id) || reversed.has(id);
  return ({ settlementIds, ...booked }: JournalEntry): boolean =>
    bankIdsOf(booked).every((id) => bank.entries.has(id)) &&
    (settlementIds.length > 0 ? settlementIds.every(isRead) : isWhole);
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
  return withId({ ...entry, postings, text: plainText(entry.text), reverses: entry.id });
}

/** What is booked and not reversed. */
function liveOf(booked: readonly JournalEntry[]): readonly JournalEntry[] {
  const reversed = new Set(booked.map(({ reverses }) => reverses));
  return booked.filter(({ id, reverses }) => reverses === undefined && !reversed.has(id));
}

function missingFrom({ settled, range, isWhole, listed }: JournalRun, strays: ReadonlySet<string>) {
  return (booked: JournalEntry): readonly MissingSettlement[] => {
    const { id, bookingDate: date, settlementIds, isPending } = booked;
    const isRead = isWhole && isDayIn(range, date) && !strays.has(id);
    if (!isRead || isOfBank(booked)) return [];
    // One that was pending, and still is, may have no entry in this run.
    const known = isPending ? listed : settled;
    return settlementIds.filter((one) => !known.has(one)).map((one) => ({ id: one, date }));
  };
}

/**
 * What joins entries of the bank: the entries that they book, and their settlements. Where the run hasn't
 * read money that is booked, whatever came to the same on that day belongs to it: other statements may write
 * the same money in another way.
 */
function bankKeys(live: readonly JournalEntry[], bank: SeenOnBank) {
  const known = new Set(live.flatMap(bankIdsOf));
  const isUnread = (entry: JournalEntry) => bankIdsOf(entry).some((id) => !bank.entries.has(id));
  const isNew = (entry: JournalEntry) => bankIdsOf(entry).every((id) => !known.has(id));
  return (entry: JournalEntry): readonly string[] => [
    ...bankIdsOf(entry).map((id) => `bank ${id}`),
    ...entry.settlementIds,
    ...(isUnread(entry) || isNew(entry) ? moneyOf(entry) : []),
  ];
}

function moneyOf({ bookingDate, currency, scale, postings }: JournalEntry): readonly string[] {
  const onBank = postings.filter(({ purpose }) => purpose === 'bank');
  return onBank.map(({ account, minor }) =>
    JSON.stringify([bookingDate, currency, account, `${rescale(minor, scale, maxScale)}`]),
  );
}

/** Entries, in their order, with all those that have a key in common with them. */
function groupsOf(
  live: readonly JournalEntry[],
  wanted: readonly JournalEntry[],
  keysOf: (entry: JournalEntry) => readonly string[],
): Iterable<Group> {
  const groups = new Map<string, Group>();
  const join = (entry: JournalEntry, side: 'live' | 'wanted') => {
    const keys = [...keysOf(entry)];
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
  for (const entry of live) join(entry, 'live');
  for (const entry of wanted) join(entry, 'wanted');
  return new Set(groups.values());
}

/** The entries of the bank, also where parts of them are booked. */
function bankIdsOf({ bankEntryIds }: Pick<JournalEntry, 'bankEntryIds'>): readonly string[] {
  return bankEntryIds.map((id) => id.replace(/\/.*/, ''));
}

/** Whether two lists of entries come to the same by day, account, currency and purpose. */
function isSameMoney(some: readonly JournalEntry[], others: readonly JournalEntry[]): boolean {
  return differencesOf(some, others).postings.length === 0;
}

/** What some entries come to beyond others, a posting for each purpose and owner; minor units at one scale. */
function differencesOf(some: readonly JournalEntry[], others: readonly JournalEntry[]) {
  const isDetailed = [some, others].every((entries) =>
    entries.some(({ postings }) => postings.some(({ transactionId }) => transactionId !== '')),
  );
  const scale = largestOf([...some, ...others].map((one) => one.scale));
  const sums = new Map<string, Posting>();
  const add = (entry: JournalEntry, sign: bigint) => {
    // Of the bank, only what is posted on one day is compared.
    const day = isOfBank(entry) ? '' : entry.bookingDate;
    for (const posting of entry.postings) {
      const settlementId = ownerOf(posting, entry);
      const what = [day, entry.currency, entry.isPending, purposeOf(posting, entry), settlementId];
      const key = JSON.stringify([...what, isDetailed ? posting.transactionId : '']);
      const minor = sign * rescale(posting.minor, entry.scale, scale);
      const before = sums.get(key) ?? { ...posting, settlementId, minor: 0n };
      sums.set(key, { ...before, minor: before.minor + minor });
    }
  };
  for (const entry of others) add(entry, -1n);
  for (const entry of some) add(entry, 1n);
  return { scale, postings: [...sums.values()].filter(({ minor }) => minor !== 0n) };
}

/** What a person accepted stays on its account, also where the bank says later that it charged it. */
function purposeOf({ purpose }: Posting, entry: JournalEntry): Purpose {
  return isOfBank(entry) && purpose === 'accepted' ? 'bank_fees' : purpose;
}

/** Whose a posting is, however entries are grouped: its settlement's where each counts, or its account's. */
function ownerOf(posting: Posting, entry: JournalEntry): string {
  if (isOfBank(entry)) return posting.purpose === 'bank' ? '' : posting.settlementId;
  return isBySettlement(posting) ? posting.settlementId : entry.accountingToken;
}

/** Booked entries with an account that is another one now. */
function elsewhere(live: readonly JournalEntry[], wanted: readonly JournalEntry[]) {
  const accounts = new Set(wanted.flatMap(accountsOf));
  return live.filter((one) => !accountsOf(one).every((at) => accounts.has(at)));
}

/** The accounts of an entry, each with its purpose. */
function accountsOf({ postings }: JournalEntry): readonly string[] {
  return postings.map(({ purpose, account }) => `${purpose} ${account}`);
}
