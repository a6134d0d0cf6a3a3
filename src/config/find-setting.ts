import { dirname, join, resolve } from 'node:path';
import { readTextFile } from '../base/files.ts';
import { runCommand } from '../base/run-command.ts';
import { Secret } from '../base/secrets.ts';
import { shellWord } from '../base/texts.ts';
import { type ChosenProfile, stateFolder } from './config-file.ts';
import { type Environment, type Origin, settingFault, variable } from './given.ts';
import { isSecretKey, type SettingFlags, type SettingKey, settingTable } from './table.ts';

export interface SettingPlaces {
  readonly flags: SettingFlags;
  readonly env: Environment;
  readonly profile: ChosenProfile | undefined;
  readonly path: string;
}

/** The environment variable of a setting. */
export function variableOf(key: SettingKey): string {
  return `RECON_${key.toUpperCase()}`;
}

/** Finds a setting by flag, environment, profile, default, without reading files or running commands. */
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
  const { form } = settingTable[key];
  const named = form === 'holidays' ? value?.match(/^file (.+)$/)?.[1] : undefined;
  if (named !== undefined) return inFile(inFolder(named), key, origin);
  if (value !== undefined) {
    const text = form === 'path' ? inFolder(value) : value;
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

/** Hears of problems that do not end the run, in sentences. */
export type Warn = (sentence: string) => void;

export interface Found {
  readonly origin: Origin;
  read(signal?: AbortSignal, warn?: Warn): Promise<string>;
}

function findInEnvironment(env: Environment, name: string): Found | undefined {
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
 * A setting in a file. Containers mount secrets readable by all and owned by anyone, so neither is
 * refused; files that others can change are.
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

export const defaultPath = '/hook';

/** The path of the address, and the folder of the journal, of which each `owner` has its own. Throws ReconError. */
export async function readListenSettings(
  flags: { readonly path?: string | undefined; readonly journal?: string | undefined },
  env: Environment,
  home: string,
  owner: string,
  warn: Warn,
) {
  const found = findInEnvironment(env, 'RECON_LISTEN_PATH');
  const path = flags.path ?? (await found?.read(undefined, warn)) ?? defaultPath;
  if (!/^\/[\w.~/-]*$/.test(path)) {
    const origin = flags.path === undefined && found ? found.origin : 'flag --path';
    const hint = 'Start it with / and use only letters, digits and the characters - _ . ~ /';
    throw settingFault(origin, 'Invalid path.', hint);
  }
  const given = flags.journal ?? variable(env, 'RECON_JOURNAL');
  const journal =
    given || join(stateFolder(env, home), 'recon', 'webhooks', encodeURIComponent(owner));
  return { path, journal };
}
