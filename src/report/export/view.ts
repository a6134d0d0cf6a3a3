import type {
  DaysOutside,
  Problem,
  SettlementRestatement,
  UnreadDay,
} from '../../app/export-result.ts';
import {
  countSettlements,
  type DayState,
  type ExportedDay,
  isObstacle,
  verdictOfDays,
} from '../../app/export-result.ts';
import { rangesOf, spanOf } from '../../base/calendar.ts';
import { keysOf } from '../../base/lists.ts';
import type { Names } from '../../model/settlement.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { alarm, answerBlock, column, facts, plain, remarks, section } from '../common/blocks.ts';
import { type Column, field, records } from '../common/columns.ts';
import { jsonSettlementKey, jsonViews } from '../common/json.ts';
import {
  daysText,
  enumerate,
  firstOf,
  many,
  present,
  signedMoneyText,
  wholeRangeText,
} from '../common/phrase.ts';
import type { View, Views } from '../common/view.ts';
import {
  countsText,
  entryClause,
  keyWords,
  scaleText,
  unknownStatusTexts,
  verdicts,
  verdictTones,
  verdictWords,
} from '../common/words.ts';

/** In the order in which they are counted. */
export const stateWords: Readonly<Record<DayState, string>> = {
  written: 'written',
  restated: 'changed',
  completed: 'completed',
  recomputed: 'recomputed',
  repaired: 'repaired',
  unchanged: 'unchanged',
  published_incomplete: 'published incomplete',
  incomplete: 'NOT written',
};

export interface ExportReport {
  readonly folder: string;
  readonly names: Names;
  /** The requested days: at least one, in order. */
  readonly asked: readonly string[];
  readonly profile: string | undefined;
  /** In order; fewer than the range has if the run was interrupted. */
  readonly days: readonly ExportedDay[];
  /** Renames of the profile and the host, in words. */
  readonly renamed: readonly string[];
  readonly outside: DaysOutside;
}

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
  field.list('problems', ({ problems }) => problems.map(problemText)),
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
        column.day('Day', ({ day }) => day),
        column.text('Files', ({ state, unread }) =>
          unread.length > 0 ? `${stateWords[state]}, not complete` : stateWords[state],
        ),
        column.text('Verdict', (day) => verdictWords[day.verdict]),
        column.integer('Settlements', (day) => countSettlements([day]), { priority: 2 }),
        column.integer('Pending', (day) => day.settlements.pending, { priority: 3 }),
        column.integer('Transactions', (day) => day.transactions, { priority: 3 }),
      ],
      {
        remarks: ({ restatements, problems }) => [
          ...restatements.map((one) => plain(restatementText(one), '~')),
          ...problems.map((one) => alarm(problemText(one))),
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
    profile,
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
  return { ...day, restatements: changes, problems: problems.map(problemText) };
}

export function problemText(problem: Problem): string {
  switch (problem.about) {
    case 'settlement': {
      const { reconciled, name, explanation } = problem;
      const inBrackets = name === undefined ? '' : ` (${name})`;
      const because = explanation === undefined ? '' : `. ${explanation}`;
      return `settlement ${reconciled.settlement.id}${inBrackets}: ${found(reconciled)}${because}`;
    }
    case 'finding':
      return entryClause(problem.finding);
    case 'unknown_status':
      return unknownStatusTexts(problem.settlements).join('; ');
    case 'unusual_scale':
      return scaleText(problem.scale);
    case 'unlisted':
      return `The list of settlements could not be read: ${problem.reason}`;
    case 'too_large':
      return problem.reason;
    case 'delisted':
      return 'Its files were altered, and the service no longer lists its settlements. Restore the files from a backup, or move the folder of that day away.';
    case 'changed':
      return 'Its files have changed since they were written. Export this day again.';
    case 'kept_complete':
      return 'the complete version in the export is kept; an incomplete one cannot replace it';
    case 'kept_damaged':
      return "files of the version in the export have changed since it was written; to publish an incomplete version, move the day's folder away";
  }
}

/** The difference in pay-in, then what could not be read, then other findings. */
function found({ difference, discrepancies, settlement, scale }: ReconciledSettlement): string {
  const payIn = difference?.payIn;
  const money =
    payIn === undefined || payIn === 0n
      ? []
      : [`difference in net pay-out ${signedMoneyText({ ...settlement, minor: payIn, scale })}`];
  const obstacles = discrepancies.filter(isObstacle);
  const others = discrepancies.filter((entry) => !isObstacle(entry));
  return [...money, ...[...obstacles, ...others].map(entryClause)].join('; ');
}

/** The changes of a settlement since its last export, amount by amount. */
export function restatementText(restatement: SettlementRestatement): string {
  return `settlement ${restatement.settlement.id}: ${changeClauses(restatement)}`;
}

/** The same without the settlement's id. */
export function changeClauses(restatement: SettlementRestatement): string {
  const { change, fields, transactions } = restatement;
  const { added, removed, changed } = transactions;
  const rows = [
    ...(added > 0 ? [`${many(added, 'transaction')} added`] : []),
    ...(removed > 0 ? [`${many(removed, 'transaction')} removed`] : []),
    ...(changed > 0 ? [`${many(changed, 'transaction')} changed`] : []),
  ];
  const values = fields.map(
    ({ field, before, after }) => `${keyWords(field)} ${shown(before)} -> ${shown(after)}`,
  );
  const said =
    change === 'changed'
      ? [...values, ...rows]
      : [`${change}, with ${rows.length > 0 ? enumerate(rows) : 'no transactions'}`];
  return said.join('; ');
}

const shown = (value: string): string => (value === '' ? '(none)' : value);

type DaysText = (days: readonly string[]) => string;

const outside =
  (what: string, next: string): DaysText =>
  (days) =>
    `Outside this range, ${what}: ${daysText(days)}. ${next}`;

const outsideWords: { readonly [What in keyof DaysOutside]: DaysText } = {
  missing: (days) =>
    `The folder is missing ${many(days.length, 'day')} between its first and last: ` +
    `${daysText(days)}. Export them too.`,
  pending: outside('settlements were still pending when exported', 'Export these days again.'),
  damaged: outside('manifests differ from what was written', 'Run recon export --verify.'),
  incomplete: outside('days were published incomplete', 'Export these days again.'),
};

/** Days outside the range of a run that need another run, a sentence for each kind. */
export function outsideSentences(undone: DaysOutside): readonly string[] {
  const kinds = keysOf(outsideWords).filter((what) => undone[what].length > 0);
  return kinds.map((what) => outsideWords[what](undone[what]));
}

/** Names days that are not complete because pending settlements were not fully read; empty without any. */
export function unreadDaysSentence(unread: readonly UnreadDay[]): string {
  if (unread.length === 0) return '';
  const named = unread.map(({ day, settlementIds }) => `${day} (${firstOf(settlementIds)})`);
  const are = unread.length === 1 ? 'is' : 'are';
  return `${many(unread.length, 'day')} ${are} not complete, because pending settlements were not fully read: ${firstOf(named)}.`;
}

/** Names days that were published incomplete. */
export function publishedIncompleteSentence(days: readonly string[]): string {
  const are = days.length === 1 ? 'This day was' : 'These days were';
  return `${are} published incomplete: ${daysText(days)}.`;
}
