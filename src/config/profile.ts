import { shellWord } from '../base/texts.ts';
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
 * Chooses the profile: by flag, by environment, by the file's default, or because the file, which is
 * at `path`, holds no other. Of several none is guessed. ReconError where it isn't in the file.
 */
export function chooseProfile(
  flag: string | undefined,
  env: Environment,
  file: ProfileFile | undefined,
  path: string,
): ChosenProfile | undefined {
  const known = [...(file?.profiles.keys() ?? [])];
  const choices: readonly (readonly [string | undefined, Origin])[] = [
    [flag, 'flag --profile'],
    [variable(env, 'RECON_PROFILE'), 'environment RECON_PROFILE'],
    [file?.defaultProfile, `default_profile in ${path}`],
    [known.length === 1 ? known[0] : undefined, 'default'],
  ];
  for (const [name, chosenBy] of choices) {
    if (name === undefined) continue;
    const values = file?.profiles.get(name);
    if (values) return { name, values, chosenBy, origin: `profile ${name} in ${path}` };
    const hint = file
      ? `Profiles in ${path}: ${known.join(', ') || '(none)'}.`
      : `Run recon config init --profile ${shellWord(name)} to create ${path} with [profiles.${name}].`;
    throw settingFault(chosenBy, `Unknown profile ${name}.`, hint);
  }
  return undefined;
}
