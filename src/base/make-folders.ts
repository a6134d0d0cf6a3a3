import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { failureCode } from './file-failures.ts';

/**
 * Makes a folder, and those that lead to it, where they are missing: `mode` is that of new ones, less
 * what the umask takes away; what is there keeps its own. Node's own way tries forever
 * where the system says of an existing folder that it isn't there, as /proc does. Throws the system's
 * error; a file in the folder's place is `EEXIST`.
 */
export async function makeFolders(path: string, mode = 0o750): Promise<void> {
  if (await isMade(path, mode)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolders(parent, mode);
  if (await isMade(path, mode)) return;
  // Says itself what is wrong.
  await fs.mkdir(path, mode);
}

/** Whether the folder is there now; `false` where the one that leads to it is missing. */
async function isMade(path: string, mode: number): Promise<boolean> {
  try {
    await fs.mkdir(path, mode);
    return true;
  } catch (error) {
    const code = failureCode(error);
    if (code === 'ENOENT') return false;
    if (code === 'EEXIST' && (await fs.stat(path)).isDirectory()) return true;
    throw error;
  }
}
