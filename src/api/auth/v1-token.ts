import { createHmac } from 'node:crypto';
import type { Authorizer, ClientOptions } from '../client.ts';
import { UsedSeconds } from './v1-seconds.ts';

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
  readonly seconds?: UsedSeconds;
}

/** How long a token lives, seconds: half of the maximum (doc 5.1), for a clock that is off. */
const life = 1800;
/** How often a rejected request is tried again, in case another run took its second. */
const mostReplays = 3;
/** One of so many next seconds is chosen by chance, so that two runs don't stay in step. */
const nextSeconds = 5;
/** A day of nothing but requests. */
const mostUsed = 86_400;

/** The V1 scheme: each attempt signs its own token, with a second (`iat`) that is used only once. */
export function createV1Authorizer(keys: SigningKeys, options: V1Options): Authorizer {
  const { clock, signal, random, waitForPause, onPaced, seconds = new UsedSeconds() } = options;
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
  return { begin, spacing: { of: seconds, gapMs: 1000, onWait: tellPaced } };
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
