import type { ServerResponse } from 'node:http';
import { isObject } from '../base/json.ts';

export type Operation = 'token' | 'headers' | 'rows' | 'charge';

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
  readonly isJson: boolean;
  readonly token: string | undefined;
  /** Undefined unless a JSON object. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** Unchecked. */
  readonly settlementId: unknown;
}

/** Sends an answer; `begin` sends the headers. */
export type Deliver = (
  response: ServerResponse,
  whole: Buffer,
  begin: (length: number) => void,
) => void;

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

export function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isObject(value) ? value : undefined;
}
