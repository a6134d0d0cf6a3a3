import { ReconError } from '../base/errors.ts';
import { openOutputFile } from '../base/files.ts';
import type { Stream } from './host.ts';

/** The reader of our output has gone away: nothing is wrong, and there is nothing left to do. */
export class ClosedPipe extends Error {}

/** Where the data of a run go. Exactly one of `finish` and `abandon` ends it. */
export interface Output {
  write(text: string): Promise<void>;
  /** The data are whole. */
  finish(): Promise<void>;
  /** They are not: a file is not left behind. */
  abandon(): Promise<void>;
}

/** Standard output, or the file at `path` (`-` is standard output). */
export async function openOutput(path: string | undefined, stdout: Stream): Promise<Output> {
  if (path !== undefined && path !== '-') {
    const file = await openOutputFile(path);
    return { write: file.write, finish: file.commit, abandon: file.abort };
  }
  return {
    write: (text) => writeTo(stdout, text),
    finish: async () => {},
    abandon: async () => {},
  };
}

function writeTo(stream: Stream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (!error) resolve();
      else if ('code' in error && error.code === 'EPIPE') reject(new ClosedPipe());
      else {
        const hint = 'Free some space, or write to another place with --output.';
        const message = `Standard output can't be written: ${error.message}.`;
        reject(new ReconError('output', message, { hint, reason: error }));
      }
    });
  });
}
