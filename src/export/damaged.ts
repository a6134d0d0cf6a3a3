import { ReconError } from '../base/errors.ts';

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
