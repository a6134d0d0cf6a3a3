import type { FailureCause } from '../base/errors.ts';
import type { ReconciledRun, Verdict } from '../reconcile/reconciled.ts';
import type { Interruption } from './host.ts';

/** Exit codes count as interface: others script against them. */
export const exitCodes = {
  ok: 0,
  outOfBalance: 1,
  usage: 2,
  access: 3,
  incomplete: 4,
  output: 5,
  bug: 70,
  locked: 75,
} as const;

/** What each exit code means, for help and README. */
export const exitCodeMeanings: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'balanced (or pending, or nothing there)'],
  ['1', 'out of balance, or what --fail-on names'],
  ['2', 'wrong usage or configuration'],
  ['3', 'the service refuses the credentials or the access'],
  ['4', 'incomplete: network, service, or unreadable data'],
  ['5', 'the output could not be written'],
  ['70', 'a bug in recon'],
  ['75', 'another run is writing there'],
  ['130, 143', 'interrupted'],
];

const codesByFailure: Readonly<Record<FailureCause, number>> = {
  usage: exitCodes.usage,
  configuration: exitCodes.usage,
  authentication: exitCodes.access,
  network: exitCodes.incomplete,
  service: exitCodes.incomplete,
  not_found: exitCodes.incomplete,
  output: exitCodes.output,
  locked: exitCodes.locked,
};

export function exitCodeOfFailure(failure: FailureCause): number {
  return codesByFailure[failure];
}

export function exitCodeOfInterruption(signal: Interruption): number {
  return signal === 'SIGINT' ? 130 : 143;
}

/** What may make a run fail with exit code 1. */
export const failConditions = ['out-of-balance', 'pending', 'empty', 'none'] as const;
export type FailCondition = (typeof failConditions)[number];

/** The exit code of a reconciled run: an incomplete one is 4 whatever else it holds. */
export function exitCodeOfRun(
  run: Pick<ReconciledRun, 'verdict' | 'settlements'>,
  failOn: readonly FailCondition[],
): number {
  if (run.verdict === 'incomplete') return exitCodes.incomplete;
  const holds = (verdict: Verdict) => run.settlements.some((one) => one.verdict === verdict);
  const isMet: Readonly<Record<FailCondition, boolean>> = {
    // A finding across settlements makes the run out of balance where no settlement is.
    'out-of-balance': run.verdict === 'out_of_balance',
    pending: holds('pending'),
    empty: run.settlements.length === 0,
    none: false,
  };
  return failOn.some((condition) => isMet[condition]) ? exitCodes.outOfBalance : exitCodes.ok;
}
