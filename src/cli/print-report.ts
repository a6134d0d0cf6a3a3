import type { Source } from '../model/source.ts';
import { unusualAnswers } from '../reconcile/reconcile-run.ts';
import { renderers } from '../render/index.ts';
import type { Views } from '../report/common/view.ts';
import { sentenceOfItsOwn } from '../report/common/words.ts';
import type { Host } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import type { Messages } from './messages.ts';
import { withOutput, writeAll } from './output.ts';
import type { Target } from './target.ts';

/** Prints a report where it is to go and in the form that is asked for. */
export function printReport(
  { format, path, options }: Target,
  views: Views,
  { stdout }: Pick<Host, 'stdout'>,
): Promise<void> {
  return withOutput(path, stdout, (write) =>
    writeAll(write, renderers[format].report(views, options)),
  );
}

/**
 * Says what a report comes to where its reader can't see it: records have no place for it, and a
 * file isn't on the screen. What is printed holds it, and so does JSON for whoever asks for that.
 */
export function sayConclusion(
  sentences: readonly string[],
  { format, path }: Pick<Target, 'format' | 'path'>,
  exitCode: number,
  messages: Messages,
): void {
  const isPrinted = format !== 'csv' && path === undefined;
  if (isPrinted || messages.isForPrograms) return;
  for (const sentence of sentences) {
    if (exitCode === exitCodes.ok) messages.say(sentence);
    else messages.warn(sentence);
  }
}

/** Says what the service answered otherwise than its document shows, where no report holds it. */
export function sayOddAnswers(source: Source, messages: Messages): void {
  const entries = unusualAnswers(source.oddAnswers?.());
  for (const entry of entries) messages.say(sentenceOfItsOwn(entry));
}
