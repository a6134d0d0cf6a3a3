import type { CauseCandidate, OneRow } from './candidate.ts';
import { type Case, type Obstacle, tallyOfRowAt } from './case.ts';
import type { Cause, CauseCode, CountRule, Part } from './cause.ts';
import type { RowValues } from './row-values.ts';
import { minus, noTally, shift, type Tally } from './tally.ts';

/** What the header may have for a row: its amounts times one number, so rows can be looked up. */
export interface RowForm {
  readonly cause: Cause;
  readonly values: RowValues;
  /** What a row adds to the number of transactions. */
  readonly count: -1 | 0 | 1;
  /** 1 if the row is listed, 0 if the header adds it. */
  readonly listed: 0 | 1;
  /** The header has its amounts times `times` × 10^`power`. */
  readonly times: -1 | 0 | 1;
  readonly power: number;
  readonly choices: number;
  /** Whether another form of this cause tries and counts the same rows. */
  readonly isSecond: boolean;
  /** Whether something speaks against it that nothing shows to be wrong, so it is never certain. */
  readonly isDoubtful?: boolean;
}

export interface RowHypothesis {
  readonly code: CauseCode;
  readonly forms: (subject: Case) => readonly RowForm[];
  readonly work: (subject: Case) => number;
  readonly obstacle?: (subject: Case) => Obstacle | undefined;
}

interface RowCandidate extends CauseCandidate {
  readonly rows: OneRow;
}

/** The forms in which the header leaves rows out or adds them, in its count too or not. */
export function formsByCount(
  values: RowValues,
  does: 'leave_out' | 'add',
  { follows, stays }: Readonly<Record<CountRule, Cause>>,
  choices: number,
): readonly RowForm[] {
  const [listed, times] = does === 'add' ? ([0, 1] as const) : ([1, 0] as const);
  const form = { values, listed, times, power: 0, choices };
  return [
    { ...form, cause: follows, count: does === 'add' ? 1 : -1, isSecond: false },
    { ...form, cause: stays, count: 0, isSecond: true },
  ];
}

/** By how much a row's amounts change those of the header: `times` / `over`. */
export function factorOf({ listed, times, power }: RowForm) {
  const over = power < 0 ? 10 ** -power : 1;
  return { times: times * (power > 0 ? 10 ** power : 1) - listed * over, over };
}

/** Finds the value whose rows make a change of the amounts; −1 if none does. */
export function valueFinder(form: RowForm) {
  const { times, over } = factorOf(form);
  const { values } = form;
  // Below 2^53 a quotient is whole only if the exact one is, and rows have only whole amounts.
  return (gross: number, fees: number, tax: number): number =>
    values.find((gross * over) / times, (fees * over) / times, (tax * over) / times);
}

/** Whether a row is outside the group that the other cause changes, so both can be true. */
export function isFree({ rows: own }: Case, { values }: RowForm, beside?: CauseCandidate) {
  const group = beside?.rows?.of === 'group' && values.columns === own ? beside.rows : undefined;
  return (row: number) => group?.has(own.kind(row)) !== true;
}

/** The candidate of a row in this form; undefined if its amounts are not whole minor units. */
export function rowCandidate(
  subject: Case,
  form: RowForm,
  index: number,
): RowCandidate | undefined {
  const { cause, values, count, listed: isListed, times, power, choices, isSecond } = form;
  const { columns, part } = values;
  const row = tallyOfRowAt(subject, columns, index);
  const own = row && only(part, row);
  const reported = own && shift(timesOf(own, times), power);
  if (!own || !reported) return undefined;
  const listed = isListed ? own : noTally;
  const change = { ...minus(reported, listed), count };
  return {
    cause,
    change,
    choices,
    isSecond,
    ...(form.isDoubtful && { assumed: 0, inLine: true }),
    rows: { of: 'row', columns, index },
    ...(part === 'all' && { seen: [{ kind: columns.kind(index), reported, listed, change }] }),
  };
}

function only(part: Part, row: Tally): Tally {
  if (part === 'gross') return { ...row, fees: 0n, tax: 0n };
  return part === 'fees_and_tax' ? { ...row, gross: 0n } : row;
}

function timesOf({ gross, fees, tax }: Tally, times: number): Tally {
  const factor = BigInt(times);
  return { ...noTally, gross: gross * factor, fees: fees * factor, tax: tax * factor };
}
