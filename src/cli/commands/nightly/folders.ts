import { join } from 'node:path';
import { ReconError } from '../../../base/errors.ts';
import { layout } from '../../../export/layout.ts';

/** The folder of a profile's days: the given one, or, of several, one below that bears its name. */
export function folderOf(out: string, profile: string | undefined): string {
  return profile === undefined ? out : join(out, profile);
}

/** Refuses a profile whose name can't be that of a folder beside those of others. */
export function checkFolderName(profile: string | undefined): void {
  const isName = profile === undefined || /^[\w-][\w .-]*$/.test(profile);
  if (isName && profile !== layout.status) return;
  throw new ReconError('configuration', 'This profile has a name that a folder cannot have.', {
    where: `profile ${profile}`,
    hint: 'Rename it with letters, digits, hyphens and underscores, or run it alone with --profile.',
  });
}
