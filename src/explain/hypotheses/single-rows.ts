import { inPlaceOf, ownRow, type RowHypothesis } from '../candidate.ts';
import { tallyOfRowAt } from '../case.ts';
import { cause, causesBy } from '../cause.ts';
import { noTally } from '../tally.ts';

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
        const isLeftOut = code === 'row_not_counted';
        const rows = ownRow(subject, index);
        yield* inPlaceOf(
          rows,
          isLeftOut ? [row, noTally] : [noTally, row],
          causes,
          subject.rows.size,
        );
      }
    },
  };
}
