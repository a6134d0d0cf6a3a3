import { backoff } from '../base/backoff.ts';
import { type Clock, nextTurn } from '../base/clock.ts';
import type { FailureCause } from '../base/errors.ts';
import { type Policy, RequestFailure } from '../base/http/request-failure.ts';
import type { HttpAnswer, HttpRequest, Transport } from '../base/http/transport.ts';
import type { Secrets } from '../base/secrets.ts';
import type { Exchange } from '../model/probe.ts';
import type { Authorization, Authorizer } from './auth/authorizers.ts';
import type { Sent } from './pace.ts';
import type { Pacer, Priority } from './pacer.ts';
import { checkUrls } from './status.ts';

const faults = { attempts: 6, baseMs: 500, capMs: 8_000 };
/** Refusals of one request, each after its pause: with the pacer's own pauses, about five minutes. */
const mostRefusals = 16;
/** Those that other requests had met before count too, in the end: two could pass on for ever. */
const mostAttempts = 64;
/** A refused request is not repeated sooner. */
const repeatMs = 200;
/** No attempt takes longer, and no pause that nobody asked for. */
const longestMs = 60_000;
/** The longest Retry-After that is waited for. */
const longestPauseMs = 5 * 60_000;

/** A longer answer is a page: the next request need not wait until it is read. */
const longestRefusal = 4_096;

/** The codes that the document names have four digits at most (doc 7.2). */
const longestCode = 40;

/** One attempt at a request, for whoever watches the run. */
export interface RequestEvent extends Exchange {
  readonly method: string;
  /** What it was about: a settlement, an offset. */
  readonly subject: string;
  readonly requestId: string | undefined;
  /** The wrapper's code, where there was a wrapper. */
  readonly code: string | undefined;
  /** Records, where the answer was a page. */
  readonly records: number | undefined;
}

/** A request failed for a reason that may pass, and is to be repeated. */
export interface Wait {
  readonly reason: 'rate_limit' | FailureCause;
  /** Why it failed, as a sentence. */
  readonly failure: string;
  /** So many attempts have failed, of so many at most. */
  readonly failed: number;
  readonly attempts: number;
  /** Milliseconds since when no answer was a good one. */
  readonly sinceMs: number;
  /** Milliseconds until the next attempt, and until the last one at most. */
  readonly nextMs: number;
  readonly mostMs: number;
}

/** Hears of requests and pauses while they happen. */
export interface Observer {
  request?(event: RequestEvent): void;
  /** The service asks for a pause of all requests, or refuses because of its rate limit. */
  paused?(ms: number): void;
  /** A request waits for its next attempt. */
  waiting?(wait: Wait): void;
  /** Each request takes a second of its own from now on (doc 5.1). Told once. */
  paced?(): void;
  /** The token exchange granted a token, in this answer. */
  granted?(answer: HttpAnswer): void;
}

export interface ClientOptions {
  readonly transport: Pick<Transport, 'send'>;
  readonly pacer: Pacer;
  /** What no error and no event may say; the tokens of the run are added. */
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly observer: Observer;
  /** As long as there is sense in another attempt, unless given. */
  readonly patience?: Patience;
}

/** When to give a request up, though another attempt might help. */
export interface Patience {
  /** So many attempts at most, not counting refusals by the rate limit. */
  readonly attempts: number;
  /** No further one begins later than this after the first, milliseconds. */
  readonly withinMs: number;
}

/** A request, what it is about, and its place in the line. */
export interface Request {
  readonly call: HttpRequest;
  readonly subject: string;
  readonly priority: Priority;
  /** What to look at where something else than the service answers, as a sentence. */
  readonly address?: string;
}

/** Makes something of an answer; throws RequestFailure. */
type Read<Result> = (answer: HttpAnswer) => Result;

/** Sends requests until they succeed or there is no sense in another attempt. */
export class Client {
  /** Pages read so far, and the milliseconds that they took, all together. */
  readonly reading = { pages: 0, ms: 0 };
  /** Absent while answers are good. */
  #failingSince: number | undefined;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * What `read` makes of the answer; `count` gives the records in it, where it is a page. Where `read`
   * throws RequestFailure, its policy is followed: what fails inside an HTTP 200 is read inside the
   * attempt, so that one loop sees every kind of failure. Without an authorizer the request takes no
   * place in the line: whoever asks for a token holds one already. Throws ReconError.
   */
  async ask<Result>(
    request: Request,
    authorizer: Authorizer | undefined,
    read: Read<Result>,
    count?: (page: Result) => number,
  ): Promise<Result> {
    const { pacer, secrets, clock, signal } = this.#options;
    const authorization = authorizer?.begin();
    const began = clock.monotonic();
    const course: Course = { request, authorization, began, attempts: 0, faults: 0, refusals: 0 };
    const attempt = async (leave = () => {}) => {
      const token = await authorization?.token();
      if (token !== undefined) secrets.add(token);
      return this.#attempt(token, course, leave, read, count);
    };
    for (;;) {
      try {
        if (authorizer)
          return await pacer.run(request.priority, attempt, authorizer.spacing, signal);
        await pacer.mayGo(signal);
        return await attempt();
      } catch (error) {
        signal.throwIfAborted();
        const ms = this.#delay(error, course);
        if (ms === undefined) throw final(error, course, secrets);
        if (error instanceof RequestFailure) this.#tellWait(error, course, ms);
        await clock.sleep(ms, signal);
      }
    }
  }

  async #attempt<Result>(
    token: string | undefined,
    course: Course,
    leave: () => void,
    read: Read<Result>,
    count: ((page: Result) => number) | undefined,
  ): Promise<Result> {
    const { call, subject } = course.request;
    const { clock, transport, pacer, observer, secrets } = this.#options;
    course.attempts += 1;
    const startedAt = clock.now();
    const began = clock.monotonic();
    const tookMs = () => Math.round(clock.monotonic() - began);
    const sent = pacer.pace.send();
    let answer: HttpAnswer | undefined;
    const tell = (outcome: Partial<Pick<RequestEvent, 'code' | 'records' | 'failure'>>) =>
      observer.request?.({
        method: call.method,
        origin: new URL(call.url).origin,
        path: new URL(call.url).pathname,
        subject: secrets.quote(subject),
        attempt: course.attempts,
        startedAt,
        ms: tookMs(),
        status: answer?.status,
        date: answer?.date,
        requestId: answer?.requestId ? secrets.quote(answer.requestId) : undefined,
        code: outcome.code && secrets.quote(outcome.code, longestCode),
        records: outcome.records,
        failure: outcome.failure,
      });
    try {
      answer = await transport.send(token === undefined ? call : { ...call, token });
      if (answer.status === 200 && answer.bytes.length > longestRefusal) {
        leave();
        await nextTurn();
      }
      const result = read(answer);
      pacer.pace.answered(sent);
      this.#failingSince = undefined;
      if (count) {
        this.reading.pages += 1;
        this.reading.ms += tookMs();
        tell({ code: '0', records: count(result) });
      } else tell({});
      return result;
    } catch (error) {
      const failure = error instanceof RequestFailure ? error : undefined;
      // The service's own words may repeat what it was sent, and have no end.
      if (failure) failure.message = secrets.quote(failure.message);
      tell({
        code: failure?.code,
        failure: error instanceof Error ? error.message : String(error),
      });
      // Now, while the request still has its place: nobody is to start before the pause.
      if (failure) this.#slowDown(failure, sent, course);
      throw error;
    }
  }

  #slowDown({ policy, retryAfterMs }: RequestFailure, sent: Sent, course: Course): void {
    const { pacer, observer } = this.#options;
    // A Retry-After of 0, or of a date gone by, says nothing about how long to wait.
    const askedMs = retryAfterMs ? Math.min(retryAfterMs, longestPauseMs) : undefined;
    if (policy === 'rate_limit') {
      const pauseMs = pacer.pace.limited(sent, askedMs);
      if (pauseMs === undefined) return;
      course.refusals += 1;
      observer.paused?.(pauseMs);
    } else if (policy === 'retry' && askedMs) {
      pacer.pace.pause(askedMs);
      observer.paused?.(askedMs);
    }
  }

  #tellWait({ policy, failure, message }: RequestFailure, course: Course, ms: number): void {
    const { clock, pacer, observer } = this.#options;
    // A token that is replaced is nothing to wait for.
    if (policy === 'new_credential') return;
    const now = clock.monotonic();
    this.#failingSince ??= now;
    const nextMs = Math.max(ms, pacer.pace.pauseMs);
    const isLimit = policy === 'rate_limit';
    const [failed, attempts] = isLimit
      ? [Math.max(course.refusals, pacer.pace.refusalsInARow), mostRefusals]
      : [course.faults, faults.attempts];
    // Once the rate limit is given up, those that are under way are still tried one after the other.
    const left = attempts - failed + (isLimit ? pacer.concurrency : 0);
    const [sinceMs, mostMs] = [now - this.#failingSince, left * (longestMs + nextMs)];
    const reason = isLimit ? policy : failure;
    observer.waiting?.({ reason, failure: message, failed, attempts, sinceMs, nextMs, mostMs });
  }

  /** The wait before the next attempt; undefined where there is to be none, or patience ends before it. */
  #delay(error: unknown, course: Course): number | undefined {
    const { clock, pacer, patience } = this.#options;
    const ms = error instanceof RequestFailure ? this.#delayBy(error.policy, course) : undefined;
    if (ms === undefined || !patience) return ms;
    const nextMs = clock.monotonic() + Math.max(ms, pacer.pace.pauseMs) - course.began;
    const attempts = course.attempts - course.refusals;
    return attempts < patience.attempts && nextMs <= patience.withinMs ? ms : undefined;
  }

  #delayBy(policy: Policy, course: Course): number | undefined {
    const { pacer, random } = this.#options;
    switch (policy) {
      case 'give_up':
        return undefined;
      case 'new_credential':
        return course.authorization?.refused() ? 0 : undefined;
      case 'retry':
        course.faults += 1;
        return course.faults < faults.attempts ? backoff(course.faults, faults, random) : undefined;
      case 'rate_limit':
        // Where nothing is let through for so long, each request that is left is tried once.
        if (Math.max(course.refusals, pacer.pace.refusalsInARow) >= mostRefusals) return undefined;
        if (course.attempts >= mostAttempts) return undefined;
        // For a longer pause it waits at the pacer, as all others do.
        return pacer.pace.pauseMs < repeatMs ? repeatMs : 0;
    }
  }
}

/** How one request has fared so far. */
interface Course {
  readonly request: Request;
  readonly authorization: Authorization | undefined;
  /** By the monotonic clock. */
  readonly began: number;
  attempts: number;
  faults: number;
  /** Refusals by the rate limit that no other request had met before. */
  refusals: number;
}

/** What ends a request, with its name. Where tokens or what they may do are refused, the hint depends on the token. */
function final(error: unknown, { request, authorization }: Course, secrets: Secrets): unknown {
  if (!(error instanceof RequestFailure)) return error;
  const { policy, failure, message, code } = error;
  const scope = failure === 'authentication' ? authorization?.scope() : undefined;
  const scopes =
    scope === undefined ? '' : ` Scopes of the token: ${secrets.quote(scope) || 'none'}.`;
  const hint =
    policy === 'new_credential'
      ? authorization?.advice
      : error.hint && error.hint.replace(checkUrls, request.address ?? checkUrls) + scopes;
  const { call, subject } = request;
  return new RequestFailure(policy, failure, message, {
    where: secrets.quote(`${call.method} ${call.url}${subject && ` (${subject})`}`),
    code,
    hint,
    reason: error,
  });
}
