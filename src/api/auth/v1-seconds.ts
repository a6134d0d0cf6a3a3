import { createHash } from 'node:crypto';
import { ReconError } from '../../base/errors.ts';
import { readTextFile, writeOutputFile } from '../../base/files.ts';
import { type LockOptions, lockName, takeLock } from '../../base/folder-lock.ts';
import { makeFolder, removeWhole } from '../../base/folders.ts';

/** The seconds of a V1 key that tokens were signed for, shared by all who sign with it. */
export class UsedSeconds {
  /** The oldest first. */
  readonly used = new Set<number>();
  /** Ends when the last one in the queue has its second. */
  queue: Promise<unknown> = Promise.resolve();
  /** Claims the current second for this process; false if another process has it. */
  claim?: (second: number, signal: AbortSignal) => Promise<boolean>;
}

/** Where the processes of this machine keep the seconds that they signed. */
export interface SharedFolder {
  readonly path: string;
  readonly lock: LockOptions;
  /** Called once, with the reason, if the folder cannot be used. */
  readonly onUnusable: (error: ReconError) => void;
}

/** If the last second is farther ahead than this, the clock has been set back since. */
const mostAhead = 4;
/** The lock is held for milliseconds: one that is unchanged after so many tries was left behind. */
const lockTries = 20;
const lockTryMs = 50;

/**
 * Makes `UsedSeconds.claim` for a key: a small file, named by a hash of the key, holds the last second
 * that any process claimed. If the folder cannot be used, every claim succeeds.
 */
export function createClaim(publicKey: string, folder: SharedFolder) {
  const name = createHash('sha256').update(publicKey).digest('hex').slice(0, 32);
  const file = `${folder.path}/iat-${name}`;
  let isUsable = true;
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

/** Waits for the lock while others come and go, and breaks one that was left behind. */
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
      if (seen === lockTries) await removeWhole(`${path}/${lockName}`);
      await lock.clock.sleep(lockTryMs, signal);
    }
  }
}
