import { type FailureCause, type Policy, RequestFailure } from '../base/errors.ts';
import { bodyOf, type HttpAnswer } from '../base/http/transport.ts';
import { isObject, parseJson } from '../base/json.ts';
import type { Secrets } from '../base/secrets.ts';
import { interfaceVersion } from '../model/probe.ts';
import type { OddAnswer } from '../model/source.ts';
import { oddField, quoted, textOf } from './fields.ts';

interface StatusRule {
  readonly policy: Policy;
  readonly failure: FailureCause;
  /** The sentence, without its final stop: codes and the service's own message follow it. */
  readonly meaning: string;
  readonly hint?: string;
}

function rule(policy: Policy, meaning: string, hint: string): StatusRule {
  return { policy, failure: 'service', meaning, hint };
}

const tryLater = 'Try again later. If it persists, contact the service and quote this request.';
const newerInterface = `recon follows version ${interfaceVersion} of the interface. Ask the service what this means.`;
export const checkUrls = 'Check base_url and auth_url.';
const tokenRejected: StatusRule = {
  policy: 'new_credential',
  failure: 'authentication',
  meaning: 'The service rejects the access token',
};
const accessDenied: StatusRule = {
  policy: 'give_up',
  failure: 'authentication',
  meaning: 'The service denies access',
  hint: 'The client needs the scopes read:merchant and read:merchant:settlement. Ask the service to grant them.',
};
const rateLimited = rule(
  'rate_limit',
  'The rate limit of the service is exceeded',
  'Try again later, or with a lower --concurrency.',
);
const unknownCode = rule('give_up', 'The service returned an undocumented code', newerInterface);

const notImplemented = 'The service reports that this operation is not implemented';
const otherVersion = 'Check base_url. It may point to another version or environment.';

/** The codes of the settlement wrapper (doc 7.2). The document does not say which to retry. */
const wrapperRules: ReadonlyMap<string, StatusRule> = new Map([
  // Together with the word Fail, so the intended code is unknown.
  ['0', rule('retry', 'The service reports a failure, but with the code for success', tryLater)],
  ['429', rateLimited],
  ['1000', rule('retry', 'The service reports a general exception', tryLater)],
  ['1001', accessDenied],
  ['1002', tokenRejected],
  ['1010', rule('give_up', notImplemented, otherVersion)],
  ['1020', rule('give_up', 'The service reports missing required parameters', newerInterface)],
  ['2001', rule('retry', 'The service could not read its database', tryLater)],
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
    return rule('retry', 'The service failed to process the request', tryLater);
  }
  if (status >= 300 && status < 400) {
    const redirects = 'The service redirects to another address; recon does not follow redirects';
    return rule('give_up', redirects, checkUrls);
  }
  if (status >= 200 && status < 300) {
    const hint = `${checkUrls} A proxy may have answered instead of the service.`;
    return rule('retry', 'The service returned an unreadable answer', hint);
  }
  return rule('give_up', 'The service rejects the request', checkUrls);
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
    const found = isNothing ? 'no data, but records were expected' : 'data that is not a list';
    const hint = 'Ask the service: its document shows a list of records (doc 2.6).';
    throw new RequestFailure('retry', 'service', `The service returned ${found}.`, { hint });
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
  throw failureOf(wrapperRule(code), answer, wrapperDetails(wrapper), code);
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

/** The failure of an answer by its rule; `details` follow the sentence. */
export function failureOf(
  { policy, failure, meaning, hint }: StatusRule,
  answer: HttpAnswer,
  details = describeBody(answer),
  code?: string,
): RequestFailure {
  const { retryAfterMs } = answer;
  const message = `${meaning} (${details}).`;
  return new RequestFailure(policy, failure, message, { hint, retryAfterMs, code });
}

function wrapperDetails({ status: { code, response, message } }: Wrapper): string {
  const asNumber = typeof code === 'number' ? ', written as a number' : '';
  const said = [response, message].map(textOf).filter((one) => one !== '');
  return [`code ${textOf(code)}${asNumber}`, ...said].join(', ');
}

function describeBody(answer: HttpAnswer): string {
  const kind =
    answer.bytes.length === 0 ? 'an empty body' : (answer.contentType ?? 'no content type');
  const coding = answer.bytes.length > 0 && bodyOf(answer) === '' ? ', not in UTF-8' : '';
  return `HTTP ${answer.status}, ${kind}${coding}`;
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
