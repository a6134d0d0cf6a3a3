import type { Clock } from '../base/clock.ts';
import { ReconError } from '../base/errors.ts';
import { Transport, type TransportOptions } from '../base/http/transport.ts';
import type { Secret } from '../base/secrets.ts';
import type { Exchange } from '../model/probe.ts';

/** The setting that holds the address; shown in place of the address. */
const addressSetting = 'heartbeat_url';

/** The whole request takes at most 10 seconds: twice the time for an answer. */
const timeouts = { connectMs: 5_000, answerMs: 5_000 };

/** How a night ended that did not do its work. */
export interface NightFailure {
  readonly exitCode: number;
  /** One word. */
  readonly cause: string;
}

export interface HeartbeatOptions
  extends Pick<TransportOptions, 'proxy' | 'userAgent' | 'signal' | 'timeouts'> {
  readonly clock: Clock;
  /** The setting `heartbeat_failure`. */
  readonly failureForm: string;
  /** Called after the request, without the address. */
  readonly heard: (request: Exchange) => void;
}

/** One GET request, not repeated. Throws ReconError `output` without the address, or the signal's reason. */
export async function sendHeartbeat(
  address: Secret,
  failure: NightFailure | undefined,
  { clock, failureForm, heard, ...options }: HeartbeatOptions,
): Promise<void> {
  const transport = new Transport({
    timeouts,
    ...options,
    connections: 1,
    now: () => clock.now(),
    secretSetting: addressSetting,
    isStatusEnough: true,
  });
  const url = failure ? failureAddress(address.reveal(), failureForm, failure) : address.reveal();
  const [startedAt, began] = [clock.now(), clock.monotonic()];
  let status: number | undefined;
  let failed: ReconError | undefined;
  try {
    ({ status } = await transport.send({ method: 'GET', url }));
    if (status < 200 || status > 299) failed = notAccepted(`HTTP ${status}`);
  } catch (error) {
    if (!(error instanceof ReconError)) throw error;
    // The cause is not attached: it contains the address.
    failed = notAccepted(error.message.replace(/\.$/, ''));
  } finally {
    await transport.close();
  }
  const ms = Math.round(clock.monotonic() - began);
  const request = { origin: '', path: addressSetting, startedAt, ms, attempt: 1, date: undefined };
  heard({ ...request, status, failure: failed?.message });
  if (failed) throw failed;
}

/** The address with the path and the parameters of a form, such as `/fail` or `?status=down&msg={cause}`. */
export function failureAddress(
  address: string,
  form: string,
  { exitCode, cause }: NightFailure,
): string {
  const url = new URL(address);
  const filled = form.replaceAll('{code}', String(exitCode)).replaceAll('{cause}', cause);
  const [path = '', parameters = ''] = filled.split('?');
  url.pathname = url.pathname.replace(/\/$/, '') + path;
  for (const [name, value] of new URLSearchParams(parameters)) url.searchParams.set(name, value);
  return url.href;
}

function notAccepted(why: string): ReconError {
  return new ReconError('output', `The heartbeat was not accepted: ${why}.`, {
    hint: `Check ${addressSetting}. Redirects are not followed. The exit code of the night is not changed.`,
  });
}
