import { addDays, dayAt, spanOf } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { type Basis, type OpeningAmount, payoutsClosed } from '../books/carried.ts';
import { type AcceptedLine, differenceKey } from '../model/accepted-difference.ts';
import { type CloseRecord, openOf } from '../model/close.ts';
import { isOfBank, type JournalEntry } from '../model/journal-entry.ts';
import type { Settlement } from '../model/settlement.ts';

/** Tells, after the days of a close, whether the change of a settlement was booked. */
export type IsPosted = (settlementId: string, closedThrough: string) => boolean;

/** What is closed, and where the books begin. */
export interface BooksSoFar {
  /** The closes in force, in order. */
  readonly closes: readonly CloseRecord[];
  /** The last day that the settings close. */
  readonly closedThrough?: string | undefined;
  /** The first day of the books; undefined if it is not known. */
  readonly begin?: string | undefined;
  /** What was in transit then; undefined if it is not set. */
  readonly opening?: readonly OpeningAmount[] | undefined;
  /** Tells whether the register of bookings has a change; absent without a register. */
  readonly isPosted?: IsPosted | undefined;
}

/** Whether a register of bookings has an entry of a settlement that is posted after a closed day. */
export function isPostedIn(entries: readonly JournalEntry[]): IsPosted {
  return (settlementId, closedThrough) =>
    entries.some(
      (one) =>
        !isOfBank(one) && one.date > closedThrough && one.settlementIds.includes(settlementId),
    );
}

function closesBefore({ closes }: BooksSoFar, from: string): readonly CloseRecord[] {
  return closes.filter(({ to }) => to < from);
}

/** The first day on which a close of a range rests: of the first close or, with a register of bookings, of the books. */
export function restsSince(books: BooksSoFar, from: string, hasRegister: boolean): string {
  const [first] = closesBefore(books, from);
  const { begin = from } = books;
  return first?.from ?? (hasRegister && begin < from ? begin : from);
}

/** What a roll-forward of a range starts from. */
interface OpeningBasis extends Basis {
  /** Whether the opening is taken as 0 because it is not known. */
  readonly takesZero: boolean;
}

/** The basis of a range: earlier closes, or else the beginning. ReconError `usage` if the books begin later. */
export function basisOf(books: BooksSoFar, from: string): OpeningBasis {
  const closes = closesBefore(books, from);
  const last = closes.at(-1);
  if (last) return { through: last.to, opening: [], closes, takesZero: false };
  const { begin = from, opening } = books;
  if (begin > from) {
    throw new ReconError('usage', `The books begin on ${begin}, after ${from}.`, {
      where: 'books_from',
      hint: 'Use a later range, or change books_from in the profile.',
    });
  }
  const takesZero = opening === undefined;
  return { through: addDays(begin, -1), opening: opening ?? [], closes, takesZero };
}

/** The basis of a range that begins on the day after it; undefined for any other range. */
export function adjacentBasis(books: BooksSoFar, from: string): Basis | undefined {
  if (closesBefore(books, from).length === 0 && books.begin !== from) return undefined;
  const basis = basisOf(books, from);
  return basis.through === addDays(from, -1) ? basis : undefined;
}

/** The first day whose settlements are known, and whether one may still be open. */
export interface EarlierPayouts {
  readonly since: string;
  readonly mayBeOpen: (settlement: Settlement) => boolean;
}

/** Pay-outs before a range: those that the last close left open and later ones, or all since the books begin. */
export function earlierPayouts(books: BooksSoFar, from: string): EarlierPayouts | undefined {
  const closes = closesBefore(books, from);
  const last = closes.at(-1);
  if (!last) {
    const { begin } = books;
    return begin === undefined || begin > from
      ? undefined
      : { since: begin, mayBeOpen: ({ date }) => date >= begin };
  }
  const payouts = [...payoutsClosed({ closes }).values()];
  const closed = new Map(
    payouts.flatMap((one) => one.settlementIds.map((id) => [id, openOf(one) !== 0n] as const)),
  );
  const open = payouts.filter((one) => openOf(one) !== 0n);
  const since = spanOf([last.from, ...open.map(({ date }) => date)])?.from ?? last.from;
  // If the close does not have it, it was settled later.
  return { since, mayBeOpen: ({ id, date }) => closed.get(id) ?? date >= last.from };
}

/** The last day that is closed, by the register or by the settings. */
export function lastClosedDay({ closes, closedThrough }: BooksSoFar): string | undefined {
  const ends = closes.map(({ to }) => to);
  return spanOf(closedThrough === undefined ? ends : [...ends, closedThrough])?.to;
}

/** Whether a decision was made before its day was closed; always, if only the settings close the day. */
export function isClosedWith({ closes, closedThrough = '' }: BooksSoFar, timeZone: string) {
  return (line: AcceptedLine): boolean => {
    const { date, kind } = differenceKey(line);
    // A close does not rest on orders.
    if (kind === 'order') return false;
    const close = closes.find(({ to }) => date <= to);
    return close ? line.on <= dayAt(Date.parse(close.at), timeZone) : date <= closedThrough;
  };
}
