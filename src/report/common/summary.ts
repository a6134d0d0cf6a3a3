import type { ReconciledRun, Verdict } from '../../reconcile/reconciled.ts';
import { unusualScales } from '../../reconcile/unusual-scales.ts';
import type { SettlementsReport } from '../settlements/report.ts';
import { many } from './phrase.ts';
import { unusualScaleTexts } from './scale-words.ts';
import { outOfBalanceText } from './totals.ts';
import { verdictWords } from './words.ts';

const verdicts: readonly Verdict[] = ['balanced', 'out_of_balance', 'pending', 'incomplete'];

/** The answer in two words. Where there is nothing, nothing is balanced either. */
export function answerLabel({ run }: SettlementsReport): string {
  const isEmpty = run.settlements.length === 0 && run.verdict === 'balanced';
  return isEmpty ? 'NOTHING FOUND' : verdictWords[run.verdict].toUpperCase();
}

/** The answer in one line: how many of each verdict, the money that is off, or that may be. */
export function headline(report: SettlementsReport): string {
  const { run, settings } = report;
  const headers = run.settlements.map(({ settlement }) => settlement);
  return [
    countsText((verdict) => countOf(run, verdict)),
    ...balanceText(report),
    ...unusualScaleTexts(unusualScales(headers, settings.expectedScales)).map((text) => `${text}.`),
  ].join(' ');
}

/** How many settlements have each verdict. */
export function countsText(countOf: (verdict: Verdict) => number): string {
  const total = verdicts.reduce((sum, verdict) => sum + countOf(verdict), 0);
  if (total === 0) return 'No settlements.';
  const counts = verdicts
    .map((verdict) => ({ verdict, count: countOf(verdict) }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `${count === total ? 'all' : count} ${verdictWords[verdict]}`);
  return total === 1
    ? `1 settlement: ${counts.join('').replace('all ', '')}.`
    : `${total} settlements: ${counts.join(', ')}.`;
}

function balanceText(report: SettlementsReport): readonly string[] {
  const { run, settings } = report;
  if (countOf(run, 'out_of_balance') > 0) {
    const measure = settings.identity === 'off' ? ' in gross (identity off)' : '';
    return [`Out of balance${measure}: ${outOfBalanceText(report)}.`];
  }
  return run.verdict === 'out_of_balance'
    ? ['The run is out of balance by what was found across settlements.']
    : [];
}

/** Whether everything was read, in words. */
export function completenessText({ run }: SettlementsReport): string {
  const settlements = many(run.settlements.length, 'settlement');
  const transactions = many(run.transactions, 'transaction');
  const unread = run.settlements.filter((one) => !one.complete && one.verdict === 'pending').length;
  const aside = unread > 0 ? `; ${many(unread, 'pending settlement')} not read whole` : '';
  if (run.complete) return `yes: ${settlements}, ${transactions}${aside}`;
  const incomplete = countOf(run, 'incomplete');
  const reasons = [
    ...(incomplete > 0 ? [`${incomplete} of ${settlements} not read whole`] : []),
    ...(run.findings.some((entry) => entry.weight === 'incomplete')
      ? ['the list of settlements is not certain']
      : []),
  ];
  return `NO: ${reasons.join('; ')}${aside}`;
}

function countOf(run: ReconciledRun, verdict: Verdict): number {
  return run.settlements.filter((one) => one.verdict === verdict).length;
}
