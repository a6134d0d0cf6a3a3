import { exitCodes } from './exit-codes.ts';
import type { Talk } from './talk.ts';
import type { Target } from './target.ts';

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
  const isInData = format === 'json' || format === 'ndjson';
  const isOnScreen = format !== 'csv' && path === undefined;
  if (isInData || isOnScreen) return;
  for (const sentence of sentences) {
    if (exitCode === exitCodes.ok) talk.say(sentence);
    else talk.warn(sentence);
  }
}
