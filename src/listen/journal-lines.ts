import { isObject, parseJson } from '../base/json.ts';
import { recogniseWebhook, type Webhook } from '../model/webhook.ts';

/** An event in the journal. */
export interface JournalEvent {
  /** Counts the events of the journal; never given twice. */
  readonly number: number;
  /** When it came in, in ISO 8601. */
  readonly receivedAt: string;
  readonly webhook: Webhook;
}

/** The line of an event. `payload` is the JSON text as it came: line feeds in it only part tokens. */
export function eventLine(number: number, receivedAt: string, payload: string): string {
  const oneLine = payload.replace(/[\r\n]/g, ' ');
  return `{"event":${number},"at":${JSON.stringify(receivedAt)},"payload":${oneLine}}\n`;
}

/** Undefined where a line can't be understood. */
export function parseEventLine(line: string): JournalEvent | undefined {
  const found = parseJson(line);
  if (!isObject(found)) return undefined;
  const { event, at, payload } = found;
  return typeof event === 'number' && typeof at === 'string' && isObject(payload)
    ? { number: event, receivedAt: at, webhook: recogniseWebhook(payload) }
    : undefined;
}

/** The line that marks an event as answered. */
export function answeredLine(number: number): string {
  return `{"answered":${number}}\n`;
}

/** The event that a line marks. What a crash left of the line before it may stand in front. */
export function parseAnsweredLine(line: string): number | undefined {
  const digits = /\{"answered":(\d{1,15})\}$/.exec(line)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
