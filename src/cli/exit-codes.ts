import {
  type BankReport,
  type BankVerdict,
  bankVerdict,
  isBroken,
  openMatches,
} from '../app/bank-report.ts';
import { type FailureCause, ReconError } from '../base/errors.ts';
import { keysOf } from '../base/lists.ts';
import type { BankState } from '../match/match.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import { type Verdict, verdictReason } from '../reconcile/verdict.ts';
import { isOverdue } from '../reconcile/when-reported.ts';

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
  'not-covered': ['orders'],
} as const satisfies Readonly<Record<string, readonly Kind[]>>;

type FailCondition = keyof typeof failConditions | 'none';

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
  const named = namedIn(failOn, 'missing-on-bank', 'unknown-on-bank', 'difference');
  if (named === undefined) return;
  const hint = 'Add the bank statements: --bank march.xml.';
  throw new ReconError('usage', `--fail-on ${named} needs --bank.`, { hint });
}

/** The conditions that a run meets; absent if unknown. */
type Met = Readonly<Partial<Record<FailCondition, number | boolean>>>;

/** Counts of pay-outs and entries that do not match; accepted ones are left out. */
export function metOnBank(report: BankReport) {
  const count = (state: BankState) => openMatches(report, state).length;
  return {
    'missing-on-bank': count('missing_on_bank'),
    'unknown-on-bank': count('unknown_on_bank'),
    difference: count('difference') + count('returned'),
  };
}

type DecidedRun = Pick<ReconciledRun, 'verdict' | 'settlements'> &
  Partial<Pick<ReconciledRun, 'findings'>>;

/** The exit code of a reconciled run. */
export function exitCodeOfRun(run: DecidedRun, failOn?: readonly FailOn[], bank?: BankReport) {
  const { verdict, settlements, findings = [] } = run;
  const isUnusual = ({ code }: { readonly code: string }) => code === 'unusual_scale';
  const met: Met = {
    pending: settlements.some((one) => one.verdict === 'pending'),
    overdue: settlements.some(isOverdue),
    'unknown-status': settlements.some((one) => verdictReason(one) === 'unknown_status'),
    empty: settlements.length === 0,
    'unusual-scale': settlements.some(({ notices }) => notices.some(isUnusual)),
    'fee-drift': findings.some(({ code }) => code === 'fee_drift'),
    ...(bank && metOnBank(bank)),
  };
  return exitCodeOf(withStatements(verdict, bank), met, failOn);
}

/** Unread statements make a run incomplete, broken balances out of balance. */
function withStatements(verdict: Verdict, bank: BankReport | undefined): Verdict {
  if (verdict === 'incomplete' || !bank) return verdict;
  if (bankVerdict(bank) === 'incomplete') return 'incomplete';
  return bank.statements.findings.some(isBroken) ? 'out_of_balance' : verdict;
}

/** The verdicts of a run that compares with the bank or the shop. */
export const reconciliationVerdicts: Readonly<Record<BankVerdict, Verdict>> = {
  reconciled: 'balanced',
  not_reconciled: 'out_of_balance',
  incomplete: 'incomplete',
};

export function exitCodeOf(verdict: Verdict, met: Met, failOn: readonly FailOn[] = []): number {
  if (verdict === 'incomplete') return exitCodes.incomplete;
  const all: Met = { ...met, 'out-of-balance': verdict === 'out_of_balance' };
  const isReplaced = failOn.some((word) => !word.startsWith('+'));
  const words: readonly FailOn[] = isReplaced ? failOn : [...failOn, 'out-of-balance'];
  const isFailure = words.some((word) => all[word.replace('+', '') as FailCondition]);
  return isFailure ? exitCodes.outOfBalance : exitCodes.ok;
}
