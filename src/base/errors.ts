import { type FailureReason, reasonText } from './failure-reason.ts';

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
  /** What an archive keeps of it, if it may leave a settlement unread. */
  kept: FailureReason | undefined;

  /** What happened: one sentence, or a reason that has one. */
  constructor(
    failure: FailureCause,
    happened: string | FailureReason,
    details: FailureDetails = {},
  ) {
    super(typeof happened === 'string' ? happened : reasonText(happened), {
      cause: details.reason,
    });
    this.failure = failure;
    this.kept = typeof happened === 'string' ? undefined : happened;
    this.where = details.where;
    this.hint = details.hint;
    this.endsRun = details.endsRun ?? false;
  }

  /** Changes the texts from outside in what happened, as to hide secrets in them. */
  replaceTexts(replaced: (text: string) => string): void {
    if (this.kept) {
      const facts = Object.entries(this.kept.facts).map(([name, text]) => [name, replaced(text)]);
      this.kept = { code: this.kept.code, facts: Object.fromEntries(facts) };
    }
    this.message = this.kept ? reasonText(this.kept) : replaced(this.message);
  }
}

/** What an archive keeps of a failure that left a settlement unread. */
export function keptReason({ kept, message }: ReconError): FailureReason {
  return kept ?? { code: 'other', facts: { message } };
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
    happened: string | FailureReason,
    details: FailureDetails & {
      readonly retryAfterMs?: number | undefined;
      readonly code?: string | undefined;
    } = {},
  ) {
    super(failure, happened, details);
    this.policy = policy;
    this.retryAfterMs = details.retryAfterMs;
    this.code = details.code;
  }
}
