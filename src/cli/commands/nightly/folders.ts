import { join } from 'node:path';
import { ReconError } from '../../../base/errors.ts';

/** The folder of a profile's days: the given one, or, of several, one below that bears its name. */
export function folderOf(out: string, profile: string | undefined): string {
  if (profile === undefined) return out;
  if (/^[\w-][\w .-]*$/.test(profile) && profile !== 'status.json') return join(out, profile);
  throw new ReconError('configuration', `Profile ${profile} cannot be the name of a folder.`, {
    hint: 'Rename it with letters, digits, hyphens and underscores, or run it alone with --profile.',
  });
}
