import type { Row } from '../../model/row.ts';
import type { CandidateRows, CauseCandidate, Hypothesis } from '../candidate.ts';
import { type Case, tallyOfRow } from '../case.ts';
import { type CauseFacts, cause } from '../cause.ts';
import { minus, type Tally, total } from '../tally.ts';

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
  const added = repeated.map(({ row, copies }) => addedBy(subject, row, BigInt(copies)));
  const known = added.filter((change) => change !== undefined);
  if (known.length < added.length) return;
  const rows = { of: 'list', rows: repeated.map(({ row }) => row) } as const;
  yield* included(kind, choices, total(known), rows);
}

function* otherContent(
  subject: Case,
  counted: Row,
  other: Row,
  choices: number,
): Iterable<CauseCandidate> {
  const [added, taken] = [addedBy(subject, other), addedBy(subject, counted)];
  if (added === undefined || taken === undefined) return;
  const rows = { of: 'list', rows: [other] } as const;
  const instead = cause('duplicate_rows', { kind: 'other_content', count: 'stays' });
  yield { cause: instead, choices, change: minus(added, taken), rows };
  yield* included('both_contents', choices, added, rows);
}

function addedBy(subject: Case, row: Row, copies = 1n): Tally | undefined {
  const { amount, fees, tax } = row;
  const listed = { gross: copies * amount, fees: copies * fees, tax: copies * tax };
  const added = tallyOfRow(subject, row, listed);
  return added && { ...added, count: Number(copies) };
}

function* included(
  kind: CauseFacts['duplicate_rows']['kind'],
  choices: number,
  change: Tally,
  rows: CandidateRows,
): Iterable<CauseCandidate> {
  yield { cause: cause('duplicate_rows', { kind, count: 'follows' }), choices, change, rows };
  const uncounted = { ...change, count: 0 };
  const stays = cause('duplicate_rows', { kind, count: 'stays' });
  yield { cause: stays, choices, change: uncounted, rows };
}
