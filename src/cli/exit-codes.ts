import { type FailureCause, ReconError } from '../base/errors.ts';
import type { BankState } from '../match/match.ts';
import { isOverdue } from '../reconcile/overdue.ts';
import type { ReconciledRun, Verdict } from '../reconcile/reconciled.ts';
import { verdictReason } from '../reconcile/verdict.ts';
import { type BankReport, bankVerdict, isBroken, openMatches } from '../report/bank/report.ts';

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
  ['0', 'balanced, or pending, or no settlements'],
  ['1', 'not balanced, not reconciled, or a condition of --fail-on'],
  ['2', 'wrong usage or configuration'],
  ['3', 'the service rejects the credentials or denies access'],
  ['4', 'incomplete: network, service, or unreadable data'],
  ['5', 'the output or the notification could not be delivered'],
  ['70', 'a bug in recon'],
  ['75', 'another run is writing to the same folder'],
  ['129, 130, 143', 'interrupted'],
];

/** How a failed run ends. */
export const codesByFailure: Readonly<Record<FailureCause, number>> = {
  usage: exitCodes.usage,
  configuration: exitCodes.usage,
  authentication: exitCodes.access,
  network: exitCodes.incomplete,
  service: exitCodes.incomplete,
  not_found: exitCodes.incomplete,
  output: exitCodes.output,
  locked: exitCodes.locked,
  // As with a service that can't be read: nothing can be said of the days that were asked for.
  damaged: exitCodes.incomplete,
  bug: exitCodes.bug,
};

const { bug, output, access, incomplete, locked, usage, outOfBalance } = exitCodes;
/** Of several, the first that occurs stands for all. */
const byWeight: readonly number[] = [bug, output, access, incomplete, locked, usage, outOfBalance];

/** The exit code of a run over several profiles, from those that each would have alone. */
export function exitCodeOfSeveral(codes: readonly number[]): number {
  return byWeight.find((code) => codes.includes(code)) ?? exitCodes.ok;
}

/** What may make a run fail with exit code 1: what any run over settlements can know. */
export const settlementConditions = [
  'out-of-balance',
  'pending',
  'overdue',
  'unknown-status',
  'empty',
  'unusual-scale',
] as const;

/** What only bank statements can show. */
export const bankConditions = ['missing-on-bank', 'unknown-on-bank', 'difference'] as const;

/** Whether fees drift, only a run that compares ranges knows; what is new, a night; findings, an audit. */
export type FailCondition =
  | (typeof settlementConditions | typeof bankConditions)[number]
  | ('fee-drift' | 'new' | 'finding' | 'none');

/** What `--fail-on` takes: conditions in the place of the default or, with a `+`, beside it. */
export type FailOn = FailCondition | `+${FailCondition}`;

/** The first of the conditions that is named. */
export function namedIn(
  failOn: readonly FailOn[] = [],
  ...conditions: readonly FailCondition[]
): FailCondition | undefined {
  return conditions.find((one) => failOn.some((word) => word === one || word === `+${one}`));
}

/** A condition that could never be met would leave its user to believe that all is well. */
export function refuseBankConditions(failOn?: readonly FailOn[]): void {
  const named = namedIn(failOn, ...bankConditions);
  if (named === undefined) return;
  throw new ReconError('usage', `--fail-on ${named} needs --bank.`, {
    hint: 'Add the bank statements: --bank march.xml.',
  });
}

/** Which conditions a run meets, or how often; absent is what it cannot know. */
export type Met = Readonly<Partial<Record<FailCondition, number | boolean>>>;

/** How many pay-outs and entries are not as they should be; accepted ones don't count. */
export function metOnBank(report: BankReport) {
  const count = (state: BankState) => openMatches(report, state).length;
  return {
    'missing-on-bank': count('missing_on_bank'),
    'unknown-on-bank': count('unknown_on_bank'),
    difference: count('difference') + count('returned'),
  };
}

/** The exit code of a reconciled run. */
export function exitCodeOfRun(
  {
    verdict,
    settlements,
    findings = [],
  }: Pick<ReconciledRun, 'verdict' | 'settlements'> & Partial<Pick<ReconciledRun, 'findings'>>,
  failOn?: readonly FailOn[],
  bank?: BankReport,
): number {
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

/** What could not be read of statements is incomplete, and balances that are broken are out of balance. */
function withStatements(verdict: Verdict, bank: BankReport | undefined): Verdict {
  if (verdict === 'incomplete' || !bank) return verdict;
  if (bankVerdict(bank) === 'incomplete') return 'incomplete';
  return bank.statements.findings.some(isBroken) ? 'out_of_balance' : verdict;
}

/** The exit code of an outcome: an incomplete one is 4 whatever else it holds. */
export function exitCodeOf(verdict: Verdict, met: Met, failOn: readonly FailOn[] = []): number {
  if (verdict === 'incomplete') return exitCodes.incomplete;
  // A finding across settlements makes the run out of balance where no settlement is.
  const all: Met = { ...met, 'out-of-balance': verdict === 'out_of_balance' };
  // The default counts unless others are named in its place.
  const isReplaced = failOn.some((word) => !word.startsWith('+'));
  const words: readonly FailOn[] = isReplaced ? failOn : [...failOn, 'out-of-balance'];
  const isFailure = words.some((word) => all[word.replace('+', '') as FailCondition]);
  return isFailure ? exitCodes.outOfBalance : exitCodes.ok;
}
