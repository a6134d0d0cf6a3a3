import { createHmac } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Authorization, Authorizer, Spacing } from './authorizers.ts';

/** What tokens are signed with (doc 5.1). */
export interface SigningKeys {
  /** `jwtPublicKey`: the issuer of the tokens. */
  readonly publicKey: string;
  /** `jwtSecret`: never sent. */
  readonly secret: string;
  /** Where the keys come from, for the user. */
  readonly origin: string;
}

export interface V1Options {
  readonly keys: SigningKeys;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  /** Resolves when requests may go out; a rate limit makes them wait. */
  readonly mayGo: () => Promise<void>;
  /** Hears once that requests wait for each other. */
  readonly onPaced: () => void;
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
 * none may come twice, requests wait for each other: one a second. An authorizer belongs to one key
 * and to the whole process.
 */
export class V1Authorizer implements Authorizer {
  readonly spacing: Spacing = { gapMs: 1000, onWait: () => this.#tellPaced() };
  readonly #options: V1Options;
  #line: Promise<unknown> = Promise.resolve();
  /** The seconds that tokens had, the oldest first. */
  readonly #used = new Set<number>();
  #isPaced = false;

  constructor(options: V1Options) {
    this.#options = options;
  }

  begin(): Authorization {
    const { keys, random, clock, signal } = this.#options;
    let refusals = 0;
    return {
      token: async () => {
        if (refusals > 0) await clock.sleep(Math.floor(random() * nextSeconds) * 1000, signal);
        return signedToken(keys, await this.#second());
      },
      refused: () => {
        refusals += 1;
        return refusals <= mostReplays;
      },
      scope: () => undefined,
      advice: adviceOn(keys),
    };
  }

  /** A second of the clock that no token had before, for one caller after the other. */
  #second(): Promise<number> {
    const second = this.#line.then(() => this.#next());
    // Who waits behind a failed wait has their own chance; an aborted run ends each of them.
    this.#line = second.catch(() => {});
    return second;
  }

  async #next(): Promise<number> {
    const { clock, signal, mayGo } = this.#options;
    // Never ahead of the clock: a timer may wake a little early. One that is set back goes through
    // seconds again, of which those that had a token are left out.
    for (;;) {
      await mayGo();
      signal.throwIfAborted();
      const now = clock.now();
      const second = Math.floor(now / 1000);
      if (!this.#used.has(second)) {
        this.#use(second);
        return second;
      }
      this.#tellPaced();
      await clock.sleep((second + 1) * 1000 - now, signal);
    }
  }

  #use(second: number): void {
    this.#used.add(second);
    const [oldest] = this.#used;
    if (oldest !== undefined && this.#used.size > mostUsed) this.#used.delete(oldest);
  }

  #tellPaced(): void {
    if (!this.#isPaced) this.#options.onPaced();
    this.#isPaced = true;
  }
}

/** The token of one attempt, signed for the second `issuedAt` (doc 5.1). */
export function signedToken({ publicKey, secret }: SigningKeys, issuedAt: number): string {
  // The order of the fields matters, and JSON.stringify keeps it.
  const header = encoded({ alg: 'HS256', typ: 'JWT' });
  const payload = encoded({
    sub: 'charge-api',
    iat: issuedAt,
    exp: issuedAt + life,
    iss: publicKey,
  });
  const text = `${header}.${payload}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

/** Without white space, and without padding. */
function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

function adviceOn({ origin }: SigningKeys): string {
  return (
    `Check jwt_public_key and jwt_secret (${origin}) and this machine's clock. If they are right, ` +
    'another program may be using the same key at the same time. Run one at a time, or ask for a ' +
    'second key.'
  );
}
