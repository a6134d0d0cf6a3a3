import type { Row } from '../../model/row.ts';
import type { CandidateRows, CauseCandidate, Hypothesis, RowChange } from '../candidate.ts';
import { type Case, tallyOfRow } from '../case.ts';
import { type CauseFacts, cause, causesBy } from '../cause.ts';
import { minus, noTally, type Tally, total } from '../tally.ts';

/**
 * `duplicate_rows`: the header includes what reading removed: copies of rows, or the other content
 * of a transaction id that has two.
 */
export const duplicateRows: Hypothesis = {
  code: 'duplicate_rows',
  dependsOn: 'case',
  *candidates({ subject }) {
    const { repeated, conflicts } = subject.evidence.outcome;
    yield* copies(subject, repeated, 'copies');
    if (repeated.length > 1) {
      for (const one of repeated) yield* copies(subject, [one], 'one_row', repeated.length);
    }
    const contents = conflicts.reduce((sum, { length }) => sum + length - 1, 0);
    for (const [counted, ...others] of conflicts) {
      if (counted === undefined) continue;
      for (const other of others) yield* otherContent(subject, counted, other, contents);
    }
  },
};

function* copies(
  subject: Case,
  repeated: Case['evidence']['outcome']['repeated'],
  kind: 'copies' | 'one_row',
  choices = 1,
): Iterable<CauseCandidate> {
  const added = repeated.flatMap(({ row, copies }) => {
    const one = rowChange(subject, row);
    return Array.from({ length: copies }, () => one);
  });
  const known = added.filter((one) => one !== undefined);
  if (known.length < added.length) return;
  const rows = { of: 'list', rows: repeated.map(({ row }) => row) } as const;
  yield* included(kind, choices, known, rows);
}

function* otherContent(
  subject: Case,
  counted: Row,
  other: Row,
  choices: number,
): Iterable<CauseCandidate> {
  const added = rowChange(subject, other);
  const taken = rowChange(subject, counted);
  if (added === undefined || taken === undefined) return;
  const rows = { of: 'list', rows: [other] } as const;
  const change = minus(added.change, taken.change);
  yield {
    cause: cause('duplicate_rows', { kind: 'other_content', count: 'stays' }),
    choices,
    change,
    rows,
    rowChanges: [{ ...added, listed: taken.reported, change }],
  };
  yield* included('both_contents', choices, [added], rows);
}

/** A row that the header has once more. */
function rowChange(subject: Case, row: Row): RowChange | undefined {
  const { amount: gross, fees, tax } = row;
  const reported = tallyOfRow(subject, row, { gross, fees, tax });
  return reported && { kind: row, listed: noTally, reported, change: reported };
}

/** The candidates that the header includes these rows too, with their count or without. */
function* included(
  kind: CauseFacts['duplicate_rows']['kind'],
  choices: number,
  added: readonly RowChange[],
  rows: CandidateRows,
): Iterable<CauseCandidate> {
  const { follows, stays } = causesBy((count) => cause('duplicate_rows', { kind, count }));
  const change = total(added.map((one) => one.change));
  yield { cause: follows, choices, change, rows, rowChanges: added };
  const uncounted = (one: Tally) => ({ ...one, count: 0 });
  const rowChanges = added.map((one) => ({ ...one, change: uncounted(one.change) }));
  yield { cause: stays, choices, change: uncounted(change), rows, rowChanges };
}
