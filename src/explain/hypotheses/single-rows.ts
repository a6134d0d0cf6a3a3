import { type CauseCode, cause, causesBy } from '../cause.ts';
import { formsByCount, type RowHypothesis } from '../row-form.ts';

const work: RowHypothesis['work'] = ({ rows }) => rows.size / 8;

/** `row_not_counted`: the header leaves out a row. */
const rowNotCounted = ofAllAmounts('row_not_counted', 'leave_out');

/** `row_counted_twice`: the header has a row twice. */
const rowCountedTwice = ofAllAmounts('row_counted_twice', 'add');

function ofAllAmounts(
  code: CauseCode & `row_${'not_counted' | 'counted_twice'}`,
  does: 'leave_out' | 'add',
): RowHypothesis {
  const causes = causesBy((count) => cause(code, { count }));
  return {
    code,
    work,
    forms: ({ rows, values }) => formsByCount(values(), does, causes, rows.size),
  };
}

/** `row_sign`: the header has a row, or a part of its amounts, with the opposite sign. */
const rowSign: RowHypothesis = {
  code: 'row_sign',
  work,
  forms: ({ rows, values }) =>
    (['all', 'gross', 'fees_and_tax'] as const).map((part) => ({
      cause: cause('row_sign', { part }),
      values: values().only(part),
      count: 0,
      listed: 1,
      times: -1,
      power: 0,
      choices: rows.size,
      isSecond: part !== 'all',
    })),
};

/** The causes that concern single rows. */
export const singleRows: readonly RowHypothesis[] = [rowNotCounted, rowCountedTwice, rowSign];
