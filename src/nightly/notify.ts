import { backoff, type Clock } from '../base/clock.ts';
import { ReconError, RequestFailure } from '../base/errors.ts';
import {
  bodyOf,
  type HttpAnswer,
  Transport,
  type TransportOptions,
} from '../base/http/transport.ts';
import type { Secret } from '../base/secrets.ts';
import type { Exchange } from '../model/probe.ts';

const mostAttempts = 5;
const waits = { baseMs: 1_000, capMs: 8_000 };
const defaultTimeouts = { connectMs: 5_000, answerMs: 7_500 };
/** No attempt starts later than this after the first, so all of it takes a minute at most. */
const lastStartMs = 45_000;

/** The setting that holds the address; shown in place of the address. */
const addressSetting = 'notify_url';

export interface NotifyOptions extends Pick<TransportOptions, 'proxy' | 'userAgent' | 'signal'> {
  readonly clock: Clock;
  readonly random: () => number;
  readonly timeouts?: TransportOptions['timeouts'];
  /** Called after each attempt, without the address. */
  readonly heard?: (attempt: Exchange) => void;
}

/**
 * Posts a JSON document to the address in `notify_url` until it is accepted (2xx). No answer, 408, 429
 * and 5xx are retried, at most five attempts in a minute, honouring Retry-After. If an answer is lost, the
 * document may arrive twice. Throws ReconError `output`, which has no part of the address; or the reason of
 * the signal.
 */
export async function postNotification(address: Secret, document: object, options: NotifyOptions) {
  const { clock, random, signal, timeouts = defaultTimeouts } = options;
  const transport = new Transport({
    ...options,
    connections: 1,
    now: () => clock.now(),
    timeouts,
    secretSetting: addressSetting,
    isStatusEnough: true,
  });
  const lastStart = clock.monotonic() + lastStartMs;
  try {
    for (let attempt = 1; ; attempt += 1) {
      const failure = await tryToPost(transport, address.reveal(), document, attempt, options);
      if (!failure) return;
      const ms = Math.max(backoff(attempt, waits, random), failure.retryAfterMs ?? 0);
      const isLast = attempt === mostAttempts || clock.monotonic() + ms > lastStart;
      if (failure.policy === 'give_up' || isLast) throw notAccepted(failure, attempt);
      await clock.sleep(ms, signal);
    }
  } finally {
    await transport.close();
  }
}

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
    failure = failureOf(answer, url);
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
    failure = error;
  }
  heard?.({
    origin: '',
    path: addressSetting,
    startedAt,
    ms: Math.round(clock.monotonic() - began),
    attempt,
    status: answer?.status,
    date: answer?.date,
    failure: failure?.message,
  });
  return failure;
}

function failureOf(answer: HttpAnswer, url: string): RequestFailure | undefined {
  const { status, retryAfterMs } = answer;
  if (status >= 200 && status < 300) return undefined;
  const isTemporary = status === 408 || status === 429 || status >= 500;
  const isRedirect = status >= 300 && status < 400;
  // Slack answers with one word. A word that is part of the address is not shown.
  const [word] = /^[a-z_]{2,40}$/.exec(bodyOf(answer).trim()) ?? [];
  const why = word && !url.toLowerCase().includes(word) ? `, ${word}` : '';
  const message = `The notification was not accepted (HTTP ${status}${why}).`;
  const hint = isRedirect
    ? `Redirects are not followed. Set ${addressSetting} to the final address.`
    : `Check ${addressSetting}. The address may be wrong or no longer valid.`;
  return new RequestFailure(isTemporary ? 'retry' : 'give_up', 'output', message, {
    hint: isTemporary
      ? `If it persists, check ${addressSetting} and ask whoever runs that server.`
      : hint,
    retryAfterMs,
  });
}

/** The cause is not attached: it contains the address. */
function notAccepted({ message, hint = '' }: RequestFailure, attempts: number): ReconError {
  return new ReconError('output', message, {
    where: `notification to ${addressSetting}${attempts > 1 ? `, ${attempts} attempts` : ''}`,
    hint: `${hint} The next run sends this news again.`.trim(),
  });
}
