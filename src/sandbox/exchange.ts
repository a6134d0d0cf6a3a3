import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, parseJson } from '../base/json.ts';

/** What the sandbox implements of the interface. */
export type Operation = 'token' | 'headers' | 'rows' | 'charge';

/** Where each operation lives (doc 4.1, 4.3, 4.4), but for charges. All of them are POST. */
const operationsByPath: ReadonlyMap<string, Operation> = new Map([
  ['/oauth/token', 'token'],
  ['/v1/merchant/settlement', 'headers'],
  ['/v1/merchant/settlement/transactions', 'rows'],
]);

/** The id in the path of a charge; undefined for any other path, and for one that is no text. */
function chargeIdIn(path: string): string | undefined {
  const encoded = /^\/charge\/([^/]+)$/.exec(path)?.[1];
  try {
    return encoded && decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** Whether two ids are the same: the letters of a UUID may be capital or small. */
export function isSameId(one: unknown, other: unknown): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}

/** A request, as far as the service looks at it. */
export interface Call {
  readonly method: string;
  readonly path: string;
  /** The id in the path of a charge (doc 4.2). */
  readonly chargeId: string | undefined;
  /** Undefined where the path is no operation's. */
  readonly operation: Operation | undefined;
  readonly contentType: string;
  /** The bearer token; undefined where there is none or the header is malformed. */
  readonly token: string | undefined;
  /** Undefined where the body is no JSON object. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The body's own `settlementId`, unchecked. */
  readonly settlementId: unknown;
}

/** How an answer reaches the client. */
type Delivery =
  | 'whole'
  /** Half of the text, as if it were all. */
  | 'truncated'
  /** With a byte in its last text that is no UTF-8. */
  | 'not_utf8'
  /** Half of the text, then the connection ends. */
  | 'broken_off'
  /** No answer: the connection is reset. */
  | 'reset';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string is sent as HTML. */
  readonly body: unknown;
  readonly delivery?: Delivery;
}

/** Doc 7.2, but for success. */
export const failureCodes: Readonly<Record<string, string>> = {
  '429': 'Rate limit exceeded',
  '1000': 'General exception',
  '1001': 'Access denied',
  '1002': 'Auth token missing or invalid',
  '1010': 'Not implemented',
  '1020': 'Missing required parameters',
  '2001': 'Database read error',
};

/** The wrapper around records (doc 2.6). */
export function success(data: readonly unknown[]): Answer {
  return { status: 200, body: { status: { code: '0', response: 'Success' }, data } };
}

/** A failure as the settlement operations report it: HTTP 200 as well (doc 4.3 rule 3). */
export function failure(code: string, message = failureCodes[code] ?? 'Unexpected'): Answer {
  return { status: 200, body: { status: { code, response: 'Fail', message } } };
}

/** A refused credential: HTTP 401 (doc 5.3), and the wrapper says the same in its own words. */
export function refusal(): Answer {
  return { ...failure('1002'), status: 401 };
}

/** The wrapper's code in an answer, if there is a wrapper. */
export function wrapperCode(answer: Answer): string | undefined {
  const body = record(answer.body);
  const code = record(body?.['status'])?.['code'];
  return typeof code === 'string' ? code : undefined;
}

/** A moment as a Date header has it, in whole seconds; `now` in milliseconds since the epoch. */
export function httpDate(now: number): string {
  return new Date(now).toUTCString();
}

/** The value itself if it is a JSON object, else undefined. */
export function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isObject(value) ? value : undefined;
}

/** Reads a request to its end. */
export async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = record(parseJson(Buffer.concat(chunks).toString('utf8')));
  const path = new URL(request.url ?? '/', 'http://sandbox').pathname;
  const chargeId = chargeIdIn(path);
  return {
    method: request.method ?? '',
    path,
    chargeId,
    operation: chargeId === undefined ? operationsByPath.get(path) : 'charge',
    contentType: request.headers['content-type'] ?? '',
    token: /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1],
    body,
    settlementId: body?.['settlementId'],
  };
}

/** Delivers an answer, or fails to in the way it says. */
export function send(response: ServerResponse, { status, headers, body, delivery }: Answer): void {
  if (delivery === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const isPage = typeof body === 'string';
  const whole = Buffer.from(isPage ? body : JSON.stringify(body));
  if (delivery === 'not_utf8') whole[whole.lastIndexOf('"') - 1] = 0xff;
  const half = whole.subarray(0, Math.floor(whole.length / 2));
  const promised = delivery === 'truncated' ? half : whole;
  response.writeHead(status, {
    'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    'content-length': promised.length,
    ...headers,
  });
  if (delivery === 'broken_off') response.write(half, () => response.destroy());
  else response.end(promised);
}
