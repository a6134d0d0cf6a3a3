import type { BankState } from '../../match/match.ts';
import { amountText, enumerate, many, present } from '../common/phrase.ts';
import { canBeCopied, command, forIncomplete } from '../common/what-next.ts';
import { type BankReport, openMatches } from './report.ts';

/** What a reader has to know beside the figures, each a sentence. */
export function bankNotes(report: BankReport): readonly string[] {
  const { matching, statements, filters, lacksDaysAround } = report;
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
    others > 0 &&
      `${many(others, 'entry does not', 'entries do not')} come from the service and ${others === 1 ? 'is' : 'are'} not listed.`,
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
      'Suggested or several possible: ask the service for its payment references, and compare the entries. recon does not choose.',
    matching.matches.some(({ state }) => state === 'unknown_on_bank') &&
      matching.paidFrom.length === 0 &&
      'Set payout_accounts in the profile, or use --payout-accounts, to leave out entries of others.',
  );
}

/** How to accept the first of the differences, where a shell cannot misread it. */
function acceptCommand(report: BankReport) {
  const [match] = openMatches(report, 'difference');
  const { id = '' } = match?.settlements[0]?.settlement ?? {};
  if (!match || !canBeCopied(id)) return undefined;
  const seen = `--difference ${amountText(match.difference, match.scale)}`;
  const words = command('recon accept', id, report.flags, '--bank', seen, '--reason "bank fee"');
  return `To accept a difference: ${words}`;
}
