import { ReconError } from '../base/errors.ts';
import { isVersion } from './layout.ts';
import { parseSealed, sealedJson } from './sealed-json.ts';

/** A replacement under way: written down before the first step, removed after the last. */
export interface Intent {
  readonly day: string;
  /** The version that is to be in place. */
  readonly version: string;
  /** The version that it replaces. */
  readonly replaces: string;
  /** Whether the replaced version is kept as a superseded one. */
  readonly keepsReplaced: boolean;
  /** How many superseded versions of the day stay; null: all. */
  readonly keep: number | null;
}

const schema = 2;

export function intentText(intent: Intent): string {
  return sealedJson({ schema, ...intent });
}

/** ReconError `output` for a text that is no intent for the day, or was altered: nobody guesses one. */
export function parseIntent(text: string, path: string, ofDay: string): Intent {
  const found = parseSealed(text);
  if (found?.['schema'] === 1 || found?.['schema'] === schema) {
    const { day, version, replaces, keepsReplaced, keep } = found;
    if (
      day === ofDay &&
      isVersion(version) &&
      isVersion(replaces) &&
      typeof keepsReplaced === 'boolean' &&
      (keep === null || typeof keep === 'number')
    ) {
      return { day: ofDay, version, replaces, keepsReplaced, keep };
    }
  }
  throw new ReconError('output', 'What was to replace a day of the export is unreadable.', {
    where: path,
    hint: 'Use the recon that wrote this file, or remove it: the day is then exported again.',
  });
}
