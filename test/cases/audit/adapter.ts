/**
 * All that the cases know of names in the output: flags, codes, files of the monthly copy. Whoever
 * renames one of them changes this file alone.
 */
import { join } from 'node:path';
import { FakeClock } from '../../support/fake-clock.ts';
import { type RunResult, runRecon } from '../../support/run-recon.ts';

/** Four days after the last day of the base. */
export const today = Date.UTC(2026, 1, 12, 9);

/** The questions that a fault may be found by. Without names, any question will do. */
export const questions = {
  mixedVersions: ['mixed_versions'],
  missingDay: ['missing_day'],
  incompleteDay: ['incomplete_day'],
  conflictingDay: ['conflicting_day'],
  repeatedDay: ['repeated_day'],
  sums: ['sums'],
  dayCounts: ['day_counts'],
  repeatedTransaction: ['repeated_transaction'],
  repeatedSettlement: ['repeated_settlement'],
  overRefunded: ['over_refunded'],
  refundWithoutPurchase: ['refund_without_purchase'],
  missingType: ['missing_type'],
  changedAfterSettled: ['changed_after_settled'],
  neverSettled: ['never_settled'],
  silentAccount: ['silent_account'],
  any: undefined,
} as const satisfies Readonly<Record<string, readonly string[] | undefined>>;

export type Question = keyof typeof questions;

interface Finding {
  readonly code: string;
  readonly weight: string;
  readonly count: number;
  readonly message: string;
  readonly rows: readonly object[];
}

/** What an audit says. */
export interface Audited extends RunResult {
  readonly findings: readonly Finding[];
  /** The report without the folders, which differ between copies. */
  readonly report: object | undefined;
}

const clock = () => new FakeClock(today);
const refundFlags = ['--refund-types', 'refund', '--purchase-types', 'purchase'];

/** Runs `recon audit` over exports or monthly copies. */
export async function audit(
  folders: readonly string[],
  args: readonly string[] = [],
): Promise<Audited> {
  const all = ['audit', ...folders, ...refundFlags, ...args, '--format', 'json', '--threads', '1'];
  const result = await runRecon(all, { clock: clock() });
  if (!result.stdout.startsWith('{')) return { ...result, findings: [], report: undefined };
  const { folders: _, ...report } = JSON.parse(result.stdout) as Report;
  return { ...result, findings: report.findings ?? [], report };
}

interface Report {
  readonly folders?: unknown;
  readonly findings?: readonly Finding[];
}

/** Runs `recon export` with tables into a folder. */
export function exportInto(
  out: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunResult> {
  return runRecon(['export', ...args, '--out', out, '--parquet'], { clock: clock(), env });
}

/** Runs `recon export --verify`: all days of a folder. */
export function verify(folder: string): Promise<RunResult> {
  return runRecon(['export', '--verify', '--out', folder], { clock: clock() });
}

/** The arguments that write the monthly copy. */
export function lakeArgs(exports: readonly string[], out: string): readonly string[] {
  return ['lake', ...exports, '--out', out];
}

/** Runs `recon lake`. */
export function copyByMonth(exports: readonly string[], out: string): Promise<RunResult> {
  return runRecon(lakeArgs(exports, out), { clock: clock() });
}

export const tables = ['transactions', 'settlements', 'discrepancies', 'days', 'changes'] as const;
export type Table = (typeof tables)[number];

/** Exit codes of `recon lake`. */
export const exitCodes = { made: 0, refused: 2, locked: 75 } as const;

/** The index of a monthly copy. */
export const monthIndex = 'months.json';

/** A table's file of a month, as a path below the copy. */
export const monthFile = /^(?<table>[a-z]+)\/month=(?<month>\d{4}-\d\d)\/[\w.-]+\.parquet$/;

/** How a folder holds its tables: below what, which partitions, and whether `day` is in the files. */
export interface Layout {
  readonly root: string;
  readonly partition: 'day' | 'month';
}

export const layouts = {
  daily: { root: 'lake', partition: 'day' },
  monthly: { root: '', partition: 'month' },
} as const satisfies Readonly<Record<string, Layout>>;

/** The folder of a partition, which holds its one file. */
export function partitionFolder(folder: string, layout: Layout, table: Table, day: string): string {
  const key = layout.partition === 'day' ? day : day.slice(0, 7);
  return join(folder, layout.root, table, `${layout.partition}=${key}`);
}
