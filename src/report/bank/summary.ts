import { spanOf } from '../../base/calendar.ts';
import type { BankMatch, BankState } from '../../match/match.ts';
import { type Money, magnitude } from '../../money/money.ts';
import {
  amountText,
  enumerate,
  grouped,
  many,
  netAndAbsoluteText,
  present,
  rangeText,
  signedText,
} from '../common/phrase.ts';
import { canBeCopied, command, forIncomplete } from '../common/what-next.ts';
import { sentenceOfItsOwn } from '../common/words.ts';
import { shareDifference } from './lines.ts';
import {
  type BankReport,
  bankVerdict,
  isAcceptedMatch,
  moneyOnBank,
  openMatches,
  payoutsIn,
  sumsOf,
  waitingStates,
} from './report.ts';
import { bankStateWords, statementFindingText } from './words.ts';

/** The answer in a few words. */
export function bankLabel(report: BankReport): string {
  const verdict = bankVerdict(report);
  const { matches } = report.matching;
  if (verdict !== 'reconciled') return verdict.replace('_', ' ').toUpperCase();
  if (payoutsIn(matches) === 0) return 'NO PAY-OUTS FOUND';
  const except = present(
    matches.some((one) => isAcceptedMatch(one, report.accepted)) && 'ACCEPTED DIFFERENCES',
    openMatches(report, 'not_covered').length > 0 && 'DAYS WITHOUT STATEMENTS',
  );
  return except.length === 0 ? 'RECONCILED' : `RECONCILED, EXCEPT FOR ${except.join(' AND ')}`;
}

/** The answer in a few sentences: how many pay-outs are on the statements, and what is not as it should be. */
export function bankHeadline(report: BankReport): string {
  const { matches } = report.matching;
  const inState = (state: BankState) => matches.filter((match) => match.state === state);
  const aside: readonly BankState[] = ['not_paid_yet', 'nothing_due'];
  const due = payoutsIn(matches.filter(({ state }) => !aside.includes(state)));
  const found = payoutsIn([...inState('matched'), ...inState('difference')]);
  const accepted = payoutsIn(matches.filter((one) => isAcceptedMatch(one, report.accepted)));
  const waiting = waitingStates.flatMap((state) => {
    const count = payoutsIn(inState(state));
    return count === 0 ? [] : `${grouped(count)} ${bankStateWords[state]}`;
  });
  const told = (state: BankState, one: string, several = one) => {
    const all = openMatches(report, state);
    const count = payoutsIn(all);
    const off = state === 'difference' ? differencesText(all) : expectedText(all);
    return count > 0 && `${grouped(count)} ${count === 1 ? one : several}: ${off}.`;
  };
  const uncovered = payoutsIn(inState('not_covered'));
  return present(
    due === 0
      ? 'No pay-outs are due.'
      : `${grouped(found)} of ${many(due, 'pay-out')} ${due === 1 ? 'is' : 'are'} on the bank statements.`,
    told('missing_on_bank', 'is missing', 'are missing'),
    told('difference', 'has a difference', 'have a difference'),
    accepted > 0 &&
      `${grouped(accepted)} ${accepted === 1 ? 'has' : 'have'} an accepted difference.`,
    told('returned', 'was returned', 'were returned'),
    told('ambiguous', 'has several possible entries', 'have several possible entries'),
    unknownText(openMatches(report, 'unknown_on_bank')),
    told('suggested', 'is only suggested', 'are only suggested'),
    uncovered > 0 &&
      `${grouped(uncovered)} cannot be checked: the statements do not cover ${uncovered === 1 ? 'its' : 'their'} days.`,
    waiting.length > 0 && `Waiting: ${waiting.join(', ')}.`,
  ).join(' ');
}

/** `EUR 1935.93`, by currency. */
function expectedText(matches: readonly BankMatch[]): string {
  return enumerate(sumsOf(matches, ({ expected }) => expected).map(sumText));
}

function sumText({ currency, minor, scale }: Money): string {
  return `${currency} ${amountText(minor, scale)}`;
}

/** `EUR -1.50`, or where there are several, `EUR -1.50 net, 4.50 absolute`. */
function differencesText(matches: readonly BankMatch[]): string {
  const absolutes = sumsOf(matches, ({ difference = 0n }) => magnitude(difference));
  const nets = sumsOf(matches, ({ difference }) => difference);
  const texts = nets.map(({ currency, minor, scale }, at) => {
    const absolute = absolutes[at]?.minor ?? 0n;
    return magnitude(minor) === absolute
      ? `${currency} ${signedText(minor, scale)}`
      : netAndAbsoluteText({ net: minor, absolute }, currency, scale);
  });
  return texts.join('; ');
}

function unknownText(matches: readonly BankMatch[]) {
  const is = many(matches.length, 'entry is', 'entries are');
  const sums = enumerate(sumsOf(matches, moneyOnBank).map(sumText));
  return matches.length > 0 && `${is} unknown to the service: ${sums}.`;
}

/** Whether everything was read, in words. */
export function bankCompleteness({ matching, statements, findings }: BankReport): string {
  const unreadable = statements.findings.filter(({ code }) => code === 'unreadable').length;
  const isListOpen = findings.some(({ weight }) => weight === 'incomplete');
  const settlements = many(payoutsIn(matching.matches), 'settlement');
  const entries = many(statements.entries.length, 'bank entry', 'bank entries');
  if (unreadable === 0 && !isListOpen) return `yes: ${settlements}, ${entries}`;
  const reasons = present(
    isListOpen && 'the list of settlements may be incomplete',
    unreadable > 0 && `${many(unreadable, 'record')} of the statements cannot be read`,
  );
  return `NO: ${reasons.join('; ')}`;
}

/** `2 statements, 2026-03-01 to 2026-03-31`. */
export function statementDays({ statements: { statements } }: BankReport): string {
  const span = spanOf(statements.flatMap(({ from, to }) => [from, to]));
  return present(many(statements.length, 'statement'), span && rangeText(span)).join(', ');
}

/** What a reader has to know beside the figures, each a sentence. */
export function bankNotes(report: BankReport): readonly string[] {
  const { matching, statements, filters, knowsPayoutAccounts, lacksDaysAround } = report;
  const { matches } = matching;
  const others = matches.filter(({ state }) => state === 'unrelated').length;
  const hasUnknown = matches.some(({ state }) => state === 'unknown_on_bank');
  const currencies = new Set(statements.statements.map(({ currency }) => currency));
  const without = new Set(
    matches
      .filter(({ state, currency }) => state === 'not_covered' && !currencies.has(currency))
      .map(({ currency }) => currency),
  );
  return present(
    without.size > 0 && `No statement in ${enumerate([...without].sort())}.`,
    others > 0 && `${many(others, 'entry', 'entries')} of others, not listed.`,
    statements.repeated > 0 &&
      `${many(statements.repeated, 'entry', 'entries')} repeated in other files, counted once.`,
    hasUnknown &&
      Object.keys(filters).length > 0 &&
      'Settlements were filtered, so an unknown entry may belong to another merchant.',
    hasUnknown &&
      lacksDaysAround &&
      'The export does not contain all days before and after the range, so an unknown entry may belong to one of them.',
    hasUnknown &&
      !knowsPayoutAccounts &&
      'The accounts that the service pays from are not set, so an unknown entry may come from anyone.',
  );
}

/** What to do, once each. */
export function bankAdvice(report: BankReport): readonly string[] {
  const { findings, statements, matching, knowsPayoutAccounts } = report;
  const has = (state: BankState) => openMatches(report, state).length > 0;
  return present(
    ...forIncomplete(findings, [
      'Run the command again: the list of settlements was not fully read.',
    ]),
    statements.findings.length > 0 &&
      'Request the statements that cannot be read, do not balance or have gaps from the bank again.',
    has('missing_on_bank') &&
      'Missing: check that the statements of all accounts are included, then ask the service for the payment by its end-to-end id.',
    acceptCommand(report),
    has('returned') && 'Returned: check the account number that the service pays to.',
    (has('ambiguous') || has('suggested')) &&
      'Suggested or several possible: compare the entries with the advice of the service. recon does not choose.',
    matching.matches.some(({ state }) => state === 'unknown_on_bank') &&
      !knowsPayoutAccounts &&
      'Set payout_accounts in the profile, or use --payout-accounts, to leave out entries of others.',
  );
}

/** How to accept the first of the differences, where a shell cannot misread it. */
function acceptCommand(report: BankReport) {
  const [first] = openMatches(report, 'difference').flatMap((match) =>
    match.settlements.map((share) => ({ match, share })),
  );
  if (!first || !canBeCopied(first.share.settlement.id)) return undefined;
  const off = shareDifference(first.match, first.share);
  if (off === undefined) return undefined;
  const seen = `--difference ${amountText(off, first.match.scale)}`;
  const { id } = first.share.settlement;
  const words = command('recon accept', id, report.flags, '--bank', seen, '--reason "bank fee"');
  return `To accept a difference: ${words}`;
}

/** What `recon bank` comes to, for those who do not see the report. */
export function bankConclusion(report: BankReport): readonly string[] {
  return present(
    `${bankLabel(report)}. ${bankHeadline(report)}`,
    ...report.findings.map(sentenceOfItsOwn),
    ...report.statements.findings.slice(0, mostNamed).map((one) => `${statementFindingText(one)}.`),
    ...bankNotes(report),
  );
}

/** So many findings in statements are named where there is no table. */
const mostNamed = 10;
