import { hash } from 'node:crypto';
import { ReconError } from '../base/errors.ts';
import { isObject, parseJson } from '../base/json.ts';

/**
 * JSON in which every altered bit is noticed: its second line is the SHA-256 of all others, as
 * `sed 2d FILE | sha256sum` gives it. The fields need a `schema` of 2 or more; a bigint becomes its digits.
 */
export function jsonWithDigest(fields: object): string {
  const digits = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  const text = `${JSON.stringify(fields, digits, 2)}\n`;
  return text.replace('{\n', `{\n  "sha256": "${hash('sha256', text)}",\n`);
}

/**
 * The fields of such a text; undefined if it was altered. A text with schema 1 is not checked: the first
 * versions of `recon` wrote no digests.
 */
export function parseJsonWithDigest(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  const [line = '', digest] = /^\{\n( {2}"sha256": "([0-9a-f]{64})",\n)/.exec(text)?.slice(1) ?? [];
  const isUnchanged = digest === hash('sha256', text.replace(line, ''));
  return isObject(value) && (isUnchanged || value['schema'] === 1) ? value : undefined;
}

export const changedSentence = 'It has changed since it was written.';

/** A file of an export is not what was written. `problem` is a sentence. */
export function damagedFile(path: string, problem: string, reason?: unknown): ReconError {
  return new ReconError('damaged', `The export is damaged: ${path}. ${problem}`, {
    where: path,
    hint: 'Restore the file, or move the folder of that day away and export the day again.',
    endsRun: true,
    reason,
  });
}
