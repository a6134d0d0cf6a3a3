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
} from './given.ts';
import { type ProfileFile, type ProfileValues, parseProfileFile } from './profile-file.ts';
import { secretKeys } from './table.ts';

export interface ConfigPlace {
  readonly path: string;
  readonly origin: Origin;
}

/** The path of the configuration file, and its origin. */
export function configPlace(flag: string | undefined, env: Environment, home: string): ConfigPlace {
  if (flag !== undefined) return { path: flag, origin: 'flag --config' };
  const named = variable(env, 'RECON_CONFIG');
  if (named) return { path: named, origin: 'environment RECON_CONFIG' };
  const folder = xdgFolder(env, 'XDG_CONFIG_HOME', join(home, '.config'));
  return { path: join(folder, 'recon', 'config.toml'), origin: 'default' };
}

/** The folder for state between runs. */
export function stateFolder(env: Environment, home: string): string {
  return xdgFolder(env, 'XDG_STATE_HOME', join(home, '.local', 'state'));
}

function xdgFolder(
  env: Environment,
  name: 'XDG_CONFIG_HOME' | 'XDG_STATE_HOME',
  fallback: string,
): string {
  const folder = variable(env, name);
  // The XDG specification ignores relative paths.
  return folder && isAbsolute(folder) ? folder : fallback;
}

/** Reads the configuration file; the default one may be missing. `uid` is undefined if the system has none. */
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

/** Others could read a secret, redirect requests, or run a command. */
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

/** The profile in use, or the stored settings of an export. */
export interface ChosenProfile {
  readonly name: string | undefined;
  readonly values: ProfileValues;
  /** Of its settings. */
  readonly origin: ProfileOrigin;
  /** Of the choice. */
  readonly chosenBy: Origin;
}

/**
 * Chooses the profile by flag, environment, default, or because it is the only one. ReconError if it is
 * unknown.
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
