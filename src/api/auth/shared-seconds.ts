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
 * file that bears the key's `name` and holds the last second. Where the folder can't be used,
 * every second is free.
 */
export function createSharedSeconds(name: string, folder: SharedFolder) {
  const file = `${folder.path}/iat-${name}`;
  let isUsable = true;
  /** Whether the second, the current one, was free: then it is taken. */
  return async (second: number, signal: AbortSignal): Promise<boolean> => {
    if (!isUsable) return true;
    let release = async () => {};
    try {
      await makeFolder(folder.path, 0o700);
      release = await lockFolder(folder, signal);
      const text = (await readTextFile(file).catch(() => undefined))?.text ?? '';
      const last = /^\d{1,15}\n$/.test(text) ? Number(text) : 0;
      if (last >= second && last <= second + mostAhead) return false;
      await writeOutputFile(file, (write) => write(`${second}\n`), { secret: true });
    } catch (error) {
      if (!(error instanceof ReconError)) throw error;
      isUsable = false;
      folder.onUnusable(error);
    } finally {
      await release();
    }
    return true;
  };
}

/** Waits for the lock while others come and go, and breaks one that was left over. */
async function lockFolder({ path, lock }: SharedFolder, signal: AbortSignal) {
  let holder = '';
  for (let seen = 1; ; seen += 1) {
    try {
      return await takeLock(path, lock);
    } catch (error) {
      if (!(error instanceof ReconError) || error.failure !== 'locked') throw error;
      // The message names the holder, and since when.
      if (error.message !== holder) seen = 1;
      holder = error.message;
      if (seen === looks) await removeWhole(`${path}/${lockName}`);
      await lock.clock.sleep(lookMs, signal);
    }
  }
}
