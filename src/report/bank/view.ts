import {
  type BankReport,
  type BankVerdict,
  bankLines,
  bankVerdict,
  payoutsIn,
} from '../../app/bank-report.ts';
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
import { enumerate, many, rangeText, wholeRangeText } from '../common/phrase.ts';
import { filtersText } from '../common/report.ts';
import type { Remark, Tone, View, Views, Workbook } from '../common/view.ts';
import { payOutMeaning } from '../common/words.ts';
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
  bankAdvice,
  bankCompleteness,
  bankHeadline,
  bankLabel,
  bankNotes,
  statementDays,
  statementRemark,
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
