import type { ReconciledRun, Verdict } from '../../reconcile/reconciled.ts';
import { unusualScales } from '../../reconcile/unusual-scales.ts';
import { incompleteSentences } from '../common/partial-words.ts';
import { amountText, capitalised, many, netAndAbsoluteText } from '../common/phrase.ts';
import { unusualScaleTexts } from '../common/scale-words.ts';
import { canBeCopied, command, forIncomplete, nextLine } from '../common/what-next.ts';
import { sentenceOfItsOwn, verdictWords } from '../common/words.ts';
import { ignoredChecks } from './notes.ts';
import { measureOfTotals, type SettlementsReport } from './report.ts';

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
  const { run } = report;
  if (countOf(run, 'out_of_balance') > 0) {
    return [outOfBalanceSentence(report)];
  }
  return run.verdict === 'out_of_balance'
    ? ['The run is out of balance because of findings across settlements.']
    : [];
}

/** Whether everything was read, in words. */
export function completenessText({ run }: SettlementsReport): string {
  const settlements = many(run.settlements.length, 'settlement');
  const transactions = many(run.transactions, 'transaction');
  const unread = run.settlements.filter((one) => !one.complete && one.verdict === 'pending').length;
  const aside = unread > 0 ? `; ${many(unread, 'pending settlement')} not fully read` : '';
  if (run.complete) return `yes: ${settlements}, ${transactions}${aside}`;
  const incomplete = countOf(run, 'incomplete');
  const reasons = [
    ...(incomplete > 0 ? [`${incomplete} of ${settlements} not fully read`] : []),
    ...(run.findings.some((entry) => entry.weight === 'incomplete')
      ? ['the list of settlements may be incomplete']
      : []),
  ];
  return `NO: ${reasons.join('; ')}${aside}`;
}

function countOf(run: ReconciledRun, verdict: Verdict): number {
  return run.counts[verdict];
}

/**
 * The differences of the out-of-balance settlements, per currency, never across:
 * `Pay-in difference: EUR -14.00 net, 26.00 absolute; JPY +500 net, 500 absolute; none in USD.`
 */
function outOfBalanceSentence(report: SettlementsReport): string {
  const measure = measureOfTotals(report);
  const totals = report.run.totals
    .filter(({ settlements }) => settlements.out_of_balance > 0)
    .map(({ currency, scale, outOfBalance, outOfBalanceGross }) => {
      const sums = measure === 'gross' ? outOfBalanceGross : outOfBalance;
      return { currency, scale, sums: sums?.absolute ? sums : undefined };
    });
  const differing = totals.flatMap(({ currency, scale, sums }) =>
    sums ? [netAndAbsoluteText(sums, currency, scale)] : [],
  );
  const off = measure === 'gross' ? ' (identity off)' : '';
  if (differing.length === 0) return `No difference in ${measure}${off}.`;
  const sentence = `${capitalised(measure)} difference${off}: ${differing.join('; ')}`;
  const [first, ...others] = totals.filter(({ sums }) => sums === undefined);
  if (first === undefined) return `${sentence}.`;
  const rest = others.length === 0 ? first.currency : `${others.length + 1} other currencies`;
  return `${sentence}; none in ${rest}.`;
}

/** The reported pay-in of pending settlements: `EUR 120.00, JPY 5000`. */
export function pendingText({ run }: SettlementsReport): string {
  return run.totals
    .filter(({ settlements }) => settlements.pending > 0)
    .map(({ currency, pendingPayIn, scale }) => `${currency} ${amountText(pendingPayIn, scale)}`)
    .join(', ');
}

/** What `recon settlements` comes to: the answer, what is wrong beside it, what to do. */
export function settlementsConclusion(report: SettlementsReport): readonly string[] {
  return [
    `${answerLabel(report)}. ${headline(report)}`,
    ...report.run.findings.map(sentenceOfItsOwn),
    ...incompleteSentences(report.run.settlements),
    ...ignoredChecks(report),
    ...readAgain(report).map(nextLine),
  ];
}

/** Commands that lead on from here, most useful first. */
export function whatNext(report: SettlementsReport): readonly string[] {
  return [...explain(report), ...readAgain(report)];
}

function explain({ run, flags }: SettlementsReport): readonly string[] {
  const [first, ...others] = run.settlements.filter(
    ({ verdict, settlement }) => verdict === 'out_of_balance' && canBeCopied(settlement.id),
  );
  if (first === undefined) return [];
  const rest = others.length === 0 ? '' : `; ${others.length} more to explain`;
  return [command('recon explain', first.settlement.id, flags, `# why it does not balance${rest}`)];
}

/** What to do where not everything was read. */
function readAgain({ run, range, flags }: SettlementsReport): readonly string[] {
  if (run.complete || range === undefined) return [];
  const dates = `--from ${range.from} --to ${range.to}`;
  const incomplete = run.settlements.filter(({ verdict }) => verdict === 'incomplete');
  const entries = [...incomplete.flatMap((one) => one.discrepancies), ...run.findings];
  return forIncomplete(entries, [
    command('recon settlements', dates, flags, '# try again to read the rest'),
  ]);
}
