import { isAbsolute } from 'node:path';
import { readTextFile } from '../base/files.ts';
import { shellWord } from '../base/texts.ts';
import { type Environment, type Origin, settingFault, variable } from './origin.ts';

const writableByOthers = 0o022;
const readableByAll = 0o004;

/** A folder that an XDG variable names, or else `fallback`. */
export function xdgFolder(
  env: Environment,
  name: 'XDG_CONFIG_HOME' | 'XDG_STATE_HOME',
  fallback: string,
): string {
  const folder = variable(env, name);
  // The specification has relative paths ignored.
  return folder && isAbsolute(folder) ? folder : fallback;
}

/** A setting that was found, and how to get at its value. */
export interface Found {
  readonly origin: Origin;
  /** `signal` ends a command that knows the value; `warn` hears, of a secret, that others can read it. */
  read(signal?: AbortSignal, warn?: (sentence: string) => void): Promise<string>;
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
  if (!path) return undefined;
  const origin: Origin = `environment ${fileName} (${path})`;
  return {
    origin,
    read: async (_, warn) => {
      const { value, isOpen } = await valueInFile(path, origin);
      if (isOpen) {
        const mend = `chmod 600 ${shellWord(path)}`;
        warn?.(`The file in ${fileName} is readable by all users of this machine. Run: ${mend}`);
      }
      return value;
    },
  };
}

/**
 * Containers mount their secrets readable by all, and as files of any user: neither is refused. Who
 * changes a file has the run believe another service, or the service another user.
 */
async function valueInFile(path: string, origin: Origin) {
  const file = await readTextFile(path);
  if (file && (file.mode & writableByOthers) !== 0) {
    const hint = `Run: chmod go-w ${shellWord(path)}`;
    throw settingFault(origin, `The file ${path} is writable by others.`, hint);
  }
  const value = file?.text.replace(/\r?\n$/, '');
  if (file && value) return { value, isOpen: (file.mode & readableByAll) !== 0 };
  const message = file ? `The file ${path} is empty.` : `File not found: ${path}.`;
  throw settingFault(origin, message, 'Write the value to that file, or name another.');
}
