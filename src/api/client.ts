import { type Clock, nextTurn } from '../base/clock.ts';
import { backoff, retry } from '../base/retry.ts';
import type { Secrets } from '../base/secrets.ts';
import type { Exchange } from '../model/probe.ts';
import type { Authorization, Authorizer } from './auth/authorizers.ts';
import type { Sent } from './pace.ts';
import type { Pacer, Priority } from './pacer.ts';
import { RequestFailure } from './status.ts';
import type { HttpAnswer, HttpRequest, Transport } from './transport.ts';

const faults = { attempts: 6, baseMs: 500, capMs: 8_000 };
/** Refusals of one request, each after its pause: with the pacer's own pauses, about five minutes. */
const mostRefusals = 16;
/** Those that other requests had met before count too, in the end: two could pass on for ever. */
const mostAttempts = 64;
/** A refused request is not repeated sooner. */
const repeatMs = 200;
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

/** Hears of requests and pauses while they happen. */
export interface Observer {
  request?(event: RequestEvent): void;
  /** The service asks for a pause of all requests, or refuses because of its rate limit. */
  paused?(ms: number): void;
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
}

/** Makes something of an answer; throws RequestFailure. */
type Read<Result> = (answer: HttpAnswer) => Result;

/** Sends requests until they succeed or there is no sense in another attempt. */
export class Client {
  /** Pages read so far, and the milliseconds that they took, all together. */
  readonly reading = { pages: 0, ms: 0 };
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * What `read` makes of the answer; `count` gives the records in it, where it is a page. Where `read`
   * throws RequestFailure, its policy is followed: what fails inside an HTTP 200 is read inside the
   * attempt, so that one loop sees every kind of failure. Throws ReconError.
   */
  ask<Result>(
    request: Request,
    authorizer: Authorizer,
    read: Read<Result>,
    count?: (page: Result) => number,
  ): Promise<Result> {
    const { pacer, secrets } = this.#options;
    const authorization = authorizer.begin();
    const inTurn = (course: Course) => {
      const attempt = async (leave: () => void) => {
        const token = await authorization.token();
        secrets.add(token);
        const call = { ...request.call, token };
        return this.#attempt({ ...request, call }, course, read, { leave, count });
      };
      return pacer.run(request.priority, attempt, authorizer.spacing);
    };
    return this.#persist(request, inTurn, authorization);
  }

  /**
   * The answer to a request without a token, once `check` doesn't throw. It takes no place in the
   * line: whoever asks for a token holds one already.
   */
  exchange(request: Request, check: (answer: HttpAnswer) => void): Promise<HttpAnswer> {
    const read = (answer: HttpAnswer) => {
      check(answer);
      return answer;
    };
    return this.#persist(request, async (course) => {
      await this.#options.pacer.mayGo();
      return this.#attempt(request, course, read);
    });
  }

  async #persist<Result>(
    request: Request,
    work: (course: Course) => Promise<Result>,
    authorization?: Authorization,
  ): Promise<Result> {
    const { clock, signal, secrets } = this.#options;
    const course: Course = { began: clock.monotonic(), attempts: 0, faults: 0, refusals: 0 };
    const delay = (error: unknown) => {
      const ms = this.#delay(error, course, authorization);
      return ms === undefined || this.#isTooLate(ms, course) ? undefined : ms;
    };
    try {
      return await retry(() => work(course), { delay, clock, signal });
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      const hint = hintOf(error, authorization, secrets);
      const { method, url } = request.call;
      throw new RequestFailure(error.policy, error.failure, error.message, {
        where: secrets.quote(`${method} ${url}${request.subject && ` (${request.subject})`}`),
        code: error.code,
        ...(hint && { hint }),
        reason: error,
      });
    }
  }

  async #attempt<Result>(
    { call, subject }: Request,
    course: Course,
    read: Read<Result>,
    of: {
      readonly leave?: () => void;
      readonly count?: ((page: Result) => number) | undefined;
    } = {},
  ): Promise<Result> {
    const { clock, transport, pacer, observer, secrets } = this.#options;
    course.attempts += 1;
    const startedAt = clock.now();
    const began = clock.monotonic();
    const tookMs = () => Math.round(clock.monotonic() - began);
    const sent = pacer.pace.send();
    const { origin, pathname } = new URL(call.url);
    let answer: HttpAnswer | undefined;
    const tell = (outcome: Partial<Pick<RequestEvent, 'code' | 'records' | 'failure'>>) =>
      observer.request?.({
        method: call.method,
        origin,
        path: pathname,
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
      answer = await transport.send(call);
      if (answer.status === 200 && answer.bytes.length > longestRefusal) {
        of.leave?.();
        await nextTurn();
      }
      const result = read(answer);
      pacer.pace.answered(sent);
      if (of.count) {
        this.reading.pages += 1;
        this.reading.ms += tookMs();
        tell({ code: '0', records: of.count(result) });
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

  /** Whether patience ends before another attempt after `ms` milliseconds. */
  #isTooLate(ms: number, { began, attempts, refusals }: Course): boolean {
    const { clock, pacer, patience } = this.#options;
    if (!patience) return false;
    const nextAt = clock.monotonic() + Math.max(ms, pacer.pace.pauseMs);
    return attempts - refusals >= patience.attempts || nextAt - began > patience.withinMs;
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

  /** The wait before the next attempt, by what failed; undefined where there is to be none. */
  #delay(
    error: unknown,
    course: Course,
    authorization: Authorization | undefined,
  ): number | undefined {
    if (!(error instanceof RequestFailure)) return undefined;
    const { pacer, random } = this.#options;
    switch (error.policy) {
      case 'give_up':
        return undefined;
      case 'new_credential':
        return authorization?.refused() ? 0 : undefined;
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
  /** By the monotonic clock. */
  readonly began: number;
  attempts: number;
  faults: number;
  /** Refusals by the rate limit that no other request had met before. */
  refusals: number;
}

/** Where tokens or what they may do are refused, the hint depends on the token. */
function hintOf(
  { policy, failure, hint }: RequestFailure,
  authorization: Authorization | undefined,
  secrets: Secrets,
): string | undefined {
  if (policy === 'new_credential') return authorization?.advice;
  const scope = authorization?.scope();
  const isDenied = failure === 'authentication';
  return isDenied && scope !== undefined
    ? `${hint} Scopes of the token: ${secrets.quote(scope) || 'none'}.`
    : hint;
}
