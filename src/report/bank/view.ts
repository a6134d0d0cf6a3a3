import {
  acceptedMatches,
  type BankReport,
  bankLines,
  bankVerdict,
  isOpenOn,
  openMatches,
  payoutsIn,
} from '../../app/bank-report.ts';
import { shellWord } from '../../base/texts.ts';
import type { BankState } from '../../match/match.ts';
import type { StatementFindingCode } from '../../model/bank.ts';
import {
  answerBlock,
  facts,
  listed,
  maxPageRows,
  maxScreenRows,
  plain,
  remark,
  remarks,
} from '../common/blocks.ts';
import { records } from '../common/columns.ts';
import { jsonViews } from '../common/json.ts';
import { adviceForIncomplete } from '../common/partial-words.ts';
import {
  amountText,
  canBeCopied,
  command,
  cutTo,
  enumerate,
  filtersText,
  many,
  present,
  rangeText,
  wholeRangeText,
} from '../common/phrase.ts';
import type { View, Views, Workbook } from '../common/view.ts';
import { entrySentence } from '../common/words.ts';
import { maxSheetRows, sectionSheet, textBlocks } from '../common/workbook.ts';
import { bankColumns, bankJson } from './records.ts';
import {
  bankSections,
  entryList,
  payoutList,
  statementSections,
  totalSections,
} from './sections.ts';
import {
  bankHeadline,
  bankNotes,
  businessDaysText,
  reconciliationTones,
  statementDays,
  statementRemark,
  statementSentence,
} from './words.ts';

/** The report of `recon bank`. A record is a settlement with its entry, or an entry alone. */
export function bankViews(report: BankReport): Views {
  return {
    view: () => [...bankView(report), ...listed('Next', bankAdvice(report), '>')],
    page: () => [
      ...bankView(report),
      ...payoutList(report, maxPageRows),
      ...entryList(report, maxPageRows),
    ],
    records: () => records(bankColumns(report), bankLines(report.matching.matches)),
    workbook: () => bankWorkbook(report),
    ...jsonViews(() => bankJson(report)),
  };
}

const sheets = {
  'Pay-outs': payoutList,
  'Bank entries': entryList,
  Statements: statementSections,
  Accounts: totalSections,
};

function bankWorkbook(report: BankReport): Workbook {
  const tables = Object.entries(sheets).flatMap(([name, sections]) =>
    sections(report, maxSheetRows).map((section) => ({ name, section })),
  );
  const cut = tables.flatMap(({ name, section: { note } }) => (note ? `${name}: ${note}` : []));
  return {
    title: `Bank ${rangeText(report.range)}`,
    summary: textBlocks([...bankView(report), ...listed('About the sheets', cut)]),
    tables: tables.map(({ name, section }) => sectionSheet(name, section)),
  };
}

/** What the other name of the pay-in means. */
const payOutMeaning = 'a settlement on its way to the bank; expected is its pay-in';

function bankView(report: BankReport): View {
  const { matching, range, filters, profile, findings } = report;
  const verdict = bankVerdict(report);
  const isEmpty = verdict === 'reconciled' && payoutsIn(matching.matches) === 0;
  const tone = isEmpty ? 'plain' : reconciliationTones[verdict];
  const more = (count: number) => plain(`${many(count, 'more finding')}; --format json lists all`);
  const inStatements = cutTo(maxScreenRows, report.statements.findings.map(statementRemark), more);
  return [
    answerBlock(bankLabel(report), tone, bankHeadline(report)),
    facts([
      ['Range', wholeRangeText(range)],
      ['Pay-out', payOutMeaning],
      ['Statements', statementDays(report)],
      ['Business days', businessDaysText(report)],
      ['Paid from', enumerate(matching.paidFrom)],
      ['Filters', filtersText(filters)],
      ['Profile', profile],
      ['Everything read', bankCompleteness(report)],
    ]),
    ...remarks('Findings', [...findings.map(remark), ...inStatements]),
    ...bankSections(report),
    ...totalSections(report),
    ...statementSections(report),
    ...listed('Notes', bankNotes(report)),
  ];
}

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

/** What `recon bank` comes to, for those who do not see the report. */
export function bankConclusion(report: BankReport): readonly string[] {
  return present(
    `${bankLabel(report)}. ${bankHeadline(report)}`,
    ...report.findings.map(entrySentence),
    ...report.statements.findings.slice(0, mostNamed).map(statementSentence),
    ...bankNotes(report),
  );
}

const mostNamed = 10;

function bankCompleteness({ matching, statements, findings, range }: BankReport): string {
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

function bankAdvice(report: BankReport): readonly string[] {
  const { findings, statements, matching } = report;
  const has = (state: BankState) => openMatches(report, state).length > 0;
  const isWrong = (...codes: readonly StatementFindingCode[]) =>
    statements.findings.some(({ code }) => codes.includes(code));
  return present(
    ...adviceForIncomplete(
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
