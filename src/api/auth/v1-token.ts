import { createHash, createHmac } from 'node:crypto';
import { ReconError } from '../../base/errors.ts';
import { readTextFile, writeOutputFile } from '../../base/files.ts';
import { type LockOptions, lockName, takeLock } from '../../base/folder-lock.ts';
import { makeFolder, removeWhole } from '../../base/folders.ts';
import type { Authorizer, ClientOptions } from '../client.ts';
import type { UsedSeconds } from '../pacer.ts';

/** What tokens are signed with (doc 5.1). */
export interface SigningKeys {
  /** `jwtPublicKey`: the issuer of the tokens. */
  readonly publicKey: string;
  /** `jwtSecret`: never sent. */
  readonly secret: string;
  readonly origin: string;
}

interface V1Options extends Pick<ClientOptions, 'clock' | 'signal' | 'random'> {
  readonly waitForPause: () => Promise<void>;
  /** Called once, when requests begin to wait for each other. */
  readonly onPaced: () => void;
  readonly seconds: UsedSeconds;
}

/** How long a token lives, seconds: half of the maximum (doc 5.1), for a clock that is off. */
const life = 1800;
/** How often a rejected request is tried again, in case another run took its second. */
const mostReplays = 3;
/** One of so many next seconds is chosen by chance, so that two runs do not stay in step. */
const nextSeconds = 5;
/** No more used seconds are kept: those of a day of constant requests. */
const mostUsed = 86_400;

/** The V1 scheme: each attempt signs its own token, with a second (`iat`) that is used only once. */
export function createV1Authorizer(keys: SigningKeys, options: V1Options): Authorizer {
  const { clock, signal, random, waitForPause, onPaced, seconds } = options;
  const { used } = seconds;
  let isPaced = false;
  const tellPaced = () => {
    if (!isPaced) onPaced();
    isPaced = true;
  };
  // The clock may have been set back, or the timer have woken early: used seconds are skipped.
  const unusedSecond = async () => {
    for (;;) {
      await waitForPause();
      signal.throwIfAborted();
      const now = clock.now();
      const second = Math.floor(now / 1000);
      if (!used.has(second) && (await seconds.claim?.(second, signal)) !== false) {
        used.add(second);
        const [oldest] = used;
        if (oldest !== undefined && used.size > mostUsed) used.delete(oldest);
        return second;
      }
      tellPaced();
      await clock.sleep((second + 1) * 1000 - now, signal);
    }
  };
  const begin = () => {
    let rejections = 0;
    return {
      token: async () => {
        if (rejections > 0) await clock.sleep(Math.floor(random() * nextSeconds) * 1000, signal);
        // In order, also while another process takes the next seconds.
        const second = seconds.queue.then(unusedSecond);
        // After a failed wait the next one still has its chance; an aborted run ends each.
        seconds.queue = second.catch(() => {});
        return signedToken(keys, await second);
      },
      rejectToken: () => {
        rejections += 1;
        return rejections <= mostReplays;
      },
      scope: () => undefined,
      advice:
        `Check jwt_public_key and jwt_secret (${keys.origin}) and this machine's clock. If they are right, ` +
        'another program on another machine may be using the same key. Run one at a time, or ask for a ' +
        'second key.',
    };
  };
  return { begin, spacing: { key: seconds, gapMs: 1000, onWait: tellPaced } };
}

/** The token of one attempt, signed for the second `issuedAt` (doc 5.1). */
export function signedToken({ publicKey, secret }: SigningKeys, issuedAt: number): string {
  // The order of the fields matters, and JSON.stringify keeps it.
  const parts = [
    { alg: 'HS256', typ: 'JWT' },
    { sub: 'charge-api', iat: issuedAt, exp: issuedAt + life, iss: publicKey },
  ];
  const text = parts
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
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

/** Makes `UsedSeconds.claim`: a file named by a hash of the key has the last second that any process claimed. */
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
