import type { Clock } from '../base/clock.ts';
import { backoff, retry } from '../base/retry.ts';
import type { Authorization, Authorizer } from './auth/authorizer.ts';
import { readEnvelope } from './envelope.ts';
import type { Pacer, Priority } from './pacer.ts';
import { RequestFailure } from './request-failure.ts';
import type { Answer, Call, Transport } from './transport.ts';

const faults = { attempts: 6, baseMs: 500, capMs: 8_000 };
const rateLimits = { attempts: 12, baseMs: 1_000, capMs: 60_000 };
/** The longest Retry-After that is waited for. */
const longestPauseMs = 5 * 60_000;

/** One attempt at a request, for whoever watches the run. */
export interface RequestEvent {
  readonly method: string;
  readonly path: string;
  /** What it was about: a settlement, an offset. */
  readonly subject: string;
  readonly attempt: number;
  readonly ms: number;
  /** Absent where no answer came. */
  readonly status?: number;
  readonly requestId?: string;
  /** The wrapper's code, where there was a wrapper. */
  readonly code?: string;
  /** Records in a page. */
  readonly records?: number;
  /** What went wrong, if something did. */
  readonly failure?: string;
}

/** Hears of requests and pauses while they happen. */
export interface Observer {
  request?(event: RequestEvent): void;
  /** All requests pause because of the rate limit. */
  paused?(ms: number): void;
}

export interface ClientOptions {
  readonly transport: Transport;
  readonly pacer: Pacer;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly observer: Observer;
}

/** A request, what it is about, and its place in the line. */
export interface Request {
  readonly call: Call;
  readonly subject: string;
  readonly priority: Priority;
}

/** Sends requests until they succeed or there is no sense in another attempt. */
export class Client {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * The records of a settlement operation (doc 4.3, 4.4). The wrapper is read inside the attempt, so
   * that one loop sees every kind of failure. Throws ReconError.
   */
  list(request: Request, authorizer: Authorizer): Promise<readonly unknown[]> {
    const { pacer } = this.#options;
    const authorization = authorizer.begin();
    return this.#persist(
      request,
      (attempt) =>
        pacer.run(request.priority, async () => {
          const call = { ...request.call, token: await authorization.token() };
          return this.#attempt({ ...request, call }, attempt, readEnvelope);
        }),
      authorization,
    );
  }

  /**
   * The answer to a request without a token, once `check` doesn't throw. It takes no place in the
   * line: whoever asks for a token holds one already.
   */
  exchange(request: Request, check: (answer: Answer) => void): Promise<Answer> {
    return this.#persist(request, (attempt) =>
      this.#attempt(request, attempt, (answer) => {
        check(answer);
        return answer;
      }),
    );
  }

  async #persist<Result>(
    request: Request,
    work: (attempt: number) => Promise<Result>,
    authorization?: Authorization,
  ): Promise<Result> {
    const { clock, signal } = this.#options;
    try {
      return await retry(work, { delay: this.#delays(authorization), clock, signal });
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      throw new RequestFailure(error.policy, error.failure, error.message, {
        where: describe(request),
        ...(error.hint && { hint: error.hint }),
        reason: error,
      });
    }
  }

  async #attempt<Result>(
    { call, subject }: Request,
    attempt: number,
    read: (answer: Answer) => Result,
  ): Promise<Result> {
    const { clock, transport, pacer, observer, signal } = this.#options;
    const started = clock.now();
    let answer: Answer | undefined;
    const tell = (outcome: Pick<RequestEvent, 'code' | 'records' | 'failure'>) =>
      observer.request?.({
        method: call.method,
        path: new URL(call.url).pathname,
        subject,
        attempt,
        ms: clock.now() - started,
        ...(answer && { status: answer.status }),
        ...(answer?.requestId && { requestId: answer.requestId }),
        ...outcome,
      });
    try {
      answer = await transport.send(call, signal);
      const result = read(answer);
      pacer.answered();
      tell(Array.isArray(result) ? { code: '0', records: result.length } : {});
      return result;
    } catch (error) {
      tell(failureIn(error));
      throw error;
    }
  }

  /** The waits between the attempts at one request, by what failed. */
  #delays(authorization: Authorization | undefined): (error: unknown) => number | undefined {
    const { pacer, random, observer } = this.#options;
    let failed = 0;
    let limited = 0;
    return (error) => {
      if (!(error instanceof RequestFailure)) return undefined;
      switch (error.policy) {
        case 'give_up':
          return undefined;
        case 'new_credential':
          return authorization?.refused() ? 0 : undefined;
        case 'retry':
          failed += 1;
          return failed < faults.attempts ? backoff(failed, faults, random) : undefined;
        case 'rate_limit': {
          limited += 1;
          if (limited >= rateLimits.attempts) return undefined;
          const ms = error.retryAfterMs ?? backoff(limited, rateLimits, () => 0.5 + random() / 2);
          const pause = Math.min(ms, longestPauseMs);
          pacer.limited(pause);
          observer.paused?.(pause);
          // The next attempt waits its turn at the pacer, as all others do.
          return 0;
        }
      }
    };
  }
}

function failureIn(error: unknown): Pick<RequestEvent, 'code' | 'failure'> {
  const code = error instanceof RequestFailure ? error.code : undefined;
  return {
    ...(code !== undefined && { code }),
    failure: error instanceof Error ? error.message : String(error),
  };
}

/** A request as an error names it. */
function describe({ call, subject }: Request): string {
  return `${call.method} ${call.url}${subject && ` (${subject})`}`;
}
