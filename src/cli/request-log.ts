import type { RequestEvent } from '../api/client.ts';

/** One line for one attempt at a request, for `--verbose`. It holds no token and no body. */
export function requestLine(event: RequestEvent, now: number): string {
  const { method, path, subject, attempt, status, code, records, ms, requestId, failure } = event;
  const outcome = [
    status === undefined ? 'no answer' : `HTTP ${status}`,
    ...(code === undefined ? [] : [`code ${code}`]),
    ...(records === undefined ? [] : [records === 1 ? '1 record' : `${records} records`]),
    `${ms} ms`,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(requestId === undefined ? [] : [`request id ${requestId}`]),
  ];
  const time = new Date(now).toISOString().slice(11, 23);
  const what = [time, method, path, ...(subject === '' ? [] : [`(${subject})`])].join(' ');
  return `${what}: ${outcome.join(', ')}${failure === undefined ? '' : `: ${failure}`}`;
}
