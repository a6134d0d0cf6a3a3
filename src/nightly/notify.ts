import { backoff } from '../base/backoff.ts';
import type { Clock } from '../base/clock.ts';
import { ReconError } from '../base/errors.ts';
import { RequestFailure } from '../base/http/request-failure.ts';
import {
  bodyOf,
  type HttpAnswer,
  type Timeouts,
  Transport,
  type TransportOptions,
} from '../base/http/transport.ts';
import type { Secret } from '../base/secrets.ts';
import type { Exchange } from '../model/probe.ts';

const mostAttempts = 5;
const waits = { baseMs: 1_000, capMs: 8_000 };
/** An attempt ends within twice the time for an answer. */
const defaultTimeouts: Timeouts = { connectMs: 5_000, answerMs: 7_500 };
/** No attempt begins later than this after the first, milliseconds: all of it takes a minute at most. */
const lastStartMs = 45_000;

/** The setting that holds the address. It is said wherever the address would be. */
const setting = 'notify_url';

/** All that it takes to send a notification. */
export interface NotifyOptions extends Pick<TransportOptions, 'proxy' | 'userAgent' | 'signal'> {
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly timeouts?: Timeouts;
  /** Hears of each attempt; the setting stands where the address would. */
  readonly heard?: (attempt: Exchange) => void;
}

/**
 * Posts a JSON document to the address in `notify_url`, until the other side takes it: it answers with
 * 2xx, whatever follows. An attempt that failed but may succeed later (no answer, 408, 429, 5xx) is repeated, five
 * attempts and a minute at most; a Retry-After that fits into it is honoured. What was taken may
 * arrive again, where its answer was lost. Throws ReconError `output` where it wasn't taken, without
 * anything of the address, or the signal's reason.
 */
export async function postNotification(
  address: Secret,
  document: object,
  options: NotifyOptions,
): Promise<void> {
  const { clock, random, signal, timeouts = defaultTimeouts } = options;
  const transport = new Transport({
    ...options,
    connections: 1,
    now: () => clock.now(),
    timeouts,
    secretSetting: setting,
    isStatusEnough: true,
  });
  const lastStart = clock.monotonic() + lastStartMs;
  try {
    for (let attempt = 1; ; attempt += 1) {
      const failure = await tryToPost(transport, address.reveal(), document, attempt, options);
      if (!failure) return;
      const ms = Math.max(backoff(attempt, waits, random), failure.retryAfterMs ?? 0);
      const isLast = attempt === mostAttempts || clock.monotonic() + ms > lastStart;
      if (failure.policy === 'give_up' || isLast) throw notTaken(failure, attempt);
      await clock.sleep(ms, signal);
    }
  } finally {
    await transport.close();
  }
}

/** One attempt: undefined where the document was taken. */
async function tryToPost(
  transport: Transport,
  url: string,
  body: object,
  attempt: number,
  { clock, heard }: NotifyOptions,
): Promise<RequestFailure | undefined> {
  const startedAt = clock.now();
  const began = clock.monotonic();
  let answer: HttpAnswer | undefined;
  let failure: RequestFailure | undefined;
  try {
    answer = await transport.send({ method: 'POST', url, body });
    failure = refusal(answer, url);
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
    failure = error;
  }
  heard?.({
    origin: '',
    path: setting,
    startedAt,
    ms: Math.round(clock.monotonic() - began),
    attempt,
    status: answer?.status,
    date: answer?.date,
    failure: failure?.message,
  });
  return failure;
}

/** Why an answer means that the document wasn't taken; undefined where it was. */
function refusal(answer: HttpAnswer, url: string): RequestFailure | undefined {
  const { status, retryAfterMs } = answer;
  if (status >= 200 && status < 300) return undefined;
  const mayPass = status === 408 || status === 429 || status >= 500;
  const isRedirect = status >= 300 && status < 400;
  // Slack and its like say why in one word. A word that repeats a part of the address stays unsaid.
  const [word] = /^[a-z_]{2,40}$/.exec(bodyOf(answer).trim()) ?? [];
  const why = word && !url.toLowerCase().includes(word) ? `, ${word}` : '';
  const message = `The notification was not accepted (HTTP ${status}${why}).`;
  const hint = isRedirect
    ? `Redirects are not followed. Set ${setting} to the final address.`
    : `Check ${setting}. The address may be wrong or no longer valid.`;
  return new RequestFailure(mayPass ? 'retry' : 'give_up', 'output', message, {
    hint: mayPass ? `If it persists, check ${setting} and ask whoever runs that server.` : hint,
    retryAfterMs,
  });
}

/** What ends the run. What is underneath stays out of it: it holds the address. */
function notTaken({ message, hint = '' }: RequestFailure, attempts: number): ReconError {
  return new ReconError('output', message, {
    where: `notification to ${setting}${attempts > 1 ? `, ${attempts} attempts` : ''}`,
    hint: `${hint} The next run sends this news again.`.trim(),
  });
}
