import type { Row } from '../../src/model/row.ts';
import type { Random } from '../support/random.ts';
import { type Account, type Draft, sumOf } from './account.ts';

/** What was planted, as the judge knows it. */
export interface Planted {
  /** The kind that a claim must have; the names of a program's kinds stand in `claim.ts`. */
  readonly kind: string;
  /** Rows that a claim must name. */
  readonly rows?: readonly Row[];
  /** Rows that it may name too. */
  readonly about?: readonly Row[];
  /** Values that it must have among its facts: of each list, one. */
  readonly facts?: readonly (readonly string[])[];
  readonly rounding?: Rounding;
  /** Whether the difference may be said to be of the size of rounding. */
  readonly isSmall?: boolean;
}

/** A rule of rounding. */
export interface Rounding {
  readonly amount: 'fees' | 'tax';
  readonly of: 'row' | 'total';
  /** The one planted, then those that give the same amount in these rows. */
  readonly rounds: readonly string[];
}

/** Changes a target, and says how. Gives nothing if the account does not allow it. */
export type Plant = (account: Account, random: Random) => Planted | undefined;

/** Rows that no other cause uses. */
export function freeRows({ rows, taken }: Draft): readonly Row[] {
  return rows.filter(({ id }) => !taken.has(id));
}

/** Takes rows for one cause; nothing if one of them is used by another, or there are none. */
export function take(draft: Draft, rows: readonly Row[]): readonly Row[] | undefined {
  if (rows.length === 0 || rows.some(({ id }) => draft.taken.has(id))) return undefined;
  for (const { id } of rows) draft.taken.add(id);
  return rows;
}

/** Some rows that no other cause uses. */
export function takeSome(draft: Draft, count: number, random: Random): readonly Row[] | undefined {
  const free = freeRows(draft);
  return free.length < count ? undefined : take(draft, random.sample(free, count));
}

/** Adds rows to a header so many times, and counts them so often. */
export function addRows(
  { header }: Draft,
  rows: readonly Row[],
  times: bigint,
  count: number,
): void {
  const { gross, fees, tax } = sumOf(rows);
  header.gross += gross * times;
  header.fees += fees * times;
  header.tax += tax * times;
  header.transactions += rows.length * count;
}

export function ofType({ rows }: Draft, type: string): readonly Row[] {
  return rows.filter((row) => row.type === type);
}

/** A settlement of the account other than the target. */
export function neighbourOf({ drafts, target }: Account, random: Random, isLater = false): Draft {
  const others = drafts.filter((one) => one !== target && (!isLater || one.date > target.date));
  return random.pick(others);
}
