import { ReconError } from '../base/errors.ts';
import { type AcceptedLine, differenceKey } from '../model/accepted-difference.ts';
import { isExpired } from '../reconcile/acceptance.ts';
import {
  isSameButForItsDay,
  type PlacedLine,
  parseRegister,
  recordsOf,
  sameLine,
} from '../register/accepted-register.ts';
import type { KeptCsv } from '../register/kept-csv.ts';

/** Why a last day cannot be one; undefined if it can. */
export function pastLastDay(
  until: string | undefined,
  today: string,
  where?: string,
): ReconError | undefined {
  if (until === undefined || until >= today) return undefined;
  const hint = 'Use today or a later day.';
  return new ReconError('usage', `${until} is in the past.`, { where, hint });
}

/** The lines of a register that is to be changed. Throws ReconError if its header is not one of a register. */
export function linesToChange(csv: KeptCsv, register: string): readonly AcceptedLine[] {
  const { lines, faults } = parseRegister(csv);
  const fault = faults.find((one) => one.line === 1);
  if (!fault) return lines;
  const hint = 'Correct the header, or name another file.';
  throw new ReconError('configuration', fault.message, { where: `${register}:1`, hint });
}

/** A line beside what the register had of the same difference. */
export interface PlacedChange extends PlacedLine {
  /** `unchanged` where the register says the same already. */
  readonly done: 'accepted' | 'replaced' | 'unchanged';
  readonly before: AcceptedLine | undefined;
}

/** The register while it is changed. */
export interface RegisterState {
  readonly csv: KeptCsv;
  readonly lines: readonly AcceptedLine[];
  readonly register: string;
  readonly today: string;
  /** Whether nothing of an earlier line is kept. */
  readonly replaces: boolean;
  /** Whether a line was there when its day was closed. */
  readonly isClosed: (line: AcceptedLine) => boolean;
}

/**
 * How a line goes into the register, or why it cannot (`configuration`: a close rests on the earlier line).
 * Person, last day and account of an earlier line are kept unless given anew, or if it `replaces` that.
 */
export function placeLine(given: AcceptedLine, now: RegisterState): PlacedChange | ReconError {
  const { csv, lines, register, today, replaces, isClosed } = now;
  const key = differenceKey(given);
  const removed = recordsOf(csv, key);
  const before = sameLine(lines, given);
  const [unread] = before ? [] : removed;
  if (unread && !replaces) {
    return new ReconError('usage', 'The earlier acceptance of this difference cannot be read.', {
      where: `${register}:${unread.line}`,
      hint: 'Correct that line, or add --replace to drop what it says.',
    });
  }
  const line = before && !replaces ? withEarlier(given, before, today) : given;
  if (line instanceof ReconError) return line;
  if (before && isSameButForItsDay(before, line)) {
    return { done: 'unchanged', line, before, removed };
  }
  if (before && isClosed(before)) {
    const message = `${key.date} is closed, with the earlier acceptance of this difference.`;
    return new ReconError('configuration', message, { hint: 'Reopen the close first.' });
  }
  return { done: removed.length > 0 ? 'replaced' : 'accepted', line, before, removed };
}

/** A line with what the earlier one says beyond it; a ReconError if that one has expired. */
function withEarlier(
  line: AcceptedLine,
  before: AcceptedLine,
  today: string,
): AcceptedLine | ReconError {
  if (line.until === undefined && isExpired(before, today)) {
    return new ReconError('usage', `The earlier acceptance ended on ${before.until}.`, {
      hint: 'Add a new last day: --until DAY. To accept it without an end, add --replace.',
    });
  }
  const { by, account, until } = line;
  return {
    ...line,
    by: by || before.by,
    account: account || before.account,
    until: until ?? before.until,
  };
}
