import { type BankCheck, isOffOnBank } from '../../app/bank-check.ts';
import { type BankVerdict, bankVerdict } from '../../app/bank-report.ts';
import {
  measureOfTotals,
  type SettlementsReport,
  shownSettlements,
} from '../../app/settlements-report.ts';
import { groupedBy } from '../../base/lists.ts';
import { shellWord } from '../../base/texts.ts';
import { isAccepted, raisesAlarm } from '../../reconcile/acceptance.ts';
import { unusualScales } from '../../reconcile/checks.ts';
import type { Code, Entry } from '../../reconcile/entry.ts';
import type { IgnoredTotal } from '../../reconcile/groups.ts';
import { type ReconciledRun, unreadPendings } from '../../reconcile/reconcile-run.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { verdictReason } from '../../reconcile/verdict.ts';
import { closedSentence } from '../close/words.ts';
import { acceptanceText } from '../common/acceptance.ts';
import { missedByService, onlyByService } from '../common/blocks.ts';
import { adviceForIncomplete, incompleteSentences, unreadText } from '../common/partial-words.ts';
import {
  canBeCopied,
  capitalised,
  command,
  cutTo,
  daysFlags,
  enumerate,
  many,
  maxNamed,
  moneyText,
  netAndAbsoluteText,
  present,
} from '../common/phrase.ts';
import { proposalText, proposedLines, ruleTotalText } from '../common/rule-words.ts';
import {
  codeWords,
  countsText,
  entryClause,
  entrySentence,
  identityWords,
  scaleText,
  textsByStatus,
  unknownStatusTexts,
  verdictWords,
} from '../common/words.ts';
import { patternText } from '../explain/pattern-words.ts';
import { bankSentence, statementRemarks } from './on-bank.ts';
import { feeRateSentences } from './totals.ts';

/** The answer in a few words. A range without settlements is not called balanced. */
export function answerLabel({ run, bank }: SettlementsReport): string {
  const label = verdictWords[run.verdict].toUpperCase();
  if (isOffOnBank(bank)) {
    const but = run.verdict === 'balanced' ? ', BUT' : ' AND';
    return `${label}${but} ${bankWords[bankVerdict(bank.report)]}`;
  }
  if (run.verdict !== 'balanced') return label;
  if (run.settlements.length === 0) return 'NOTHING FOUND';
  return run.settlements.some(isAccepted) ? `${label}, EXCEPT FOR ACCEPTED DIFFERENCES` : label;
}

const bankWords: Readonly<Record<BankVerdict, string>> = {
  incomplete: 'BANK CHECK INCOMPLETE',
  not_reconciled: 'NOT RECONCILED WITH THE BANK',
  reconciled: '',
};

/** The answer in one line: how many of each verdict, and the amounts that differ or are uncertain. */
export function headline(report: SettlementsReport): string {
  const { run, settings } = report;
  const headers = run.settlements.map(({ settlement }) => settlement);
  const accepted = run.settlements.filter(isAccepted).length;
  const across = 'The run is out of balance because of findings across settlements.';
  return present(
    countsText((verdict) => run.counts[verdict], accepted),
    run.counts.out_of_balance > accepted
      ? outOfBalanceSentence(report)
      : run.verdict === 'out_of_balance' && across,
    acceptedTotal(report),
    bankSentence(report.bank),
    ...unusualScales(headers, settings.expectedScales).map((one) => `${scaleText(one)}.`),
  ).join(' ');
}

export function completenessText({ run }: Pick<SettlementsReport, 'run'>): string {
  const { settlements, transactions, findings, complete, counts } = run;
  const pendings = unreadPendings(settlements);
  const all = settlements.length;
  return complete && pendings.length === 0
    ? `yes: ${many(all, 'settlement')}, ${many(transactions, 'transaction')}`
    : `NO: ${unreadText({ unread: counts.incomplete, settlements: all, findings, pendings })}`;
}

/** `Pay-in difference: -14.00 EUR net, 26.00 EUR absolute; none in USD.` Never summed across currencies. */
function outOfBalanceSentence(report: SettlementsReport): string {
  const measure = measureOfTotals(report);
  const off = measure === 'gross' ? ' (net pay-outs not calculated)' : '';
  const totals = report.run.totals
    .filter(({ settlements, accepted }) => settlements.out_of_balance > accepted.settlements)
    .map(({ currency, scale, outOfBalance, outOfBalanceGross }) => {
      const sums = measure === 'gross' ? outOfBalanceGross : outOfBalance;
      return { currency, text: sums?.absolute ? netAndAbsoluteText(sums, currency, scale) : '' };
    });
  const differing = totals.flatMap(({ text }) => text || []);
  if (differing.length === 0) return `No difference in ${measure}${off}.`;
  const [first, ...others] = totals.filter(({ text }) => text === '');
  const rest = others.length === 0 ? first?.currency : `${others.length + 1} other currencies`;
  const none = rest === undefined ? '' : `; none in ${rest}`;
  return `${capitalised(measure)} difference${off}: ${differing.join('; ')}${none}.`;
}

/** `2 accepted differences: -5.00 EUR net, 5.00 EUR absolute.`; empty if none is accepted. */
function acceptedTotal({ run }: SettlementsReport) {
  const count = run.settlements.filter(isAccepted).length;
  const totals = run.totals
    .filter(({ accepted }) => accepted.settlements > 0)
    .map(({ accepted, currency, scale }) => netAndAbsoluteText(accepted, currency, scale));
  return count > 0 && `${many(count, 'accepted difference')}: ${totals.join('; ')}.`;
}

function lapsedAcceptances({ run }: SettlementsReport): readonly string[] {
  const sentences = run.settlements.flatMap((one) => {
    const { acceptance, settlement } = one;
    if (!acceptance || isAccepted(one)) return [];
    return [`Settlement ${settlement.id} (${settlement.date}) was ${acceptanceText(acceptance)}.`];
  });
  const more = (count: number) => `${many(count, 'more accepted difference')} expired or changed.`;
  return cutTo(maxNamed, sentences, more);
}

/** Findings that other sentences report. */
const reportedElsewhere: ReadonlySet<Code> = new Set(['incomplete_day', 'fee_drift']);

/** The conclusion of `recon settlements`: the answer, what else is wrong, what to do. */
export function settlementsConclusion(report: SettlementsReport): readonly string[] {
  return present(
    `${answerLabel(report)}. ${headline(report)}`,
    ...openPendings(report),
    ...report.run.findings.filter(({ code }) => !reportedElsewhere.has(code)).map(entrySentence),
    ...feeRateSentences(report),
    ...incompleteSentences(report.run.settlements),
    ...statementRemarks(report.bank).map(({ text }) => `${text}.`),
    ...lapsedAcceptances(report),
    ...(report.closed ?? []).map(closedSentence),
    ignoredChecks(report),
    ...byRule(report),
    ...(report.patterns ?? []).map((one) => patternText(one, report.names)),
    proposals(report),
    ...rereadCommands(report).map((text) => `Next: ${text}`),
  );
}

function byRule({ run }: SettlementsReport): readonly string[] {
  return run.totals.flatMap((totals) =>
    totals.byRule.map((total) => `By rule: ${ruleTotalText(total, totals)}.`),
  );
}

function proposals({ run: { proposedRules }, settings }: SettlementsReport) {
  const lines = proposedLines(proposedRules, settings).join(' ');
  const all = proposedRules.map(proposalText).join(' ');
  return all && `${all} Add to the configuration file: ${lines}`;
}

/** Notes on the figures, each a sentence. */
export function settlementsNotes(report: SettlementsReport): readonly string[] {
  return present(
    disagreement(report),
    agreeingPayIns(report),
    ...openPendings(report),
    ...unknownStatuses(report),
    ...noticesOfBalanced(report),
    ...(report.closed ?? []).map(closedSentence),
    ...identityNotes(report),
    ignoredChecks(report),
    filtered(report),
  );
}

function disagreement({ run }: SettlementsReport) {
  const open = run.settlements.filter((one) => !isAccepted(one));
  const missed = open.filter(missedByService).length;
  const unexplained = open.filter(onlyByService).length;
  if (missed + unexplained === 0) return undefined;
  const parts = present(
    missed > 0 && `${missed} settled according to the service but out of balance by the checks`,
    unexplained > 0 && `${unexplained} out of balance according to the service only`,
  );
  const about = many(missed + unexplained, 'settlement');
  return `The service and the checks disagree on ${about}: ${parts.join('; ')}.`;
}

function agreeingPayIns({ run }: SettlementsReport) {
  const count = run.settlements.filter(
    (one) => raisesAlarm(one) && one.difference?.payIn === 0n,
  ).length;
  const are = many(count, 'settlement is', 'settlements are');
  return count > 0 && `${are} out of balance without a difference in net pay-out.`;
}

function noticesOfBalanced({ run }: SettlementsReport): readonly string[] {
  const noticesOf = ({ notices }: ReconciledSettlement) =>
    notices.filter(({ weight }) => weight === 'notice');
  const noticed = run.settlements.filter(
    (one) => one.verdict === 'balanced' && noticesOf(one).length > 0,
  );
  const have = many(noticed.length, 'balanced settlement has', 'balanced settlements have');
  const isLong = noticed.length > maxNamed;
  const more = isLong ? ` The first ${maxNamed} follow; --format json lists all.` : '';
  return present(
    noticed.length > 0 && `${have} notices: ${counted(noticed.flatMap(noticesOf))}.${more}`,
    ...noticed.slice(0, maxNamed).map((one) => {
      const { id, date } = one.settlement;
      return `Settlement ${id} of ${date}: ${noticesOf(one).map(entryClause).join('; ')}.`;
    }),
  );
}

function counted(entries: readonly Entry[]): string {
  return [...groupedBy(entries, ({ code }) => code)]
    .map(([code, all]) => `${codeWords[code]} (${all.length})`)
    .sort()
    .join(', ');
}

const mostOverdueNamed = 10;

/** Settlements that are overdue, or are pending because of an unknown status. */
export function openPendings({ run }: SettlementsReport): readonly string[] {
  const unknown = unknownStatusTexts(run.settlements).map((text) => `${text}.`);
  return present(overdueNote(run), ...unknown);
}

/** Names the day of the report, from which ages are counted. */
function overdueNote({ settlements, totals }: ReconciledRun) {
  const overdue = settlements.flatMap(({ settlement, notices }) =>
    notices.flatMap((one) => (one.code === 'overdue' ? [{ ...one.facts, settlement }] : [])),
  );
  const [first] = overdue;
  if (first === undefined) return undefined;
  const are = many(overdue.length, 'pending settlement is', 'pending settlements are');
  const limit = `more than ${many(first.pendingDays, 'day')} old on ${first.today}`;
  const sums = totals
    .filter((total) => total.overdue.settlements > 0)
    .map(({ currency, scale, overdue }) => moneyText({ minor: overdue.payIn, scale, currency }));
  const all = overdue.length > 1 && `total net pay-out ${enumerate(sums)}`;
  const texts = overdue.map(
    ({ settlement: { date }, days, payIn }) => `${date}, ${many(days, 'day')}, ${moneyText(payIn)}`,
  );
  const list = cutTo(mostOverdueNamed, texts, (count) => `${count} more`).join('; ');
  return `${present(`${are} overdue (${limit})`, all).join(', ')}: ${list}.`;
}

function unknownStatuses({ run }: SettlementsReport): readonly string[] {
  const unknown = run.settlements.filter(
    (one) => one.serviceSays === 'unknown' && verdictReason(one) === undefined,
  );
  return textsByStatus(unknown, () => ', so only the sums were checked').map((text) => `${text}.`);
}

function identityNotes({ run, settings }: SettlementsReport): readonly string[] {
  if (settings.identity === 'off') {
    return ['No net pay-out is calculated (identity = off), so totals show differences in gross.'];
  }
  const chosen = identityWords(settings.identity);
  return run.betterIdentities.map(
    ({ identity, settlements }) =>
      `Net pay-out = ${chosen} does not hold, but net pay-out = ${identityWords(identity)} holds for all ` +
      `${many(settlements, 'complete settlement')}. Consider --identity ${identity}.`,
  );
}

function ignoredChecks({ run, settings: { ignored } }: SettlementsReport) {
  const found = (code: Code) =>
    [
      ...run.ignored.filter((total) => total.code === code).map(totalText),
      ...present(run.findings.some((finding) => finding.code === code) && 'across settlements'),
    ].join('; ');
  const checks = ignored.map((code) => `${code} (${found(code) || 'nothing found'})`);
  return checks.length > 0 && `Ignored checks: ${checks.join(', ')}.`;
}

function totalText({ settlements, currency, scale, difference }: IgnoredTotal): string {
  return difference === undefined
    ? many(settlements, `${currency} settlement`)
    : `${netAndAbsoluteText(difference, currency, scale)} in ${many(settlements, 'settlement')}`;
}

function filtered(report: SettlementsReport) {
  const words = enumerate((report.only ?? []).map((verdict) => verdictWords[verdict]));
  const of = many(report.run.settlements.length, 'settlement');
  const shown = shownSettlements(report).length;
  return report.only && `Showing ${shown} of ${of} (${words}). Totals are not filtered.`;
}

/** Commands that lead on from here, most useful first. */
export function nextSteps(report: SettlementsReport): readonly string[] {
  const [first, ...others] = report.run.settlements.filter(raisesAlarm);
  const dates = rangeFlags(report);
  const isOnlyOne = first && canBeCopied(first.settlement.id) && others.length === 0;
  return present(
    isOnlyOne
      ? command('recon explain', first.settlement.id, report.flags, '# why it does not balance')
      : first &&
          dates &&
          command('recon explain', dates, report.flags, '# why each does not balance'),
    commandForBank(report.bank, dates),
    ...rereadCommands(report),
  );
}

/** Commands that read what is still missing. */
function rereadCommands(report: SettlementsReport): readonly string[] {
  const { run, flags } = report;
  const dates = rangeFlags(report);
  const incomplete = run.settlements.filter(({ verdict }) => verdict === 'incomplete');
  const entries = [...incomplete.flatMap((one) => one.discrepancies), ...run.findings];
  const again = command('recon settlements', dates, flags, '# try again to read the rest');
  const { feeRates } = run;
  const earlier = feeRates && rangeFlags({ ...report, range: feeRates.range });
  return present(
    ...(run.complete || dates === undefined ? [] : adviceForIncomplete(entries, [again])),
    feeRates?.earlier.complete === false &&
      earlier &&
      command('recon settlements', earlier, flags, '# what the earlier range is missing'),
  );
}

type RequestedRange = Pick<SettlementsReport, 'range' | 'settings' | 'flags'>;

/** The command that lists all transactions of a report. */
export function commandForRows(report: RequestedRange): string {
  return command(
    'recon transactions',
    rangeFlags(report),
    report.flags,
    '--output transactions.csv',
  );
}

function rangeFlags({ range, settings: { filters } }: RequestedRange): string | undefined {
  if (range === undefined) return undefined;
  const words = Object.entries(filters).map(([name, value]) => `--${name} ${shellWord(value)}`);
  return [daysFlags(range), ...words].join(' ');
}

function commandForBank(bank: BankCheck | undefined, words: string | undefined) {
  if (!isOffOnBank(bank)) return undefined;
  const { paths, flags } = bank.report;
  const what = '# what is on the bank statements';
  return command('recon bank', ...paths.map(shellWord), words, flags, what);
}
