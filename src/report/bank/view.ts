import {
  answerBlock,
  facts,
  listed,
  mostListed,
  mostShownRows,
  plain,
  remark,
  remarks,
} from '../common/blocks.ts';
import { records } from '../common/columns.ts';
import { jsonViews } from '../common/json.ts';
import { enumerate, filtersText, many, rangeText, wholeRangeText } from '../common/phrase.ts';
import type { Remark, Tone, View, Views } from '../common/view.ts';
import { payOutMeaning } from '../common/words.ts';
import { mostSheetRows, sectionSheet, textBlocks, type Workbook } from '../common/workbook.ts';
import { entryList, payoutList } from './cells.ts';
import { bankColumns } from './columns.ts';
import { bankJson } from './document.ts';
import { bankLines } from './lines.ts';
import { bankAdvice, bankNotes } from './notes.ts';
import { type BankReport, type BankVerdict, bankVerdict, payoutsIn } from './report.ts';
import { bankSections } from './sections.ts';
import { bankCompleteness, bankHeadline, bankLabel, statementDays } from './summary.ts';
import { statementSections, totalSections } from './totals.ts';
import { statementRemark } from './words.ts';

/** The report of `recon bank`. A record is a settlement with its entry, or an entry alone. */
export function bankViews(report: BankReport): Views {
  return {
    view: () => [...bankView(report), ...listed('Next', bankAdvice(report), '>')],
    page: () => [
      ...bankView(report),
      ...payoutList(report, mostListed),
      ...entryList(report, mostListed),
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
    sections(report, mostSheetRows).map((section) => ({ name, section })),
  );
  const cut = tables.flatMap(({ name, section: { note } }) => (note ? `${name}: ${note}` : []));
  return {
    title: `Bank ${rangeText(report.range)}`,
    summary: textBlocks([...bankView(report), ...listed('About the sheets', cut)]),
    tables: tables.map(({ name, section }) => sectionSheet(name, section)),
  };
}

/** What a screen and a page have: the answer, what needs a decision, the totals, the statements. */
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
  const more = findings.length - mostShownRows;
  return [
    ...findings.slice(0, mostShownRows).map(statementRemark),
    ...(more > 0 ? [plain(`${many(more, 'more finding')}; --format json lists all`)] : []),
  ];
}

const verdictTones: Readonly<Record<BankVerdict, Tone>> = {
  reconciled: 'good',
  not_reconciled: 'bad',
  incomplete: 'unsure',
};
