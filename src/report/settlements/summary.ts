import { shellWord } from '../../base/texts.ts';
import { isAccepted, raisesAlarm } from '../../reconcile/acceptance.ts';
import { unreadPendings } from '../../reconcile/computed.ts';
import type { Code } from '../../reconcile/entry.ts';
import type { Verdict } from '../../reconcile/reconciled.ts';
import { unusualScales } from '../../reconcile/unusual-scales.ts';
import { type BankVerdict, bankVerdict } from '../bank/report.ts';
import { acceptanceText } from '../common/acceptance.ts';
import { incompleteSentences } from '../common/partial-words.ts';
import { capitalised, firstOf, many, netAndAbsoluteText, present } from '../common/phrase.ts';
import { proposalText, proposedLines, ruleTotalText } from '../common/rule-words.ts';
import type { Tone } from '../common/view.ts';
import { canBeCopied, command, forIncomplete } from '../common/what-next.ts';
import {
  scaleTexts,
  sentenceOfItsOwn,
  verdicts,
  verdictTones,
  verdictWords,
} from '../common/words.ts';
import { feeRateSentences } from './fee-rates.ts';
import { ignoredChecks, mostNamed, openPendings } from './notes.ts';
import { bankSentence, commandForBank, isOffOnBank, statementRemarks } from './on-bank.ts';
import { measureOfTotals, type SettlementsReport } from './report.ts';

/** The answer in a few words. Where there is nothing, nothing is balanced either. */
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

/** How the answer is meant: nothing is good that the bank does not have. */
export function answerTone({ run, bank }: SettlementsReport): Tone {
  const tone = verdictTones[run.verdict];
  if (tone === 'bad' || !isOffOnBank(bank)) return tone;
  return bankVerdict(bank.report) === 'incomplete' ? 'unsure' : 'bad';
}

/** The answer in one line: how many of each verdict, the money that is off, or that may be. */
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
    ...scaleTexts(unusualScales(headers, settings.expectedScales)).map((text) => `${text}.`),
  ).join(' ');
}

/** How many settlements have each verdict; `accepted` of those out of balance are accepted. */
export function countsText(countOf: (verdict: Verdict) => number, accepted = 0): string {
  const wordsFor = (verdict: Verdict) => {
    if (verdict !== 'out_of_balance' || accepted === 0) return verdictWords[verdict];
    const all = accepted === countOf(verdict);
    return `${verdictWords[verdict]} (${all ? '' : `${accepted} `}accepted)`;
  };
  const counts = verdicts
    .map((verdict) => ({ count: countOf(verdict), words: wordsFor(verdict) }))
    .filter(({ count }) => count > 0);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const [first] = counts;
  if (first === undefined) return 'No settlements.';
  if (total === 1) return `1 settlement: ${first.words}.`;
  const each = counts.map(({ count, words }) => `${count === total ? 'all' : count} ${words}`);
  return `${total} settlements: ${each.join(', ')}.`;
}

/** Whether everything was read, in words. */
export function completenessText({ run }: SettlementsReport): string {
  const settlements = many(run.settlements.length, 'settlement');
  const unread = unreadPendings(run.settlements);
  if (run.complete && unread.length === 0)
    return `yes: ${settlements}, ${many(run.transactions, 'transaction')}`;
  const { incomplete } = run.counts;
  const isListOpen = run.findings.some((entry) => entry.weight === 'incomplete');
  const reasons = present(
    incomplete > 0 && `${incomplete} of ${settlements} not fully read`,
    isListOpen && 'the list of settlements may be incomplete',
    unread.length > 0 &&
      `${many(unread.length, 'pending settlement')} not fully read: ${firstOf(unread)}`,
  );
  return `NO: ${reasons.join('; ')}`;
}

/**
 * The differences of the out-of-balance settlements, per currency, never across:
 * `Pay-in difference: EUR -14.00 net, 26.00 absolute; JPY +500 net, 500 absolute; none in USD.`
 */
function outOfBalanceSentence(report: SettlementsReport): string {
  const measure = measureOfTotals(report);
  const off = measure === 'gross' ? ' (identity off)' : '';
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

/** `2 accepted differences: EUR -5.00 net, 5.00 absolute.`; nothing where none is accepted. */
function acceptedTotal({ run }: SettlementsReport) {
  const count = run.settlements.filter(isAccepted).length;
  const totals = run.totals
    .filter(({ accepted }) => accepted.settlements > 0)
    .map(({ accepted, currency, scale }) => netAndAbsoluteText(accepted, currency, scale));
  return count > 0 && `${many(count, 'accepted difference')}: ${totals.join('; ')}.`;
}

/** Settlements whose accepted difference counts no longer: the first few by name, the rest by number. */
function ringingAgain({ run }: SettlementsReport): readonly string[] {
  const sentences = run.settlements.flatMap((one) => {
    const { acceptance, settlement } = one;
    if (!acceptance || isAccepted(one)) return [];
    return [`Settlement ${settlement.id} (${settlement.date}) was ${acceptanceText(acceptance)}.`];
  });
  const more = sentences.length - mostNamed;
  const rest = `${many(more, 'more accepted difference')} expired or changed.`;
  return present(...sentences.slice(0, mostNamed), more > 0 && rest);
}

/**
 * Whoever reads an export says on standard error anyway which of its days are incomplete. A fee drift
 * is told with the name of its account.
 */
const saidElsewhere: ReadonlySet<Code> = new Set(['incomplete_day', 'fee_drift']);

/** What `recon settlements` comes to: the answer, what is wrong beside it, what to do. */
export function settlementsConclusion(report: SettlementsReport): readonly string[] {
  return present(
    `${answerLabel(report)}. ${headline(report)}`,
    ...openPendings(report),
    ...report.run.findings.filter(({ code }) => !saidElsewhere.has(code)).map(sentenceOfItsOwn),
    ...feeRateSentences(report),
    ...incompleteSentences(report.run.settlements),
    ...statementRemarks(report.bank).map(({ text }) => `${text}.`),
    ...ringingAgain(report),
    ignoredChecks(report),
    ...byRule(report),
    proposals(report),
    ...[...readAgain(report), ...readEarlier(report)].map((text) => `Next: ${text}`),
  );
}

/** What rules have moved, a sentence for each in each currency. */
function byRule({ run }: SettlementsReport): readonly string[] {
  return run.totals.flatMap((totals) =>
    totals.byRule.map((total) => `By rule: ${ruleTotalText(total, totals)}.`),
  );
}

/** The rules that the run speaks for; nothing where there are none. */
function proposals({ run: { proposedRules }, settings }: SettlementsReport) {
  const lines = proposedLines(proposedRules, settings).join(' ');
  const all = proposedRules.map(proposalText).join(' ');
  return all && `${all} Add to the configuration file: ${lines}`;
}

/** Commands that lead on from here, most useful first. */
export function whatNext(report: SettlementsReport): readonly string[] {
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
    ...readAgain(report),
    ...readEarlier(report),
  );
}

/** What to do where not everything was read. */
function readAgain(report: SettlementsReport): readonly string[] {
  const { run, flags } = report;
  const dates = rangeFlags(report);
  if (run.complete || dates === undefined) return [];
  const incomplete = run.settlements.filter(({ verdict }) => verdict === 'incomplete');
  const entries = [...incomplete.flatMap((one) => one.discrepancies), ...run.findings];
  const again = command('recon settlements', dates, flags, '# try again to read the rest');
  return forIncomplete(entries, [again]);
}

/** What to do where the range was compared with one that could not be fully read. */
function readEarlier(report: SettlementsReport): readonly string[] {
  const { flags, run } = report;
  if (!run.feeRates || run.feeRates.earlier.complete) return [];
  const dates = rangeFlags({ ...report, range: run.feeRates.range });
  return present(
    dates && command('recon settlements', dates, flags, '# what the earlier range is missing'),
  );
}

type AskedFor = Pick<SettlementsReport, 'range' | 'settings' | 'flags'>;

/** The command that lists all transactions of a report, however many there are. */
export function commandForRows(report: AskedFor): string {
  return command('recon transactions', rangeFlags(report), report.flags, '--output rows.csv');
}

/** The range and its filters, as words of a command line. */
function rangeFlags({ range, settings: { filters } }: AskedFor): string | undefined {
  if (range === undefined) return undefined;
  const words = Object.entries(filters).map(([name, value]) => `--${name} ${shellWord(value)}`);
  return [`--from ${range.from} --to ${range.to}`, ...words].join(' ');
}
