import { type BooksSoFar, isPostedIn } from '../app/books-so-far.ts';
import type { SaleMonths } from '../app/read-later.ts';
import { ReconError } from '../base/errors.ts';
import type { OpeningAmount } from '../books/carried.ts';
import type { AccountMapping } from '../model/account-mapping.ts';
import { closesInForce } from '../model/close.ts';
import type { JournalEntry } from '../model/journal-entry.ts';
import { maxScale, parseDecimal } from '../money/money.ts';
import { acceptedOn } from '../reconcile/acceptance.ts';
import type { AgeingAndAccepted } from '../reconcile/as-reported.ts';
import type { BookedBatch } from '../register/booked-register.ts';
import type { Context } from './context.ts';
import type { Flags } from './flags.ts';
import type { Inputs } from './inputs.ts';
import type { Messages } from './messages.ts';
import { setElsewhere } from './profile-table.ts';
import { sandboxRegisters } from './settings.ts';

interface RegisterContext {
  readonly messages: Pick<Messages, 'say' | 'warn'>;
  readonly flags: Pick<Flags, 'accepted'>;
}

/** Reads a register and warns of lines that are invalid. */
export async function readRegister(path: string, { messages, flags }: RegisterContext) {
  const { parseRegister } = await import('../register/accepted-register.ts');
  const { readKeptCsv } = await import('../register/kept-csv.ts');
  const csv = await readKeptCsv(path);
  // Normal before the first acceptance.
  if (flags.accepted !== undefined && csv.columns.length === 0)
    messages.say(`Nothing is accepted: ${path} is missing or empty.`);
  const register = parseRegister(csv);
  for (const { line, message } of register.faults) messages.warn(`${path}:${line}: ${message}`);
  return register;
}

/** What counts in a report made today: ageing, and the accepted differences if a register is set. */
export async function readAgeingAndAccepted(
  { settings, today }: Pick<Inputs, 'settings' | 'today'>,
  context: RegisterContext,
): Promise<AgeingAndAccepted> {
  const { pending_days: pendingDays, accepted } = settings.preferences;
  const ageing = { today: today(), pendingDays };
  if (accepted === undefined) return { ageing };
  return { ageing, accepted: acceptedOn(today(), (await readRegister(accepted, context)).lines) };
}

/** What is closed in the profile, and where its books begin; the sandbox begins with nothing in transit. */
export async function booksOf({
  settings: { preferences, profile = '' },
  period,
  exported,
}: Pick<Inputs, 'settings' | 'period' | 'exported'>): Promise<BooksSoFar> {
  const { books_from: books, closed_through: closedThrough, booked } = preferences;
  const { closes: register } = preferences;
  // Loaded only by runs with a register.
  const read =
    register !== undefined && (await import('../register/closes-register.ts')).readCloses;
  const closes = closesInForce((read && (await read(register))) || [], profile);
  const isKept = closes.length > 0 && booked !== undefined;
  return {
    closes,
    isPosted: isKept ? isPostedIn(await entriesBooked(booked)) : undefined,
    closedThrough,
    begin: books?.day ?? (exported ? undefined : period?.from),
    opening: books && amountsIn(books.opening),
  };
}

/** How sales are booked by month, if the books do; undefined otherwise. */
export function saleMonthsOf(
  mapping: AccountMapping | undefined,
  { settings, today }: Pick<Inputs, 'settings' | 'today'>,
): SaleMonths | undefined {
  const { time_zone: timeZone, settle_days: settleDays } = settings.preferences;
  return mapping?.by_sale_month ? { timeZone, settleDays, lastDay: today() } : undefined;
}

/** The entries of a register of bookings; none if it does not exist yet. */
async function entriesBooked(path: string): Promise<readonly JournalEntry[]> {
  return (await batchesBooked(path)).flatMap(({ entries }) => entries);
}

/** The batches of a register of bookings; none if it does not exist yet. */
async function batchesBooked(path: string): Promise<readonly BookedBatch[]> {
  const { parseBooked } = await import('../register/booked-register.ts');
  const { readKeptCsv } = await import('../register/kept-csv.ts');
  const csv = await readKeptCsv(path);
  return csv.columns.length === 0 ? [] : parseBooked(csv, path).batches;
}

interface StartContext {
  readonly messages: Pick<Messages, 'say'>;
  readonly flags: { readonly newRegister?: boolean | undefined };
}

/** How a register of `what` is begun: not if `trace`, a sentence, shows that there was one. */
export function startOf(what: string, trace: string | undefined, context: StartContext) {
  return {
    isNew: context.flags.newRegister ?? false,
    trace,
    onStart: (path: string) => context.messages.say(`Started the register of ${what}: ${path}`),
  };
}

/** What shows that there was a register of closes: a day that was closed for the books, but not by a setting. */
export async function traceOfCloses({ settings }: Pick<Inputs, 'settings'>) {
  const { booked, closed_through: bySetting = '' } = settings.preferences;
  if (booked === undefined) return undefined;
  const { lastDayClosed } = await import('../app/book-batch.ts');
  const day = lastDayClosed(await batchesBooked(booked));
  return day > bySetting ? `The books were closed through ${day}, as ${booked} says.` : undefined;
}

/** What shows that there was a register of booked entries: a close that is in force. */
export function traceOfBooked({ closes }: BooksSoFar): string | undefined {
  const last = closes.at(-1);
  return (
    last &&
    `The books are closed through ${last.to}, and all entries until then would be booked again.`
  );
}

/**
 * The register of `accepted` differences or of `closes`. In the sandbox it is a file of its own in the current folder,
 * if none is set.
 */
export async function registerAt(
  key: 'accepted' | 'closes',
  inputs: Pick<Inputs, 'settings'>,
  context: Pick<Context, 'flags' | 'host'>,
): Promise<string> {
  const own = context.flags.sandbox ? sandboxRegisters[key] : undefined;
  const path = inputs.settings.preferences[key] ?? own;
  if (path !== undefined) return path;
  const what = key === 'closes' ? 'closes' : 'accepted differences';
  const hint =
    (await setElsewhere(key, inputs, context)) ||
    `Set ${key} = "${key}.csv" in the profile or RECON_${key.toUpperCase()}, or add --${key} FILE.`;
  throw new ReconError('configuration', `The register of ${what} is not set.`, { hint });
}

function amountsIn(
  opening: Readonly<Record<string, Readonly<Record<string, string>>>>,
): readonly OpeningAmount[] {
  return Object.entries(opening).flatMap(([accountingToken, amounts]) =>
    Object.entries(amounts).map(([currency, text]) => {
      const scale = Math.min(maxScale, /\.(\d+)$/.exec(text)?.[1]?.length ?? 0);
      return { accountingToken, currency, scale, minor: parseDecimal(text, scale) ?? 0n };
    }),
  );
}
