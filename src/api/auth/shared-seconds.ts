import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ReconError } from '../../base/errors.ts';
import { readTextFile, writeOutputFile } from '../../base/files.ts';
import { type LockOptions, lockName, takeLock } from '../../base/folder-lock.ts';
import { makeFolder, removeWhole } from '../../base/folders.ts';

/** Where the processes of this machine keep the seconds that they signed. */
export interface SharedFolder {
  readonly path: string;
  readonly lock: LockOptions;
  /** Hears once why it can't be used. */
  readonly onUnusable: (error: ReconError) => void;
}

/** A last second farther ahead than this is that of a clock which has been set back since. */
const mostAhead = 4;
/** The lock is held for a few milliseconds: the same one that is still there after so many looks is left over. */
const looks = 20;
const lookMs = 50;

/**
 * Gives each second of a key to one process of this machine only: whoever takes it first, by a small
 * file that is named by a hash of the key and holds the last second. Where the folder can't be used,
 * every second is free.
 */
export function createSharedSeconds(publicKey: string, folder: SharedFolder) {
  const hash = createHash('sha256').update(publicKey).digest('hex').slice(0, 32);
  const file = join(folder.path, `iat-${hash}`);
  let isUsable = true;
  const takeIt = async (second: number, signal: AbortSignal) => {
    await makeFolder(folder.path, 0o700);
    const release = await lockFolder(folder, signal);
    try {
      const text = (await readTextFile(file).catch(() => undefined))?.text ?? '';
      const last = /^\d{1,15}\n$/.test(text) ? Number(text) : 0;
      if (last >= second && last <= second + mostAhead) return false;
      await writeOutputFile(file, (write) => write(`${second}\n`), { secret: true });
      return true;
    } finally {
      await release();
    }
  };
  /** Whether the second, the current one, was free: then it is taken. */
  return async (second: number, signal: AbortSignal): Promise<boolean> => {
    if (!isUsable) return true;
    try {
      return await takeIt(second, signal);
    } catch (error) {
      if (!(error instanceof ReconError)) throw error;
      isUsable = false;
      folder.onUnusable(error);
      return true;
    }
  };
}

/** Waits for the lock while others come and go, and breaks one that was left over. */
async function lockFolder({ path, lock }: SharedFolder, signal: AbortSignal) {
  let holder = '';
  for (let seen = 0; ; ) {
    try {
      return await takeLock(path, lock);
    } catch (error) {
      if (!(error instanceof ReconError) || error.failure !== 'locked') throw error;
      // The message names the holder, and since when.
      seen = error.message === holder ? seen + 1 : 0;
      holder = error.message;
      if (seen === looks) await removeWhole(join(path, lockName));
      else await lock.clock.sleep(lookMs, signal);
    }
  }
}
