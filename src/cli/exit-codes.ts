import { type FailureCause, ReconError } from '../base/errors.ts';
import { keysOf } from '../base/lists.ts';

/** Scripts rely on these. */
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

export const codesByFailure: Readonly<Record<FailureCause, number>> = {
  usage: exitCodes.usage,
  configuration: exitCodes.usage,
  authentication: exitCodes.access,
  network: exitCodes.incomplete,
  service: exitCodes.incomplete,
  not_found: exitCodes.incomplete,
  output: exitCodes.output,
  locked: exitCodes.locked,
  // As if the service could not be read.
  damaged: exitCodes.incomplete,
  bug: exitCodes.bug,
};

const { bug, output, access, incomplete, locked, usage, outOfBalance } = exitCodes;
const byWeight: readonly number[] = [bug, output, access, incomplete, locked, usage, outOfBalance];

/** The exit code of several profiles: the most severe one. */
export function exitCodeOfSeveral(codes: readonly number[]): number {
  return byWeight.find((code) => codes.includes(code)) ?? exitCodes.ok;
}

type Kind = 'run' | 'settlements' | 'nightly' | 'bank' | 'orders' | 'fees' | 'audit';

/** The conditions of `--fail-on`, and the commands that can meet each. `run` is any other command. */
const failConditions = {
  'out-of-balance': ['run', 'settlements', 'nightly', 'bank', 'orders', 'audit'],
  overcharge: ['fees'],
  undercharge: ['fees'],
  'no-rate': ['fees'],
  pending: ['run', 'settlements', 'nightly', 'bank', 'audit'],
  overdue: ['run', 'settlements', 'nightly', 'audit'],
  'unknown-status': ['run', 'settlements', 'nightly'],
  empty: ['run', 'settlements', 'nightly', 'bank', 'orders', 'fees', 'audit'],
  'unusual-scale': ['run', 'settlements', 'nightly'],
  'fee-drift': ['settlements'],
  new: ['nightly'],
  finding: ['audit'],
  'missing-on-bank': ['settlements', 'nightly', 'bank'],
  'unknown-on-bank': ['settlements', 'nightly', 'bank'],
  difference: ['settlements', 'nightly', 'bank'],
  'unknown-to-shop': ['orders'],
  'refund-unknown': ['orders'],
  'charged-back': ['orders'],
  'not-covered': ['settlements', 'bank', 'orders'],
} as const satisfies Readonly<Record<string, readonly Kind[]>>;

export type FailCondition = keyof typeof failConditions | 'none';

export function conditionsOf(kind: Kind): readonly FailCondition[] {
  return keysOf(failConditions).filter((one) =>
    (failConditions[one] as readonly Kind[]).includes(kind),
  );
}

/** With `+` a condition is added to the default, else it replaces it. */
export type FailOn = FailCondition | `+${FailCondition}`;

export function namedIn(failOn: readonly FailOn[] = [], ...conditions: readonly FailCondition[]) {
  return conditions.find((one) => failOn.some((word) => word === one || word === `+${one}`));
}

/** Throws ReconError `usage` for conditions that need bank statements. */
export function refuseBankConditions(failOn?: readonly FailOn[]): void {
  const own = ['missing-on-bank', 'unknown-on-bank', 'difference', 'not-covered'] as const;
  const named = namedIn(failOn, ...own);
  if (named === undefined) return;
  const hint = 'Add the bank statements: --bank march.xml.';
  throw new ReconError('usage', `--fail-on ${named} needs --bank.`, { hint });
}
