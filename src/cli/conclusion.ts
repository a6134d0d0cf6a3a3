import { exitCodes } from './exit-codes.ts';
import type { Talk } from './talk.ts';
import type { Target } from './target.ts';

/**
 * Says what a report comes to where its reader can't see it: records have no place for it, and a
 * file isn't on the screen. What is printed holds it, and so does JSON for whoever asks for that.
 */
export function sayConclusion(
  sentences: readonly string[],
  { format, path }: Pick<Target, 'format' | 'path'>,
  exitCode: number,
  talk: Talk,
): void {
  const isPrinted = format !== 'csv' && path === undefined;
  if (isPrinted || talk.isForPrograms) return;
  for (const sentence of sentences) {
    if (exitCode === exitCodes.ok) talk.say(sentence);
    else talk.warn(sentence);
  }
}
