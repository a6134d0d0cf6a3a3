import { dirname, resolve } from 'node:path';
import { readTextFile } from '../base/files.ts';
import { runCommand } from '../base/run-command.ts';
import { Secret } from '../base/secrets.ts';
import { shellWord } from '../base/texts.ts';
import type { ChosenProfile } from './config-file.ts';
import { type Environment, type Origin, settingFault, variable } from './origin.ts';
import {
  isSecretKey,
  type SettingFlags,
  type SettingKey,
  type SettingValues,
  settingTable,
} from './table.ts';

/** Where settings are looked for. */
export interface SettingPlaces {
  readonly flags: SettingFlags;
  readonly env: Environment;
  readonly profile: ChosenProfile | undefined;
  /** The configuration file. Relative paths in a profile start at its folder. */
  readonly path: string;
}

/** The environment variable of a setting. */
export function variableOf(key: SettingKey): string {
  return `RECON_${key.toUpperCase()}`;
}

/**
 * Finds a setting: flag before environment before profile before default. Reads no file and runs no
 * command; the value that is found does that when it is read.
 */
export function findSetting(key: SettingKey, places: SettingPlaces): Found | undefined {
  const { flag, default: text, sameAs } = settingTable[key];
  const written = flag && places.flags[flag];
  if (written !== undefined) {
    return { origin: `flag --${key.replaceAll('_', '-')}`, read: async () => String(written) };
  }
  const found = findInEnvironment(places.env, variableOf(key)) ?? findInProfile(key, places);
  if (found) return found;
  if (text !== undefined) return { origin: 'default', read: async () => text };
  const other = sameAs && findSetting(sameAs, places);
  return other && { ...other, origin: 'default' };
}

function findInProfile(key: SettingKey, { profile, env, path }: SettingPlaces): Found | undefined {
  if (!profile) return undefined;
  const { values, origin } = profile;
  const inFolder = (file: string) => resolve(dirname(path), file);
  const value = values[key];
  if (value instanceof Secret) return { origin, read: async () => value.reveal() };
  if (value !== undefined) {
    const text = settingTable[key].form === 'path' ? inFolder(value) : value;
    return { origin, read: async () => text };
  }
  if (!isSecretKey(key)) return undefined;
  const { [`${key}_file` as const]: file, [`${key}_command` as const]: command } = values;
  if (typeof file === 'string')
    return inFile(inFolder(file), `${key}_file`, `${origin} (${key}_file)`);
  if (typeof command !== 'string') return undefined;
  const where: Origin = `${origin} (${key}_command)`;
  return { origin: where, read: (signal) => runCommand(command, { env, where, signal }) };
}

/**
 * What a setting is, read and understood; `undefined` where it isn't set. `signal` ends a command that
 * knows it; `warn` hears, of a secret, that others can read it. Throws ReconError.
 */
export async function readSetting<Key extends SettingKey>(
  key: Key,
  places: SettingPlaces,
  signal?: AbortSignal,
  warn?: Warn,
): Promise<SettingValues[Key] | undefined> {
  const found = findSetting(key, places);
  if (!found) return undefined;
  const text = await found.read(signal, isSecretKey(key) ? warn : undefined);
  return settingTable[key].parse({ key, text, origin: found.origin });
}

/** Hears what is wrong with a setting though it is taken, in sentences. */
export type Warn = (sentence: string) => void;

/** A setting that was found, and how to get at its value. */
export interface Found {
  readonly origin: Origin;
  /** `signal` ends a command that knows the value; `warn` hears that others can read its file. */
  read(signal?: AbortSignal, warn?: Warn): Promise<string>;
}

/** Finds a setting in the variable `name`, or in the file that `name_FILE` points to. */
export function findInEnvironment(env: Environment, name: string): Found | undefined {
  const fileName = `${name}_FILE`;
  const value = variable(env, name);
  const path = variable(env, fileName);
  if (value && path) {
    const hint = 'Unset one of them.';
    throw settingFault(`environment ${name}`, `Both ${name} and ${fileName} are set.`, hint);
  }
  if (value) return { origin: `environment ${name}`, read: async () => value };
  return path ? inFile(path, fileName, `environment ${fileName} (${path})`) : undefined;
}

const writableByOthers = 0o022;
const readableByAll = 0o004;

/**
 * A setting in a file of its own, which the setting `name` names. Containers mount their secrets readable
 * by all, and as files of any user: neither is refused. Who changes a file has the run believe another
 * service, or the service another user.
 */
function inFile(path: string, name: string, origin: Origin): Found {
  return {
    origin,
    read: async (_, warn) => {
      const file = await readTextFile(path);
      if (file && (file.mode & writableByOthers) !== 0) {
        const hint = `Run: chmod go-w ${shellWord(path)}`;
        throw settingFault(origin, `The file ${path} is writable by others.`, hint);
      }
      const value = file?.text.replace(/\r?\n$/, '');
      if (!file || !value) {
        const message = file ? `The file ${path} is empty.` : `File not found: ${path}.`;
        throw settingFault(origin, message, 'Write the value to that file, or name another.');
      }
      if ((file.mode & readableByAll) !== 0) {
        const mend = `chmod 600 ${shellWord(path)}`;
        warn?.(`The file in ${name} is readable by all users of this machine. Run: ${mend}`);
      }
      return value;
    },
  };
}
