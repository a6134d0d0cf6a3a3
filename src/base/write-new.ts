import * as fs from 'node:fs/promises';
import { failureCode } from './file-failures.ts';

/**
 * Writes a new file and flushes it; `false`: something stands there already, and is left as it is.
 * Where writing fails nothing stays, and the system's error is thrown.
 */
export async function writeNew(path: string, text: string, mode = 0o640): Promise<boolean> {
  const file = await openNew(path, mode);
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

async function openNew(path: string, mode: number): Promise<fs.FileHandle | undefined> {
  try {
    return await fs.open(path, 'wx', mode);
  } catch (error) {
    if (failureCode(error) === 'EEXIST') return undefined;
    throw error;
  }
}
