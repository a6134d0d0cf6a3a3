import type { Format } from '../render/formats.ts';
import { exitCodes } from './exit-codes.ts';
import type { Talk } from './talk.ts';
import type { Target } from './target.ts';

/** Whether data of this format say themselves what they come to: then nothing is said beside them. */
export function isInData(format: Format): boolean {
  return format === 'json' || format === 'ndjson';
}

/**
 * Says what a report comes to where its reader can't see it: records have no place for it, and a
 * file isn't on the screen. JSON holds it, and so does what is printed.
 */
export function sayConclusion(
  sentences: readonly string[],
  { format, path }: Pick<Target, 'format' | 'path'>,
  exitCode: number,
  talk: Talk,
): void {
  const isOnScreen = format !== 'csv' && path === undefined;
  if (isInData(format) || isOnScreen) return;
  for (const sentence of sentences) {
    if (exitCode === exitCodes.ok) talk.say(sentence);
    else talk.warn(sentence);
  }
}
