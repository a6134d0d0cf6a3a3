import { readdirSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ReconError } from './errors.ts';
import { failureCode, isAbsent, orUnwritable, unreadable, unwritable } from './file-failures.ts';
import { byText } from './texts.ts';

/** An entry of a folder; a link to a folder or a file is neither. */
interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isFile: boolean;
}

/** The entries of a folder by name; `undefined` if there is none. */
export async function listFolder(path: string): Promise<readonly FolderEntry[] | undefined> {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries
      .map((one) => ({ name: one.name, isFolder: one.isDirectory(), isFile: one.isFile() }))
      .sort((one, other) => byText(one.name, other.name));
  } catch (error) {
    if (failureCode(error) === 'ENOENT') return undefined;
    throw unlistable(path, error);
  }
}

/** Whether a path leads to a folder; `undefined` if it leads nowhere. */
export async function isFolder(path: string): Promise<boolean | undefined> {
  try {
    return (await fs.stat(path)).isDirectory();
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw unreadable(path, error);
  }
}

/** Makes a folder and its missing parents. Throws ReconError `output`. */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  try {
    await makeFolders(path, mode);
  } catch (error) {
    if (failureCode(error) !== 'EEXIST') throw unwritable(path, error);
    const message = 'A file is in the place of the folder.';
    const hint = 'Name another folder, or remove the file.';
    throw new ReconError('output', message, { where: path, hint, reason: error });
  }
}

/** Renames a folder or a file, if it exists. It may replace an empty folder, or a file another file. */
export async function moveFolder(from: string, to: string): Promise<void> {
  try {
    await fs.rename(from, to);
  } catch (error) {
    if (failureCode(error) !== 'ENOENT') throw unwritable(to, error);
  }
}

/** Deletes a file, a link or a folder with its contents, if it exists. */
export async function removeWhole(path: string): Promise<void> {
  await orUnwritable(path, fs.rm(path, { recursive: true, force: true }));
}

/** Deletes a folder if it is empty. Never fails. */
export async function removeEmptyFolder(path: string): Promise<void> {
  await fs.rmdir(path).catch(() => {});
}

/**
 * Deletes what writes beside `path` have left that were killed a day or more before it was written. Never fails.
 * What a run writes now is younger.
 */
export async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  const written = (await fs.stat(path).catch(() => undefined))?.mtimeMs ?? 0;
  for (const { name } of (await listFolder(folder).catch(() => [])) ?? []) {
    if (!/^\.(draft-[0-9a-f-]{36}\.part|recon-[0-9a-f-]{36}\.tmp)$/.test(name)) continue;
    const found = await fs.lstat(join(folder, name)).catch(() => undefined);
    if (!found?.isFile() || found.mtimeMs > written - 86_400_000) continue;
    await fs.rm(join(folder, name), { force: true }).catch(() => {});
  }
}

/** Makes the names in a folder survive a power cut, if the system can do that. */
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

/** Errors of systems that cannot open or flush folders. */
const cannotFlush = ['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'ENOSYS', 'ENOTSUP', 'EPERM'];

/** Whether a file name is that of an unfinished `createWhole` or `replaceWhole`. */
export function isDraft(name: string): boolean {
  return /^\.draft-[0-9a-f-]{36}\.part$/.test(name);
}

/** Creates a complete file at once; `false` if something is there already, or the draft was removed. */
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

/** Replaces a file at once, even at a power cut. */
export async function replaceWhole(path: string, text: string, mode?: number): Promise<void> {
  const draft = draftBeside(path);
  try {
    await writeNew(draft, text, mode);
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
 * Makes a folder and its missing parents, with a mode for new ones. Node's `recursive` tries forever if the
 * system denies that an existing folder exists, as /proc does. Throws the system's error.
 */
export async function makeFolders(path: string, mode = 0o750, hasParents = false): Promise<void> {
  try {
    await fs.mkdir(path, mode);
  } catch (error) {
    const code = failureCode(error);
    if (code === 'EEXIST' && (await fs.stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || hasParents || dirname(path) === path) throw error;
    await makeFolders(dirname(path), mode);
    await makeFolders(path, mode, true);
  }
}

/** Writes and flushes a new file; `false` if something is there already. Throws the system's error. */
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

function unlistable(path: string, reason: unknown): ReconError {
  const code = failureCode(reason) ?? 'unknown error';
  const message =
    code === 'ENOTDIR'
      ? 'Expected a folder, found a file.'
      : `The folder cannot be read (${code}).`;
  const hint = 'Name a folder that you can read.';
  return new ReconError('configuration', message, { where: path, hint, reason });
}
