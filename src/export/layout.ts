import { hash } from 'node:crypto';
import { join } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { lockName } from '../base/folder-lock.ts';
import { isObject, parseJson } from '../base/json.ts';
import { inertJson } from '../render/inert.ts';

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

export const noVersion = 'none';

/** The `number`-th superseded version of a day, from 1, the oldest. */
export function supersededPath(day: string, number: number): string {
  return join(layout.superseded, `${day}.${number}`);
}

export function intentPath(day: string): string {
  return join(layout.intents, `${day}.json`);
}

/**
 * JSON in which every altered bit is noticed: its second line is the SHA-256 of all others, as
 * `sed 2d FILE | sha256sum` gives it. A bigint becomes its digits, and received text is inert.
 */
export function jsonWithDigest(fields: object): string {
  const digits = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  const text = `${inertJson(JSON.stringify(fields, digits, 2))}\n`;
  return text.replace('{\n', `{\n  "sha256": "${hash('sha256', text)}",\n`);
}

/** The fields of such a text; undefined if it was altered. */
export function parseJsonWithDigest(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  const [line = '', digest] = /^\{\n( {2}"sha256": "([0-9a-f]{64})",\n)/.exec(text)?.slice(1) ?? [];
  const isUnchanged = digest === hash('sha256', text.replace(line, ''));
  return isObject(value) && isUnchanged ? value : undefined;
}

/** A file of an export is not what was written. `problem` is a sentence. */
export function damagedFile(path: string, problem: string, reason?: unknown): ReconError {
  return new ReconError('damaged', `The export is damaged: ${path}. ${problem}`, {
    where: path,
    hint: 'Restore the file, or move the folder of that day away and export the day again.',
    endsRun: true,
    reason,
  });
}
