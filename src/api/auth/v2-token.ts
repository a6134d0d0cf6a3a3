import type { Clock } from '../../base/clock.ts';
import { ReconError, RequestFailure } from '../../base/errors.ts';
import { bodyOf, type HttpAnswer } from '../../base/http/transport.ts';
import { isObject, parseJson } from '../../base/json.ts';
import type { Authorizer } from '../client.ts';
import { failureOf, httpRule, requireSuccess } from '../envelope.ts';
import { textOf } from '../fields.ts';

/** A token is renewed this long before it expires, or after nine tenths of a short life. */
const marginMs = 60_000;
const marginShare = 10;

/** What the token exchange takes (doc 4.1). */
export interface ClientCredentials {
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

/** The V2 scheme (doc 5.2): one token for the run. `exchange` posts to the token exchange, with retries. */
export function createV2Authorizer(
  { clientId, clientSecret, audience, origin }: ClientCredentials,
  exchange: (body: object, read: typeof readTokenAnswer) => Promise<HttpAnswer>,
  clock: Clock,
): Authorizer {
  let current: Token | undefined;
  let fetching: Promise<Token> | undefined;
  let newest = 0;
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
    newest += 1;
    const renewAt = clock.monotonic() + lifeMs - Math.min(marginMs, lifeMs / marginShare);
    current = { ...granted, number: newest, renewAt };
    return current;
  };
  const valid = async () => {
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
          newestAtRejection ??= newest;
          if (current === last) current = undefined;
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
