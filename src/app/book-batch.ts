import { addDays, isDayIn, spanOf } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { shortId } from '../base/id-table.ts';
import { isObject, parseJson } from '../base/json.ts';
import { type BookedRun, type ForeignRows, inCurrency } from '../books/book.ts';
import { type JournalFormat, journalFormats } from '../books/example-mapping.ts';
import { batchFile, type JournalFile } from '../books/journal-file.ts';
import { journalForms } from '../books/journal-forms.ts';
import { type BatchPlan, idsOf, type JournalRun, planBatch, seenIn } from '../books/plan-batch.ts';
import { booksSchema } from '../config/profile-tables.ts';
import { restsOnDecision } from '../match/bank-acceptance.ts';
import { type AccountMapping, presetWords } from '../model/account-mapping.ts';
import { isAccrual, type JournalEntry } from '../model/journal-entry.ts';
import type { DateRange } from '../model/source.ts';
import { type Money, moneySums } from '../money/money.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import { type BookedBatch, bookBatch, type NewBatch } from '../register/booked-register.ts';
import type { BankReport } from './bank-report.ts';
import type { LaterRun } from './read-later.ts';

/** A register of bookings, and how it is locked. */
export interface BookedRegister extends RegisterOptions {
  readonly register: string;
}

type RegisterOptions = Parameters<typeof bookBatch>[1];

/** Books the next batch that `plan` makes of a register, if any. */
function withRegister<Plan extends { readonly next: NewBatch | undefined }>(
  { register, ...options }: BookedRegister,
  plan: (batches: readonly BookedBatch[]) => Plan,
): Promise<Plan> {
  return bookBatch(register, options, ({ batches }) => plan(batches.map(withBookingDays)));
}

/** The batches of a register, after an interrupted run was completed. Throws ReconError if it is damaged. */
export async function batchesIn(register: BookedRegister): Promise<readonly BookedBatch[]> {
  const { batches } = await withRegister(register, (batches) => ({ batches, next: undefined }));
  return batches;
}

/** The first day of what a register has; undefined if it has nothing. */
export function firstDayBooked(batches: readonly BookedBatch[]): string | undefined {
  const days = batches.flatMap((batch) => [
    ...batch.entries.flatMap((one) => (isAccrual(one) ? [] : one.bookingDate)),
    aboutOf(batch)?.range.from ?? [],
  ]);
  return spanOf(days.flat())?.from;
}

/** Writes a journal in a format. */
type WriteJournal = (format: JournalFormat, file: JournalFile) => Iterable<string | Uint8Array>;

type Batch = Pick<BookedBatch, 'number' | 'entries'>;

interface Bookable
  extends Pick<
    BatchAbout,
    'format' | 'mapping' | 'service' | 'profile' | 'closedThrough' | 'currency'
  > {
  readonly output: string;
  readonly run: JournalRun;
  readonly today: string;
  /** What the format has no place for. */
  readonly leftOut: readonly ForeignRows[];
  /** Whether the host or the profile was renamed. */
  readonly rebind: boolean;
  readonly reversesMissing: boolean;
  readonly write: WriteJournal;
  /** The notes in the file of a batch. */
  readonly commentsOf: (batch: Batch, leftOut: readonly ForeignRows[]) => readonly string[];
}

/** Books the next batch; `isOpen` if something is missing, or newly left out. */
export async function bookNextBatch(kept: BookedRegister, request: Bookable) {
  const { plan, next, isLeftOut } = await withRegister(kept, (batches) => {
    refuseOthers(batches.at(-1), request, kept.register);
    const number = batches.length + 1;
    const booked = batches.flatMap(({ entries }) => entries);
    const strays = new Set(batches.flatMap(strayEntries));
    const { closedThrough, reversesMissing } = request;
    const bySameMapping = bookedBy(batches, request.mapping);
    const options = { reversesMissing, strays, closedThrough, bySameMapping };
    const plan = planBatch(booked, request.run, number, options);
    const isIn = (entries: readonly JournalEntry[], id: string) =>
      entries.some(({ settlementIds }) => settlementIds.includes(id));
    return {
      plan,
      next: plan.entries.length === 0 ? undefined : nextBatch(plan, batches, request),
      isLeftOut: request.leftOut.some(
        ({ settlement: { id } }) => isIn(plan.entries, id) || !isIn(booked, id),
      ),
    };
  });
  const isOpen = isLeftOut || plan.missing.length > 0 || plan.heldBack.length > 0;
  return { plan, batch: next?.batch, isOpen };
}

/** The last day that was closed when a batch was booked; empty if none was. */
export function lastDayClosed(batches: readonly BookedBatch[]): string {
  return batches.map((batch) => aboutOf(batch).closedThrough ?? '').reduce(largerOf, '');
}

function largerOf(one: string, other: string): string {
  return one > other ? one : other;
}

/** The ids of entries of days outside the range that the batch was booked from. */
function strayEntries(batch: BookedBatch): readonly string[] {
  const { range } = aboutOf(batch);
  const strays = batch.entries.filter((one) => !isDayIn(range, one.bookingDate));
  return strays.map(({ id }) => id);
}

/** The ids of entries whose accounts are those of a mapping. */
function bookedBy(batches: readonly BookedBatch[], mapping: AccountMapping): ReadonlySet<string> {
  const text = JSON.stringify(mapping);
  const same = batches.filter((batch) => JSON.stringify(aboutOf(batch)?.mapping) === text);
  return new Set(same.flatMap(({ entries }) => entries.map(({ id }) => id)));
}

/** A register has one journal of one service: other settlements would seem to be missing. */
function refuseOthers(
  last: BookedBatch | undefined,
  { format, service, profile, currency, rebind, mapping }: Bookable,
  where: string,
): void {
  if (!last) return;
  const was = aboutOf(last);
  const change = (name: string, before: string, now: string) =>
    before === now ? [] : [`${name} was ${before || 'not set'}, now ${now || 'not set'}`];
  const renamings = [
    ...change('the profile', was.profile, profile),
    ...change('the host', was.service, service),
  ];
  const byMonth = change('by_sale_month', monthly(was.mapping), monthly(mapping));
  const others = [
    ...change('the format', was.format, format),
    ...change('the currency', was.currency ?? '', currency ?? ''),
    ...byMonth,
    ...(rebind ? [] : renamings),
  ];
  if (others.length === 0) return;
  const message = `This register was started with other settings: ${others.join('; ')}.`;
  const renamed =
    format === was.format && currency === was.currency && byMonth.length === 0
      ? ' If the host or profile was only renamed, add --rebind once.'
      : '';
  const hint = `Use another register, or the same settings as before.${renamed}`;
  throw new ReconError('usage', message, { where, hint });
}

const monthly = ({ by_sale_month: isSet }: AccountMapping) => (isSet ? 'true' : '');

function nextBatch(
  { entries }: BatchPlan,
  earlier: readonly BookedBatch[],
  request: Bookable,
): NewBatch {
  const { output, run, today, leftOut, write, commentsOf } = request;
  const { format, mapping, service, profile, currency, closedThrough } = request;
  const number = earlier.length + 1;
  const ids = new Set(
    entries.flatMap((one) => (one.reverses === undefined ? one.settlementIds : [])),
  );
  const own = leftOut.filter(({ settlement }) => ids.has(settlement.id));
  const comments = commentsOf({ number, entries }, own);
  const bookingDays = Object.fromEntries(
    entries.flatMap(({ id, date, bookingDate }) =>
      date === bookingDate ? [] : [[id, bookingDate]],
    ),
  );
  const whose = { format, mapping, service, profile, currency };
  const written = { ...whose, range: run.range, comments, closedThrough, bookingDays };
  const contents = bytesOf({ number, entries }, written, earlier, write);
  const about: BatchAbout = { ...written, tool: RECON_VERSION, digest: shortId(contents) };
  const batch = { number, bookedOn: today, about: JSON.stringify(about), entries };
  return { batch, output, contents };
}

/** The file of a batch again, from the register alone. Throws ReconError unless it is the same to the byte. */
export async function batchAgain(
  kept: BookedRegister,
  number: number,
  write: WriteJournal,
): Promise<Uint8Array> {
  const { register: where } = kept;
  const batches = await batchesIn(kept);
  const batch = batches[number - 1];
  if (!batch) {
    const hint =
      batches.length === 0
        ? 'The register has no batches yet.'
        : `Use a number from 1 to ${batches.length}.`;
    throw new ReconError('usage', `Batch ${number} is not in the register.`, { where, hint });
  }
  const about = aboutOf(batch);
  const contents = bytesOf(batch, about, batches.slice(0, number - 1), write);
  if (shortId(contents) === about.digest) return contents;
  const message = `This version of recon cannot write batch ${number} as it was written.`;
  const hint = `Use version ${about.tool}.`;
  throw new ReconError('damaged', message, { where, hint });
}

/** What a register keeps of a batch besides its entries: what it was booked from, and how it is written. */
interface BatchAbout extends Pick<JournalFile, 'comments' | 'range' | 'mapping'> {
  readonly format: JournalFormat;
  /** The host of the service whose settlements they are. */
  readonly service: string;
  /** Empty if none is used. */
  readonly profile: string;
  /** If the register has entries in this currency only. */
  readonly currency?: string | undefined;
  readonly tool: string;
  /** Identifies the bytes of its file. */
  readonly digest: string;
  readonly closedThrough: string | undefined;
  /** The own days of entries that are posted on others, by id. */
  readonly bookingDays: Readonly<Record<string, string>>;
}

/** Entries that a register of bookings lacks. */
export interface OwedEntries {
  readonly ids: readonly string[];
  /** What they debit, by currency. */
  readonly amounts: readonly Money[];
}

/** A register of bookings, as it was read. */
export interface KeptBatches {
  readonly register: string;
  readonly batches: readonly BookedBatch[];
}

/** What the next batch of a register is booked with, to have all that it lacks. */
export interface NextBooking {
  /** The first day of the range: of the books, if the register begins later. */
  readonly from: string;
  readonly register: string;
  readonly number: number;
  /** Undefined if neither an earlier batch nor the accounts tell it. */
  readonly format: JournalFormat | undefined;
  readonly currency: string | undefined;
  readonly reversesMissing: boolean;
}

/** What a booked run has read. */
interface BookedReading extends Pick<JournalRun, 'range' | 'isWhole' | 'carriedThrough'> {
  readonly run: Pick<ReconciledRun, 'settlements'>;
  readonly later: LaterRun | undefined;
  readonly bank: Pick<BankReport, 'matching' | 'accepted'> | undefined;
}

/**
 * A register of bookings beside what a run books from the first day of the books: its entries, what a batch that
 * reverses gone ones would add, and how a journal from `from` books that.
 */
export function comparedWith(
  { register, batches }: KeptBatches,
  booked: BookedRun,
  {
    from,
    ...read
  }: Omit<BookedReading, 'isWhole'> & {
    readonly from: string;
    readonly mapping: AccountMapping | undefined;
  },
): {
  readonly entries: readonly JournalEntry[];
  readonly owed: OwedEntries;
  readonly booking: NextBooking;
} {
  const last = batches.at(-1);
  const about = last && aboutOf(last);
  if (about && monthly(about.mapping) !== monthly(read.mapping ?? {})) {
    const hint = `Set by_sale_month = ${about.mapping.by_sale_month ?? false} under [profiles.NAME.books].`;
    const message = 'The register of bookings has other settings: by_sale_month.';
    throw new ReconError('usage', message, { where: register, hint });
  }
  const format = about?.format ?? formatOf(read.mapping);
  const own = journalForms[format ?? 'csv'].onlyCurrency?.(about?.mapping ?? read.mapping ?? {});
  const isOwn = (one: JournalEntry) => !own || !booked.foreign.has(one) || one.currency === own;
  const entries = inCurrency(booked, about?.currency).entries.filter(isOwn);
  const known = batches.map(withBookingDays).flatMap((batch) => batch.entries);
  const run = bookableRun({ ...booked, entries }, { ...read, isWhole: true });
  const number = batches.length + 1;
  const plan = planBatch(known, run, number, {
    reversesMissing: true,
    strays: new Set(batches.flatMap(strayEntries)),
    bySameMapping: read.mapping && bookedBy(batches, read.mapping),
  });
  const open = [...plan.entries, ...plan.heldBack];
  const owed = { ids: open.map(({ id }) => id), amounts: moneySums(open.map(debitOf)) };
  const firstDay = firstDayBooked(batches);
  // A journal looks back to the first day of its register.
  const looksBack = firstDay !== undefined && firstDay <= read.range.from;
  const booking: NextBooking = {
    from: looksBack ? from : read.range.from,
    register,
    number,
    format,
    currency: about?.currency,
    reversesMissing: plan.entries.some(
      ({ reverses, settlementIds }) =>
        reverses !== undefined && settlementIds.some((id) => !run.listed.has(id)),
    ),
  };
  return { entries: known, owed, booking };
}

const formatsByWord: Readonly<Record<(typeof presetWords)[number], JournalFormat>> = {
  name: 'quickbooks',
  tax_rate: 'xero',
  journal: 'odoo',
};

/** The format of books without a batch, as far as their accounts tell. */
function formatOf(mapping: AccountMapping | undefined): JournalFormat | undefined {
  const { datev, csv, in_transit: account = '' } = mapping ?? {};
  if (datev) return 'datev';
  const word = presetWords.find((one) => csv?.words?.[one]);
  if (word) return formatsByWord[word];
  if (csv?.columns) return 'csv';
  // Accounts by number are those of several programs.
  if (!account.includes(':')) return undefined;
  return journalForms.beancount.accounts.pattern.test(account) ? 'beancount' : 'hledger';
}

function debitOf({ currency, scale, postings }: JournalEntry): Money {
  const debits = postings.filter(({ minor }) => minor > 0n);
  return { minor: debits.reduce((sum, { minor }) => sum + minor, 0n), currency, scale };
}

/** What a booked run would add to a register. */
export function bookableRun(
  { entries, settlements, later: due }: Pick<BookedRun, 'entries' | 'settlements' | 'later'>,
  read: BookedReading,
): JournalRun {
  const { range, run, isWhole, bank, carriedThrough, later } = read;
  const ids = {
    settled: idsOf([...settlements, ...due]),
    listed: idsOf([...run.settlements, ...(later?.run?.settlements ?? [])]),
    later: idsOf(due),
    isLaterWhole: later?.isWhole,
  };
  const seen = seenIn(
    bank?.matching,
    (match, { date }) => date <= (carriedThrough ?? '') && restsOnDecision(match, bank?.accepted),
  );
  return { entries, range, isWhole, ...ids, bank: seen, carriedThrough };
}

/** Its entries with the days to which they belong. */
function withBookingDays(batch: BookedBatch): BookedBatch {
  const { bookingDays } = aboutOf(batch);
  const entries = batch.entries.map((one) => ({
    ...one,
    bookingDate: bookingDays[one.id] ?? one.date,
  }));
  return { ...batch, entries };
}

/** Parses what a register keeps of a batch. Throws ReconError `damaged` if another version wrote it in another form. */
function aboutOf({ number, about }: Pick<BookedBatch, 'number' | 'about'>): BatchAbout {
  const parsed = parseJson(about);
  const value = isObject(parsed) ? parsed : {};
  const { comments, range, bookingDays } = value;
  const text = (key: string) => String(value[key]);
  const format = journalFormats.find((one) => one === value['format']);
  const { data: mapping } = booksSchema.safeParse(value['mapping']);
  const isKnown = isRange(range) && Array.isArray(comments) && isObject(bookingDays);
  if (!isKnown || format === undefined || mapping === undefined) {
    const message = `Another version of recon wrote batch ${number} in the register of booked entries.`;
    throw new ReconError('damaged', message, { hint: 'Use that version.' });
  }
  return {
    format,
    range,
    mapping,
    comments: comments.map(String),
    service: text('service'),
    profile: text('profile'),
    tool: text('tool'),
    digest: text('digest'),
    currency: typeof value['currency'] === 'string' ? value['currency'] : undefined,
    closedThrough: typeof value['closedThrough'] === 'string' ? value['closedThrough'] : undefined,
    bookingDays: Object.fromEntries(
      Object.entries(bookingDays).map(([id, day]) => [id, String(day)]),
    ),
  };
}

function isRange(value: unknown): value is DateRange {
  return isObject(value) && typeof value['from'] === 'string' && typeof value['to'] === 'string';
}

function bytesOf(
  batch: Batch,
  about: Pick<BatchAbout, 'format' | 'comments' | 'range' | 'mapping' | 'closedThrough'>,
  earlier: readonly BookedBatch[],
  write: WriteJournal,
): Buffer {
  const before = earlier.map((one) => ({ ...one, lastDay: openDays(aboutOf(one)).to }));
  const file = batchFile(batch, { ...about, range: openDays(about) }, before);
  const pieces = [...write(about.format, file)];
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
}

/** The days of its range that are not closed, or the first one after these: they may be of another fiscal year. */
function openDays({ range, closedThrough = '' }: Pick<BatchAbout, 'range' | 'closedThrough'>) {
  const from = range.from > closedThrough ? range.from : addDays(closedThrough, 1);
  return { from, to: range.to > from ? range.to : from };
}
