import type { Row } from '../../src/model/row.ts';
import type { Random } from '../support/random.ts';
import { type Account, type AccountSettings, type Draft, type Header, sumOf } from './account.ts';
import { type Exact, rounded } from './rates.ts';

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
interface Rounding {
  readonly amount: 'fees' | 'tax';
  readonly of: 'row' | 'total';
  /** The one planted, then those that give the same amount in these rows. */
  readonly rounds: readonly string[];
}

/** A reason for a difference. */
export interface Cause {
  readonly needs?: Partial<AccountSettings>;
  /** Changes a target, and says how. Gives nothing if the account does not allow it. */
  readonly plant: (account: Account, random: Random) => Planted | undefined;
  /** Whether it may stand beside others, and how: it adds rows, leaves out all of a group, or neither. */
  readonly part?: 'adds' | 'leaves' | 'other';
}

/** Rows that no other cause uses; nothing if there are none. */
export type Choice = (draft: Draft, random: Random) => readonly Row[];

export function some(...counts: readonly number[]): Choice {
  return ({ rows, taken }, random) => {
    const count = random.pick(counts);
    const free = rows.filter(({ id }) => !taken.has(id));
    return free.length < count ? [] : random.sample(free, count);
  };
}

export function all(field: 'type' | 'state' | 'paymentType', value: string): Choice {
  return ({ rows, taken }) => {
    const found = rows.filter((row) => row[field] === value);
    return found.some(({ id }) => taken.has(id)) ? [] : found;
  };
}

/** A cause by which a header has rows so many times more, and counts them so often. */
export function ofRows(
  kind: string,
  choice: Choice,
  [times, count]: readonly [times: bigint, count: number],
  ...facts: readonly string[]
): Cause['plant'] {
  return ({ target }, random) => {
    const rows = choice(target, random);
    if (rows.length === 0) return undefined;
    addRows(target, rows, times, count);
    return { kind, rows, facts: facts.map((fact) => [fact]) };
  };
}

/** A cause in the header alone. */
export function ofHeader(
  kind: string,
  change: (header: Header, random: Random, account: Account) => void,
): Cause['plant'] {
  return (account, random) => {
    change(account.target.header, random, account);
    return { kind };
  };
}

/** Adds rows to a header so many times, counts them so often, and keeps them from other causes. */
export function addRows(
  { header, taken }: Draft,
  rows: readonly Row[],
  times: bigint,
  count: number,
): void {
  const { gross, fees, tax } = sumOf(rows);
  header.gross += gross * times;
  header.fees += fees * times;
  header.tax += tax * times;
  header.transactions += rows.length * count;
  for (const { id } of rows) taken.add(id);
}

/** Gives rows other fees, and the tax on them. */
export function chargeAgain(
  { target: { header }, settings }: Account,
  rows: readonly Row[],
  feeOf: (row: Row) => bigint,
  taxRate = settings.tax,
): void {
  for (const row of rows) {
    const fee = feeOf(row);
    header.fees += fee - row.fees;
    header.tax += rounded(shareOf(fee, taxRate), settings.round) - row.tax;
  }
}

/** So many hundredths of a percent. */
export function shareOf(amount: bigint, share: bigint): Exact {
  return { over: amount * share, under: 10_000n };
}
