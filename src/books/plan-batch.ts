import { addDays, isDayIn, monthName } from '../base/calendar.ts';
import { append, largestOf } from '../base/lists.ts';
import { byText } from '../base/texts.ts';
import { joined } from '../match/joined.ts';
import { type BankMatch, type BankMatching, bankMatchesIn } from '../match/match.ts';
import type { Purpose } from '../model/account-mapping.ts';
import type { BankEntry } from '../model/bank.ts';
import {
  isAccrual,
  isBySettlement,
  isOfBank,
  type JournalEntry,
  type Posting,
} from '../model/journal-entry.ts';
import type { DateRange } from '../model/source.ts';
import { maxScale, rescale } from '../money/money.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import { withId } from './entry.ts';

/** What a run of the journal would book if nothing were booked yet. */
export interface JournalRun {
  readonly entries: readonly JournalEntry[];
  readonly range: DateRange;
  /** Whether the run read every settlement of the range: only then can one that is booked be missing. */
  readonly isWhole: boolean;
  /** The ids of the settlements that it books, and of those that come to nothing. */
  readonly settled: ReadonlySet<string>;
  /** The ids of all settlements that were read, also of pending ones, which are not booked. */
  readonly listed: ReadonlySet<string>;
  /** Of those, the ones after the range, of which only accruals are booked. */
  readonly later?: ReadonlySet<string> | undefined;
  /** Whether every settlement was read that accrued sales may be waiting for. */
  readonly isLaterWhole?: boolean | undefined;
  readonly bank: SeenOnBank;
  /** The last day of the closes: what the bank booked until then stays as it is, unless the run read it again. */
  readonly carriedThrough?: string | undefined;
}

/** The ids of settlements. */
export function idsOf(
  all: readonly Pick<ReconciledSettlement, 'settlement'>[],
): ReadonlySet<string> {
  return new Set(all.map(({ settlement }) => settlement.id));
}

/** What a run knows of the bank, even if it books none of it; empty if it read no statements. */
export interface SeenOnBank {
  readonly entries: ReadonlySet<string>;
  readonly settlements: ReadonlySet<string>;
}

/** What a matching has seen of the bank but for `isFinal`; nothing without one. */
export function seenIn(
  matching: BankMatching | undefined,
  isFinal: (match: BankMatch, entry: BankEntry) => boolean,
): SeenOnBank {
  const matches = matching ? bankMatchesIn(matching) : [];
  const ids = matches.flatMap((match) =>
    match.entries.flatMap(({ entry }) => (isFinal(match, entry) ? [] : entry.id)),
  );
  return { entries: new Set(ids), settlements: matching?.compared ?? new Set<string>() };
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

interface PlanOptions {
  readonly reversesMissing: boolean;
  /** The ids of entries that were booked to the accounts of today: if theirs differ now, the rows have changed. */
  readonly bySameMapping?: ReadonlySet<string> | undefined;
  /** The ids of entries whose day is outside the range they were booked from: the service lists them there. */
  readonly strays: ReadonlySet<string>;
  /** The last day on which nothing is posted any more: what belongs to these days is posted on the day after it. */
  readonly closedThrough?: string | undefined;
}

type MissingSettlement = Pick<JournalEntry, 'id' | 'date'>;

/**
 * Compares a run with all that is booked, so nothing is ever booked twice, in any grouping of entries.
 * If the amounts of settlements changed for a purpose, their entries are reversed and booked anew; missing
 * settlements are reversed on request. Bank entries stay booked: only the difference is transferred, and only
 * if the run has read both the entries and their settlements.
 */
export function planBatch(
  register: readonly JournalEntry[],
  run: JournalRun,
  batch: number,
  options: PlanOptions,
): BatchPlan {
  const plan = { entries: [], onOtherAccounts: [], missing: [], heldBack: [] };
  const booked = notReversed(register);
  const missingOf = missingFrom(run, options.strays);
  const toReverse = options.reversesMissing ? booked.flatMap(missingOf).map(({ id }) => id) : [];
  planSettlements(plan, booked, run, missingOf, options);
  planBank(plan, booked, run, withoutEntry(register, booked, toReverse), options);
  const known = new Set(register.map(({ id }) => id));
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
  all: readonly JournalEntry[],
  run: JournalRun,
  missingOf: (booked: JournalEntry) => readonly MissingSettlement[],
  { reversesMissing, closedThrough, bySameMapping = new Set() }: PlanOptions,
): void {
  const keysOf = (one: JournalEntry) => one.settlementIds.map((id) => `${id} ${one.currency}`);
  const { later = new Set(), range } = run;
  // Of settlements after the range, this run wants nothing but their accruals.
  const isLater = ({ bookingDate, settlementIds }: JournalEntry) =>
    bookingDate > range.to && settlementIds.every((id) => later.has(id));
  const ofSettlements = [all.filter((one) => !isLater(one)), run.entries].map((some) =>
    some.filter((one) => !isOfBank(one)),
  );
  const named = new Set<string>();
  for (const group of groupsOf(ofSettlements, keysOf)) {
    const days = byPostingDay(group.booked, group.wanted);
    const changed = days.filter((day) => {
      const isMoved =
        day.booked.every(({ id }) => bySameMapping.has(id)) &&
        !isOnSameAccounts(day.booked, day.wanted);
      return isMoved || !isSameMoney(day.booked, day.wanted);
    });
    const booked = changed.flatMap((day) => day.booked);
    const wanted = changed.flatMap((day) => day.wanted);
    const gone = booked.flatMap(missingOf);
    const isRead = booked.every((one) => one.settlementIds.every((id) => run.settled.has(id)));
    if (changed.length === 0) {
      append(plan.onOtherAccounts, onOtherAccounts(group.booked, group.wanted));
    } else if (isRead || (reversesMissing && gone.length > 0)) {
      append(plan.entries, posted([...booked.map(reversalOf), ...wanted], closedThrough));
    } else {
      const fresh = gone.filter(({ id }) => !named.has(id));
      for (const { id } of fresh) named.add(id);
      append(plan.missing, fresh);
      append(plan.heldBack, wanted);
    }
  }
}

function planBank(
  plan: OpenPlan,
  all: readonly JournalEntry[],
  run: JournalRun,
  reversed: ReadonlySet<string>,
  options: PlanOptions,
): void {
  const isKnown = knownBy(run, reversed);
  const { carriedThrough = '' } = run;
  const isClosed = ({ bookingDate }: JournalEntry) => bookingDate <= carriedThrough;
  const readAgain = new Set(
    run.entries.filter((one) => isOfBank(one) && isClosed(one)).flatMap(bankIdsOf),
  );
  const isFinal = (one: JournalEntry) =>
    isClosed(one) && !bankIdsOf(one).some((id) => readAgain.has(id));
  const ofBank = [all, run.entries].map((some) => some.filter(isOfBank));
  for (const group of groupsOf(ofBank, bankKeys(ofBank[0] ?? [], run.bank))) {
    const { wanted } = group;
    const open = group.booked.filter((one) => !isFinal(one));
    const booked = open.filter((one) => isDayIn(run.range, one.bookingDate));
    const days = byPostingDay(booked, wanted, options.closedThrough);
    const changed = days.filter((day) => !isSameMoney(day.booked, day.wanted));
    if (changed.length === 0) {
      const same = without(booked, without(booked, wanted));
      append(plan.onOtherAccounts, onOtherAccounts(same, wanted));
    } else if (open.every(isKnown)) {
      const entries = changed.flatMap((day) => changesOf(day.booked, day.wanted));
      append(plan.entries, posted(entries, options.closedThrough));
    } else {
      // Money that is booked already is left as it is: this run only does not explain it.
      const ids = new Set(group.booked.flatMap(bankIdsOf));
      const isNew = (one: JournalEntry) => !bankIdsOf(one).every((id) => ids.has(id));
      append(plan.heldBack, wanted.filter(isNew));
    }
  }
}

/** Entries by currency and day; all closed days together, as they are posted on one day. */
function byPostingDay(
  booked: readonly JournalEntry[],
  wanted: readonly JournalEntry[],
  closedThrough = '',
) {
  const dayOf = ({ bookingDate, currency }: JournalEntry) =>
    `${bookingDate <= closedThrough ? '' : bookingDate} ${currency}`;
  return [...new Set([...booked, ...wanted].map(dayOf))].map((day) => {
    const ofDay = (one: JournalEntry) => dayOf(one) === day;
    return { booked: booked.filter(ofDay), wanted: wanted.filter(ofDay) };
  });
}

/** The entries that lead from what is booked to what is wanted: new ones as they are, and a transfer for the rest. */
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
    ...last,
    scale,
    postings,
    settlementIds: [...new Set(all.flatMap((one) => one.settlementIds))],
    bankEntryIds: [...new Set(all.flatMap((one) => one.bankEntryIds))],
    text: `Transfer: ${plainText(last.text)}`,
  });
  return [...left.filter(isNew), transfer];
}

function without(entries: readonly JournalEntry[], others: readonly JournalEntry[]) {
  const ids = new Set(others.map(({ id }) => id));
  return entries.filter(({ id }) => !ids.has(id));
}

/** Entries with their posting dates: their own day, or the first one that is not closed. */
function posted(entries: readonly JournalEntry[], closedThrough = ''): readonly JournalEntry[] {
  return entries.map((entry) => {
    const { bookingDate: day } = entry;
    if (day > closedThrough) return entry;
    const date = addDays(closedThrough, 1);
    const why = `${closedWords(closedThrough)} closed`;
    return { ...entry, date, text: `${entry.text}, of ${day}, posted on ${date} because ${why}` };
  });
}

function plainText(text: string): string {
  return text.replace(/^Transfer: /, '').replace(/, of \S+, posted on \S+ because .*$/, '');
}

/** `March 2026 is`, or `all days until 2026-03-17 are`. */
function closedWords(through: string): string {
  const isMonth = addDays(through, 1).endsWith('-01');
  return isMonth ? `${monthName(through)} is` : `all days until ${through} are`;
}

/** Whether a run may change an entry of the bank: only if it read the bank entries and the settlements. */
function knownBy({ bank, isWhole }: JournalRun, reversed: ReadonlySet<string>) {
  const isRead = (id: string) => bank.settlements.has(id) || reversed.has(id);
  return ({ settlementIds, ...booked }: JournalEntry): boolean =>
    bankIdsOf(booked).every((id) => bank.entries.has(id)) &&
    (settlementIds.length > 0 ? settlementIds.every(isRead) : isWhole);
}

/** The settlements whose entries are all reversed, or are reversed now. */
function withoutEntry(
  register: readonly JournalEntry[],
  booked: readonly JournalEntry[],
  toReverse: readonly string[],
): ReadonlySet<string> {
  const left = new Set(booked.flatMap(settlementsBookedBy));
  const ids = register.flatMap(settlementsBookedBy).filter((id) => !left.has(id));
  return new Set([...ids, ...toReverse]);
}

/** The settlements that an entry books; none if it books what is on the bank. */
function settlementsBookedBy(entry: JournalEntry): readonly string[] {
  return isOfBank(entry) ? [] : entry.settlementIds;
}

/** The reversal of an entry: the same postings with opposite signs. */
function reversalOf(entry: JournalEntry): JournalEntry {
  const postings = entry.postings.map((posting) => ({ ...posting, minor: -posting.minor }));
  return withId({ ...entry, postings, text: plainText(entry.text), reverses: entry.id });
}

/** The entries of a register that are not reversed, without the reversals. */
function notReversed(register: readonly JournalEntry[]): readonly JournalEntry[] {
  const reversed = new Set(register.map(({ reverses }) => reverses));
  return register.filter(({ id, reverses }) => reverses === undefined && !reversed.has(id));
}

function missingFrom(run: JournalRun, strays: ReadonlySet<string>) {
  const { settled, range, isWhole, listed, isLaterWhole = true } = run;
  return (booked: JournalEntry): readonly MissingSettlement[] => {
    const { id, bookingDate: date, settlementIds, isPending } = booked;
    const isRead = isWhole && isDayIn(range, date) && !strays.has(id);
    if (!isRead || isOfBank(booked) || (isAccrual(booked) && !isLaterWhole)) return [];
    // One that was pending, and still is, may have no entry in this run.
    const known = isPending ? listed : settled;
    return settlementIds.filter((one) => !known.has(one)).map((one) => ({ id: one, date }));
  };
}

/**
 * The keys that join journal entries of the bank: bank entries and settlements. Booked money that was not
 * read is also joined by day and amount: other statements may give it another id.
 */
function bankKeys(booked: readonly JournalEntry[], bank: SeenOnBank) {
  const known = new Set(booked.flatMap(bankIdsOf));
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

/** Booked and wanted entries, in their order, in groups that are connected by keys in common. */
function groupsOf(
  [booked = [], wanted = []]: readonly (readonly JournalEntry[])[],
  keysOf: (entry: JournalEntry) => readonly string[],
) {
  const all = [
    ...booked.map((entry) => ({ entry, side: 'booked' })),
    ...wanted.map((entry) => ({ entry, side: 'wanted' })),
  ];
  return joined(all, ({ entry }) => keysOf(entry)).map((group) => {
    const ofSide = (side: string) => group.flatMap((one) => (one.side === side ? one.entry : []));
    return { booked: ofSide('booked'), wanted: ofSide('wanted') };
  });
}

/** The ids of the bank entries of which an entry books all or a part. */
function bankIdsOf({ bankEntryIds }: Pick<JournalEntry, 'bankEntryIds'>): readonly string[] {
  return bankEntryIds.map((id) => id.replace(/\/.*/, ''));
}

/** Whether two lists of entries come to the same by day, account, currency and purpose. */
function isSameMoney(some: readonly JournalEntry[], others: readonly JournalEntry[]): boolean {
  return differencesOf(some, others).postings.length === 0;
}

/** Whether two lists of entries come to the same by account and currency. */
function isOnSameAccounts(some: readonly JournalEntry[], others: readonly JournalEntry[]): boolean {
  const scale = largestOf([...some, ...others].map((one) => one.scale));
  const sumsOf = (entries: readonly JournalEntry[]) => {
    const sums = new Map<string, bigint>();
    for (const { currency, scale: own, postings } of entries) {
      for (const { account, minor } of postings) {
        const key = `${currency} ${account}`;
        sums.set(key, (sums.get(key) ?? 0n) + rescale(minor, own, scale));
      }
    }
    return new Map([...sums].filter(([, sum]) => sum !== 0n));
  };
  const [one, other] = [sumsOf(some), sumsOf(others)];
  return one.size === other.size && [...one].every(([key, sum]) => other.get(key) === sum);
}

/** What entries have more than others, as a posting for each purpose and owner; minor units at one scale. */
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

/** An accepted difference stays on its account, even if the bank states later that it is its charge. */
function purposeOf({ purpose }: Posting, entry: JournalEntry): Purpose {
  return isOfBank(entry) && purpose === 'accepted' ? 'bank_fees' : purpose;
}

/** The settlement of a posting if each is booked by itself, or else the accounting token. */
function ownerOf(posting: Posting, entry: JournalEntry): string {
  if (isOfBank(entry)) return posting.purpose === 'bank' ? '' : posting.settlementId;
  return isBySettlement(posting) ? posting.settlementId : entry.accountingToken;
}

/** Booked entries on accounts that are others now. */
function onOtherAccounts(booked: readonly JournalEntry[], wanted: readonly JournalEntry[]) {
  const accounts = new Set(wanted.flatMap(accountsOf));
  return booked.filter((one) => !accountsOf(one).every((at) => accounts.has(at)));
}

function accountsOf({ postings }: JournalEntry): readonly string[] {
  return postings.map(({ purpose, account }) => `${purpose} ${account}`);
}
