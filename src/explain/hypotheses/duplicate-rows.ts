import type { Row } from '../../model/row.ts';
import type { CandidateRows, CauseCandidate, Hypothesis, SeenRow } from '../candidate.ts';
import { type Case, tallyOfRow } from '../case.ts';
import { type CauseFacts, cause, causesBy } from '../cause.ts';
import { minus, noTally, total } from '../tally.ts';

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
  const seen = repeated.flatMap(({ row, copies }) => {
    const added = seenRow(subject, row);
    return Array.from({ length: copies }, () => added);
  });
  const known = seen.filter((one) => one !== undefined);
  if (known.length < seen.length) return;
  const rows = { of: 'list', rows: repeated.map(({ row }) => row) } as const;
  yield* included(kind, choices, known, rows);
}

function* otherContent(
  subject: Case,
  counted: Row,
  other: Row,
  choices: number,
): Iterable<CauseCandidate> {
  const added = seenRow(subject, other);
  const taken = seenRow(subject, counted);
  if (added === undefined || taken === undefined) return;
  const rows = { of: 'list', rows: [other] } as const;
  const instead = cause('duplicate_rows', { kind: 'other_content', count: 'stays' });
  const change = minus(added.reported, taken.reported);
  const seen = [{ ...added, listed: taken.reported, change }];
  yield { cause: instead, choices, change, rows, seen };
  yield* included('both_contents', choices, [added], rows);
}

/** A row that the header has beside what is listed. */
function seenRow(subject: Case, row: Row): SeenRow | undefined {
  const { amount: gross, fees, tax } = row;
  const reported = tallyOfRow(subject, row, { gross, fees, tax });
  return reported && { kind: row, reported, listed: noTally, change: reported };
}

/** The candidates that the header includes these rows too, with their count or without. */
function* included(
  kind: CauseFacts['duplicate_rows']['kind'],
  choices: number,
  added: readonly SeenRow[],
  rows: CandidateRows,
): Iterable<CauseCandidate> {
  const { follows, stays } = causesBy((count) => cause('duplicate_rows', { kind, count }));
  const uncounted = added.map((one) => ({ ...one, change: { ...one.change, count: 0 } }));
  for (const [cause, seen] of [
    [follows, added],
    [stays, uncounted],
  ] as const) {
    yield { cause, choices, change: total(seen.map(({ change }) => change)), rows, seen };
  }
}
