import { backoff, type Clock, nextTurn } from '../base/clock.ts';
import { type FailureCause, type Policy, RequestFailure } from '../base/errors.ts';
import {
  checkAddress,
  type HttpAnswer,
  type HttpRequest,
  type Transport,
} from '../base/http/transport.ts';
import type { Secrets } from '../base/secrets.ts';
import type { Exchange } from '../model/probe.ts';
import { checkUrls } from './envelope.ts';
import type { Sent } from './pace.ts';
import type { Pacer, Priority, Spacing } from './pacer.ts';

const retries = { mostAttempts: 6, baseMs: 500, capMs: 8_000 };
/** Pauses for the rate limit that one request begins: about five minutes in all. */
const mostRateLimits = 16;
/** The most attempts of a request in all, with the refusals that the limits above do not count. */
const mostAttemptsInAll = 64;
/** A refused request waits at least this long. */
const repeatMs = 200;
/** No attempt takes longer, and no pause that the service did not request. */
const longestAttemptMs = 60_000;
/** The longest Retry-After that is obeyed. */
const longestRetryAfterMs = 5 * 60_000;
/** A longer answer is a page: the next request starts before it is read. */
const longestErrorBytes = 4_096;
/** Documented codes have at most four digits (doc 7.2). */
const longestCode = 40;

export interface RequestEvent extends Exchange {
  readonly method: string;
  readonly subject: string;
  readonly requestId: string | undefined;
  readonly code: string | undefined;
  readonly records: number | undefined;
}

export interface Wait {
  readonly reason: 'rate_limit' | FailureCause;
  readonly failure: string;
  readonly failed: number;
  readonly mostAttempts: number;
  /** Milliseconds since the last good answer. */
  readonly sinceMs: number;
  readonly nextMs: number;
  /** Milliseconds until the last attempt, at most. */
  readonly mostMs: number;
}

export interface Observer {
  request?(event: RequestEvent): void;
  /** All requests pause: the service requests it, or its rate limit is reached. */
  paused?(ms: number): void;
  waiting?(wait: Wait): void;
  /** From now on V1 requests wait for each other, one a second (doc 5.1). Called once. */
  paced?(): void;
  granted?(answer: HttpAnswer): void;
}

export interface ClientOptions {
  readonly transport: Pick<Transport, 'send'>;
  readonly pacer: Pacer;
  /** Redacted from errors and events; the tokens of the run are added. */
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly observer: Observer;
  /** If absent, requests are tried as long as it can help. */
  readonly patience?: Patience | undefined;
}

/** When to give up although another attempt might help. */
export interface Patience {
  /** Attempts that began a rate-limit pause are not counted. */
  readonly mostAttempts: number;
  /** The last attempt begins at most this long after the first, milliseconds. */
  readonly withinMs: number;
}

export interface Authorizer {
  /** The interval between requests that the scheme requires, if any. */
  readonly spacing?: Spacing;
  begin(): Authorization;
}

interface Authorization {
  token(): Promise<string>;
  /** Reports that the service rejected the last token. Returns whether to try again. */
  rejectToken(): boolean;
  scope(): string | undefined;
  /** What to check if tokens are rejected for good, as a sentence. */
  readonly advice: string;
}

interface ApiRequest {
  readonly call: HttpRequest;
  readonly subject?: string;
  /** Absent for the token request, which skips the queue: the request that needs the token holds a slot. */
  readonly queued?: { readonly authorizer: Authorizer; readonly priority: Priority };
  /** What to check if another server answers, as a sentence. */
  readonly address?: string;
}

interface ReadRequest<Result> extends ApiRequest {
  /** Reads the answer inside the attempt, since HTTP 200 can be a failure too; throws RequestFailure. */
  readonly read: (answer: HttpAnswer) => Result;
  readonly count?: (page: Result) => number;
}

interface RequestState {
  readonly authorization: Authorization | undefined;
  /** By the monotonic clock. */
  readonly began: number;
  attempts: number;
  failures: number;
  rateLimits: number;
}

/** Sends requests until they succeed or another attempt cannot help. */
export class Client {
  /** Pages read so far, and the sum of the milliseconds that they took. */
  readonly reading = { pages: 0, ms: 0 };
  #failingSince: number | undefined;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** What `read` makes of the answer; failures are handled by their policy. Throws ReconError. */
  async send<Result>(request: ReadRequest<Result>): Promise<Result> {
    const { pacer, secrets, clock, signal } = this.#options;
    const { queued } = request;
    const authorization = queued?.authorizer.begin();
    const began = clock.monotonic();
    const state: RequestState = { authorization, began, attempts: 0, failures: 0, rateLimits: 0 };
    const attempt = async (releaseSlot = () => {}) => {
      const token = await authorization?.token();
      if (token !== undefined) secrets.add(token);
      return this.#attempt(request, state, { token, releaseSlot });
    };
    for (;;) {
      try {
        if (queued) {
          const { spacing } = queued.authorizer;
          return await pacer.run(queued.priority, attempt, { spacing, signal });
        }
        await pacer.waitForPause(signal);
        return await attempt();
      } catch (error) {
        signal.throwIfAborted();
        const ms = this.#delay(error, state);
        if (ms === undefined) throw finalError(error, request, authorization, secrets);
        if (error instanceof RequestFailure) this.#tellWait(error, state, ms);
        await clock.sleep(ms, signal);
      }
    }
  }

  async #attempt<Result>(
    request: ReadRequest<Result>,
    state: RequestState,
    { token, releaseSlot }: { readonly token: string | undefined; releaseSlot(): void },
  ): Promise<Result> {
    const { call, read, count } = request;
    const { clock, transport, pacer, secrets } = this.#options;
    state.attempts += 1;
    const tell = this.#reporter(request, state.attempts);
    const began = clock.monotonic();
    const sent = pacer.pace.send();
    let answer: HttpAnswer | undefined;
    try {
      answer = await transport.send(token === undefined ? call : { ...call, token });
      if (answer.status === 200 && answer.bytes.length > longestErrorBytes) {
        releaseSlot();
        await nextTurn();
      }
      const result = read(answer);
      pacer.pace.accepted(sent);
      this.#failingSince = undefined;
      if (count) {
        this.reading.pages += 1;
        this.reading.ms += Math.round(clock.monotonic() - began);
        // An answer that `read` accepted has this code.
        tell(answer, { code: '0', records: count(result) });
      } else tell(answer, {});
      return result;
    } catch (error) {
      const failure = error instanceof RequestFailure ? error : undefined;
      // The service's own text may repeat secrets, and may be of any length.
      failure?.replaceTexts((text) => secrets.quote(text));
      const message = error instanceof Error ? error.message : String(error);
      tell(answer, { code: failure?.code, failure: message });
      // Before the request frees its slot: no other may start before the pause.
      if (failure) this.#slowDown(failure, sent, state);
      throw error;
    }
  }

  #reporter({ call, subject = '' }: ApiRequest, attempt: number) {
    const { clock, observer, secrets } = this.#options;
    const startedAt = clock.now();
    const began = clock.monotonic();
    type Outcome = Partial<Pick<RequestEvent, 'code' | 'records' | 'failure'>>;
    return (answer: HttpAnswer | undefined, { code, records, failure }: Outcome) =>
      observer.request?.({
        method: call.method,
        origin: new URL(call.url).origin,
        path: new URL(call.url).pathname,
        subject: secrets.quote(subject),
        attempt,
        startedAt,
        ms: Math.round(clock.monotonic() - began),
        status: answer?.status,
        date: answer?.date,
        requestId: answer?.requestId ? secrets.quote(answer.requestId) : undefined,
        code: code && secrets.quote(code, longestCode),
        records,
        failure,
      });
  }

  #slowDown({ policy, retryAfterMs }: RequestFailure, sent: Sent, state: RequestState): void {
    const { pacer, observer } = this.#options;
    // A Retry-After of 0, or of a date gone by, says nothing about how long to wait.
    const requestedMs = retryAfterMs ? Math.min(retryAfterMs, longestRetryAfterMs) : undefined;
    if (policy === 'rate_limit') {
      const pauseMs = pacer.pace.refused(sent, requestedMs);
      if (pauseMs === undefined) return;
      state.rateLimits += 1;
      observer.paused?.(pauseMs);
    } else if (policy === 'retry' && requestedMs) {
      pacer.pace.pause(requestedMs);
      observer.paused?.(requestedMs);
    }
  }

  #tellWait({ policy, failure, message }: RequestFailure, state: RequestState, ms: number): void {
    const { clock, pacer, observer } = this.#options;
    if (policy === 'new_credential') return;
    const now = clock.monotonic();
    this.#failingSince ??= now;
    const nextMs = Math.max(ms, pacer.pace.pauseMs);
    const isLimit = policy === 'rate_limit';
    const [failed, mostAttempts] = isLimit
      ? [Math.max(state.rateLimits, pacer.pace.refusalsInARow), mostRateLimits]
      : [state.failures, retries.mostAttempts];
    // After the rate limit is given up, those under way are still tried one after the other.
    const left = mostAttempts - failed + (isLimit ? pacer.concurrency : 0);
    const sinceMs = now - this.#failingSince;
    const mostMs = left * (longestAttemptMs + nextMs);
    const reason = isLimit ? policy : failure;
    observer.waiting?.({ reason, failure: message, failed, mostAttempts, sinceMs, nextMs, mostMs });
  }

  #delay(error: unknown, state: RequestState): number | undefined {
    const { clock, pacer, patience } = this.#options;
    const ms = error instanceof RequestFailure ? this.#delayBy(error.policy, state) : undefined;
    if (ms === undefined || !patience) return ms;
    const nextMs = clock.monotonic() + Math.max(ms, pacer.pace.pauseMs) - state.began;
    const attempts = state.attempts - state.rateLimits;
    return attempts < patience.mostAttempts && nextMs <= patience.withinMs ? ms : undefined;
  }

  #delayBy(policy: Policy, state: RequestState): number | undefined {
    const { pacer, random } = this.#options;
    switch (policy) {
      case 'give_up':
        return undefined;
      case 'new_credential':
        return state.authorization?.rejectToken() ? 0 : undefined;
      case 'retry':
        state.failures += 1;
        return state.failures < retries.mostAttempts
          ? backoff(state.failures, retries, random)
          : undefined;
      case 'rate_limit':
        // If nothing is accepted for so long, each remaining request is tried once.
        if (Math.max(state.rateLimits, pacer.pace.refusalsInARow) >= mostRateLimits)
          return undefined;
        if (state.attempts >= mostAttemptsInAll) return undefined;
        // A longer pause is waited for in the queue, with all others.
        return pacer.pace.pauseMs < repeatMs ? repeatMs : 0;
    }
  }
}

/** What to check if something else than the service answers at an address. */
export function addressHint(setting: string, path: string, from = 'the sandbox'): string {
  return `Check ${setting}, which is from ${from}: recon adds ${path} to it.`;
}

/** The same without what recon adds; for an unknown address, that it has to be checked. */
function settingOf(hint: string): string {
  return hint === checkUrls ? checkAddress : hint.replace(/: recon adds .*$/, '');
}

/** The error for the user, with the request's name and a hint that fits the token. */
function finalError(
  error: unknown,
  { call, subject, address = checkUrls }: ApiRequest,
  authorization: Authorization | undefined,
  secrets: Secrets,
): unknown {
  if (!(error instanceof RequestFailure)) return error;
  const { policy, failure, message, kept = message, code } = error;
  const scope = failure === 'authentication' ? authorization?.scope() : undefined;
  const scopes =
    scope === undefined ? '' : ` Scopes of the token: ${secrets.quote(scope) || 'none'}.`;
  const hint =
    policy === 'new_credential'
      ? authorization?.advice
      : error.hint &&
        error.hint.replace(checkUrls, address).replace(checkAddress, settingOf(address)) + scopes;
  const where = secrets.quote(`${call.method} ${call.url}${subject ? ` (${subject})` : ''}`);
  return new RequestFailure(policy, failure, kept, { where, code, hint, reason: error });
}
