import type { Clock } from '../../base/clock.ts';
import { ReconError } from '../../base/errors.ts';
import { RequestFailure } from '../../base/http/request-failure.ts';
import { bodyOf, type HttpAnswer } from '../../base/http/transport.ts';
import { isObject, parseJson } from '../../base/json.ts';
import { textOf } from '../decode.ts';
import { failureOf, readSuccess } from '../envelope.ts';
import { httpRule } from '../status.ts';
import type { Authorizer } from './authorizers.ts';

/** A token is renewed this long before it expires, or after nine tenths of a short life. */
const marginMs = 60_000;
const marginShare = 10;

/** What the token exchange takes (doc 4.1). */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly audience: string;
  /** Where the credentials come from, for the user. */
  readonly origin: string;
}

interface Token extends ReturnType<typeof readGranted> {
  /** Counts the tokens of the run. */
  readonly generation: number;
  /** By the monotonic clock, milliseconds; infinite where the service names no lifetime. */
  readonly renewAt: number;
}

/**
 * The V2 scheme (doc 5.2): one access token for the run, fetched once however many wait for it.
 * `exchange` posts a body to the token exchange and returns the answer, having retried.
 */
export function createV2Authorizer(
  { clientId, clientSecret, audience, origin }: ClientCredentials,
  exchange: (body: object) => Promise<HttpAnswer>,
  clock: Clock,
): Authorizer {
  const advice = `Check client_id, client_secret and audience: ${origin}.`;
  let current: Token | undefined;
  let fetching: Promise<Token> | undefined;
  let generation = 0;
  const fetch = async () => {
    const answer = await exchange({
      client_id: clientId,
      client_secret: clientSecret,
      audience,
      grant_type: 'client_credentials',
    }).catch((error: unknown) => {
      throw tokenFailure(error, advice);
    });
    const granted = readGranted(answer);
    const { lifeMs } = granted;
    const usableMs = lifeMs && lifeMs - Math.min(marginMs, lifeMs / marginShare);
    generation += 1;
    const renewAt = clock.monotonic() + (usableMs ?? Number.POSITIVE_INFINITY);
    current = { ...granted, generation, renewAt };
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
      /** The newest token there was when this request was first refused. */
      let newestThen: number | undefined;
      return {
        token: async () => {
          last = await valid();
          return last.token;
        },
        refused: () => {
          if (!last) return false;
          if (newestThen !== undefined && last.generation > newestThen) return false;
          newestThen ??= generation;
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
  // The unit is not shown: seconds (RFC 6749).
  const lifeMs = Number(textOf(life)) * 1000;
  return {
    token: String(token),
    /** The granted scopes, where the service names them (doc 4.1). */
    scope: typeof scope === 'string' ? scope : undefined,
    /** Undefined where the service names no lifetime. */
    lifeMs: lifeMs > 0 ? lifeMs : undefined,
  };
}

/**
 * Checks an answer of the token exchange; throws RequestFailure. How it fails is not shown, beyond
 * HTTP 401 for wrong credentials: a 4xx is taken as a refusal, and the wrapper is understood too.
 */
export function readTokenAnswer(answer: HttpAnswer): HttpAnswer {
  const body = parseJson(bodyOf(answer));
  if (isObject(body)) {
    const { access_token: token } = body;
    // Visible ASCII can be sent in a header.
    if (typeof token === 'string' && /^[!-~]+$/.test(token)) return answer;
    if (isObject(body['status'])) readSuccess(answer);
  }
  const rule = httpRule(answer.status);
  const isRefusal = [400, 401, 403].includes(answer.status);
  throw failureOf(
    isRefusal ? { ...rule, policy: 'give_up', failure: 'authentication' } : rule,
    answer,
  );
}

/** Without a token nothing can be asked for. The exchange has been tried as often as it makes sense. */
function tokenFailure(error: unknown, advice: string): unknown {
  if (!(error instanceof RequestFailure)) return error;
  const { failure, where } = error;
  const isRefusal = failure === 'authentication';
  const message = isRefusal ? 'The token exchange rejects the credentials.' : error.message;
  const hint = isRefusal ? advice : error.hint;
  return new ReconError(failure, message, { where, hint, endsRun: true, reason: error });
}
