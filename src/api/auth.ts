import { createHash, createHmac } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { ReconError, RequestFailure } from '../base/errors.ts';
import { readTextFile, writeOutputFile } from '../base/files.ts';
import { type LockOptions, lockName, takeLock } from '../base/folder-lock.ts';
import { makeFolder, removeWhole } from '../base/folders.ts';
import { bodyOf, type HttpAnswer } from '../base/http/transport.ts';
import { isObject, parseJson } from '../base/json.ts';
import { type Authorizer, addressHint, type Client, type ClientOptions } from './client.ts';
import { failureOf, httpRule, requireSuccess } from './envelope.ts';
import { textOf } from './fields.ts';
import type { Pacer } from './pacer.ts';

/** The schemes of a run, each with its credentials; those of an unused scheme may be absent. */
export interface Credentials {
  /** Which operation takes which scheme is not documented (doc 5.4). */
  readonly schemes: Readonly<Record<'settlements' | 'charges', 'v1' | 'v2'>>;
  readonly v1?: SigningKeys;
  readonly v2?: ClientCredentials & {
    readonly authUrl: string;
    readonly authUrlFrom?: string | undefined;
  };
}

/** The authorizers of the schemes that have credentials. */
export function createAuthorizers({ v1, v2 }: Credentials, client: Client, options: V1Options) {
  const exchange = async (body: object, read: typeof readTokenAnswer) => {
    const answer = await client.send({
      call: { method: 'POST', url: `${v2?.authUrl}/oauth/token`, body },
      address: addressHint('auth_url', '/oauth/token', v2?.authUrlFrom),
      read,
    });
    options.observer.granted?.(answer);
    return answer;
  };
  return {
    v1: v1 && createV1Authorizer(v1, options),
    v2: v2 && createV2Authorizer(v2, exchange, options.clock, options.kept),
  };
}

/** What tokens are signed with (doc 5.1). */
interface SigningKeys {
  /** `jwtPublicKey`: the issuer of the tokens. */
  readonly publicKey: string;
  /** `jwtSecret`: never sent. */
  readonly secret: string;
  readonly origin: string;
}

interface V1Options extends Pick<ClientOptions, 'clock' | 'signal' | 'random' | 'observer'> {
  readonly pacer: Pick<Pacer, 'waitForPause' | 'signingSeconds'>;
  /** The folder in which processes with the same key share its seconds; absent for a single process. */
  readonly shared?: SharedFolder | undefined;
  /** The token of V2, if another client of the run asks with it too. */
  readonly kept?: KeptToken | undefined;
}

/** How long a token lives, seconds: half of the maximum (doc 5.1), for a clock that is off. */
const life = 1800;
/** How often a rejected request is tried again, in case another run took its second. */
const mostReplays = 3;
/** One of so many next seconds is chosen at random, so two runs do not keep choosing the same. */
const nextSeconds = 5;
/** No more used seconds are kept: those of a day of constant requests. */
const mostUsed = 86_400;

/** The V1 scheme: each attempt signs its own token, with a second (`iat`) that is used only once. */
export function createV1Authorizer(keys: SigningKeys, options: V1Options): Authorizer {
  const { clock, signal, random, observer, pacer, shared } = options;
  const seconds = pacer.signingSeconds(keys.publicKey);
  if (shared) seconds.claim ??= createClaim(keys.publicKey, shared);
  const { used } = seconds;
  let isPaced = false;
  const tellPaced = () => {
    if (!isPaced) observer.paced?.();
    isPaced = true;
  };
  // The clock may have been set back, or the timer have woken early: used seconds are skipped.
  const unusedSecond = async () => {
    for (;;) {
      await pacer.waitForPause(signal);
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

/** The folder in which the processes of this machine keep the seconds that they signed for. */
interface SharedFolder {
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

/** Makes `SigningSeconds.claim`: a file named by a hash of the key has the last second that any process claimed. */
function createClaim(publicKey: string, folder: SharedFolder) {
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

/** A token is renewed this long before it expires, or after nine tenths of a short life. */
const marginMs = 60_000;
const marginShare = 10;

/** What the token exchange takes (doc 4.1). */
interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly audience: string;
  readonly origin: string;
}

interface Token extends ReturnType<typeof readGranted> {
  /** Tokens of the run are counted from 1. */
  readonly number: number;
  /** By the monotonic clock, milliseconds; infinite if the service names no lifetime. */
  readonly renewAt: number;
}

/** The token of a run, and how many it had. */
export interface KeptToken {
  current: Token | undefined;
  newest: number;
}

/** The V2 scheme (doc 5.2): one token for the run. `exchange` posts to the token exchange, with retries. */
export function createV2Authorizer(
  { clientId, clientSecret, audience, origin }: ClientCredentials,
  exchange: (body: object, read: typeof readTokenAnswer) => Promise<HttpAnswer>,
  clock: Clock,
  kept: KeptToken = { current: undefined, newest: 0 },
): Authorizer {
  let fetching: Promise<Token> | undefined;
  const fetch = async () => {
    const body = {
      client_id: clientId,
      client_secret: clientSecret,
      audience,
      grant_type: 'client_credentials',
    };
    const answer = await exchange(body, readTokenAnswer).catch((error: unknown) => {
      throw tokenFailure(error, origin);
    });
    const granted = readGranted(answer);
    const { lifeMs = Number.POSITIVE_INFINITY } = granted;
    kept.newest += 1;
    const renewAt = clock.monotonic() + lifeMs - Math.min(marginMs, lifeMs / marginShare);
    const current = { ...granted, number: kept.newest, renewAt };
    kept.current = current;
    return current;
  };
  const valid = async () => {
    const { current } = kept;
    if (current && clock.monotonic() < current.renewAt) return current;
    fetching ??= fetch().finally(() => {
      fetching = undefined;
    });
    return fetching;
  };
  return {
    begin: () => {
      let last: Token | undefined;
      /** The newest token when this request was first rejected: a newer one must not be rejected. */
      let newestAtRejection: number | undefined;
      return {
        token: async () => {
          last = await valid();
          return last.token;
        },
        rejectToken: () => {
          if (!last) return false;
          if (newestAtRejection !== undefined && last.number > newestAtRejection) return false;
          newestAtRejection ??= kept.newest;
          if (kept.current === last) kept.current = undefined;
          return true;
        },
        scope: () => last?.scope,
        advice: `The token itself was granted. If the service needs V1, set auth = "v1" (RECON_AUTH) with jwt_public_key and jwt_secret; for charges alone, use --charge-auth v1. Else check audience and base_url: ${origin}.`,
      };
    },
  };
}

/** What an answer of the token exchange grants. */
export function readGranted(answer: HttpAnswer) {
  const body = parseJson(bodyOf(answer));
  const { access_token: token, scope, expires_in: life } = isObject(body) ? body : {};
  // The unit is not documented: seconds (RFC 6749).
  const lifeMs = Number(textOf(life)) * 1000;
  return {
    token: String(token),
    scope: typeof scope === 'string' ? scope : undefined,
    /** Undefined if the service names no lifetime. */
    lifeMs: lifeMs > 0 ? lifeMs : undefined,
  };
}

/** Checks an answer of the token exchange; throws RequestFailure. Only HTTP 401 is documented. */
export function readTokenAnswer(answer: HttpAnswer): HttpAnswer {
  const body = parseJson(bodyOf(answer));
  if (isObject(body)) {
    const { access_token: token } = body;
    // Visible ASCII can be sent in a header.
    if (typeof token === 'string' && /^[!-~]+$/.test(token)) return answer;
    if (isObject(body['status'])) requireSuccess(answer);
  }
  const rule = httpRule(answer.status);
  // Other statuses follow `httpRule`.
  const areCredentialsRejected = [400, 401, 403].includes(answer.status);
  throw failureOf(
    areCredentialsRejected ? { ...rule, policy: 'give_up', failure: 'authentication' } : rule,
    answer,
  );
}

/** Without a token nothing can be requested: ends the run. */
function tokenFailure(error: unknown, origin: string): unknown {
  if (!(error instanceof RequestFailure)) return error;
  const { failure, where } = error;
  const areCredentialsRejected = failure === 'authentication';
  const message = areCredentialsRejected
    ? 'The token exchange rejects the credentials.'
    : error.message;
  const hint = areCredentialsRejected
    ? `Check client_id, client_secret and audience: ${origin}.`
    : error.hint;
  return new ReconError(failure, message, { where, hint, endsRun: true, reason: error });
}
