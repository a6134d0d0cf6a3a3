import type { RowCandidate, RowHypothesis } from '../candidate.ts';
import { amountsOfRow, type Case } from '../case.ts';
import { type Cause, cause } from '../cause.ts';
import { followed, minus, noAmounts, noDelta } from '../delta.ts';

/** `row_not_counted`: the header leaves out one row. */
export const rowNotCounted: RowHypothesis = {
  code: 'row_not_counted',
  size: ({ rows }) => rows.size * 2,
  candidates: (subject) =>
    eachRow(
      subject,
      cause('row_not_counted', { count: 'follows' }),
      cause('row_not_counted', { count: 'stays' }),
      -1,
    ),
};

/** `row_counted_twice`: the header has one row twice. */
export const rowCountedTwice: RowHypothesis = {
  code: 'row_counted_twice',
  size: ({ rows }) => rows.size * 2,
  candidates: (subject) =>
    eachRow(
      subject,
      cause('row_counted_twice', { count: 'follows' }),
      cause('row_counted_twice', { count: 'stays' }),
      1,
    ),
};

/** Each row, taken away or added once more: with the count, and with the amounts alone. */
function* eachRow(
  subject: Case,
  follows: Cause,
  stays: Cause,
  sign: 1 | -1,
): Iterable<RowCandidate> {
  const { rows: columns, identity } = subject;
  for (let index = 0; index < columns.size; index++) {
    const amounts = amountsOfRow(subject, index);
    const row = followed(identity, 1, amounts);
    const delta = sign === 1 ? row : minus(noDelta, row);
    const rows = { of: 'row', columns, index, slot: index } as const;
    const listed = sign === 1 ? noAmounts : amounts;
    const reported = sign === 1 ? amounts : noAmounts;
    yield { cause: follows, free: 1, delta, rows, listed, reported };
    yield { cause: stays, free: 2, delta: { ...delta, count: 0 }, rows, listed, reported };
  }
}
