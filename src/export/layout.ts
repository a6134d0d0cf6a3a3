import { join } from 'node:path';
import { lockName } from '../base/folder-lock.ts';

/** Names in the folder of an export, beside those of days. All paths here are relative to it. */
export const layout = {
  scope: 'export.json',
  lock: lockName,
  building: '.building',
  intents: '.intents',
  superseded: '.superseded',
  nightly: 'nightly.json',
  status: 'status.json',
} as const;

/** The name under which a damaged file is kept: the `number`-th one, from 1. */
export const damagedName = (name: string, number: number): string =>
  `${name}.damaged${number > 1 ? `.${number}` : ''}`;

export const nameBeforeDamage = (name: string): string => name.replace(/\.damaged(\.\d+)?$/, '');

/** The file that says what a day's folder contains; its SHA-256 identifies the version. */
export const manifestName = 'manifest.json';

/** The file of what the service listed on a day, line by line. */
export const sourceName = 'source.ndjson.gz';

/** The CSV files of a day; the last one only if the service has restated the day. */
export const csvNames = {
  transactions: 'transactions.csv',
  settlements: 'settlements.csv',
  groups: 'groups.csv',
  discrepancies: 'discrepancies.csv',
  changes: 'changes.csv',
} as const;

/** The version of a folder without a manifest. */
export const noVersion = 'none';

/** The `number`-th superseded version of a day, from 1, the oldest. */
export function supersededPath(day: string, number: number): string {
  return join(layout.superseded, `${day}.${number}`);
}

export function intentPath(day: string): string {
  return join(layout.intents, `${day}.json`);
}
