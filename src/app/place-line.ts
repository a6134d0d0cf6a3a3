import { ReconError } from '../base/errors.ts';
import { type AcceptedLine, differenceKey } from '../model/accepted-difference.ts';
import { isExpired } from '../reconcile/acceptance.ts';
import {
  confirming,
  isSameButForItsDay,
  type PlacedLine,
  parseRegister,
  recordsOf,
  sameLine,
} from '../register/accepted-register.ts';
import type { KeptCsv } from '../register/kept-csv.ts';

/** An error if the last day is in the past. */
export function pastLastDay(
  until: string | undefined,
  today: string,
  where?: string,
): ReconError | undefined {
  if (until === undefined || until >= today) return undefined;
  const hint = 'Use today or a later day.';
  return new ReconError('usage', `${until} is in the past.`, { where, hint });
}

/** The lines of a register. Throws ReconError if its header is invalid. */
export function linesToChange(csv: KeptCsv, register: string): readonly AcceptedLine[] {
  const { lines, faults } = parseRegister(csv);
  const fault = faults.find((one) => one.line === 1);
  if (!fault) return lines;
  const hint = 'Correct the first line, or name another file.';
  throw new ReconError('configuration', fault.message, { where: `${register}:1`, hint });
}

/** A new line, and the earlier line of the same difference. */
export interface PlacedChange extends PlacedLine {
  /** `unchanged` if the register has the same line. */
  readonly done: 'accepted' | 'replaced' | 'unchanged';
  readonly before: AcceptedLine | undefined;
}

export interface RegisterState {
  readonly csv: KeptCsv;
  readonly lines: readonly AcceptedLine[];
  readonly register: string;
  readonly today: string;
  /** Whether an earlier line is dropped without keeping its person, last day and account. */
  readonly replaces: boolean;
  /** Whether the day of a line was closed with that line in the register. */
  readonly isClosed: (line: AcceptedLine) => boolean;
}

/**
 * The change that adds a line to the register, or why it cannot be added (`configuration`: a close rests on the earlier line).
 * If the line has no person, last day or account, it keeps those of an earlier line unless it `replaces` that line.
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
  const rival = confirming(
    lines.filter((one) => one !== before),
    given,
  );
  if (rival) {
    const other = differenceKey(rival).id;
    const message = `The bank entry is already confirmed for settlement ${other}.`;
    const hint = `To take that back, run: recon accept ${other} --remove`;
    return new ReconError('usage', message, { where: register, hint });
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

/** A line with its empty fields filled from the earlier one; a ReconError if that one has expired. */
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
