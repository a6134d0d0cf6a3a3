import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../cli/temporary.ts';
import { type RunResult, runRecon } from '../support/run-recon.ts';

/** The JSON of `recon bank`, as far as tests look at it. */
export interface BankReport {
  readonly verdict: string;
  readonly repeatedEntries: number;
  readonly matches: readonly BankMatch[];
  readonly statements: readonly BankStatement[];
  readonly statementFindings: readonly BankFinding[];
}

interface BankMatch {
  readonly state: string;
  readonly matchedBy: string | null;
  readonly received: { readonly amount: string } | null;
  readonly settlements: readonly { readonly id: string }[];
  readonly entries: readonly ListedEntry[];
}

export interface ListedEntry {
  readonly account: string;
  readonly currency: string;
  readonly date: string | null;
  readonly valueDate: string | null;
  readonly status: string;
  readonly amount: { readonly amount: string };
  readonly texts: readonly string[];
  readonly endToEndIds: readonly string[];
  readonly file: string;
  readonly line: number;
}

export interface BankStatement {
  readonly account: string;
  readonly currency: string;
  readonly number: string;
  readonly from: string;
  readonly to: string;
  readonly entries: number;
  readonly file: string;
  readonly line: number;
  readonly checked?: boolean;
  readonly not_checked_because?: string | null;
  readonly notCheckedBecause?: string | null;
}

interface BankFinding {
  readonly code: string;
  readonly element: string;
  readonly found: string;
  readonly difference: { readonly amount: string } | null;
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export interface BankRun extends RunResult {
  /** Nothing in it where the run printed no JSON. */
  readonly report: BankReport;
  /** Day, amount and currency of every booked entry; sorted. */
  readonly money: readonly string[];
  /** The codes of what is wrong with the statements; sorted. */
  readonly codes: readonly string[];
}

export interface Asked {
  readonly args?: readonly string[];
  /** How the bank writes CSV. */
  readonly csv?: Readonly<Record<string, unknown>>;
  /** What the sandbox holds; nothing by default, so that every entry is listed as unknown. */
  readonly scenario?: string;
}

export type Files = Readonly<Record<string, string | Uint8Array>>;

const nothing: BankReport = {
  verdict: 'none',
  repeatedEntries: 0,
  matches: [],
  statements: [],
  statementFindings: [],
};

/** Writes files to a folder that is gone when the test ends. */
export async function folderOf(files: Files): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  return folder;
}

/** Runs `recon bank` over files, in this order, and reads its JSON. */
export async function bankOf(files: Files, asked: Asked = {}): Promise<BankRun> {
  const folder = await folderOf(files);
  return bankOver(
    Object.keys(files).map((name) => join(folder, name)),
    asked,
  );
}

/** Runs `recon bank` over a folder of files, and reads its JSON. */
export async function bankOfFolder(files: Files, asked: Asked = {}): Promise<BankRun> {
  return bankOver([await folderOf(files)], asked);
}

async function bankOver(paths: readonly string[], asked: Asked): Promise<BankRun> {
  const result = await runBank(paths, [...(asked.args ?? []), '--format', 'json'], asked);
  const isJson = result.stdout.startsWith('{');
  const report = isJson ? (JSON.parse(result.stdout) as BankReport) : nothing;
  return {
    ...result,
    report,
    money: moneyOf(entriesOf(report)),
    codes: report.statementFindings.map(({ code }) => code).sort(),
  };
}

/** Runs `recon bank` over paths as it is asked to. */
export async function runBank(
  paths: readonly string[],
  args: readonly string[],
  { csv, scenario = 'empty' }: Asked = {},
): Promise<RunResult> {
  const config = csv ? ['--config', await profileWith(csv)] : [];
  return runRecon(['bank', ...paths, '--sandbox', '--scenario', scenario, ...config, ...args]);
}

/** A configuration file with a mapping of CSV. Its values are written in TOML as in JSON. */
async function profileWith(csv: Readonly<Record<string, unknown>>): Promise<string> {
  const path = join(await temporaryFolder(), 'config.toml');
  const keys = Object.entries(csv).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  await writeFile(path, ['[profiles.bank.bank_csv]', ...keys, ''].join('\n'), { mode: 0o600 });
  return path;
}

/** All entries that a report lists, each once. */
export function entriesOf({ matches }: BankReport): readonly ListedEntry[] {
  return matches.flatMap(({ entries }) => entries);
}

/** Day, amount and currency of booked entries; sorted. One without a day is not booked. */
function moneyOf(entries: readonly ListedEntry[]): readonly string[] {
  return entries
    .filter(({ status, date }) => status === 'booked' && date)
    .map(({ date, amount, currency }) => `${date} ${amount.amount} ${currency}`)
    .sort();
}

/** Why a statement is not checked, under either way of writing the name. */
export function whyNotChecked(statement: BankStatement): string | null | undefined {
  return statement.not_checked_because ?? statement.notCheckedBecause ?? null;
}

/** Whether something is said of a file: a finding, or that it was not read. */
export function isNamed(run: BankRun, name: string): boolean {
  const isFound = run.report.statementFindings.some(({ file }) => file.includes(name));
  return isFound || run.stderr.includes(name);
}

/** Money that a report lists from a file. */
export function moneyFrom(run: BankRun, name: string): readonly string[] {
  return moneyOf(entriesOf(run.report).filter(({ file }) => file.includes(name)));
}
