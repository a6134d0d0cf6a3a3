import type { Row } from '../../model/row.ts';
import type { CandidateRows, CauseCandidate, Hypothesis, Revalue } from '../candidate.ts';
import { type Case, tallyOfRow } from '../case.ts';
import { type CauseFacts, cause, causesBy } from '../cause.ts';
import { type Amounts, minus, type Tally, total } from '../tally.ts';

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
    const one = tallyOfRow(subject, row, amountsOf(row));
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
  const added = tallyOfRow(subject, other, amountsOf(other));
  const taken = tallyOfRow(subject, counted, amountsOf(counted));
  if (added === undefined || taken === undefined) return;
  const rows = { of: 'list', rows: [other] } as const;
  const instead = cause('duplicate_rows', { kind: 'other_content', count: 'stays' });
  const revalued = (revalue: Revalue) => minus(revalue(added), revalue(taken));
  yield { cause: instead, choices, change: minus(added, taken), rows, revalued };
  yield* included('both_contents', choices, [added], rows);
}

function amountsOf({ amount: gross, fees, tax }: Row): Amounts {
  return { gross, fees, tax };
}

/** The candidates that the header includes these rows too, with their count or without. */
function* included(
  kind: CauseFacts['duplicate_rows']['kind'],
  choices: number,
  added: readonly Tally[],
  rows: CandidateRows,
): Iterable<CauseCandidate> {
  const both = causesBy((count) => cause('duplicate_rows', { kind, count }));
  const revalued = (revalue: Revalue) => total(added.map(revalue));
  const change = total(added);
  yield { cause: both.follows, choices, change, rows, revalued };
  const counted = (one: Tally) => ({ ...one, count: 0 });
  yield {
    cause: both.stays,
    choices,
    change: counted(change),
    rows,
    revalued: (revalue) => counted(revalued(revalue)),
  };
}
