import {
  type BankReport,
  type BankVerdict,
  bankVerdict,
  isBroken,
  openMatches,
} from '../app/bank-report.ts';
import type { BankMatch, BankState } from '../match/match.ts';
import { isOverdue } from '../reconcile/as-reported.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import { type Verdict, verdictReason } from '../reconcile/verdict.ts';
import { exitCodes, type FailCondition, type FailOn } from './exit-codes.ts';

/** The conditions that a run meets; absent if unknown. */
type Met = Readonly<Partial<Record<FailCondition, number | boolean>>>;

/** Counts of pay-outs and entries that do not match; accepted ones are left out, and days that are not over. */
export function metOnBank(report: BankReport) {
  const count = (state: BankState) => openMatches(report, state).length;
  const isOver = ({ settlements }: BankMatch) =>
    settlements.some(({ settlement }) => report.businessDays.daysDue(settlement).to < report.today);
  return {
    'not-covered': openMatches(report, 'not_covered').filter(isOver).length,
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
