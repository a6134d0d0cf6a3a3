import { type FailureCause, type FailureDetails, ReconError } from '../base/errors.ts';
import { interfaceVersion } from '../model/probe.ts';

/**
 * What may be done about a failed request:
 * - `retry`: the same again, after a while
 * - `rate_limit`: the same again, after all requests of the run have slowed down
 * - `new_credential`: the same again, with another token
 * - `give_up`: another attempt would fail too
 */
export type Policy = 'retry' | 'rate_limit' | 'new_credential' | 'give_up';

/** One failed attempt: the sentence for the user, should it be the last one, and the policy. */
export class RequestFailure extends ReconError {
  readonly policy: Policy;
  /** What the service asked for in Retry-After, milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The wrapper's code, where there was a wrapper (doc 7.2). */
  readonly code: string | undefined;

  constructor(
    policy: Policy,
    failure: FailureCause,
    message: string,
    details: FailureDetails & {
      readonly retryAfterMs?: number | undefined;
      readonly code?: string | undefined;
    } = {},
  ) {
    super(failure, message, details);
    this.policy = policy;
    this.retryAfterMs = details.retryAfterMs;
    this.code = details.code;
  }
}

/** What a failure means and what may be done about it. */
export interface StatusRule {
  readonly policy: Policy;
  readonly failure: FailureCause;
  /** The sentence, without its final stop: codes and the service's own message follow it. */
  readonly meaning: string;
  readonly hint?: string;
}

const tryLater = 'Try again later. If it persists, contact the service and quote this request.';
const newerInterface = `recon follows version ${interfaceVersion} of the interface. Ask the service what this means.`;
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
const rateLimited: StatusRule = {
  policy: 'rate_limit',
  failure: 'service',
  meaning: 'The rate limit of the service is exceeded',
  hint: 'Try again later, or with a lower --concurrency.',
};

const unknownCode: StatusRule = {
  policy: 'give_up',
  failure: 'service',
  meaning: 'The service returned an undocumented code',
  hint: newerInterface,
};

/** The codes of the settlement wrapper (doc 7.2). Which may be retried is not shown there. */
const wrapperRules: Readonly<Record<string, StatusRule>> = {
  // With the word Fail beside it: nobody knows which of the others was meant.
  '0': {
    policy: 'retry',
    failure: 'service',
    meaning: 'The service reports a failure, but with the code for success',
    hint: tryLater,
  },
  '429': rateLimited,
  '1000': {
    policy: 'retry',
    failure: 'service',
    meaning: 'The service reports a general exception',
    hint: tryLater,
  },
  '1001': accessDenied,
  '1002': tokenRefused,
  '1010': {
    policy: 'give_up',
    failure: 'service',
    meaning: 'The service reports that this operation is not implemented',
    hint: 'Check base_url. It may point to another version or environment.',
  },
  '1020': {
    policy: 'give_up',
    failure: 'service',
    meaning: 'The service reports missing required parameters',
    hint: newerInterface,
  },
  '2001': {
    policy: 'retry',
    failure: 'service',
    meaning: 'The service could not read its database',
    hint: tryLater,
  },
};

/** The rule for the wrapper code of a failure. A code that the document doesn't name is final. */
export function wrapperRule(code: string): StatusRule {
  const known = Object.hasOwn(wrapperRules, code) ? wrapperRules[code] : undefined;
  return known ?? unknownCode;
}

/** The rule for an HTTP status of an answer without a wrapper (doc 7.1 shows only 401). */
export function httpRule(status: number): StatusRule {
  if (status === 401) return tokenRefused;
  if (status === 403) return accessDenied;
  if (status === 429) return rateLimited;
  if (status === 408 || status >= 500) {
    return {
      policy: 'retry',
      failure: 'service',
      meaning: 'The service failed to process the request',
      hint: tryLater,
    };
  }
  if (status >= 300 && status < 400) {
    return {
      policy: 'give_up',
      failure: 'service',
      meaning: 'The service redirects to another address; recon does not follow redirects',
      hint: 'Check base_url and auth_url.',
    };
  }
  if (status >= 200 && status < 300) {
    return {
      policy: 'retry',
      failure: 'service',
      meaning: 'The service returned an unreadable answer',
      hint: 'Check base_url and auth_url. A proxy may have answered instead of the service.',
    };
  }
  return {
    policy: 'give_up',
    failure: 'service',
    meaning: 'The service rejects the request',
    hint: 'Check base_url and auth_url.',
  };
}
