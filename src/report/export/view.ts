import { rangesOf, spanOf } from '../../base/calendar.ts';
import { alarm, answerBlock, column, facts, plain, remarks, section } from '../common/blocks.ts';
import { type Column, field, records } from '../common/columns.ts';
import { jsonSettlementKey, jsonViews } from '../common/json.ts';
import { daysText, many, present, wholeRangeText } from '../common/phrase.ts';
import type { Names } from '../common/report.ts';
import type { View, Views } from '../common/view.ts';
import { countsText, verdicts, verdictTones, verdictWords } from '../common/words.ts';
import {
  countSettlements,
  type DayState,
  type ExportedDay,
  type ExportReport,
  verdictOfDays,
} from './report.ts';
import { outsideSentences, restatementText, unreadDaysSentence } from './words.ts';

/** In the order in which they are counted. */
export const stateWords: Readonly<Record<DayState, string>> = {
  written: 'written',
  restated: 'restated',
  completed: 'completed',
  recomputed: 'recomputed',
  repaired: 'repaired',
  unchanged: 'unchanged',
  published_incomplete: 'published incomplete',
  incomplete: 'NOT written',
};

/** The report of `recon export`: a record is a day. */
export function exportViews(report: ExportReport): Views {
  return {
    view: () => exportView(report),
    records: () => records(dayColumns, report.days),
    ...jsonViews(() => ({
      about: aboutTheRun(report),
      lists: { days: ['day', report.days.map((day) => jsonDay(day, report.names))] },
    })),
  };
}

/** New columns go to the end. */
const dayColumns: readonly Column<ExportedDay>[] = [
  field.text('day', ({ day }) => day),
  field.text('state', ({ state }) => state),
  field.text('verdict', ({ verdict }) => verdict),
  field.integer('settlements', (day) => countSettlements([day])),
  ...verdicts.map((one) =>
    field.integer<ExportedDay>(`settlements_${one}`, ({ settlements }) => settlements[one]),
  ),
  field.integer('transactions', ({ transactions }) => transactions),
  field.list('changes', ({ restatements }) => restatements.map(restatementText)),
  field.list('problems', ({ problems }) => problems.map(({ text }) => text)),
  field.list('unread', ({ unread }) => unread),
];

/** What was done, in a sentence or two. */
export function exportSentence({ days }: ExportReport): string {
  return days.length === 0
    ? 'No day was processed.'
    : present(
        `${many(days.length, 'day')}: ${statesText(days)}. ${settlementsText(days)}`,
        unreadDaysSentence(
          days.flatMap(({ day, unread: settlementIds }) =>
            settlementIds.length > 0 ? { day, settlementIds } : [],
          ),
        ),
      ).join(' ');
}

function exportView(report: ExportReport): View {
  const { folder, profile, days, renamed, outside } = report;
  const verdict = verdictOfDays(days);
  return [
    answerBlock(verdictWords[verdict].toUpperCase(), verdictTones[verdict], exportSentence(report)),
    facts([
      ['Folder', folder],
      whenFact(report),
      ['Profile', profile],
      ['Taken over', renamed.join('; ')],
    ]),
    section(
      'Days',
      days,
      [
        column(1, 'Day', 'day', ({ day }) => day),
        column(1, 'Files', 'text', ({ state, unread }) =>
          unread.length > 0 ? `${stateWords[state]}, not complete` : stateWords[state],
        ),
        column(1, 'Verdict', 'text', (day) => verdictWords[day.verdict]),
        column(2, 'Settlements', 'integer', (day) => countSettlements([day])),
        column(3, 'Pending', 'integer', (day) => day.settlements.pending),
        column(3, 'Transactions', 'integer', (day) => day.transactions),
      ],
      {
        remarks: ({ restatements, problems }) => [
          ...restatements.map((one) => plain(restatementText(one), '~')),
          ...problems.map(({ text }) => alarm(text)),
        ],
      },
    ),
    ...remarks(
      'Outside the range',
      outsideSentences(outside).map((text) => ({ mark: '!', tone: 'unsure', text })),
    ),
  ];
}

function whenFact({ asked }: ExportReport): readonly [string, string] {
  const [range, ...others] = rangesOf(asked);
  const isRange = range !== undefined && others.length === 0;
  return isRange ? ['Range', wholeRangeText(range)] : ['Days', daysText(asked)];
}

/** `1 written, 7 unchanged`. */
export function statesText(days: readonly ExportedDay[]): string {
  return Object.entries(stateWords)
    .map(([state, words]) => ({ words, count: days.filter((day) => day.state === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ words, count }) => `${count} ${words}`)
    .join(', ');
}

function settlementsText(days: readonly ExportedDay[]): string {
  return countsText((verdict) => days.reduce((sum, day) => sum + day.settlements[verdict], 0));
}

function aboutTheRun(report: ExportReport) {
  const { folder, asked, profile, days, renamed, outside } = report;
  return {
    folder,
    range: spanOf(asked),
    profile: profile ?? null,
    verdict: verdictOfDays(days),
    renamed,
    outside: Object.fromEntries(
      Object.entries(outside).map(([what, those]) => [what, rangesOf(those)]),
    ),
  };
}

function jsonDay({ problems, restatements, ...day }: ExportedDay, names: Names) {
  const changes = restatements.map(({ settlement, ...change }) => ({
    settlement: jsonSettlementKey(settlement, names),
    ...change,
  }));
  return { ...day, restatements: changes, problems: problems.map(({ text }) => text) };
}
