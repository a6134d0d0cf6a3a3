import { isObject, parseJson } from '../base/json.ts';
import { RequestFailure } from './request-failure.ts';
import { httpRule, type StatusRule, wrapperRule } from './status.ts';
import { type Answer, bodyOf } from './transport.ts';

/**
 * The records of an answer in the settlement wrapper (doc 2.6). Failures come as HTTP 200 too: only
 * `status.code` "0" is success, whatever the HTTP status; without a wrapper that status decides.
 * Throws RequestFailure.
 */
export function readEnvelope(answer: Answer): readonly unknown[] {
  const body = parseJson(bodyOf(answer));
  const code = wrapperCode(body);
  if (code === undefined) throw failureOf(httpRule(answer.status), answer, describeBody(answer));
  if (code !== '0') {
    throw failureOf(wrapperRule(code), answer, wrapperDetails(body, code), code);
  }
  const data = isObject(body) ? body['data'] : undefined;
  if (Array.isArray(data)) return data;
  // With success, an absent list is an empty page: what an empty one looks like is not shown.
  if (data === undefined || data === null || isEmptyObject(data)) return [];
  throw new RequestFailure('retry', 'service', 'The service answers with data that is no list.', {
    hint: 'Ask the service: its document shows a list of records (doc 2.6).',
  });
}

/** The wrapper's code, if there is a wrapper. Success is the string "0" alone (doc 2.6). */
function wrapperCode(body: unknown): string | undefined {
  if (!isObject(body) || !isObject(body['status'])) return undefined;
  const code = body['status']['code'];
  if (typeof code === 'number') return code === 0 ? undefined : String(code);
  return typeof code === 'string' ? code : undefined;
}

/** The failure of an answer by its rule; `details` are added to the sentence. */
export function failureOf(
  rule: StatusRule,
  answer: Answer,
  details: string,
  code?: string,
): RequestFailure {
  return new RequestFailure(rule.policy, rule.failure, `${rule.meaning} (${details}).`, {
    ...(rule.hint && { hint: rule.hint }),
    retryAfterMs: answer.retryAfterMs,
    code,
  });
}

function wrapperDetails(body: unknown, code: string): string {
  const status = isObject(body) && isObject(body['status']) ? body['status'] : {};
  const texts = [status['response'], status['message']];
  const said = texts.filter((text): text is string => typeof text === 'string' && text !== '');
  return [`code ${code}`, ...said].join(', ');
}

/** Names an answer without a wrapper: its status, and the kind of its body. */
export function describeBody(answer: Answer): string {
  const kind =
    answer.bytes.length === 0 ? 'an empty body' : (answer.contentType ?? 'no content type');
  return `HTTP ${answer.status}, ${kind}`;
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
