import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, parseJson } from '../base/json.ts';

export type Operation = 'token' | 'headers' | 'rows' | 'charge';

/** All are POST (doc 4.1, 4.3, 4.4). */
const operationsByPath: ReadonlyMap<string, Operation> = new Map([
  ['/oauth/token', 'token'],
  ['/v1/merchant/settlement', 'headers'],
  ['/v1/merchant/settlement/transactions', 'rows'],
]);

function chargeIdIn(path: string): string | undefined {
  const encoded = /^\/charge\/([^/]+)$/.exec(path)?.[1];
  try {
    return encoded && decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** UUIDs may be in capitals. */
export function isSameId(one: unknown, other: unknown): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}

export interface Call {
  readonly method: string;
  readonly path: string;
  /** From the path (doc 4.2). */
  readonly chargeId: string | undefined;
  readonly operation: Operation | undefined;
  readonly contentType: string;
  readonly token: string | undefined;
  /** Undefined unless a JSON object. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** Unchecked. */
  readonly settlementId: unknown;
}

/** Sends an answer; `begin` sends the headers. */
type Deliver = (response: ServerResponse, whole: Buffer, begin: (length: number) => void) => void;

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly deliver?: Deliver;
}

/** Doc 7.2, without success. */
export const failureCodes: Readonly<Record<string, string>> = {
  '429': 'Rate limit exceeded',
  '1000': 'General exception',
  '1001': 'Access denied',
  '1002': 'Auth token missing or invalid',
  '1010': 'Not implemented',
  '1020': 'Missing required parameters',
  '2001': 'Database read error',
};

/** Failures are HTTP 200 (doc 4.3 rule 3). */
export function failure(code: string, message = failureCodes[code] ?? 'Unexpected'): Answer {
  return { status: 200, body: { status: { code, response: 'Fail', message } } };
}

/** HTTP 401 (doc 5.3), with a wrapper. */
export function refusal(): Answer {
  return { ...failure('1002'), status: 401 };
}

/** The code of the wrapper, if there is one. */
export function wrapperCode(answer: Answer): string | undefined {
  const body = record(answer.body);
  const code = record(body?.['status'])?.['code'];
  return typeof code === 'string' ? code : undefined;
}

/** A Date header; `now` in milliseconds. */
export function httpDate(now: number): string {
  return new Date(now).toUTCString();
}

/** The value if it is a JSON object. */
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

/** Sends an answer whole. */
export function deliverWhole(...[response, whole, begin]: Parameters<Deliver>): void {
  begin(whole.length);
  response.end(whole);
}

/** Sends an answer in the way it says. */
export function send(response: ServerResponse, answer: Answer): void {
  const { status, headers, body, deliver = deliverWhole } = answer;
  const isPage = typeof body === 'string';
  const whole = Buffer.from(isPage ? body : (JSON.stringify(body) ?? ''));
  deliver(response, whole, (length) =>
    response.writeHead(status, {
      'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      'content-length': length,
      ...headers,
    }),
  );
}
