import type { BankMatch, BankState } from '../../match/match.ts';
import { daysCovered } from '../../match/payout-days.ts';
import { absoluteSums, magnitude, moneySums } from '../../money/money.ts';
import {
  grouped,
  many,
  moneyText,
  netAndAbsoluteText,
  present,
  rangeText,
  signedMoneyText,
} from '../common/phrase.ts';
import { sentenceOfItsOwn } from '../common/words.ts';
import { bankNotes } from './notes.ts';
import {
  acceptedMatches,
  type BankReport,
  bankVerdict,
  isOpenOn,
  openMatches,
  payoutsIn,
  waitingStates,
} from './report.ts';
import { bankStates, statementSentence } from './words.ts';

/** The answer in a few words. */
export function bankLabel(report: BankReport): string {
  const verdict = bankVerdict(report);
  const { matches } = report.matching;
  if (verdict !== 'reconciled') return verdict.replace('_', ' ').toUpperCase();
  if (matches.every(({ state }) => state === 'unrelated')) return 'NOTHING FOUND';
  const except = present(
    acceptedMatches(report).length > 0 && 'ACCEPTED DIFFERENCES',
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
  const waiting = waitingStates.flatMap((state) => {
    const count = payoutsIn(inState(state));
    return count === 0 ? [] : `${grouped(count)} ${bankStates[state][0]}`;
  });
  const told = (of: BankState | readonly BankMatch[], one: string, several = one) => {
    const all = typeof of === 'string' ? openMatches(report, of) : of;
    const count = payoutsIn(all);
    const sums = all.every(({ state }) => state === 'difference')
      ? differencesText(all)
      : sumsText(all, ({ expected }) => expected);
    return count > 0 && `${grouped(count)} ${count === 1 ? one : several}: ${sums}.`;
  };
  const uncovered = payoutsIn(inState('not_covered'));
  return present(
    due === 0
      ? 'No pay-outs are due.'
      : `${grouped(found)} of ${many(due, 'pay-out')} ${due === 1 ? 'is' : 'are'} on the bank statements.`,
    told('missing_on_bank', 'is missing', 'are missing'),
    told('difference', 'has a difference', 'have a difference'),
    told(acceptedMatches(report), 'has an accepted difference', 'have an accepted difference'),
    told('returned', 'was returned', 'were returned'),
    told('ambiguous', 'has several possible matches', 'have several possible matches'),
    unknownText(openMatches(report, 'unknown_on_bank')),
    told('suggested', 'has only a suggested entry', 'have only a suggested entry'),
    uncovered > 0 &&
      `${grouped(uncovered)} cannot be checked: the statements do not cover ${uncovered === 1 ? 'its' : 'their'} days.`,
    waiting.length > 0 && `Waiting: ${waiting.join(', ')}.`,
  ).join(' ');
}

/** What matches come to by currency: `1,935.93 EUR`, or where signs differ, `+1.00 EUR net, 3.00 EUR absolute`. */
function sumsText(
  matches: readonly BankMatch[],
  minor: (match: BankMatch) => bigint,
  textOf = moneyText,
): string {
  const amounts = matches.map((one) => {
    return { currency: one.currency, scale: one.scale, minor: minor(one) };
  });
  const absolutes = absoluteSums(amounts);
  const texts = moneySums(amounts).map(({ currency, minor: net, scale }, at) => {
    const absolute = absolutes[at]?.minor ?? 0n;
    return magnitude(net) === absolute
      ? textOf({ minor: net, scale, currency })
      : netAndAbsoluteText({ net, absolute }, currency, scale);
  });
  return texts.join('; ');
}

/** The differences with their signs; what came in another currency has none. */
function differencesText(matches: readonly BankMatch[]): string {
  const known = matches.filter(({ difference }) => difference !== undefined);
  const others = payoutsIn(matches) - payoutsIn(known);
  return present(
    sumsText(known, ({ difference = 0n }) => difference, signedMoneyText),
    others > 0 && `${grouped(others)} in another currency`,
  ).join('; ');
}

function unknownText(matches: readonly BankMatch[]) {
  const is = many(matches.length, 'entry is', 'entries are');
  const sums = sumsText(matches, ({ entries }) =>
    entries.reduce((sum, { amount }) => sum + amount, 0n),
  );
  return matches.length > 0 && `${is} unknown to the service: ${sums}.`;
}

/** Whether everything was read, in words. */
export function bankCompleteness({ matching, statements, findings, range }: BankReport): string {
  const open = statements.findings.filter((one) => isOpenOn(range, one));
  const unreadable = open.filter(({ code }) => code === 'unreadable').length;
  const undated = open.length - unreadable;
  const isListOpen = findings.some(({ weight }) => weight === 'incomplete');
  const settlements = many(payoutsIn(matching.matches), 'settlement');
  const entries = many(statements.entries.length, 'bank entry', 'bank entries');
  if (open.length === 0 && !isListOpen) return `yes: ${settlements}, ${entries}`;
  const reasons = present(
    isListOpen && 'the list of settlements may be incomplete',
    unreadable > 0 && `${many(unreadable, 'record')} of the statements cannot be read`,
    undated > 0 && `${many(undated, 'entry', 'entries')} of the statements without a date`,
  );
  return `NO: ${reasons.join('; ')}`;
}

/** `2 statements, 2026-03-01 to 2026-03-31`. */
export function statementDays({ statements: { statements } }: BankReport): string {
  const span = daysCovered(statements);
  return present(many(statements.length, 'statement'), span && rangeText(span)).join(', ');
}

/** What `recon bank` comes to, for those who do not see the report. */
export function bankConclusion(report: BankReport): readonly string[] {
  return present(
    `${bankLabel(report)}. ${bankHeadline(report)}`,
    ...report.findings.map(sentenceOfItsOwn),
    ...report.statements.findings.slice(0, mostNamed).map(statementSentence),
    ...bankNotes(report),
  );
}

/** So many findings in statements are named where there is no table. */
const mostNamed = 10;
