import { isAbsolute, join } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { isOpenToOthers, readTextFile, type TextFile } from '../base/files.ts';
import { shellWord } from '../base/texts.ts';
import {
  type Environment,
  type Origin,
  type ProfileOrigin,
  settingFault,
  variable,
} from './origin.ts';
import { type ProfileFile, type ProfileValues, parseProfileFile } from './profile-file.ts';
import { secretKeys } from './table.ts';

/** The place of the configuration file, and who says so. */
export interface ConfigPlace {
  readonly path: string;
  readonly origin: Origin;
}

/** Where the configuration file is, or would be. */
export function configPlace(flag: string | undefined, env: Environment, home: string): ConfigPlace {
  if (flag !== undefined) return { path: flag, origin: 'flag --config' };
  const named = variable(env, 'RECON_CONFIG');
  if (named) return { path: named, origin: 'environment RECON_CONFIG' };
  const folder = xdgFolder(env, 'XDG_CONFIG_HOME', join(home, '.config'));
  return { path: join(folder, 'recon', 'config.toml'), origin: 'default' };
}

/** Where programs keep what they have to remember. */
export function stateFolder(env: Environment, home: string): string {
  return xdgFolder(env, 'XDG_STATE_HOME', join(home, '.local', 'state'));
}

/** A folder that an XDG variable names, or else `fallback`. */
function xdgFolder(
  env: Environment,
  name: 'XDG_CONFIG_HOME' | 'XDG_STATE_HOME',
  fallback: string,
): string {
  const folder = variable(env, name);
  // The specification has relative paths ignored.
  return folder && isAbsolute(folder) ? folder : fallback;
}

/**
 * Reads the configuration file. One that somebody named must be there, the default one may be
 * absent. `uid` is the user's number, `undefined` on systems without file permissions of that kind.
 */
export async function readConfigFile(
  { path, origin }: ConfigPlace,
  uid: number | undefined,
): Promise<ProfileFile | undefined> {
  const file = await readTextFile(path);
  if (!file && origin === 'default') return undefined;
  if (!file) {
    const hint = `Name an existing file, leave it out to use the default file, or run: recon config init --config ${shellWord(path)}`;
    throw settingFault(origin, `Configuration file not found: ${path}.`, hint);
  }
  const parsed = parseProfileFile(file.text, path);
  if (uid !== undefined) refuseExposed(parsed, file, path, uid);
  return parsed;
}

/** Who reads a secret can use it; who changes the file has it sent elsewhere, or runs a command as somebody else. */
function refuseExposed(parsed: ProfileFile, file: TextFile, path: string, uid: number): void {
  const profiles = [...parsed.profiles.values()];
  const refuse = (message: string) => {
    const isForeign = file.owner !== uid && file.owner !== 0;
    const name = shellWord(path);
    const mend = isForeign ? `chown ${uid} ${name} && chmod 600 ${name}` : `chmod 600 ${name}`;
    throw new ReconError('configuration', message, { where: path, hint: `Run: ${mend}` });
  };
  if (isOpenToOthers(file, 'write', uid)) refuse('The configuration file is writable by others.');
  for (const key of secretKeys) {
    if (profiles.some((profile) => profile[key]) && isOpenToOthers(file, 'read', uid)) {
      refuse(`The configuration file contains a ${key} and is readable by others.`);
    }
  }
}

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
    const isList = name === flag && name.split(',').every((one) => known.includes(one.trim()));
    const several = 'Name one: only recon settlements and recon nightly take several. ';
    const hint = file
      ? `${isList ? several : ''}Profiles in ${path}: ${known.join(', ') || '(none)'}.`
      : `Run recon config init --profile ${shellWord(name)} to create ${path} with [profiles.${name}].`;
    throw settingFault(chosenBy, `Unknown profile ${name}.`, hint);
  }
  return undefined;
}
