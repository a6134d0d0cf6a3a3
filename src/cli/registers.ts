import { addDays, dayAt, spanOf } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { type Basis, type OpeningAmount, payoutsClosed } from '../books/carried.ts';
import {
  type AcceptedBankDifference,
  type AcceptedDifference,
  type AcceptedLine,
  type AcceptedReceipt,
  differenceKey,
} from '../model/accepted-difference.ts';
import { type CloseRecord, closesInForce, openOf } from '../model/close.ts';
import type { Settlement } from '../model/settlement.ts';
import { maxScale, parseDecimal } from '../money/money.ts';
import { receiptKey } from '../reconcile/acceptance.ts';
import type { Flags } from './flags.ts';
import type { Inputs } from './inputs.ts';
import type { Messages } from './messages.ts';

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
export async function whenReported(
  inputs: Pick<Inputs, 'settings' | 'today'>,
  context: RegisterContext,
) {
  const today = inputs.today();
  const { pending_days: pendingDays, accepted } = inputs.settings.preferences;
  const ageing = { today, pendingDays };
  if (accepted === undefined) return { ageing };
  const { lines } = await readRegister(accepted, context);
  const bySettlement = new Map<string, AcceptedDifference>();
  const onBank = new Map<string, AcceptedBankDifference>();
  const receipts = new Map<string, AcceptedReceipt>();
  for (const line of lines) {
    if ('entryId' in line) receipts.set(receiptKey(line), line);
    else if ('received' in line) onBank.set(line.settlementId.toLowerCase(), line);
    else bySettlement.set(line.settlementId.toLowerCase(), line);
  }
  return { ageing, accepted: { bySettlement, onBank, receipts, today } };
}

/** The closes in force of the profile, in order; none if no register is set or it does not exist yet. */
export async function closesOf({
  settings: { preferences, profile = '' },
}: Pick<Inputs, 'settings'>): Promise<readonly CloseRecord[]> {
  const { closes: path } = preferences;
  if (path === undefined) return [];
  const { readCloses } = await import('../register/closes-register.ts');
  return closesInForce((await readCloses(path)) ?? [], profile);
}

/** The first day whose settlements are known, and whether one may still be open. */
interface OpeningPayouts {
  readonly since: string;
  readonly mayBeOpen: (settlement: Settlement) => boolean;
}

type BooksInputs = Pick<Inputs, 'settings' | 'period' | 'exported'>;

/** What a roll-forward of a range starts from. */
interface OpeningBasis extends Basis {
  /** Whether the opening is taken as 0 because it is not known. */
  readonly takesZero: boolean;
}

/** The basis of a range: earlier closes, or else `books_from`. ReconError `usage` if the books begin later. */
export function basisOf(
  closes: readonly CloseRecord[],
  from: string,
  inputs: BooksInputs,
): OpeningBasis {
  const before = closes.filter(({ to }) => to < from);
  const last = before.at(-1);
  if (last) return { through: last.to, opening: [], closes: before, takesZero: false };
  const { books_from: books } = inputs.settings.preferences;
  const day = firstDayOf(inputs) ?? from;
  if (day > from) {
    throw new ReconError('usage', `The books begin on ${day}, after ${from}.`, {
      where: 'books_from',
      hint: 'Use a later range, or change books_from in the profile.',
    });
  }
  const opening = amountsIn(books?.opening ?? {});
  return { through: addDays(day, -1), opening, closes: [], takesZero: books === undefined };
}

/** The basis of a range that begins on the day after it; undefined for any other range. */
export function adjacentBasis(
  closes: readonly CloseRecord[],
  from: string,
  inputs: BooksInputs,
): Basis | undefined {
  const isBefore = closes.some(({ to }) => to < from);
  if (!isBefore && firstDayOf(inputs) !== from) return undefined;
  const basis = basisOf(closes, from, inputs);
  return basis.through === addDays(from, -1) ? basis : undefined;
}

/** Pay-outs before a range: those that the last close left open and later ones, or all since the books begin. */
export function openingPayouts(
  closes: readonly CloseRecord[],
  from: string,
  inputs: BooksInputs,
): OpeningPayouts | undefined {
  const before = closes.filter(({ to }) => to < from);
  const last = before.at(-1);
  if (!last) {
    const begins = firstDayOf(inputs);
    return begins === undefined || begins > from
      ? undefined
      : { since: begins, mayBeOpen: ({ date }) => date >= begins };
  }
  const payouts = [...payoutsClosed({ closes: before }).values()];
  const closed = new Map(
    payouts.flatMap((one) => one.settlementIds.map((id) => [id, openOf(one) !== 0n] as const)),
  );
  const open = payouts.filter((one) => openOf(one) !== 0n);
  const since = spanOf([last.from, ...open.map(({ date }) => date)])?.from ?? last.from;
  // If the close does not have it, it was settled later.
  return { since, mayBeOpen: ({ id, date }) => closed.get(id) ?? date >= last.from };
}

/** The last day that is closed, by the register or by the settings. */
export function closedThroughOf(
  closes: readonly CloseRecord[],
  { settings }: Pick<Inputs, 'settings'>,
): string | undefined {
  const { closed_through: set } = settings.preferences;
  return [...closes.map(({ to }) => to), ...(set === undefined ? [] : [set])].sort().at(-1);
}

/** Whether a decision was made before its day was closed; always, if only the settings close the day. */
export async function closedDecisions(inputs: Pick<Inputs, 'settings'>) {
  const closes = await closesOf(inputs);
  const { time_zone: zone, closed_through: set = '' } = inputs.settings.preferences;
  return (line: AcceptedLine): boolean => {
    const { date } = differenceKey(line);
    const close = closes.find(({ to }) => date <= to);
    return close ? line.on <= dayAt(Date.parse(close.at), zone) : date <= set;
  };
}

/** The first day of the books; the sandbox begins with nothing in transit. Undefined if it is not known. */
function firstDayOf({ settings, period, exported }: BooksInputs): string | undefined {
  const { books_from: books } = settings.preferences;
  return books?.day ?? (exported ? undefined : period?.from);
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
