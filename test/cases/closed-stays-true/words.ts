/**
 * All names that the cases know of commands: flags, fields, words of sentences. The readings beside
 * them are in README.md.
 */
import type { RunResult } from '../../support/run-recon.ts';
import type { Company } from './company.ts';

const name = 'Ada';

/** Continues the register of bookings. */
export const booked = (company: Company): readonly string[] => [
  '--booked',
  company.file('booked.csv'),
];

/** Writes a journal of a month into a file, as a batch. */
export function journal(
  company: Company,
  month: string,
  output: string,
  ...more: readonly string[]
): Promise<RunResult> {
  return company.run(
    ...['journal', '--month', month, '--for', 'hledger', '--bank', ...booked(company)],
    ...['--output', company.file(output), ...more],
  );
}

/** Records a close. */
export const recording: readonly string[] = ['--record', '--by', name];

export const forcing: readonly string[] = [...recording, '--force', '--note', 'known to the judge'];

export const newRegister = '--new-register';

interface Money {
  readonly minor: string;
}

type Figures = Readonly<Record<string, bigint>>;

/** What a close says, in minor units, with nothing that it does not say. */
export interface Close extends RunResult {
  readonly verdict: string;
  /** By name of the token and currency, as `Web shop EUR`; money of no token as ` EUR`. */
  readonly lines: Readonly<Record<string, Figures>>;
  /** By currency. */
  readonly totals: Readonly<Record<string, Figures>>;
  readonly changes: readonly Change[];
  readonly blockers: readonly Blocker[];
  /** By currency: `closing`, `items`, `inTransit`, `suspense`. */
  readonly checks: Readonly<Record<string, Figures>>;
  /** By account. */
  readonly bridge: Readonly<Record<string, Figures>>;
}

interface Change {
  readonly id: string;
  readonly reason: string;
  readonly token: string;
  readonly currency: string;
  readonly figures: Figures;
}

interface Blocker {
  readonly code: string;
  readonly forceable: boolean;
  readonly count: number;
  readonly amounts: readonly unknown[];
}

interface Named {
  readonly accountingName: string | null;
  readonly currency: string;
}

interface CloseJson {
  readonly verdict: string;
  readonly lines: readonly Named[];
  readonly totals: readonly Named[];
  readonly changes: readonly (Named & {
    readonly reason: string;
    readonly settlements: readonly { readonly id: string }[];
  })[];
  readonly blockers: readonly Blocker[];
  readonly checks: readonly Named[];
  readonly bridge: readonly (Named & { readonly account: string })[];
}

/** All amounts of an object, by the names of their fields. */
export function figuresOf(from: object): Figures {
  return Object.fromEntries(
    Object.entries(from).flatMap(([key, value]: [string, Money | null]) =>
      value !== null && typeof value === 'object' && 'minor' in value
        ? [[key, BigInt(value.minor)]]
        : [],
    ),
  );
}

/** Reads `recon close --format json`. */
export function closeOf(result: RunResult): Close {
  if (!result.stdout.startsWith('{')) throw new Error(`${result.stdout}${result.stderr}`);
  const json = JSON.parse(result.stdout) as CloseJson;
  const by = <One extends object>(list: readonly One[], key: (one: One) => string) =>
    Object.fromEntries(list.map((one) => [key(one), figuresOf(one)]));
  return {
    ...result,
    verdict: json.verdict,
    blockers: json.blockers,
    lines: by(json.lines, (one) => `${one.accountingName ?? ''} ${one.currency}`),
    totals: by(json.totals, ({ currency }) => currency),
    checks: by(json.checks, ({ currency }) => currency),
    bridge: by(json.bridge, ({ account }) => account),
    changes: json.changes.map((one) => ({
      id: one.settlements.map(({ id }) => id).join(' '),
      reason: one.reason,
      token: one.accountingName ?? '',
      currency: one.currency,
      figures: figuresOf(one),
    })),
  };
}

/** What a close of a month says as JSON, with the register of bookings. */
export async function close(
  company: Company,
  month: string,
  ...more: readonly string[]
): Promise<Close> {
  const { run } = company;
  return closeOf(
    await run('close', '--month', month, ...booked(company), '--format', 'json', ...more),
  );
}

/** All that a run says, as one line: how a sentence is broken is not judged. */
export const said = ({ stdout, stderr }: RunResult): string =>
  `${stdout}\n${stderr}`.replace(/\s+/g, ' ');

/** The codes of what stands against a close. */
export const codes = ({ blockers }: Close): readonly string[] => blockers.map(({ code }) => code);

/** How many entries a batch has, as the run says it: `Batch 3: 3 entries (1 reversal).` */
export function entriesOf(result: RunResult): number {
  return Number(/Batch \d+: (\d+) entr/.exec(said(result))?.[1] ?? 0);
}

/** That changes since a close are told. */
export const since = {
  restated: /1 settlement changed/,
  gone: /1 settlement no longer listed/,
  nothing: /nothing has changed/,
  toBePosted: /to be posted on 2026-04-01/,
  posted: /(?<!be )posted on 2026-04-01/,
} as const;

/** Decisions on a pay-out that settles otherwise. */
export const decide = {
  settledWith: (other: string) => ['--settled-with', other, '--by', name],
  writtenOff: (note: string) => ['--written-off', '--by', name, '--note', note],
} as const;

/** The account of what is written off: its purpose, as the table of books has it. */
export const writtenOff = 'written_off = "expenses:written off"';
