import { backoff, type Clock } from '../base/clock.ts';
import { ReconError, RequestFailure } from '../base/errors.ts';
import {
  bodyOf,
  type HttpAnswer,
  type HttpRequest,
  Transport,
  type TransportOptions,
} from '../base/http/transport.ts';
import type { Secret } from '../base/secrets.ts';
import type { Exchange } from '../model/probe.ts';

interface SendingOptions
  extends Pick<TransportOptions, 'proxy' | 'userAgent' | 'signal' | 'timeouts'> {
  readonly clock: Clock;
  /** Called after each attempt, without the address. */
  readonly heard?: (attempt: Exchange) => void;
}

interface NotifyOptions extends SendingOptions {
  readonly random: () => number;
}

/** How a failed night ended. */
interface NightFailure {
  readonly exitCode: number;
  /** One word. */
  readonly cause: string;
}

interface HeartbeatOptions extends SendingOptions {
  /** The setting `heartbeat_failure`. */
  readonly failureForm: string;
}

const mostAttempts = 5;
const waits = { baseMs: 1_000, capMs: 8_000 };
const notifyTimeouts = { connectMs: 5_000, answerMs: 7_500 };
/** The latest start of an attempt after the first one, so all attempts take at most a minute. */
const lastStartMs = 45_000;

/** The whole request takes at most 10 seconds: twice the time for an answer. */
const heartbeatTimeouts = { connectMs: 5_000, answerMs: 5_000 };

/**
 * Posts a JSON document to the address in `notify_url` until it is accepted (2xx). No answer, 408, 429
 * and 5xx are retried, at most five attempts in a minute, honouring Retry-After. If an answer is lost, the
 * document may arrive twice. Throws ReconError `output` without the address, or the signal's reason.
 */
export async function postNotification(address: Secret, body: object, options: NotifyOptions) {
  const { clock, random, signal } = options;
  const url = address.reveal();
  const sender = openSender('notify_url', { timeouts: notifyTimeouts, ...options });
  const lastStart = clock.monotonic() + lastStartMs;
  try {
    for (let attempt = 1; ; attempt += 1) {
      const failure = await sender.send({ method: 'POST', url, body }, attempt, (refused) =>
        refused instanceof RequestFailure ? refused : notificationRefused(refused, url),
      );
      if (!failure) return;
      const ms = Math.max(backoff(attempt, waits, random), failure.retryAfterMs ?? 0);
      const isLast = attempt === mostAttempts || clock.monotonic() + ms > lastStart;
      if (failure.policy === 'give_up' || isLast) throw notAccepted(failure, attempt);
      await clock.sleep(ms, signal);
    }
  } finally {
    await sender.close();
  }
}

function notificationRefused(answer: HttpAnswer, url: string): RequestFailure {
  const { status, retryAfterMs } = answer;
  const isTemporary = status === 408 || status === 429 || status >= 500;
  const isRedirect = status >= 300 && status < 400;
  // Slack answers with one word. A word that is part of the address is not shown.
  const [word] = /^[a-z_]{2,40}$/.exec(bodyOf(answer).trim()) ?? [];
  const why = word && !url.toLowerCase().includes(word) ? `, ${word}` : '';
  const message = `The notification was not accepted (HTTP ${status}${why}).`;
  const hint = isRedirect
    ? 'Redirects are not followed. Set notify_url to the final address.'
    : 'Check notify_url. The address may be wrong or no longer valid.';
  return new RequestFailure(isTemporary ? 'retry' : 'give_up', 'output', message, {
    hint: isTemporary ? 'If it persists, check notify_url and ask whoever runs that server.' : hint,
    retryAfterMs,
  });
}

/** The cause is not attached: it contains the address. */
function notAccepted({ message, hint = '' }: RequestFailure, attempts: number): ReconError {
  return new ReconError('output', message, {
    where: `notification to notify_url${attempts > 1 ? `, ${attempts} attempts` : ''}`,
    hint: `${hint} The next run sends this news again.`.trim(),
  });
}

/** One GET request, not repeated. Throws ReconError `output` without the address, or the signal's reason. */
export async function sendHeartbeat(
  secret: Secret,
  failure: NightFailure | undefined,
  options: HeartbeatOptions,
): Promise<void> {
  const address = secret.reveal();
  const url = failure ? failureAddress(address, options.failureForm, failure) : address;
  const sender = openSender('heartbeat_url', { timeouts: heartbeatTimeouts, ...options });
  const failed = await sender
    .send({ method: 'GET', url }, 1, heartbeatRefused)
    .finally(() => sender.close());
  if (failed) throw failed;
}

/** The address with the path and the parameters of a form, such as `/fail` or `?status=down&msg={cause}`. */
function failureAddress(address: string, form: string, { exitCode, cause }: NightFailure) {
  const url = new URL(address);
  const filled = form.replaceAll('{code}', String(exitCode)).replaceAll('{cause}', cause);
  const [path = '', parameters = ''] = filled.split('?');
  url.pathname = url.pathname.replace(/\/$/, '') + path;
  for (const [name, value] of new URLSearchParams(parameters)) url.searchParams.set(name, value);
  return url.href;
}

function heartbeatRefused(refused: HttpAnswer | RequestFailure): ReconError {
  // The cause is not attached: it contains the address.
  const why =
    refused instanceof RequestFailure
      ? refused.message.replace(/\.$/, '')
      : `HTTP ${refused.status}`;
  return new ReconError('output', `The heartbeat was not accepted: ${why}.`, {
    hint: 'Check heartbeat_url. Redirects are not followed. The exit code of the night is not changed.',
  });
}

/** Sends to a secret address. The name of its setting, `secretSetting`, is shown instead. */
function openSender(secretSetting: string, options: SendingOptions) {
  const { clock, heard } = options;
  const transport = new Transport({
    ...options,
    connections: 1,
    now: () => clock.now(),
    secretSetting,
    isStatusEnough: true,
  });
  /** Returns the failure if there is no answer, or if it is not 2xx. */
  async function send<Failure extends ReconError>(
    request: HttpRequest,
    attempt: number,
    failureOf: (refused: HttpAnswer | RequestFailure) => Failure,
  ): Promise<Failure | undefined> {
    const startedAt = clock.now();
    const began = clock.monotonic();
    const answer = await transport.send(request).catch((error: unknown) => {
      if (error instanceof RequestFailure) return error;
      throw error;
    });
    const { status, date } =
      answer instanceof RequestFailure ? { status: 0, date: undefined } : answer;
    const failure = status >= 200 && status < 300 ? undefined : failureOf(answer);
    heard?.({
      origin: '',
      path: secretSetting,
      startedAt,
      ms: Math.round(clock.monotonic() - began),
      attempt,
      status: status === 0 ? undefined : status,
      date,
      failure: failure?.message,
    });
    return failure;
  }
  return { send, close: () => transport.close() };
}
