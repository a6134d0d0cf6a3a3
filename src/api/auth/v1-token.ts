import { createHash, createHmac } from 'node:crypto';
import type { ClientOptions } from '../client.ts';
import type { Authorizer } from './authorizers.ts';

/** What tokens are signed with (doc 5.1). */
export interface SigningKeys {
  /** `jwtPublicKey`: the issuer of the tokens. */
  readonly publicKey: string;
  /** `jwtSecret`: never sent. */
  readonly secret: string;
  /** Where the keys come from, for the user. */
  readonly origin: string;
}

interface V1Options extends Pick<ClientOptions, 'clock' | 'signal' | 'random'> {
  /** Resolves when requests may go out; a rate limit makes them wait. */
  readonly mayGo: () => Promise<void>;
  /** Hears once that requests wait for each other. */
  readonly onPaced: () => void;
  /** Those of the key. */
  readonly seconds?: KeySeconds;
}

/** The seconds of a key, for all who sign with it. */
export class KeySeconds {
  /** Those that tokens had, the oldest first. */
  readonly used = new Set<number>();
  /** Ends when whoever came last has a second of their own. */
  line: Promise<unknown> = Promise.resolve();
  /** Whether the current second was free: then it is taken. Absent where no other process signs. */
  take?: (second: number, signal: AbortSignal) => Promise<boolean>;
}

/** How long a token lives, seconds: half of the most (doc 5.1), for a clock that is off. */
const life = 1800;
/** How often a refused request is tried again, in case another run took its second. */
const mostReplays = 3;
/** Among so many of the next seconds one is chosen, so that two runs don't stay in step. */
const nextSeconds = 5;
/** So many seconds are remembered: a day of nothing but requests. */
const mostUsed = 86_400;

/**
 * The V1 scheme: a token of its own for each attempt, signed with `iat`, the current second. Since
 * none may come twice, requests wait for each other: one a second.
 */
export function createV1Authorizer(keys: SigningKeys, options: V1Options): Authorizer {
  const { clock, signal, random, mayGo, onPaced, seconds = new KeySeconds() } = options;
  const { used } = seconds;
  let isPaced = false;
  const tellPaced = () => {
    if (!isPaced) onPaced();
    isPaced = true;
  };
  // Never ahead of the clock: a timer may wake a little early. One that is set back goes through
  // seconds again, of which those that had a token are left out.
  const unusedSecond = async () => {
    for (;;) {
      await mayGo();
      signal.throwIfAborted();
      const now = clock.now();
      const second = Math.floor(now / 1000);
      if (!used.has(second) && (await seconds.take?.(second, signal)) !== false) {
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
    let refusals = 0;
    return {
      token: async () => {
        if (refusals > 0) await clock.sleep(Math.floor(random() * nextSeconds) * 1000, signal);
        const second = seconds.line.then(unusedSecond);
        // Who waits behind a failed wait has their own chance; an aborted run ends each of them.
        seconds.line = second.catch(() => {});
        return signedToken(keys, await second);
      },
      refused: () => {
        refusals += 1;
        return refusals <= mostReplays;
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

/** Names a key without telling it. */
export function keyName(publicKey: string): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 32);
}

/** The token of one attempt, signed for the second `issuedAt` (doc 5.1). */
export function signedToken({ publicKey, secret }: SigningKeys, issuedAt: number): string {
  // The order of the fields matters, and JSON.stringify keeps it.
  const parts = [
    { alg: 'HS256', typ: 'JWT' },
    { sub: 'charge-api', iat: issuedAt, exp: issuedAt + life, iss: publicKey },
  ];
  // Without white space, and without padding.
  const text = parts
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
