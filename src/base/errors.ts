/** The cause of a failed run. `cli/exit-codes.ts` maps each to an exit code. */
export type FailureCause =
  | 'usage'
  | 'configuration'
  /** The service rejects the credentials, or denies access. */
  | 'authentication'
  | 'network'
  /** The service reports a failure, or its answer is unreadable. */
  | 'service'
  | 'not_found'
  | 'output'
  | 'locked'
  | 'damaged'
  /** Any thrown value except a ReconError. */
  | 'bug';

interface FailureDetails {
  /** The place of the failure: a request, a settlement, a setting, a file. */
  readonly where?: string | undefined;
  readonly hint?: string | undefined;
  /** Whether the whole run has to end. */
  readonly endsRun?: boolean;
  readonly reason?: unknown;
}

/** A failure of the run, typed by its cause. Errors in the data are values, never thrown. */
export class ReconError extends Error {
  override readonly name = 'ReconError';
  readonly failure: FailureCause;
  readonly where: string | undefined;
  readonly hint: string | undefined;
  readonly endsRun: boolean;

  /** `message` is one sentence: what happened. */
  constructor(failure: FailureCause, message: string, details: FailureDetails = {}) {
    super(message, { cause: details.reason });
    this.failure = failure;
    this.where = details.where;
    this.hint = details.hint;
    this.endsRun = details.endsRun ?? false;
  }
}

export type Fault = ReturnType<typeof faultOf>;

/** A failure as plain values, for JSON. */
export function faultOf({ failure, message, where, hint }: ReconError) {
  return { cause: failure, message, where: where ?? null, hint: hint ?? null };
}

/** How to go on after a failed request: `rate_limit` slows all requests down, then retries. */
export type Policy = 'retry' | 'rate_limit' | 'new_credential' | 'give_up';

/** One failed attempt, with the sentence for the user in case it is the last. */
export class RequestFailure extends ReconError {
  readonly policy: Policy;
  readonly retryAfterMs: number | undefined;
  /** The wrapper's code, if there was a wrapper (doc 7.2). */
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
