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

/** Of several, the first that occurs stands for all. */
const byWeight: readonly number[] = [
  exitCodes.bug,
  exitCodes.output,
  exitCodes.access,
  exitCodes.incomplete,
  exitCodes.locked,
  exitCodes.usage,
  exitCodes.outOfBalance,
];

/** The exit code of a run over several profiles, from those that each would have alone. */
export function exitCodeOfSeveral(codes: readonly number[]): number {
  return byWeight.find((code) => codes.includes(code)) ?? exitCodes.ok;
}

/** What may make a run fail with exit code 1. */
const failConditions = [
  'out-of-balance',
  'pending',
  'overdue',
  'unknown-status',
  'empty',
  'unusual-scale',
  'fee-drift',
  'new',
  'finding',
  'missing-on-bank',
  'unknown-on-bank',
  'difference',
  'none',
] as const;
type FailCondition = (typeof failConditions)[number];

/** What `--fail-on` takes: conditions in the place of the default or, with a `+`, beside it. */
export type FailOn = FailCondition | `+${FailCondition}`;

function failOnWordsBut(...unknown: readonly FailCondition[]): readonly FailOn[] {
  const known = failConditions.filter((one) => !unknown.includes(one));
  return [...known, ...known.flatMap((one) => (one === 'none' ? [] : [`+${one}` as const]))];
}

/** What only bank statements can show. */
const bankConditions = ['missing-on-bank', 'unknown-on-bank', 'difference'] as const;

/**
 * What is new, only a night knows; whether fees drift, only a run that compares two ranges; what all of
 * history holds beside its verdicts, only an audit; what is on the bank, only a run that reads statements.
 */
export const failOnWords = failOnWordsBut('new', 'fee-drift', 'finding', ...bankConditions);
export const nightlyFailOnWords = failOnWordsBut('fee-drift', 'finding');
export const settlementsFailOnWords = failOnWordsBut('new', 'finding');
export const bankFailOnWords = failOnWordsBut(
  'new',
  'fee-drift',
  'finding',
  'overdue',
  'unknown-status',
  'unusual-scale',
);
export const auditFailOnWords = failOnWordsBut(
  'new',
  'fee-drift',
  'unknown-status',
  'unusual-scale',
  ...bankConditions,
);

/** A condition that could never be met would leave its user to believe that all is well. */
export function refuseBankConditions(failOn: readonly FailOn[] = []): void {
  const word = failOn.find((one) => bankConditions.some((name) => one.endsWith(name)));
  if (word === undefined) return;
  throw new ReconError('usage', `--fail-on ${word.replace('+', '')} needs --bank.`, {
    hint: 'Add the bank statements: --bank march.xml.',
  });
}

/** How many pay-outs and entries are not as they should be; accepted ones don't count. */
export interface BankOutcome {
  readonly missing: number;
  readonly unknown: number;
  readonly differences: number;
}

export function bankOutcome(report: BankReport): BankOutcome {
  const count = (state: BankState) => openMatches(report, state).length;
  return {
    missing: count('missing_on_bank'),
    unknown: count('unknown_on_bank'),
    differences: count('difference') + count('returned'),
  };
}

/** What decides the exit code of a run; absent is what it cannot know. */
export interface RunOutcome {
  readonly verdict: Verdict;
  /** How many settlements there are, and how many of them are pending. */
  readonly settlements: number;
  readonly pending: number;
  /** How many of the pending ones are so for too long, and how many by an unknown status. */
  readonly overdue?: number;
  readonly unknownStatuses?: number;
  /** How many have decimal places that their currency doesn't have. */
  readonly unusualScales?: number;
  /** How many fee rates have changed. */
  readonly feeDrifts?: number;
  /** How much is new since the last run. */
  readonly news?: number;
  readonly bank?: BankOutcome | undefined;
  /** How much an audit has found beside the verdicts. */
  readonly findings?: number;
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
  const outcome = {
    verdict: withStatements(verdict, bank),
    settlements: settlements.length,
    pending: settlements.filter((one) => one.verdict === 'pending').length,
    overdue: settlements.filter(isOverdue).length,
    unknownStatuses: settlements.filter((one) => verdictReason(one) === 'unknown_status').length,
    unusualScales: settlements.filter(({ notices }) => notices.some(isUnusual)).length,
    feeDrifts: findings.filter(({ code }) => code === 'fee_drift').length,
    ...(bank && { bank: bankOutcome(bank) }),
  };
  return exitCodeOf(outcome, failOn);
}

/** What could not be read of statements is incomplete, and balances that are broken are out of balance. */
function withStatements(verdict: Verdict, bank: BankReport | undefined): Verdict {
  if (verdict === 'incomplete' || !bank) return verdict;
  if (bankVerdict(bank) === 'incomplete') return 'incomplete';
  return bank.statements.findings.some(isBroken) ? 'out_of_balance' : verdict;
}

/** The exit code of an outcome: an incomplete one is 4 whatever else it holds. */
export function exitCodeOf(
  {
    verdict,
    settlements,
    pending,
    overdue = 0,
    unknownStatuses = 0,
    unusualScales = 0,
    feeDrifts = 0,
    news = 0,
    findings = 0,
    bank,
  }: RunOutcome,
  failOn: readonly FailOn[] = [],
): number {
  if (verdict === 'incomplete') return exitCodes.incomplete;
  const isMet: Readonly<Record<FailCondition, boolean>> = {
    // A finding across settlements makes the run out of balance where no settlement is.
    'out-of-balance': verdict === 'out_of_balance',
    pending: pending > 0,
    overdue: overdue > 0,
    'unknown-status': unknownStatuses > 0,
    empty: settlements === 0,
    'unusual-scale': unusualScales > 0,
    'fee-drift': feeDrifts > 0,
    new: news > 0,
    finding: findings > 0,
    'missing-on-bank': (bank?.missing ?? 0) > 0,
    'unknown-on-bank': (bank?.unknown ?? 0) > 0,
    difference: (bank?.differences ?? 0) > 0,
    none: false,
  };
  // The default counts unless others are named in its place.
  const isReplaced = failOn.some((word) => !word.startsWith('+'));
  const words: readonly FailOn[] = isReplaced ? failOn : [...failOn, 'out-of-balance'];
  const isNamed = (one: FailCondition) => words.includes(one) || words.includes(`+${one}`);
  const isFailure = failConditions.some((one) => isMet[one] && isNamed(one));
  return isFailure ? exitCodes.outOfBalance : exitCodes.ok;
}
