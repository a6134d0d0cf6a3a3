import { writeOutputFile } from '../base/files.ts';
import type { Source } from '../model/source.ts';
import { unusualAnswers } from '../reconcile/reconcile-run.ts';
import { renderers } from '../render/index.ts';
import type { Views } from '../report/common/view.ts';
import { sentenceOfItsOwn } from '../report/common/words.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { print } from './host.ts';
import type { Messages } from './messages.ts';
import type { Target } from './target.ts';

type Said = Pick<Context, 'host' | 'messages'>;

/** Writes the next piece of the data. */
export type Write = (piece: string | Uint8Array) => Promise<void>;

/**
 * Gives `work` a way to write to standard output, or to the file of the target. A file is there once
 * `work` has ended well, and not at all where it failed.
 */
export async function withOutput<Result>(
  { path }: Pick<Target, 'path'>,
  { host, messages }: Said,
  work: (write: Write) => Promise<Result>,
): Promise<Result> {
  if (path === undefined) return work((piece) => print(host, piece));
  const result = await writeOutputFile(path, work);
  if (host.stderr.isTTY) messages.say(`Written: ${path}`);
  return result;
}

/** Writes a report in the form that is asked for. */
export async function writeReport(
  write: Write,
  views: Views,
  { format, options }: Target,
): Promise<void> {
  for await (const piece of renderers[format].report(views, options)) await write(piece);
}

/** Prints a report where it is to go, and says what it comes to where its reader can't see it. */
export async function printReport(
  target: Target,
  views: Views,
  context: Said,
  conclusion: readonly string[] = [],
  exitCode: number = exitCodes.ok,
): Promise<void> {
  await withOutput(target, context, (write) => writeReport(write, views, target));
  sayConclusion(conclusion, target, exitCode, context.messages);
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
