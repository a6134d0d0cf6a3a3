import { isObject, parseExact, parseJson } from '../base/json.ts';
import { isSameUuid } from '../base/uuid.ts';
import type { Charge } from '../model/charge.ts';
import { isUnreadable } from './decode.ts';
import { decodeCharge } from './decode-charge.ts';
import { failureOf, isWrapper, readSuccess } from './envelope.ts';
import { httpRule, RequestFailure, type StatusRule } from './status.ts';
import { bodyOf, type HttpAnswer } from './transport.ts';

/** The charge in an answer to a request for `id`. Throws RequestFailure. */
export function readCharge(answer: HttpAnswer, id: string): Charge {
  const decoded = decodeCharge(parseJson(requireCharge(answer)), id);
  const failed = (message: string, hint: string) =>
    new RequestFailure('give_up', 'service', message, { hint });
  if (isUnreadable(decoded)) {
    const { field, found, expected } = decoded.unreadable;
    throw failed(
      `Charge ${id} cannot be read: ${field || 'it'} is ${found}, expected ${expected}.`,
      'Ask the service about that field. recon charge --raw shows the original answer.',
    );
  }
  if (isSameUuid(decoded.id, id)) return decoded;
  const message = `The service returned charge ${decoded.id} instead of ${id}.`;
  throw failed(message, 'Ask the service why.');
}

/** The document in an answer, undecoded. Throws RequestFailure. */
export function readChargeDocument(answer: HttpAnswer): unknown {
  return parseExact(requireCharge(answer));
}

/**
 * The JSON text of a charge. This operation has no wrapper, so that the HTTP status decides (doc
 * 4.2); where one comes in the place of a charge all the same, its code does.
 */
function requireCharge(answer: HttpAnswer): string {
  const text = bodyOf(answer);
  const body = parseJson(text);
  const isSuccess = answer.status >= 200 && answer.status < 300;
  if (isSuccess && isObject(body)) {
    if ('charge_id' in body || !isWrapper(body)) return text;
    readSuccess(answer);
  }
  throw failureOf(chargeRule(answer.status), answer);
}

/** Statuses that say something about the caller or the moment, and nothing about the charge. */
const notAboutTheCharge = [401, 403, 408, 429];

/** How an unknown charge is answered is not shown (doc 7.1). */
function chargeRule(status: number): StatusRule {
  const rule = httpRule(status);
  if (status === 403) {
    return { ...rule, hint: 'Ask the service which scopes charges need: this is not documented.' };
  }
  if (status < 400 || status >= 500 || notAboutTheCharge.includes(status)) return rule;
  return {
    policy: 'give_up',
    failure: 'not_found',
    meaning: 'The charge was not found, or access to it was denied',
    hint: 'Check the id and the profile (country and environment).',
  };
}
