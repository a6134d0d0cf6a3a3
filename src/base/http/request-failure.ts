import { type FailureCause, type FailureDetails, ReconError } from '../errors.ts';

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
