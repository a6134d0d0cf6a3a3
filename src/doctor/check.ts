import type { FailureCause, ReconError } from '../base/errors.ts';

/** What a check came to by what was found. Facts are plain values, moments as ISO 8601. */
export interface Finding<Facts> {
  readonly level: 'ok' | 'warning' | 'failure';
  readonly facts: Facts;
}

/** A check that could not be made, and what it lacks. */
export interface NotChecked<Lacking extends string> {
  readonly level: 'not_checked';
  readonly lacks: Lacking;
}

/** A failure as plain values. */
export interface CheckFault {
  readonly cause: FailureCause;
  readonly message: string;
  readonly where: string | null;
  readonly hint: string | null;
}

export function finding<const Facts>(level: Finding<Facts>['level'], facts: Facts): Finding<Facts> {
  return { level, facts };
}

export function notChecked<Lacking extends string>(lacks: Lacking): NotChecked<Lacking> {
  return { level: 'not_checked', lacks };
}

export function checkFaultOf({ failure, message, where, hint }: ReconError): CheckFault {
  return { cause: failure, message, where: where ?? null, hint: hint ?? null };
}
