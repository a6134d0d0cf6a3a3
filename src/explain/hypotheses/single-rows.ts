import type { RowCandidate, RowHypothesis } from '../candidate.ts';
import { amountsOfRow, type Case } from '../case.ts';
import { cause } from '../cause.ts';
import { changeOf, minus, noAmounts, noDelta } from '../delta.ts';

/** `row_not_counted`: the header leaves out one row. */
export const rowNotCounted: RowHypothesis = {
  code: 'row_not_counted',
  size: ({ rows }) => rows.size * 2,
  candidates: (subject) => eachRow(subject, 'row_not_counted', -1),
};

/** `row_counted_twice`: the header has one row twice. */
export const rowCountedTwice: RowHypothesis = {
  code: 'row_counted_twice',
  size: ({ rows }) => rows.size * 2,
  candidates: (subject) => eachRow(subject, 'row_counted_twice', 1),
};

/** Each row, taken away or added once more: with the count, and with the amounts alone. */
function* eachRow(
  subject: Case,
  code: 'row_not_counted' | 'row_counted_twice',
  sign: 1 | -1,
): Iterable<RowCandidate> {
  // Rows of one cause share its object.
  const follows = cause(code, { count: 'follows' });
  const stays = cause(code, { count: 'stays' });
  const { rows: columns, identity } = subject;
  for (let index = 0; index < columns.size; index++) {
    const amounts = amountsOfRow(subject, index);
    const row = changeOf(identity, 1, amounts);
    const delta = sign === 1 ? row : minus(noDelta, row);
    const rows = { of: 'row', columns, index, slot: index } as const;
    const listed = sign === 1 ? noAmounts : amounts;
    const reported = sign === 1 ? amounts : noAmounts;
    yield { cause: follows, free: 1, delta, rows, listed, reported };
    yield { cause: stays, free: 2, delta: { ...delta, count: 0 }, rows, listed, reported };
  }
}
