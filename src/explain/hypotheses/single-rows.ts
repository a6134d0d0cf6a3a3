import { byEachCount, ownRow, type RowHypothesis } from '../candidate.ts';
import { tallyOfRowAt } from '../case.ts';
import { cause, causesBy } from '../cause.ts';
import { minus, noTally } from '../tally.ts';

/** `row_not_counted`: the header leaves out one row. */
export const rowNotCounted = eachRow('row_not_counted');

/** `row_counted_twice`: the header has one row twice. */
export const rowCountedTwice = eachRow('row_counted_twice');

/** Each row, taken away or added once more: with the count, and with the amounts alone. */
function eachRow(code: 'row_not_counted' | 'row_counted_twice'): RowHypothesis {
  return {
    code,
    dependsOn: 'case',
    work: ({ rows }) => rows.size * 2,
    *candidates({ subject }) {
      // Rows of one cause share its object.
      const causes = causesBy((count) => cause(code, { count }));
      for (let index = 0; index < subject.rows.size; index++) {
        const row = tallyOfRowAt(subject, subject.rows, index);
        if (row === undefined) continue;
        const [listed, reported] = code === 'row_not_counted' ? [row, noTally] : [noTally, row];
        const change = minus(reported, listed);
        const rows = ownRow(subject, index);
        yield* byEachCount({ free: 1, change, rows, listed, reported }, causes);
      }
    },
  };
}
