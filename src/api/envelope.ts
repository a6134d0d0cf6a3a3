import { type FailureCause, type Policy, RequestFailure } from '../base/errors.ts';
import type { AnswerCode, FailureReason } from '../base/failure-reason.ts';
import { bodyOf, type HttpAnswer } from '../base/http/transport.ts';
import { isObject, parseJson } from '../base/json.ts';
import type { Secrets } from '../base/secrets.ts';
import { interfaceVersion } from '../model/probe.ts';
import type { OddAnswer } from '../model/source.ts';
import { oddField, quoted, textOf } from './fields.ts';

interface StatusRule {
  readonly policy: Policy;
  readonly failure: FailureCause;
  readonly meaning: AnswerCode;
  readonly hint?: string;
}

function rule(policy: Policy, meaning: AnswerCode, hint: string): StatusRule {
  return { policy, failure: 'service', meaning, hint };
}

const tryLater = 'Try again later. If it persists, contact the service and quote this request.';
const newerInterface = `recon follows version ${interfaceVersion} of the interface. Ask the service what this means.`;
export const checkUrls = 'Check base_url and auth_url.';
const tokenRejected: StatusRule = {
  policy: 'new_credential',
  failure: 'authentication',
  meaning: 'token_rejected',
};
const accessDenied: StatusRule = {
  policy: 'give_up',
  failure: 'authentication',
  meaning: 'access_denied',
  hint: 'The client needs the scopes read:merchant and read:merchant:settlement. Ask the service to grant them.',
};
const rateLimited = rule(
  'rate_limit',
  'rate_limit',
  'Try again later, or with a lower --concurrency.',
);
const unknownCode = rule('give_up', 'undocumented_code', newerInterface);

const otherVersion = 'Check base_url. It may point to another version or environment.';

/** The codes of the settlement wrapper (doc 7.2). The document does not say which to retry. */
const wrapperRules: ReadonlyMap<string, StatusRule> = new Map([
  // Together with the word Fail, so the intended code is unknown.
  ['0', rule('retry', 'failure_with_success_code', tryLater)],
  ['429', rateLimited],
  ['1000', rule('retry', 'general_exception', tryLater)],
  ['1001', accessDenied],
  ['1002', tokenRejected],
  ['1010', rule('give_up', 'not_implemented', otherVersion)],
  ['1020', rule('give_up', 'missing_parameters', newerInterface)],
  ['2001', rule('retry', 'database_not_read', tryLater)],
]);

/** The rule for the wrapper code of a failure; undocumented codes are final. */
export function wrapperRule(code: string): StatusRule {
  return wrapperRules.get(code) ?? unknownCode;
}

/** The rule for the HTTP status of an answer without a wrapper; only 401 is documented (doc 7.1). */
export function httpRule(status: number): StatusRule {
  if (status === 401) return tokenRejected;
  if (status === 403) return accessDenied;
  if (status === 429) return rateLimited;
  if (status === 408 || status >= 500) {
    return rule('retry', 'not_processed', tryLater);
  }
  if (status >= 300 && status < 400 && status !== 304) {
    return rule('give_up', 'redirect', checkUrls);
  }
  if (status >= 200 && status < 300) {
    const hint = `${checkUrls} A proxy may have answered instead of the service.`;
    return rule('retry', 'unreadable_answer', hint);
  }
  return rule('give_up', 'request_rejected', checkUrls);
}

interface PageReading {
  readonly missingIsEmpty: boolean;
  /** Called for anything undocumented that was understood. */
  readonly onOdd: (odd: OddAnswer) => void;
}

/** The records in the settlement wrapper (doc 2.6), which does not show an empty page. Throws RequestFailure. */
export function readEnvelope(
  answer: HttpAnswer,
  { missingIsEmpty, onOdd }: PageReading,
): readonly unknown[] {
  const wrapper = requireSuccess(answer);
  const { data, status } = wrapper;
  const isSuccess = status.response === 'Success';
  const isEmptyObject = isObject(data) && Object.keys(data).length === 0;
  const isNothing = data === undefined || data === null || isEmptyObject;
  const isEmpty = isNothing && isSuccess && missingIsEmpty;
  if (!Array.isArray(data) && !isEmpty) {
    const code = isNothing ? 'no_records' : 'no_list';
    const hint = 'Ask the service: its document shows a list of records (doc 2.6).';
    throw new RequestFailure('retry', 'service', { code, facts: {} }, { hint });
  }
  const odd = (field: string, expected: string) => onOdd(oddField(wrapper, { field, expected }));
  if (typeof status.code === 'number') odd('status.code', '"0"');
  if (!isSuccess) odd('status.response', '"Success"');
  if (isEmpty) odd('data', '[]');
  return Array.isArray(data) ? data : [];
}

/** The wrapper of a success: code "0" without the word Fail (doc 2.6, 4.3). Throws RequestFailure for anything else. */
export function requireSuccess(answer: HttpAnswer): Wrapper {
  const wrapper = parseJson(bodyOf(answer));
  if (!isWrapper(wrapper)) throw failureOf(httpRule(answer.status), answer);
  const code = textOf(wrapper.status.code);
  const saysFail = textOf(wrapper.status.response).toLowerCase() === 'fail';
  if (code === '0' && !saysFail) return wrapper;
  throw failureOf(wrapperRule(code), answer, wrapperFacts(wrapper), code);
}

interface Wrapper {
  /** The document shows the code as a text (doc 2.6); a number is accepted too. */
  readonly status: {
    readonly code: string | number;
    readonly response?: unknown;
    readonly message?: unknown;
  };
  readonly data?: unknown;
}

/** Whether a body is the settlement wrapper: whether it has a code. */
export function isWrapper(body: unknown): body is Wrapper {
  const status = isObject(body) ? body['status'] : undefined;
  return isObject(status) && ['string', 'number'].includes(typeof status['code']);
}

/** The failure of an answer by its rule; `facts` say what the answer was. */
export function failureOf(
  { policy, failure, meaning, hint }: StatusRule,
  answer: HttpAnswer,
  facts: FailureReason['facts'] = bodyFacts(answer),
  code?: string,
): RequestFailure {
  const { retryAfterMs } = answer;
  const happened = { code: meaning, facts };
  return new RequestFailure(policy, failure, happened, { hint, retryAfterMs, code });
}

function wrapperFacts({ status }: Wrapper): FailureReason['facts'] {
  return {
    code: textOf(status.code),
    number: typeof status.code === 'number' ? 'yes' : 'no',
    response: textOf(status.response),
    message: textOf(status.message),
  };
}

function bodyFacts(answer: HttpAnswer): FailureReason['facts'] {
  const isEmpty = answer.bytes.length === 0;
  return {
    http: String(answer.status),
    type: answer.contentType ?? '',
    body: isEmpty ? 'empty' : bodyOf(answer) === '' ? 'not_utf8' : 'text',
  };
}

/** A limit, because a service could send a new word in each answer. */
const mostKept = 10;

/** Collects what is undocumented in answers, each thing once, without the secrets. */
export function collectOddAnswers(secrets: Secrets) {
  const found = new Map<string, OddAnswer>();
  return {
    add: (odd: OddAnswer): void => {
      const one = quoted(odd, secrets);
      if (found.size < mostKept) found.set(`${one.field} ${one.found}`, one);
    },
    all: (): readonly OddAnswer[] => [...found.values()],
  };
}
