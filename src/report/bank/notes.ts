import { shellWord } from '../../base/texts.ts';
import type { BankState } from '../../match/match.ts';
import type { StatementFindingCode } from '../../model/bank.ts';
import { amountText, enumerate, firstOf, many, present } from '../common/phrase.ts';
import { canBeCopied, command, forIncomplete } from '../common/what-next.ts';
import { type BankReport, openMatches } from './report.ts';
import { notCheckedText } from './words.ts';

/** What a reader has to know beside the figures, each a sentence. */
export function bankNotes(report: BankReport): readonly string[] {
  const { matching, statements, filters, conflicting, lacksDaysAround } = report;
  const { matches } = matching;
  const unchecked = statements.statements.flatMap(({ notChecked }) => notChecked ?? []);
  const why = [...new Set(unchecked)].map(notCheckedText);
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
    unchecked.length > 0 &&
      `The balances of ${many(unchecked.length, 'statement')} were not checked: ${enumerate(why)}.`,
    others > 0 &&
      `${many(others, 'entry does not', 'entries do not')} come from the service and ${others === 1 ? 'is' : 'are'} not listed.`,
    conflicting.length > 0 &&
      `${many(conflicting.length, 'settlement is', 'settlements are')} listed with conflicting headers; one of them was used: ${firstOf(conflicting)}.`,
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

/** What to do, once each. */
export function bankAdvice(report: BankReport): readonly string[] {
  const { findings, statements, matching } = report;
  const has = (state: BankState) => openMatches(report, state).length > 0;
  const isWrong = (...codes: readonly StatementFindingCode[]) =>
    statements.findings.some(({ code }) => codes.includes(code));
  return present(
    ...forIncomplete(
      findings.filter(({ code }) => code !== 'missing_day'),
      ['Run the command again: the list of settlements was not fully read.'],
    ),
    findings.some(({ code }) => code === 'missing_day') &&
      'Missing days: export them, or use a shorter range.',
    isWrong('unreadable', 'balance_break') &&
      'Statements that cannot be read or do not balance: request them from the bank again.',
    isWrong('undated') && 'Entries without a date: ask the bank when they were booked.',
    isWrong('statement_gap') && 'Gaps: add the statements in between.',
    has('missing_on_bank') &&
      'Missing: check that the statements of all accounts are included, then ask the service for the payment by its end-to-end id.',
    openMatches(report, 'difference').some(({ reason }) => reason === 'paid_twice') &&
      'Paid twice: report it to the service.',
    acceptCommand(report),
    has('returned') && 'Returned: check the account number that the service pays to.',
    (has('ambiguous') || has('suggested')) &&
      'Suggested or several possible: ask the service for its payment references, and compare the entries. recon does not choose.',
    matching.matches.some(({ state }) => state === 'unknown_on_bank') &&
      matching.paidFrom.length === 0 &&
      'Set payout_accounts in the profile, or use --payout-accounts, to leave out entries of others.',
  );
}

/** How to accept the first of the differences, where a shell cannot misread it. */
function acceptCommand(report: BankReport) {
  const [match] = openMatches(report, 'difference').filter(({ reason }) => reason === undefined);
  const { id = '' } = match?.settlements[0]?.settlement ?? {};
  if (!match || !canBeCopied(id)) return undefined;
  const seen = `--difference ${amountText(match.difference, match.scale)}`;
  const named = report.paths.map((path) => `--bank ${shellWord(path)}`);
  const bank = named.length === 0 ? '--bank' : named.join(' ');
  const words = command('recon accept', id, report.flags, bank, seen, '--reason "WHY"');
  return `To accept a difference: ${words}`;
}
