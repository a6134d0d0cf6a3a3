import {
  acceptedMatches,
  type BankLine,
  type BankReport,
  type BankVerdict,
  bankLines,
  bankVerdict,
  linesOfMatch,
  openMatches,
  payoutsIn,
  waitingStates,
} from '../../app/bank-report.ts';
import { bankAcceptanceOf } from '../../match/bank-acceptance.ts';
import type { BankMatch, BankState } from '../../match/match.ts';
import { acceptanceRemarks } from '../common/acceptance.ts';
import {
  alarm,
  answerBlock,
  facts,
  listed,
  maxPageRows,
  maxScreenRows,
  plain,
  remark,
  remarks,
  section,
} from '../common/blocks.ts';
import { records } from '../common/columns.ts';
import { jsonViews } from '../common/json.ts';
import {
  enumerate,
  grouped,
  many,
  moneyText,
  rangeText,
  signedMoneyText,
  wholeRangeText,
} from '../common/phrase.ts';
import { filtersText } from '../common/report.ts';
import type { Remark, Section, Tone, View, Views, Workbook } from '../common/view.ts';
import { payOutMeaning } from '../common/words.ts';
import { maxSheetRows, sectionSheet, textBlocks } from '../common/workbook.ts';
import {
  ageColumn,
  bankColumns,
  bankJson,
  entryColumns,
  entryList,
  payoutColumns,
  payoutFigures,
  payoutList,
  stateColumn,
  statementSections,
  totalSections,
} from './records.ts';
import {
  bankAdvice,
  bankCompleteness,
  bankHeadline,
  bankLabel,
  bankNotes,
  statementDays,
} from './summary.ts';
import { entryText, matchKeyWords, matchReasonWords, statementRemark } from './words.ts';

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

function bankWorkbook(report: BankReport): Workbook {
  const sheets = {
    'Pay-outs': payoutList,
    'Bank entries': entryList,
    Statements: statementSections,
    Accounts: totalSections,
  };
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

function bankView(report: BankReport): View {
  const { matching, range, filters, profile, findings } = report;
  const verdict = bankVerdict(report);
  const isEmpty = verdict === 'reconciled' && payoutsIn(matching.matches) === 0;
  return [
    answerBlock(bankLabel(report), isEmpty ? 'plain' : verdictTones[verdict], bankHeadline(report)),
    facts([
      ['Range', wholeRangeText(range)],
      ['Pay-out', payOutMeaning],
      ['Statements', statementDays(report)],
      ['Paid from', enumerate(matching.paidFrom)],
      ['Filters', filtersText(filters)],
      ['Profile', profile],
      ['Everything read', bankCompleteness(report)],
    ]),
    ...remarks('Findings', [...findings.map(remark), ...findingRemarks(report)]),
    ...bankSections(report),
    ...totalSections(report),
    ...statementSections(report),
    ...listed('Notes', bankNotes(report)),
  ];
}

function findingRemarks({ statements: { findings } }: BankReport): readonly Remark[] {
  const more = findings.length - maxScreenRows;
  return [
    ...findings.slice(0, maxScreenRows).map(statementRemark),
    ...(more > 0 ? [plain(`${many(more, 'more finding')}; --format json lists all`)] : []),
  ];
}

const verdictTones: Readonly<Record<BankVerdict, Tone>> = {
  reconciled: 'good',
  not_reconciled: 'bad',
  incomplete: 'unsure',
};

function bankSections(report: BankReport): readonly Section[] {
  return parts.flatMap(({ title, states, isOfEntries = false }) => {
    const matches = (
      states?.flatMap((state) => openMatches(report, state)) ?? acceptedMatches(report)
    ).filter(({ settlements }) => (settlements.length === 0) === isOfEntries);
    if (matches.length === 0) return [];
    const count = isOfEntries ? matches.length : payoutsIn(matches);
    const whole = `${title}: ${grouped(count)}`;
    return [isOfEntries ? entrySection(whole, matches) : payoutSection(whole, matches, report)];
  });
}

interface Part {
  readonly title: string;
  /** Absent for differences that people have accepted. */
  readonly states?: readonly BankState[];
  /** Whether it is about entries without a pay-out. */
  readonly isOfEntries?: true;
}

const parts: readonly Part[] = [
  { title: 'Missing from the bank statements', states: ['missing_on_bank'] },
  { title: 'Paid with a difference', states: ['difference'] },
  { title: 'Returned by the bank', states: ['returned'] },
  { title: 'Several matches possible, none chosen', states: ['ambiguous'] },
  {
    title: 'On the bank statements, unknown to the service',
    states: ['unknown_on_bank'],
    isOfEntries: true,
  },
  { title: 'Suggested, not counted as paid', states: ['suggested'] },
  { title: 'Accepted differences' },
  { title: 'Waiting', states: waitingStates },
  { title: 'Announced by the bank, without a pay-out', states: waitingStates, isOfEntries: true },
  { title: 'Not covered by the statements', states: ['not_covered'] },
];

function payoutSection(
  title: string,
  matches: readonly BankMatch[],
  { names, accepted }: BankReport,
) {
  const hasStates = new Set(matches.map(({ state }) => state)).size > 1;
  const isPaid = matches.every(({ difference }) => difference !== undefined);
  const lines = matches
    .flatMap((match) => linesOfMatch(match))
    .filter(({ hasSettlement }) => hasSettlement);
  return section<BankLine>(
    title,
    lines,
    [
      ...(hasStates ? [stateColumn] : []),
      ...payoutColumns(names),
      ...payoutFigures(isPaid ? 2 : 1),
      ...(isPaid ? [] : [ageColumn]),
    ],
    { remarks: ({ match, isFirst }) => (isFirst ? matchRemarks(match, accepted) : []) },
  );
}

const mostEntries = 10;

function matchRemarks(match: BankMatch, accepted: BankReport['accepted']): readonly Remark[] {
  const { state, by, reason, settlements, entries, scale } = match;
  const { expected, received, difference, currency } = match;
  const text = (minor: bigint) => moneyText({ minor, scale, currency });
  const isWrong = state === 'difference';
  const named = entries.slice(0, mostEntries);
  const more = entries.length - named.length;
  const amounts = [
    `expected ${text(expected)}`,
    ...(difference
      ? [
          `received ${text(received)}`,
          `difference ${signedMoneyText({ minor: difference, scale, currency })}`,
        ]
      : []),
  ];
  const together = `${many(settlements.length, 'pay-out')} together: ${amounts.join(', ')}`;
  const doubt = { ambiguous: 'possible ', suggested: 'suggested ' }[String(state)] ?? '';
  const found = by ? `${doubt}by ${matchKeyWords[by]}: ` : doubt;
  return [
    ...acceptanceRemarks(bankAcceptanceOf(match, accepted)),
    // That it was returned, the title of its section says.
    ...(reason && reason !== state ? [(isWrong ? alarm : plain)(matchReasonWords[reason])] : []),
    ...(settlements.length > 1 ? [plain(together)] : []),
    ...named.map((one) => plain(`${found}${entryText(one, scale)}`, '=')),
    ...(more > 0
      ? [plain(`${many(more, 'more entry', 'more entries')}; --format csv lists all`)]
      : []),
  ];
}

function entrySection(title: string, matches: readonly BankMatch[]): Section {
  const lines = matches.flatMap((match) => linesOfMatch(match));
  return section<BankLine>(title, lines, entryColumns, {
    remarks: ({ match: { reason }, isFirst }) =>
      reason && isFirst ? [plain(matchReasonWords[reason])] : [],
  });
}
