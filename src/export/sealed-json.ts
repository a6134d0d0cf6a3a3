import { hash } from 'node:crypto';
import { ReconError } from '../base/errors.ts';
import { isObject, parseJson } from '../base/json.ts';

/**
 * JSON that shows when one bit of it has changed: its second line is the SHA-256 of all the others,
 * as `sed 2d FILE | sha256sum` gives it.
 */
export function sealedJson(fields: object): string {
  const text = `${JSON.stringify(fields, null, 2)}\n`;
  return text.replace('{\n', `{\n  "sha256": "${hash('sha256', text)}",\n`);
}

/**
 * The fields of such a text; undefined where it isn't what was written. The first schema of each
 * file bore no digest: it is taken as it comes.
 */
export function parseSealed(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  const [seal = '', digest] = /^\{\n( {2}"sha256": "([0-9a-f]{64})",\n)/.exec(text)?.slice(1) ?? [];
  const isSealed = digest === hash('sha256', text.replace(seal, ''));
  return isObject(value) && (isSealed || value['schema'] === 1) ? value : undefined;
}

/** What is said of a file whose bytes are others. */
export const changedSince = 'It has changed since it was written.';

/** Says that a file of an export is not what was written then. `what` is a sentence. */
export function damaged(path: string, what: string, reason?: unknown): ReconError {
  return new ReconError('damaged', `The export is damaged: ${path}. ${what}`, {
    where: path,
    hint: 'Restore the file, or move the folder of that day away and export the day again.',
    endsRun: true,
    reason,
  });
}
