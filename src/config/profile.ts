import { shellWord } from '../base/shell-word.ts';
import {
  type Environment,
  type Origin,
  type ProfileOrigin,
  settingFault,
  variable,
} from './origin.ts';
import type { ProfileFile, ProfileValues } from './profile-file.ts';

/** The profile in use, or what an export that is read again was made by. */
export interface ChosenProfile {
  readonly name: string | undefined;
  readonly values: ProfileValues;
  /** Of the settings in it. */
  readonly origin: ProfileOrigin;
  /** Of its choice. */
  readonly chosenBy: Origin;
}

/**
 * Chooses the profile: by flag, by environment, by the file's default, or because the file holds no
 * other. Of several none is guessed.
 */
export function chooseProfile(
  flag: string | undefined,
  env: Environment,
  file: ProfileFile | undefined,
  path: string,
): ChosenProfile | undefined {
  const known = [...(file?.profiles.keys() ?? [])];
  const choice = findChoice(flag, env, file?.defaultProfile, known, path);
  if (!choice) return undefined;
  const { name, chosenBy } = choice;
  const values = file?.profiles.get(name);
  if (values) return { name, values, chosenBy, origin: `profile ${name} in ${path}` };
  const hint = file
    ? `The profiles in ${path} are: ${known.join(', ') || '(none)'}.`
    : `Run recon config init --profile ${shellWord(name)}: it writes [profiles.${name}] in ${path}, which does not exist yet.`;
  throw settingFault(chosenBy, `There is no profile ${name}.`, hint);
}

function findChoice(
  flag: string | undefined,
  env: Environment,
  defaultProfile: string | undefined,
  known: readonly string[],
  path: string,
): { readonly name: string; readonly chosenBy: Origin } | undefined {
  if (flag !== undefined) return { name: flag, chosenBy: 'flag --profile' };
  const named = variable(env, 'RECON_PROFILE');
  if (named) return { name: named, chosenBy: 'environment RECON_PROFILE' };
  if (defaultProfile) return { name: defaultProfile, chosenBy: `default_profile in ${path}` };
  const [only, ...others] = known;
  if (only === undefined || others.length > 0) return undefined;
  return { name: only, chosenBy: 'default' };
}
