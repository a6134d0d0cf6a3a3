import type { CloseReport } from '../../../app/close-report.ts';
import { addDays, isDayIn, spanOf } from '../../../base/calendar.ts';
import { ReconError } from '../../../base/errors.ts';
import { shortId } from '../../../base/id-table.ts';
import { isObject, parseJson } from '../../../base/json.ts';
import type { BookedRun, ForeignRows } from '../../../books/book.ts';
import { withoutNewColumns } from '../../../books/csv.ts';
import { type JournalFormat, journalFormats } from '../../../books/example-mapping.ts';
import { batchFile, type JournalFile } from '../../../books/journal-file.ts';
import {
  type BatchPlan,
  idsOf,
  type JournalRun,
  planBatch,
  seenIn,
} from '../../../books/plan-batch.ts';
import { booksSchema } from '../../../config/profile-tables.ts';
import type { JournalEntry } from '../../../model/journal-entry.ts';
import type { Names } from '../../../model/settlement.ts';
import type { DateRange } from '../../../model/source.ts';
import {
  type BookedBatch,
  bookBatch,
  type FinishedBatch,
  type NewBatch,
  parseBooked,
} from '../../../register/booked-register.ts';
import { readKeptCsv } from '../../../register/kept-csv.ts';
import { journalText } from '../../../render/journal.ts';
import { present } from '../../../report/common/phrase.ts';
import {
  batchSentence,
  finishedSentence,
  keptSentences,
  leftOutSentences,
  missingSentences,
  movedSentences,
  nothingToBook,
} from '../../../report/journal/words.ts';
import type { ContextOf } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { resolveTarget, withOutput } from '../../output.ts';
import { lockOptions } from '../../processes.ts';
import type { journalCommand } from './command.ts';

type JournalContext = ContextOf<typeof journalCommand>;

/**
 * The files that the flags name; undefined if everything is printed. Before anything is read, checks the
 * register and completes an interrupted run. Throws ReconError.
 */
export async function bookedFiles(context: JournalContext, output: string | undefined) {
  const { booked: register } = context.flags;
  if (register === undefined) return undefined;
  if (output === undefined) {
    const hint = 'Name a new file for the batch: --output FILE.';
    throw new ReconError('usage', '--booked needs --output.', { hint });
  }
  await withRegister(register, context, () => ({ next: undefined }));
  return { register, output };
}

/** Books the next batch that `plan` makes of a register, if any. */
async function withRegister<Plan extends { readonly next: NewBatch | undefined }>(
  register: string,
  context: JournalContext,
  plan: (batches: readonly BookedBatch[]) => Plan,
): Promise<Plan> {
  const options = {
    isNew: context.flags.newRegister ?? false,
    lock: await lockOptions(context),
    onFinished: (batch: FinishedBatch) => context.messages.warn(finishedSentence(batch)),
  };
  return bookBatch(register, options, ({ batches }) => plan(batches.map(withBookingDays)));
}

interface Bookable
  extends Pick<BatchAbout, 'format' | 'mapping' | 'service' | 'profile' | 'closedThrough'> {
  readonly run: JournalRun;
  readonly today: string;
  readonly title: string;
  /** What the format has no place for. */
  readonly leftOut: readonly ForeignRows[];
  readonly names: Names;
}

/** Books the next batch. Returns the exit code: 1 if something is missing, or newly left out. */
export async function bookOnce(
  { register, output }: { readonly register: string; readonly output: string },
  request: Bookable,
  context: JournalContext,
): Promise<number> {
  const { flags, messages } = context;
  const { rebind = false, reverseMissing = false } = flags;
  const { plan, next, isLeftOut } = await withRegister(register, context, (batches) => {
    refuseOthers(batches.at(-1), request, { register, rebind });
    const number = batches.length + 1;
    const booked = batches.flatMap(({ entries }) => entries);
    const strays = new Set(batches.flatMap(strayEntries));
    const { closedThrough } = request;
    const byMatchThrough = spanOf(batches.flatMap(lastDayByMatch))?.to;
    const walls = { closedThrough, byMatchThrough };
    const options = { reversesMissing: reverseMissing, strays, ...walls };
    const plan = planBatch(booked, request.run, number, options);
    const hasNone = plan.entries.length === 0;
    const isIn = (entries: readonly JournalEntry[], id: string) =>
      entries.some(({ settlementIds }) => settlementIds.includes(id));
    return {
      plan,
      next: hasNone ? undefined : nextBatch(plan, batches, request, output),
      isLeftOut: request.leftOut.some(
        ({ settlement: { id } }) => isIn(plan.entries, id) || !isIn(booked, id),
      ),
    };
  });
  for (const sentence of keptSentences(plan)) messages.say(sentence);
  for (const sentence of missingSentences(plan)) messages.warn(sentence);
  for (const sentence of movedSentences(plan)) messages.say(sentence);
  messages.say(next ? batchSentence(next.batch) : nothingToBook);
  const isOpen = isLeftOut || plan.missing.length > 0 || plan.heldBack.length > 0;
  return isOpen ? exitCodes.outOfBalance : exitCodes.ok;
}

/** The ids of entries of days outside the range that the batch was booked from. */
function strayEntries(batch: BookedBatch): readonly string[] {
  const { range } = aboutOf(batch) ?? {};
  const strays = batch.entries.filter((one) => range && !isDayIn(range, one.bookingDate));
  return strays.map(({ id }) => id);
}

/** A register has one journal of one service: other settlements would seem to be missing. */
function refuseOthers(
  last: BookedBatch | undefined,
  { format, service, profile }: Bookable,
  { register: where, rebind }: { readonly register: string; readonly rebind: boolean },
): void {
  const was = last && aboutOf(last);
  if (!was) return;
  const change = (name: string, before: string, now: string) =>
    before !== now && `${name} was ${before || 'not set'}, now ${now || 'not set'}`;
  const others = present(
    change('the format', was.format, format),
    !rebind && change('the profile', was.profile, profile),
    !rebind && change('the host', was.service, service),
  );
  if (others.length === 0) return;
  const message = `This register was started with other settings: ${others.join('; ')}.`;
  const renamed =
    format === was.format ? ' If the host or profile was only renamed, add --rebind once.' : '';
  const hint = `Use another register, or the same settings as before.${renamed}`;
  throw new ReconError('usage', message, { where, hint });
}

function nextBatch(
  { entries }: BatchPlan,
  earlier: readonly BookedBatch[],
  { run, today, title, leftOut, names, closedThrough, ...whose }: Bookable,
  output: string,
): NewBatch {
  const number = earlier.length + 1;
  const { range } = run;
  const ids = new Set(
    entries.flatMap((one) => (one.reverses === undefined ? one.settlementIds : [])),
  );
  const moved = movedSentences({ entries });
  const own = leftOut.filter(({ settlement }) => ids.has(settlement.id));
  const said = leftOutSentences(own, names);
  const comments = [title, batchSentence({ number, entries }), ...moved, ...said];
  const bookingDays = Object.fromEntries(
    entries.flatMap(({ id, date, bookingDate }) =>
      date === bookingDate ? [] : [[id, bookingDate]],
    ),
  );
  const written = { ...whose, range, comments, closedThrough, bookingDays };
  const contents = bytesOf({ number, entries }, written, earlier);
  const about: BatchAbout = { ...written, tool: RECON_VERSION, digest: shortId(contents) };
  const batch = { number, bookedOn: today, about: JSON.stringify(about), entries };
  return { batch, output, contents };
}

/** Prints a batch again, from the register alone. */
export async function printBatch(context: JournalContext): Promise<number> {
  const { booked: register = '', batch: number = 0 } = context.flags;
  const { path } = resolveTarget({ ...context, flags: { ...context.flags, format: 'csv' } });
  const { batches } = await withRegister(register, context, (batches) => ({
    batches,
    next: undefined,
  }));
  const batch = batches[number - 1];
  if (!batch) {
    const hint =
      batches.length === 0
        ? 'The register has no batches yet.'
        : `Use a number from 1 to ${batches.length}.`;
    throw new ReconError('usage', `Batch ${number} is not in the register.`, {
      where: register,
      hint,
    });
  }
  const about = aboutOf(batch);
  const contents = about && bytesOf(batch, about, batches.slice(0, number - 1));
  if (!about || !contents || shortId(contents) !== about.digest) {
    const message = `This version of recon cannot write batch ${number} as it was written.`;
    const hint = `Use version ${about?.tool ?? 'that wrote it'}.`;
    throw new ReconError('damaged', message, { where: register, hint });
  }
  await withOutput({ path }, context, (write) => write(contents));
  return exitCodes.ok;
}

/** What a register keeps of a batch besides its entries: what it was booked from, and how it is written. */
interface BatchAbout extends Pick<JournalFile, 'comments' | 'range' | 'mapping'> {
  readonly format: JournalFormat;
  /** The host of the service whose settlements they are. */
  readonly service: string;
  /** Empty if none is used. */
  readonly profile: string;
  readonly tool: string;
  /** Identifies the bytes of its file. */
  readonly digest: string;
  readonly closedThrough: string | undefined;
  /** The own days of entries that are posted on others, by id. Absent in batches of earlier versions. */
  readonly bookingDays: Readonly<Record<string, string>> | undefined;
}

/** The entries of a range that a register of bookings does not have, by their ids; undefined without one. */
export async function notBookedIn(
  register: string | undefined,
  { entries: all, foreign, settlements }: BookedRun,
  { range, run, bank: { matching } }: Pick<CloseReport, 'range' | 'run' | 'bank'>,
): Promise<readonly string[] | undefined> {
  if (register === undefined) return undefined;
  const { batches } = parseBooked(await readKeptCsv(register), register);
  const own = currencyOfBooks(batches);
  const entries = all.filter((one) => !own || !foreign.has(one) || one.currency === own);
  const plan = planBatch(
    batches.map(withBookingDays).flatMap((batch) => batch.entries),
    {
      entries,
      range,
      isWhole: true,
      settled: idsOf(settlements),
      listed: idsOf(run.settlements),
      bank: seenIn(matching),
    },
    batches.length + 1,
    { reversesMissing: false, strays: new Set() },
  );
  return [...plan.entries, ...plan.missing, ...plan.heldBack].map(({ id }) => id);
}

/** Its entries with the days to which they belong. */
function withBookingDays(batch: BookedBatch): BookedBatch {
  const { bookingDays = {} } = aboutOf(batch) ?? {};
  const entries = batch.entries.map((one) => ({
    ...one,
    bookingDate: bookingDays[one.id] ?? one.date,
  }));
  return { ...batch, entries };
}

/** The only currency of the books of a register, if its format has one. */
function currencyOfBooks(batches: readonly BookedBatch[]): string | undefined {
  const about = batches.flatMap((batch) => aboutOf(batch) ?? []).at(-1);
  return about?.format === 'datev' ? about.mapping.datev?.currency : undefined;
}

function lastDayByMatch(batch: BookedBatch): readonly string[] {
  const about = aboutOf(batch);
  return about && about.bookingDays === undefined ? [about.range.to] : [];
}

/** Parses what a register keeps of a batch; undefined if another version wrote it in another form. */
function aboutOf({ about }: Pick<BookedBatch, 'about'>): BatchAbout | undefined {
  const value = parseJson(about);
  if (!isObject(value)) return undefined;
  const { comments, range } = value;
  const text = (key: string) => String(value[key]);
  const format = journalFormats.find((one) => one === value['format']);
  const mapping = booksSchema.safeParse(value['mapping']);
  if (format === undefined || !mapping.success || !isRange(range) || !Array.isArray(comments)) {
    return undefined;
  }
  const bookingDays = isObject(value['bookingDays'])
    ? Object.fromEntries(Object.entries(value['bookingDays']).map(([id, day]) => [id, String(day)]))
    : undefined;
  const isOld = bookingDays === undefined;
  return {
    format,
    range,
    mapping: isOld && format === 'csv' ? withoutNewColumns(mapping.data) : mapping.data,
    comments: comments.map(String),
    service: text('service'),
    profile: text('profile'),
    tool: text('tool'),
    digest: text('digest'),
    closedThrough: typeof value['closedThrough'] === 'string' ? value['closedThrough'] : undefined,
    bookingDays,
  };
}

function isRange(value: unknown): value is DateRange {
  return isObject(value) && typeof value['from'] === 'string' && typeof value['to'] === 'string';
}

function bytesOf(
  batch: Pick<BookedBatch, 'number' | 'entries'>,
  about: Pick<BatchAbout, 'format' | 'comments' | 'range' | 'mapping' | 'closedThrough'>,
  earlier: readonly BookedBatch[],
): Buffer {
  const before = earlier.map((one) => {
    const kept = aboutOf(one);
    return { ...one, lastDay: kept && openDays(kept).to };
  });
  const file = batchFile(batch, { ...about, range: openDays(about) }, before);
  const pieces = [...journalText(about.format, file)];
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
}

/** The days of its range that are not closed, or the first one after these: they may be of another fiscal year. */
function openDays({ range, closedThrough = '' }: Pick<BatchAbout, 'range' | 'closedThrough'>) {
  const from = range.from > closedThrough ? range.from : addDays(closedThrough, 1);
  return { from, to: range.to > from ? range.to : from };
}
