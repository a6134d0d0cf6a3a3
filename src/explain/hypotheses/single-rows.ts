import { cause, causesBy } from '../cause.ts';
import { formsByCount, type RowHypothesis } from '../row-form.ts';

/** `row_not_counted`: the header leaves out a row. */
export const rowNotCounted: RowHypothesis = {
  code: 'row_not_counted',
  work: ({ rows }) => rows.size / 8,
  forms: ({ rows }, own) =>
    formsByCount(
      own('all'),
      'leave_out',
      causesBy((count) => cause('row_not_counted', { count })),
      rows.size,
    ),
};

/** `row_counted_twice`: the header has a row twice. */
export const rowCountedTwice: RowHypothesis = {
  code: 'row_counted_twice',
  work: ({ rows }) => rows.size / 8,
  forms: ({ rows }, own) =>
    formsByCount(
      own('all'),
      'add',
      causesBy((count) => cause('row_counted_twice', { count })),
      rows.size,
    ),
};

/** `row_sign`: the header has a row, or a part of its amounts, with the opposite sign. */
export const rowSign: RowHypothesis = {
  code: 'row_sign',
  work: ({ rows }) => rows.size / 8,
  forms: ({ rows }, own) =>
    (['all', 'gross', 'fees_and_tax'] as const).map((part) => ({
      cause: cause('row_sign', { part }),
      values: own(part),
      count: 0,
      listed: 1,
      times: -1,
      power: 0,
      choices: rows.size,
      isSecond: part !== 'all',
    })),
};
