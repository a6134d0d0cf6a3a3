import { readEnvelope } from '../../src/api/envelope.ts';
import type { HttpAnswer } from '../../src/base/http/transport.ts';

/** An answer with this body: a text as it is, anything else as JSON. */
export function answerOf(body: unknown, others: Partial<HttpAnswer> = {}): HttpAnswer {
  return {
    status: 200,
    bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    contentType: 'application/json',
    requestId: undefined,
    retryAfterMs: undefined,
    date: undefined,
    ...others,
  };
}

/** The records of an answer that must have a list. Throws RequestFailure. */
export function recordsIn(answer: HttpAnswer): readonly unknown[] {
  return readEnvelope(answer, { missingIsEmpty: false, onOdd: () => {} });
}
