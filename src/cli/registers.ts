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
import type { Flags } from './flags.ts';
import type { Inputs } from './inputs.ts';
import type { Messages } from './messages.ts';

interface RegisterContext {
  readonly messages: Pick<Messages, 'say' | 'warn'>;
  readonly flags: Pick<Flags, 'accepted'>;
}

/** The register of accepted differences. Throws ReconError unless it is set. */
export function acceptedRegister({ settings }: Pick<Inputs, 'settings'>): string {
  const { accepted } = settings.preferences;
  if (accepted !== undefined) return accepted;
  throw new ReconError('configuration', 'The register of accepted differences is not set.', {
    hint: 'Set accepted = "accepted.csv" in the profile or RECON_ACCEPTED, or add --accepted FILE.',
  });
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
  const { parseBooked } = await import('../register/booked-register.ts');
  const { readKeptCsv } = await import('../register/kept-csv.ts');
  const csv = await readKeptCsv(path);
  const { batches } = csv.columns.length === 0 ? { batches: [] } : parseBooked(csv, path);
  return batches.flatMap(({ entries }) => entries);
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
