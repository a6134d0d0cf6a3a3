import { RequestFailure } from '../base/http/request-failure.ts';
import { bodyOf, type HttpAnswer } from '../base/http/transport.ts';
import { isObject, parseJson } from '../base/json.ts';
import type { OddAnswer } from '../model/source.ts';
import { oddField, textOf } from './decode.ts';
import { httpRule, type StatusRule, wrapperRule } from './status.ts';

/** How a page of records is read. */
interface PageReading {
  /** Whether nothing in the place of the list stands for an empty one. */
  readonly mayBeEmpty?: boolean;
  /** Hears what the document doesn't show and what is understood all the same. */
  readonly note?: (odd: OddAnswer) => void;
}

/**
 * The records of an answer in the settlement wrapper (doc 2.6). What an empty page looks like isn't
 * shown: with the word Success, no list is one where an empty page may be. Throws RequestFailure.
 */
export function readEnvelope(
  answer: HttpAnswer,
  { mayBeEmpty = false, note = () => {} }: PageReading = {},
): readonly unknown[] {
  const wrapper = readSuccess(answer);
  const { data, status } = wrapper;
  const isSuccess = status.response === 'Success';
  const isNothing = data === undefined || data === null || isEmptyObject(data);
  const isEmpty = isNothing && isSuccess && mayBeEmpty;
  if (!Array.isArray(data) && !isEmpty) {
    throw new RequestFailure(
      'retry',
      'service',
      isNothing
        ? 'The service returned no data, but records were expected.'
        : 'The service returned data that is not a list.',
      { hint: 'Ask the service: its document shows a list of records (doc 2.6).' },
    );
  }
  const odd = (field: string, expected: string) => note(oddField(wrapper, { field, expected }));
  if (typeof status.code === 'number') odd('status.code', '"0"');
  if (!isSuccess) odd('status.response', '"Success"');
  if (isEmpty) odd('data', '[]');
  return Array.isArray(data) ? data : [];
}

/**
 * The wrapper of a success: code "0", and no word of failure beside it (doc 2.6, 4.3). Failures come
 * as HTTP 200 too, so that the code decides, whatever the HTTP status; without a wrapper that status
 * does. Throws RequestFailure.
 */
export function readSuccess(answer: HttpAnswer): Wrapper {
  const wrapper = parseJson(bodyOf(answer));
  if (!isWrapper(wrapper)) throw failureOf(httpRule(answer.status), answer);
  const code = textOf(wrapper.status.code);
  const saysFail = textOf(wrapper.status.response).toLowerCase() === 'fail';
  if (code === '0' && !saysFail) return wrapper;
  throw failureOf(wrapperRule(code), answer, wrapperDetails(wrapper), code);
}

interface Wrapper {
  /** The code is a text by the document (doc 2.6); a number is taken for its text. */
  readonly status: {
    readonly code: string | number;
    readonly response?: unknown;
    readonly message?: unknown;
  };
  readonly data?: unknown;
}

/** Whether a body is the settlement wrapper, as far as its code tells. */
export function isWrapper(body: unknown): body is Wrapper {
  const status = isObject(body) ? body['status'] : undefined;
  return isObject(status) && ['string', 'number'].includes(typeof status['code']);
}

/** The failure of an answer by its rule; `details` are added to the sentence, or what the answer is. */
export function failureOf(
  rule: StatusRule,
  answer: HttpAnswer,
  details = describeBody(answer),
  code?: string,
): RequestFailure {
  return new RequestFailure(rule.policy, rule.failure, `${rule.meaning} (${details}).`, {
    hint: rule.hint,
    retryAfterMs: answer.retryAfterMs,
    code,
  });
}

function wrapperDetails({ status: { code, response, message } }: Wrapper): string {
  const asNumber = typeof code === 'number' ? ', written as a number' : '';
  const said = [response, message].map(textOf).filter((one) => one !== '');
  return [`code ${textOf(code)}${asNumber}`, ...said].join(', ');
}

/** Names an answer without a wrapper: its status, and the kind of its body. */
function describeBody(answer: HttpAnswer): string {
  const kind =
    answer.bytes.length === 0 ? 'an empty body' : (answer.contentType ?? 'no content type');
  const coding = answer.bytes.length > 0 && bodyOf(answer) === '' ? ', not in UTF-8' : '';
  return `HTTP ${answer.status}, ${kind}${coding}`;
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
