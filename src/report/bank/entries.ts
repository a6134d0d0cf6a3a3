import { type EntryLine, entryLines, isOpenOn } from '../../app/bank-report.ts';
import { isDayIn } from '../../base/calendar.ts';
import type { BankStatements } from '../../model/bank.ts';
import type { DateRange } from '../../model/source.ts';
import {
  answerBlock,
  column,
  facts,
  maxPageRows,
  maxScreenRows,
  remarks,
  sectionIfAny,
} from '../common/blocks.ts';
import { field, records } from '../common/columns.ts';
import { jsonViews } from '../common/json.ts';
import { grouped, many, wholeRangeText } from '../common/phrase.ts';
import type { View, Views } from '../common/view.ts';
import { maxSheetRows, sectionSheet, textBlocks } from '../common/workbook.ts';
import {
  entryColumns,
  entryCsvColumns,
  jsonBankEntry,
  jsonFinding,
  jsonStatement,
  readAs,
  statementSections,
  withUnreadFiles,
} from './view.ts';
import { statementDays, statementRemark, statementSentence } from './words.ts';

/** What was read of statements. */
export interface EntriesReport {
  readonly statements: BankStatements;
  /** Of booking dates; absent for all. */
  readonly range: DateRange | undefined;
  readonly profile: string | undefined;
}

/** Whether something of the range may not have been read. */
export function isPartlyRead({ statements, range }: EntriesReport): boolean {
  const days = range ?? { from: '', to: '9' };
  return statements.findings.some((one) => isOpenOn(days, one));
}

/** The list of entries of `recon bank --entries`: as they were read, before anything is compared. */
export function entriesViews(report: EntriesReport): Views {
  const { statements, findings } = report.statements;
  const lines = linesOf(report);
  const columns = [...entryCsvColumns, field.text('format', formatOf(report))];
  return {
    view: () => entriesView(report, maxScreenRows),
    page: () => entriesView(report, maxPageRows),
    records: () => withUnreadFiles(records(columns, lines), findings),
    workbook: () => ({
      title: 'Bank entries',
      summary: textBlocks(headOf(report)),
      tables: [
        ...entrySections(report, maxSheetRows).map((one) => sectionSheet('Entries', one)),
        ...statementSections(report, maxSheetRows).map((one) => sectionSheet('Statements', one)),
      ],
    }),
    ...jsonViews(() => ({
      about: {
        range: report.range ?? null,
        profile: report.profile,
        isWhole: !isPartlyRead(report),
      },
      lists: {
        entries: [
          'entry',
          lines.flatMap(({ entry, scale }) => (entry ? jsonBankEntry(entry, scale) : [])),
        ],
        statements: ['statement', statements.map(jsonStatement)],
        statementFindings: ['statementFinding', findings.map(jsonFinding)],
      },
    })),
  };
}

/** For standard error, if the list itself is not shown. */
export function entriesConclusion(report: EntriesReport): readonly string[] {
  const { findings } = report.statements;
  return [headline(report), ...findings.slice(0, mostNamed).map(statementSentence)];
}

const mostNamed = 10;

function linesOf({ statements: { entries }, range }: EntriesReport): readonly EntryLine[] {
  return entryLines(entries.filter(({ date }) => range === undefined || isDayIn(range, date)));
}

/** How the file of an entry was read. */
function formatOf({ statements: { statements } }: EntriesReport) {
  const formats = new Map(statements.map((one) => [one.place.file, readAs(one)]));
  return ({ entry }: EntryLine) => formats.get(entry?.entry.place.file ?? '');
}

function headline(report: EntriesReport): string {
  const count = many(linesOf(report).length, 'entry', 'entries');
  return `${count} in ${statementDays(report)}.`;
}

function headOf(report: EntriesReport): View {
  const { statements, range, profile } = report;
  const [label, tone] = isPartlyRead(report)
    ? (['PARTLY READ', 'unsure'] as const)
    : (['READ', 'plain'] as const);
  return [
    answerBlock(label, tone, headline(report)),
    facts([
      ['Range', range && wholeRangeText(range)],
      ['Profile', profile],
    ]),
    ...remarks('Findings', statements.findings.slice(0, maxScreenRows).map(statementRemark)),
  ];
}

function entriesView(report: EntriesReport, limit: number): View {
  return [...headOf(report), ...entrySections(report, limit), ...statementSections(report)];
}

function entrySections(report: EntriesReport, limit: number) {
  const lines = linesOf(report);
  const [date, ...others] = entryColumns;
  const isPending = ({ entry }: EntryLine) => entry?.entry.status === 'pending' && 'pending';
  return sectionIfAny(
    `Entries: ${grouped(lines.length)}`,
    lines,
    [
      ...(date ? [date] : []),
      column.text('Status', (line) => isPending(line) || ''),
      ...others,
      column.text('Read as', formatOf(report), { priority: 5 }),
    ],
    { limit },
  );
}
