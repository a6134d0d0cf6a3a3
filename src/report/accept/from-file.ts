import { isInOrder, type JudgedDecision, type judgeDecisions } from '../../app/accept-decisions.ts';
import { groupedBy } from '../../base/lists.ts';
import {
  type AcceptedLine,
  differenceAmount,
  differenceKey,
} from '../../model/accepted-difference.ts';
import type { Names } from '../../model/settlement.ts';
import { type Money, netAndAbsoluteSums } from '../../money/money.ts';
import { acceptanceChangeText } from '../common/acceptance.ts';
import { alarm, answerBlock, column, facts, plain, section } from '../common/blocks.ts';
import { amountOf, field, records } from '../common/columns.ts';
import { jsonSums, jsonViews } from '../common/json.ts';
import { enumerate, grouped, many, netAndAbsoluteText, present } from '../common/phrase.ts';
import type { Views } from '../common/view.ts';
import { jsonLine } from './view.ts';

export interface DecisionsReport extends ReturnType<typeof judgeDecisions> {
  readonly file: string;
  readonly register: string;
  readonly isDryRun: boolean;
  readonly names: Names;
}

/** The report of `recon accept --from`. A record is a line of the list. */
export function decisionsViews(report: DecisionsReport): Views {
  const { judged, file, register, isDryRun, isStopped, before, after, names } = report;
  const isWritten = report.placedChanges.length > 0 && !isDryRun;
  return {
    view: () => [
      answerBlock(label(report), isStopped ? 'bad' : 'plain', answer(report)),
      facts([
        ['File', file],
        ['Register', register],
        ['Accepted before', sumsText(before)],
        ['Accepted after', sumsText(after)],
      ]),
      section<JudgedDecision>(
        'Decisions',
        judged,
        [
          column.integer('Line', ({ written }) => written.line, { priority: 2 }),
          column.text('Status', (one) => statusText(one.status, isWritten)),
          column.text('Kind', (one) => subjectOf(one).kind, { priority: 2 }),
          column.id('Settlement or bank entry', (one) => subjectOf(one).id),
          column.text('Currency', (one) => subjectOf(one).currency),
          column.difference('Difference', (one) => subjectOf(one).difference),
        ],
        {
          remarks: (one) =>
            isInOrder(one)
              ? present(one.placedChange?.line.reason).map((text) => plain(text, '='))
              : present(problemOf(one)).map(alarm),
        },
      ),
    ],
    records: () => records(fileColumns, judged),
    ...jsonViews(() => ({
      about: {
        register,
        file,
        dryRun: isDryRun,
        written: isWritten,
        before: jsonSums(amountsOf(before)),
        after: jsonSums(amountsOf(after)),
      },
      lists: {
        decisions: [
          'decision',
          judged.map((one) => ({
            line: one.written.line,
            kind: subjectOf(one).kind,
            id: subjectOf(one).id,
            status: one.status,
            problem: problemOf(one) || null,
            accepted: one.placedChange ? jsonLine(one.placedChange.line, names) : null,
          })),
        ],
      },
    })),
  };
}

export function decisionsConclusion(report: DecisionsReport): readonly string[] {
  return [`${label(report)}. ${answer(report)}`];
}

function label({ placedChanges, isDryRun, isStopped, judged }: DecisionsReport): string {
  if (placedChanges.length > 0) return isDryRun ? 'DRY RUN' : 'ACCEPTED';
  const isAlready = !isStopped && judged.some(({ status }) => status === 'already_accepted');
  return isAlready ? 'ALREADY ACCEPTED' : 'NOTHING ACCEPTED';
}

function answer({ judged, isStopped, isDryRun, placedChanges }: DecisionsReport): string {
  const isWritten = placedChanges.length > 0 && !isDryRun;
  const counts = [...groupedBy(judged, ({ status }) => status)].map(
    ([status, { length }]) => `${grouped(length)} ${statusText(status, isWritten)}`,
  );
  const accepted = placedChanges.map(({ line }) => line);
  return present(
    `${many(judged.length, 'line')}: ${enumerate(counts)}.`,
    accepted.length > 0 && `Differences: ${sumsText(accepted)}.`,
    isStopped && 'All or nothing: correct the lines that are not in order, or add --partial.',
    isDryRun && 'Nothing was written.',
  ).join(' ');
}

function statusText(status: JudgedDecision['status'], isWritten = true): string {
  return status === 'accepted' && !isWritten ? 'can be accepted' : status.replaceAll('_', ' ');
}

function problemOf({ problem, changes = [] }: JudgedDecision): string {
  return problem ?? enumerate(changes.map(acceptanceChangeText));
}

/** The difference of a line: as it is now or, if none was found, as it is in the file. */
function subjectOf({ decision, written: { cells } }: JudgedDecision) {
  const { kind, settlement_id: id, date, currency } = cells;
  if (!decision) return { kind, id, date, currency, difference: undefined };
  const one = decision.difference;
  const difference = amountOf(differenceAmount(one), one.scale);
  return { ...differenceKey(one), currency: one.currency, difference };
}

const fileColumns = [
  field.integer<JudgedDecision>('line', ({ written }) => written.line),
  field.text<JudgedDecision>('status', ({ status }) => status),
  field.text<JudgedDecision>('problem', problemOf),
  field.text<JudgedDecision>('kind', (one) => subjectOf(one).kind),
  field.text<JudgedDecision>('settlement_id', (one) => subjectOf(one).id),
  field.day<JudgedDecision>('date', (one) => subjectOf(one).date),
  field.text<JudgedDecision>('currency', (one) => subjectOf(one).currency),
  field.amount<JudgedDecision>('difference', (one) => subjectOf(one).difference),
  field.text<JudgedDecision>('reason', ({ written }) => written.cells.reason),
];

function amountsOf(lines: readonly AcceptedLine[]): readonly Money[] {
  return lines.map((line) => ({ ...line, minor: differenceAmount(line) }));
}

function sumsText(lines: readonly AcceptedLine[]): string {
  const sums = netAndAbsoluteSums(amountsOf(lines));
  const texts = sums.map((one) => netAndAbsoluteText(one, one.currency, one.scale));
  return texts.join('; ') || 'nothing';
}
