import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ReconError } from './errors.ts';
import {
  failureCode,
  isAbsent,
  orUnwritable,
  unlistable,
  unreadable,
  unwritable,
} from './file-failures.ts';
import { byText } from './texts.ts';

/** What a folder holds under a name. Links are not followed: one to a folder is no folder. */
export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** What lies in a folder, by name; `undefined` where there is none. */
export async function listFolder(path: string): Promise<readonly FolderEntry[] | undefined> {
  try {
    const entries = await fs.readdir(path, { withFileTypes: true });
    return entries
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .sort((one, other) => byText(one.name, other.name));
  } catch (error) {
    if (failureCode(error) === 'ENOENT') return undefined;
    throw unlistable(path, error);
  }
}

/** Whether a path leads to a folder; `undefined` where it leads nowhere. */
export async function isFolder(path: string): Promise<boolean | undefined> {
  try {
    return (await fs.stat(path)).isDirectory();
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw unreadable(path, error);
  }
}

/** Makes a folder, and those that lead to it, where they are missing; see `makeFolders`. */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  try {
    await makeFolders(path, mode);
  } catch (error) {
    if (failureCode(error) !== 'EEXIST') throw unwritable(path, error);
    throw new ReconError('output', 'A file is in the place of the folder.', {
      where: path,
      hint: 'Name another folder, or remove the file.',
      reason: error,
    });
  }
}

/**
 * Renames a folder, if it is there. What stands in the new place is an error, but for an empty folder. A
 * file takes the place of another one.
 */
export async function moveFolder(from: string, to: string): Promise<void> {
  try {
    await fs.rename(from, to);
  } catch (error) {
    if (failureCode(error) !== 'ENOENT') throw unwritable(to, error);
  }
}

/** Deletes a file, a link or a folder with all that it holds, if it is there. */
export async function removeWhole(path: string): Promise<void> {
  await orUnwritable(path, fs.rm(path, { recursive: true, force: true }));
}

/** Deletes a folder if it is there and holds nothing. Never fails. */
export async function removeEmptyFolder(path: string): Promise<void> {
  await fs.rmdir(path).catch(() => {});
}

/** Makes the names in a folder last through a power cut, where the system can do that. */
export async function flushFolder(path: string): Promise<void> {
  let folder: fs.FileHandle | undefined;
  try {
    folder = await fs.open(path, 'r');
    await folder.sync();
  } catch (error) {
    if (!isAbsent(error) && !cannotFlush.includes(failureCode(error) ?? '')) {
      throw unwritable(path, error);
    }
  } finally {
    await folder?.close();
  }
}

/** How systems say that they don't open or flush folders. */
const cannotFlush = ['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'ENOSYS', 'ENOTSUP', 'EPERM'];

/** Whether a name is that of a file which `createWhole` or `replaceWhole` had not finished. */
export function isDraft(name: string): boolean {
  return /^\.draft-[0-9a-f-]{36}\.part$/.test(name);
}

/**
 * Creates a file that nobody ever sees half written, where the file system has hard links. `false`:
 * something stands there already, or what was being written has been tidied away.
 */
export async function createWhole(path: string, text: string): Promise<boolean> {
  const draft = draftBeside(path);
  try {
    await writeNew(draft, text);
    const outcome = await fs.link(draft, path).then(() => 'linked', failureCode);
    if (outcome === 'EEXIST' || outcome === 'ENOENT') return false;
    return outcome === 'linked' || (await writeNew(path, text));
  } catch (error) {
    throw unwritable(path, error);
  } finally {
    await fs.rm(draft, { force: true }).catch(() => {});
  }
}

/** Writes a file that is seen as it was or whole, even after a power cut. */
export async function replaceWhole(path: string, text: string): Promise<void> {
  const draft = draftBeside(path);
  try {
    await writeNew(draft, text);
    await fs.rename(draft, path);
  } catch (error) {
    await fs.rm(draft, { force: true }).catch(() => {});
    throw unwritable(path, error);
  }
  await flushFolder(dirname(path));
}

function draftBeside(path: string): string {
  return join(dirname(path), `.draft-${crypto.randomUUID()}.part`);
}

/**
 * Makes a folder, and those that lead to it, where they are missing: `mode` is that of new ones, less
 * what the umask takes away; what is there keeps its own. `isLedTo`: none of those that lead to it is
 * missing. Node's own way tries forever where the system says of an existing folder that it isn't
 * there, as /proc does. Throws the system's error; a file in the folder's place is `EEXIST`.
 */
export async function makeFolders(path: string, mode = 0o750, isLedTo = false): Promise<void> {
  try {
    await fs.mkdir(path, mode);
  } catch (error) {
    const code = failureCode(error);
    if (code === 'EEXIST' && (await fs.stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || isLedTo || dirname(path) === path) throw error;
    await makeFolders(dirname(path), mode);
    await makeFolders(path, mode, true);
  }
}

/**
 * Writes a new file and flushes it; `false`: something stands there already, and is left as it is.
 * Where writing fails nothing stays, and the system's error is thrown.
 */
export async function writeNew(path: string, text: string, mode = 0o640): Promise<boolean> {
  const file = await fs.open(path, 'wx', mode).catch((error: unknown) => {
    if (failureCode(error) !== 'EEXIST') throw error;
  });
  if (!file) return false;
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await fs.rm(path, { force: true }).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
  return true;
}
