import { readTextFile } from '../base/files.ts';
import { type Environment, type Origin, settingFault, variable } from './origin.ts';

/** A setting that was found, and how to get at its value. */
export interface Found {
  readonly origin: Origin;
  /** `signal` ends a command that knows the value. */
  read(signal?: AbortSignal): Promise<string>;
}

/** Finds a setting in the variable `name`, or in the file that `name_FILE` points to. */
export function findInEnvironment(env: Environment, name: string): Found | undefined {
  const fileName = `${name}_FILE`;
  const value = variable(env, name);
  const path = variable(env, fileName);
  if (value && path) {
    const hint = 'Unset one of the two.';
    throw settingFault(`environment ${name}`, `Both ${name} and ${fileName} are set.`, hint);
  }
  if (value) return { origin: `environment ${name}`, read: async () => value };
  if (!path) return undefined;
  const origin: Origin = `environment ${fileName} (${path})`;
  return { origin, read: () => valueInFile(path, origin) };
}

/** Containers mount their secrets readable by all, so the file's permissions are not judged. */
async function valueInFile(path: string, origin: Origin): Promise<string> {
  const file = await readTextFile(path);
  const value = file?.text.replace(/\r?\n$/, '');
  if (value) return value;
  const message = file ? `The file ${path} is empty.` : `There is no file ${path}.`;
  throw settingFault(origin, message, 'Write the value into that file, or name another.');
}
