/**
 * The cause of a failed run. `cli/exit-codes.ts` maps each to an exit code.
 *
 * - `usage`: the command line is wrong
 * - `configuration`: a setting is missing or wrong
 * - `authentication`: the service refuses the credentials, or what they may do
 * - `network`: the service can't be reached, or breaks off
 * - `service`: the service answers, with a failure or with something unreadable
 * - `not_found`: the service knows no such record
 * - `output`: the result can't be written
 * - `locked`: another run is writing there
 * - `damaged`: what was exported before is not what was written then
 * - `bug`: recon itself is wrong; nobody throws it, whatever else is thrown comes to it
 */
export type FailureCause =
  | 'usage'
  | 'configuration'
  | 'authentication'
  | 'network'
  | 'service'
  | 'not_found'
  | 'output'
  | 'locked'
  | 'damaged'
  | 'bug';

/** What a person needs to know of a failure, beside the sentence itself. */
export interface FailureDetails {
  /** Where it happened: a request, a settlement, a setting, a file. */
  readonly where?: string | undefined;
  /** What to do next, as a sentence. */
  readonly hint?: string | undefined;
  /** Set where the run can't go on, whatever it was reading when this happened. */
  readonly endsRun?: boolean;
  /** The error underneath, if there is one. */
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

/** A failure as plain values, where errors are part of a result. */
export type Fault = ReturnType<typeof faultOf>;

/** A failure as plain values: what JSON says of it. */
export function faultOf({ failure, message, where, hint }: ReconError) {
  return { cause: failure, message, where: where ?? null, hint: hint ?? null };
}
