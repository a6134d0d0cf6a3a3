import type { Clock } from '../../base/clock.ts';
import { ReconError } from '../../base/errors.ts';
import { isObject, parseJson } from '../../base/json.ts';
import type { Grant } from '../../model/probe.ts';
import { textOf } from '../decode.ts';
import { describeBody, failureOf, readSuccess } from '../envelope.ts';
import { httpRule, RequestFailure } from '../status.ts';
import { bodyOf, type HttpAnswer } from '../transport.ts';
import type { Authorization, Authorizer } from './authorizers.ts';

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

interface Token {
  readonly text: string;
  /** The granted scopes, where the service names them (doc 4.1). */
  readonly scope: string | undefined;
  /** Counts the tokens of the run. */
  readonly generation: number;
  /** By the monotonic clock, milliseconds; infinite where the service names no lifetime. */
  readonly renewAt: number;
}

/** The V2 scheme (doc 5.2): one access token for the run, fetched once however many wait for it. */
export class V2Authorizer implements Authorizer {
  readonly #credentials: ClientCredentials;
  readonly #exchange: (body: object) => Promise<HttpAnswer>;
  readonly #clock: Clock;
  #current: Token | undefined;
  #fetching: Promise<Token> | undefined;
  #generation = 0;
  /** `exchange` posts a body to the token exchange and returns the answer, having retried. */
  constructor(
    credentials: ClientCredentials,
    exchange: (body: object) => Promise<HttpAnswer>,
    clock: Clock,
  ) {
    this.#credentials = credentials;
    this.#exchange = exchange;
    this.#clock = clock;
  }

  begin(): Authorization {
    let last: Token | undefined;
    /** The newest token there was when this request was first refused. */
    let newestThen: number | undefined;
    return {
      token: async () => {
        last = await this.#valid();
        return last.text;
      },
      refused: () => {
        if (!last) return false;
        if (newestThen !== undefined && last.generation > newestThen) return false;
        newestThen ??= this.#generation;
        if (this.#current === last) this.#current = undefined;
        return true;
      },
      scope: () => last?.scope,
      advice: adviceOn(this.#credentials),
    };
  }

  async #valid(): Promise<Token> {
    if (this.#current && this.#clock.monotonic() < this.#current.renewAt) return this.#current;
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetch(): Promise<Token> {
    const { clientId, clientSecret, audience } = this.#credentials;
    const answer = await this.#exchange({
      client_id: clientId,
      client_secret: clientSecret,
      audience,
      grant_type: 'client_credentials',
    }).catch((error: unknown) => {
      throw tokenFailure(error, adviceOn(this.#credentials));
    });
    const fields = fieldsOf(answer);
    this.#generation += 1;
    this.#current = {
      text: String(fields['access_token']),
      scope: scopeIn(fields),
      generation: this.#generation,
      renewAt: this.#clock.monotonic() + usableMs(lifeIn(fields)),
    };
    return this.#current;
  }
}

/** What an answer grants, but for the token. */
export function readGrant(answer: HttpAnswer): Grant {
  const fields = fieldsOf(answer);
  const ms = lifeIn(fields);
  return {
    seconds: ms === undefined ? undefined : ms / 1000,
    scopes: scopeIn(fields)?.split(/\s+/).filter(Boolean),
  };
}

function fieldsOf(answer: HttpAnswer): Readonly<Record<string, unknown>> {
  const fields = parseJson(bodyOf(answer));
  return isObject(fields) ? fields : {};
}

function scopeIn({ scope }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof scope === 'string' ? scope : undefined;
}

/**
 * Checks an answer of the token exchange; throws RequestFailure. How it fails is not shown, beyond
 * HTTP 401 for wrong credentials: a 4xx is taken as a refusal, and the wrapper is understood too.
 */
export function readTokenAnswer(answer: HttpAnswer): void {
  const body = parseJson(bodyOf(answer));
  if (isObject(body)) {
    if (isToken(body['access_token'])) return;
    if (isObject(body['status'])) readSuccess(answer);
  }
  const rule = httpRule(answer.status);
  const refusedStatus = [400, 401, 403].includes(answer.status);
  throw failureOf(
    refusedStatus ? { ...rule, policy: 'give_up', failure: 'authentication' } : rule,
    answer,
    describeBody(answer),
  );
}

/** Whether it can be sent in a header: visible ASCII. */
function isToken(value: unknown): boolean {
  return typeof value === 'string' && /^[!-~]+$/.test(value);
}

/** How long a token lives, milliseconds. The unit of `expires_in` is not shown: seconds (RFC 6749). */
function lifeIn({ expires_in: life }: Readonly<Record<string, unknown>>): number | undefined {
  const ms = Number(textOf(life)) * 1000;
  return ms > 0 ? ms : undefined;
}

/** How long a token is used, milliseconds. */
function usableMs(lifeMs: number | undefined): number {
  if (lifeMs === undefined) return Number.POSITIVE_INFINITY;
  return lifeMs - Math.min(marginMs, lifeMs / marginShare);
}

function adviceOn({ origin }: ClientCredentials): string {
  return `Check client_id, client_secret and audience: ${origin}.`;
}

/** Without a token nothing can be asked for. The exchange has been tried as often as it makes sense. */
function tokenFailure(error: unknown, advice: string): unknown {
  if (!(error instanceof RequestFailure)) return error;
  const isRefusal = error.failure === 'authentication';
  const message = isRefusal ? 'The token exchange rejects the credentials.' : error.message;
  const hint = isRefusal ? advice : error.hint;
  return new ReconError(error.failure, message, {
    ...(error.where && { where: error.where }),
    ...(hint && { hint }),
    endsRun: true,
    reason: error,
  });
}
