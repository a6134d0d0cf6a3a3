import { bankMovements } from '../../app/bank-movements.ts';
import {
  acceptedMatches,
  type BankReport,
  bankVerdict,
  isOpenOn,
  matchesOfAll,
  openMatches,
  payoutsIn,
  waitingStates,
} from '../../app/bank-report.ts';
import { groupedBy } from '../../base/lists.ts';
import { shellWord } from '../../base/texts.ts';
import { daysCovered } from '../../match/business-days.ts';
import { type BankMatch, type BankState, hasArrived } from '../../match/match.ts';
import { entryPlace, type StatementFindingCode } from '../../model/bank.ts';
import { moneySums } from '../../money/money.ts';
import { closedSentence } from '../close/words.ts';
import { answerBlock, facts, maxScreenRows, plain, remark, remarks } from '../common/blocks.ts';
import { adviceForIncomplete } from '../common/partial-words.ts';
import {
  amountsText,
  amountText,
  canBeCopied,
  command,
  cutTo,
  daysFlags,
  enumerate,
  filtersText,
  firstOf,
  grouped,
  many,
  moneyText,
  present,
  signedMoneyText,
  wholeRangeText,
} from '../common/phrase.ts';
import { entrySentence } from '../common/words.ts';
import {
  bankStates,
  businessDaysText,
  confirmedSentences,
  earlierPayoutsText,
  lapsedConfirmations,
  nettedAdvice,
  nettedSentence,
  notCheckedText,
  reconciliationTones,
  sameBank,
  statementDays,
  statementRemark,
  statementSentence,
  unknownWords,
  unusedRules,
} from './words.ts';

/** The texts of the report other than its tables. */
export function bankSummary(report: BankReport) {
  const { matching, statements, range, filters, profile, findings } = report;
  const verdict = bankVerdict(report);
  const isEmpty = verdict === 'reconciled' && hasNothing(report);
  const tone = isEmpty ? 'plain' : reconciliationTones[verdict];
  const text = [bankHeadline(report), ...earlierSentences(report)].join(' ');
  const [label, notes] = [bankLabel(report), notesOf(report)];
  // Of several profiles, the statements are told of once.
  const isPart = report.scope === 'profile';
  const ofStatements = isPart ? [] : statements.findings;
  const more = (count: number) => plain(`${many(count, 'more finding')}; --format json lists all`);
  const inStatements = cutTo(maxScreenRows, ofStatements.map(statementRemark), more);
  return {
    head: [
      answerBlock(label, tone, text),
      facts([
        ['Range', wholeRangeText(range)],
        ['Pay-out', isPart ? undefined : payOutMeaning],
        ['Statements', isPart ? undefined : statementDays(report)],
        ['Business days', businessDaysText(report)],
        ['Paid from', enumerate(matching.paidFrom)],
        ['Filters', filtersText(filters)],
        ['Profile', profile],
        ['Everything read', completeness(report)],
      ]),
      ...remarks('Findings', [...findings.map(remark), ...inStatements]),
    ],
    notes,
    advice: adviceOf(report),
    /** For standard error, if the report itself is not shown. */
    conclusion: [
      `${label}. ${text}`,
      ...findings.map(entrySentence),
      ...ofStatements.slice(0, mostNamed).map(statementSentence),
      ...notes,
    ],
  };
}

const payOutMeaning = 'a settlement on its way to the bank; expected is its net pay-out';

const mostNamed = 10;

/** Whether there is no pay-out in the range, and no money for earlier ones. */
export function hasNothing(report: BankReport): boolean {
  return payoutsIn(report.matching.matches) === 0 && earlierSentences(report).length === 0;
}

/** `Received for pay-outs of earlier months: 547.46 EUR (2).`, a sentence a currency. */
function earlierSentences(report: BankReport): readonly string[] {
  const all = bankMovements(report).filter(({ earlierEntries }) => earlierEntries > 0);
  const sums = moneySums(all.map(({ earlier: minor, ...one }) => ({ ...one, minor })));
  return sums.map((sum) => {
    const own = all.filter(({ currency }) => currency === sum.currency);
    const count = own.reduce((total, { earlierEntries }) => total + earlierEntries, 0);
    return `Received for ${earlierPayoutsText(report)}: ${moneyText(sum)} (${grouped(count)}).`;
  });
}

/** The answer in a few words. */
export function bankLabel(report: BankReport): string {
  const verdict = bankVerdict(report);
  const { matches } = report.matching;
  if (verdict !== 'reconciled') return verdict.replace('_', ' ').toUpperCase();
  if (matches.every(({ state }) => state === 'unrelated') && hasNothing(report))
    return 'NOTHING FOUND';
  const except = present(
    acceptedMatches(report).length > 0 && 'ACCEPTED DIFFERENCES',
    openMatches(report, 'not_covered').length > 0 && 'DAYS WITHOUT STATEMENTS',
  );
  return except.length === 0 ? 'RECONCILED' : `RECONCILED, EXCEPT FOR ${except.join(' AND ')}`;
}

/** The answer in a few sentences: how many pay-outs are on the statements, and what is wrong. */
export function bankHeadline(report: BankReport): string {
  const { earlier = [] } = report;
  const { matches } = report.matching;
  const inState = (...states: readonly BankState[]) =>
    matches.filter(({ state }) => states.includes(state));
  const due = payoutsIn(matches) - payoutsIn(inState('not_paid_yet', 'nothing_due'));
  const charged = inState('charged');
  const found = payoutsIn([...matches.filter(hasArrived), ...inState('difference')]);
  const waiting = waitingStates.flatMap((state) => {
    const count = payoutsIn(inState(state));
    return count === 0 ? [] : `${grouped(count)} ${bankStates[state][0]}`;
  });
  const open = (state: BankState) => openMatches(report, state);
  const accepted = groupedBy(acceptedMatches(report), ({ settlements }) => settlements.length > 0);
  const clause = (all: readonly BankMatch[], one: string, several: string) => {
    const count = payoutsIn(all);
    const sums = all.every(({ state }) => state === 'difference')
      ? differencesText(all)
      : sumsText(all, ({ expected }) => expected);
    return count > 0 && `${grouped(count)} ${count === 1 ? one : several}: ${sums}.`;
  };
  const uncovered = payoutsIn(inState('not_covered'));
  const unknown = unknownWords(report);
  return present(
    report.scope === 'none'
      ? undefined
      : due === 0
        ? 'No pay-outs are due.'
        : `${grouped(found)} of ${many(due, 'pay-out')} ${due === 1 ? 'is' : 'are'} on the bank statements.`,
    clause(open('missing_on_bank'), 'is not on the statements', 'are not on the statements'),
    clause(open('difference'), 'has a difference', 'have a difference'),
    clause(accepted.get(true) ?? [], 'has an accepted difference', 'have an accepted difference'),
    charged.length > 0 &&
      `${grouped(payoutsIn(charged))} arrived less bank charges: ${sumsText(charged, ({ difference = 0n }) => -difference)}.`,
    ...confirmedSentences(report),
    clause(open('returned'), 'was returned', 'were returned'),
    clause(open('ambiguous'), 'has several possible matches', 'have several possible matches'),
    unknownText(open('unknown_on_bank'), unknown),
    unknownText(accepted.get(false) ?? [], `${unknown} and accepted`),
    unknownText(inState('by_rule'), 'booked by rules'),
    clause(open('suggested'), 'has only a suggested entry', 'have only a suggested entry'),
    clause(earlier, 'is still open from before the range', 'are still open from before the range'),
    uncovered > 0 &&
      `${grouped(uncovered)} cannot be checked: the statements do not cover ${uncovered === 1 ? 'its' : 'their'} days.`,
    waiting.length > 0 && `Waiting: ${waiting.join(', ')}.`,
  ).join(' ');
}

type Matches = readonly BankMatch[];

/** The sums of matches by currency: `1,935.93 EUR` or, if signs differ, `+1.00 EUR net, 3.00 EUR absolute`. */
function sumsText(matches: Matches, minor: (match: BankMatch) => bigint, textOf = moneyText) {
  const amounts = matches.map((one) => {
    return { currency: one.currency, scale: one.scale, minor: minor(one) };
  });
  return amountsText(amounts, textOf);
}

function differencesText(matches: readonly BankMatch[]): string {
  const known = matches.filter(({ difference }) => difference !== undefined);
  const others = payoutsIn(matches) - payoutsIn(known);
  return present(
    sumsText(known, ({ difference = 0n }) => difference, signedMoneyText),
    others > 0 && `${grouped(others)} in another currency`,
  ).join('; ');
}

function unknownText(matches: readonly BankMatch[], what: string) {
  const is = many(matches.length, 'entry is', 'entries are');
  const amountOf = ({ entries }: BankMatch) => entries.reduce((sum, one) => sum + one.amount, 0n);
  const sums = sumsText(matches, amountOf);
  return matches.length > 0 && `${is} ${what}: ${sums}.`;
}

/** Notes on the figures, each a sentence. */
function notesOf(report: BankReport): readonly string[] {
  const { matching, statements, filters, conflicting, lacksDaysAround } = report;
  const { earlier, closed, range, scope } = report;
  const isFromMiddle = (daysCovered(statements.statements)?.from ?? '9') <= range.from;
  const { matches } = matching;
  const unchecked = (scope === 'profile' ? [] : statements.statements).flatMap(
    ({ notChecked }) => notChecked ?? [],
  );
  const why = [...new Set(unchecked)].map(notCheckedText);
  const others = matches.filter(({ state, rule }) => state === 'unrelated' && !rule).length;
  const hasUnknown = matches.some(({ state }) => state === 'unknown_on_bank');
  const currencies = new Set(statements.statements.map(({ currency }) => currency));
  const without = new Set(
    matches.flatMap(({ state, currency }) =>
      state === 'not_covered' && !currencies.has(currency) ? currency : [],
    ),
  );
  return present(
    earlier === undefined &&
      closed !== undefined &&
      isFromMiddle &&
      'What was in transit before the range is not known: set books_from in the profile, or record closes.',
    ...(closed ?? []).map(closedSentence),
    ...matching.netted.map(nettedSentence),
    ...lapsedConfirmations(report),
    ...unusedRules(report),
    without.size > 0 && `No statement in ${enumerate([...without].sort())}.`,
    unchecked.length > 0 &&
      `The balances of ${many(unchecked.length, 'statement')} were not checked: ${enumerate(why)}.`,
    others > 0 &&
      `${many(others, 'entry does not', 'entries do not')} come from the service and ${others === 1 ? 'is' : 'are'} not listed.`,
    conflicting.length > 0 &&
      `${many(conflicting.length, 'settlement is', 'settlements are')} listed with conflicting totals; one of them was used: ${firstOf(conflicting)}.`,
    scope !== 'profile' &&
      statements.repeated > 0 &&
      `${many(statements.repeated, 'entry', 'entries')} repeated in other files, counted once.`,
    hasUnknown &&
      Object.keys(filters).length > 0 &&
      'Settlements were filtered, so an unknown entry may belong to another merchant.',
    hasUnknown &&
      lacksDaysAround &&
      'The export does not contain all days before and after the range, so an unknown entry may belong to one of them.',
    hasUnknown &&
      matching.paidFrom.length === 0 &&
      'The accounts that the service pays from are not known, so an unknown entry may come from anyone.',
  );
}

function completeness(report: BankReport): string {
  const { statements, findings, range } = report;
  const open = statements.findings.filter((one) => isOpenOn(range, one));
  const count = (code: StatementFindingCode) => open.filter((one) => one.code === code).length;
  const [notRead, unreadable, undated] = [count('not_read'), count('unreadable'), count('undated')];
  const isListOpen = findings.some(({ weight }) => weight === 'incomplete');
  const settlements = many(payoutsIn(matchesOfAll(report)), 'settlement');
  const entries = many(statements.entries.length, 'bank entry', 'bank entries');
  if (open.length === 0 && !isListOpen) return `yes: ${settlements}, ${entries}`;
  const reasons = present(
    isListOpen && 'the list of settlements may be incomplete',
    notRead > 0 && `${many(notRead, 'file was', 'files were')} not read`,
    unreadable > 0 && `${many(unreadable, 'record')} of the statements cannot be read`,
    undated > 0 && `${many(undated, 'entry', 'entries')} of the statements without a date`,
  );
  return `NO: ${reasons.join('; ')}`;
}

function adviceOf(report: BankReport): readonly string[] {
  const { findings, statements, matching, earlier = [] } = report;
  const has = (state: BankState) =>
    openMatches(report, state).length > 0 || earlier.some((one) => one.state === state);
  const inStatements = report.scope === 'profile' ? [] : statements.findings;
  const isWrong = (...codes: readonly StatementFindingCode[]) =>
    inStatements.some(({ code }) => codes.includes(code));
  const isMisread = inStatements.flatMap(({ code, setting }) =>
    code === 'unreadable' ? setting !== undefined : [],
  );
  return present(
    ...adviceForIncomplete(
      findings.filter(({ code }) => code !== 'missing_day'),
      ['Run the command again: the list of settlements was not fully read.'],
    ),
    findings.some(({ code }) => code === 'missing_day') &&
      'Missing days: export them, or use a shorter range.',
    isWrong('not_read') &&
      'Files that were not read: add a mapping (recon bank --init FILE), download them in another format, or move them elsewhere.',
    isMisread.includes(true) &&
      'CSV files that cannot be read: correct the mapping. recon bank --entries lists what is read.',
    (isMisread.includes(false) || isWrong('balance_break', 'overlap_break')) &&
      'Statements that cannot be read or do not balance: request them from the bank again.',
    isWrong('undated') && 'Entries without a date: ask the bank when they were booked.',
    isWrong('statement_gap') && 'Gaps: add the statements in between.',
    has('missing_on_bank') &&
      'Not on the statements: check that the statements of all accounts are included, then ask the service for the payment by its end-to-end id.',
    openMatches(report, 'difference').some(({ reason }) => reason === 'paid_twice') &&
      'Paid twice: report it to the service.',
    acceptCommand(report),
    nettedAdvice(report),
    has('returned') && 'Returned: check the account number that the service pays to.',
    (has('ambiguous') || has('suggested')) &&
      'Suggested or several matches: the bank names no id of these pay-outs, so compare the entries. recon does not choose.',
    confirmCommand(report),
    matching.matches.some(({ state }) => state === 'unknown_on_bank') &&
      matching.paidFrom.length === 0 &&
      'Set payout_accounts in the profile, or use --payout-accounts, to leave out entries of others.',
  );
}

/** A command that confirms what is suggested: several by one question, or one, if its id is safe in a shell. */
function confirmCommand(report: BankReport) {
  const { paths, range, flags, filters } = report;
  const suggested = openMatches(report, 'suggested');
  if (suggested.length > 1 && Object.keys(filters).length === 0) {
    const review = command('recon review', ...paths.map(shellWord), daysFlags(range), flags);
    return `To confirm them, all that are alike at once: ${review} --by NAME`;
  }
  const [match] = [...suggested, ...openMatches(report, 'ambiguous')];
  const [id = ''] = match?.settlements.map(({ settlement }) => settlement.id) ?? [];
  if (!match || !canBeCopied(id)) return undefined;
  const shares = match.state === 'suggested' ? match.entries : match.entries.slice(0, 1);
  const entries = shares.map((share) => `--entry ${shellWord(entryPlace(share))}`);
  const words = command('recon accept', id, sameBank(report), ...entries, '--by NAME');
  return `To confirm an entry: ${words}`;
}

/** A command that accepts the first of the differences, if its id is safe in a shell. */
function acceptCommand(report: BankReport) {
  const [match] = openMatches(report, 'difference').filter(({ reason }) => reason === undefined);
  const { id = '' } = match?.settlements[0]?.settlement ?? {};
  if (!match || !canBeCopied(id)) return undefined;
  const seen = `--difference ${amountText(match.difference, match.scale)}`;
  const words = command('recon accept', id, sameBank(report), seen, '--reason "WHY"');
  return `To accept a difference: ${words}`;
}
