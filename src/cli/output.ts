import { ReconError } from '../base/errors.ts';
import { openOutputFile } from '../base/files.ts';
import type { Stream } from './context.ts';

/** The reader of our output has gone away: nothing is wrong, and there is nothing left to do. */
export class ClosedPipe extends Error {}

/** Writes the next piece of the data. */
export type Write = (piece: string | Uint8Array) => Promise<void>;

/**
 * Gives `work` a way to write to standard output, or to the file at `path` (`-` is standard
 * output). A file is there once `work` has ended well, and not at all where it failed.
 */
export async function withOutput<Result>(
  path: string | undefined,
  stdout: Stream,
  work: (write: Write) => Promise<Result>,
): Promise<Result> {
  if (path === undefined || path === '-') return work((piece) => print(stdout, piece));
  const file = await openOutputFile(path);
  try {
    const result = await work(file.write);
    await file.commit();
    return result;
  } catch (error) {
    await file.abort();
    throw error;
  }
}

/** Writes pieces one after the other. */
export async function writeAll(write: Write, texts: Iterable<string>): Promise<void> {
  for (const text of texts) await write(text);
}

/** Writes a piece to standard output, whole. Throws ClosedPipe where nobody reads it any more. */
export function print(stdout: Stream, piece: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(piece, (error) => {
      if (!error) resolve();
      else if ('code' in error && error.code === 'EPIPE') reject(new ClosedPipe());
      else {
        const hint = 'Free some space, or use --output to write to another place.';
        const message = `Standard output cannot be written: ${error.message}.`;
        reject(new ReconError('output', message, { hint, reason: error }));
      }
    });
  });
}
