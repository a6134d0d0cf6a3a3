import { alarm, answerBlock, facts, listed, remark, remarks, unsure } from '../common/blocks.ts';
import { records } from '../common/columns.ts';
import { jsonViews } from '../common/json.ts';
import { enumerate, wholeRangeText } from '../common/phrase.ts';
import type { Tone, View, Views } from '../common/view.ts';
import { bankColumns } from './columns.ts';
import { bankJson } from './document.ts';
import { bankLines } from './lines.ts';
import { type BankReport, type BankVerdict, bankVerdict, payoutsIn } from './report.ts';
import { bankSections, lineList, statementSections, totalSections } from './sections.ts';
import {
  bankAdvice,
  bankCompleteness,
  bankHeadline,
  bankLabel,
  bankNotes,
  statementDays,
} from './summary.ts';
import { statementFindingText } from './words.ts';
import { bankWorkbook } from './workbook.ts';

/** The report of `recon bank`. A record is a settlement with its entry, or an entry alone. */
export function bankViews(report: BankReport): Views {
  return {
    view: () => bankView(report),
    page: () => [...bankView(report), ...lineList(report, mostListed)],
    records: () => records(bankColumns(report), bankLines(report.matching.matches)),
    workbook: () => bankWorkbook(report, bankView(report)),
    ...jsonViews(() => bankJson(report)),
  };
}

/** So many rows of a table can be sorted at once in a browser. */
const mostListed = 2_000;

/** The report for a screen: the answer, what needs a decision, the totals, the statements, what next. */
function bankView(report: BankReport): View {
  const { matching, range, filters, profile, findings } = report;
  const filterWords = Object.entries(filters).map(([name, value]) => `${name} ${value}`);
  const verdict = bankVerdict(report);
  const isEmpty = verdict === 'reconciled' && payoutsIn(matching.matches) === 0;
  return [
    answerBlock(bankLabel(report), isEmpty ? 'plain' : verdictTones[verdict], bankHeadline(report)),
    facts([
      ['Range', wholeRangeText(range)],
      ['Statements', statementDays(report)],
      ['Filters', enumerate(filterWords)],
      ['Profile', profile],
      ['Everything read', bankCompleteness(report)],
    ]),
    ...remarks('Findings', [
      ...findings.map(remark),
      ...report.statements.findings.map((finding) => {
        const text = statementFindingText(finding);
        return finding.code === 'unreadable' ? unsure(text) : alarm(text);
      }),
    ]),
    ...bankSections(report),
    ...totalSections(report),
    ...statementSections(report),
    ...listed('Notes', bankNotes(report)),
    ...listed('Next', bankAdvice(report), '>'),
  ];
}

const verdictTones: Readonly<Record<BankVerdict, Tone>> = {
  reconciled: 'good',
  not_reconciled: 'bad',
  incomplete: 'unsure',
};
