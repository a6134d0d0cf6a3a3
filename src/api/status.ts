import type { FailureCause } from '../base/errors.ts';
import type { Policy } from '../base/http/request-failure.ts';
import { interfaceVersion } from '../model/probe.ts';

/** What a failure means and what may be done about it. */
export interface StatusRule {
  readonly policy: Policy;
  readonly failure: FailureCause;
  /** The sentence, without its final stop: codes and the service's own message follow it. */
  readonly meaning: string;
  readonly hint?: string;
}

/** A rule about the service; `hint` says what to do. */
function rule(policy: Policy, meaning: string, hint: string): StatusRule {
  return { policy, failure: 'service', meaning, hint };
}

const tryLater = 'Try again later. If it persists, contact the service and quote this request.';
const newerInterface = `recon follows version ${interfaceVersion} of the interface. Ask the service what this means.`;
export const checkUrls = 'Check base_url and auth_url.';
const tokenRefused: StatusRule = {
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

/** The codes of the settlement wrapper (doc 7.2). Which may be retried is not shown there. */
const wrapperRules: ReadonlyMap<string, StatusRule> = new Map([
  // With the word Fail beside it: nobody knows which of the others was meant.
  ['0', rule('retry', 'The service reports a failure, but with the code for success', tryLater)],
  ['429', rateLimited],
  ['1000', rule('retry', 'The service reports a general exception', tryLater)],
  ['1001', accessDenied],
  ['1002', tokenRefused],
  [
    '1010',
    rule(
      'give_up',
      'The service reports that this operation is not implemented',
      'Check base_url. It may point to another version or environment.',
    ),
  ],
  ['1020', rule('give_up', 'The service reports missing required parameters', newerInterface)],
  ['2001', rule('retry', 'The service could not read its database', tryLater)],
]);

/** The rule for the wrapper code of a failure. A code that the document doesn't name is final. */
export function wrapperRule(code: string): StatusRule {
  return wrapperRules.get(code) ?? unknownCode;
}

/** The rule for an HTTP status of an answer without a wrapper (doc 7.1 shows only 401). */
export function httpRule(status: number): StatusRule {
  if (status === 401) return tokenRefused;
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
