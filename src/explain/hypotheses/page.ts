import type { Hypothesis } from '../candidate.ts';
import { tallyOfRowAt } from '../case.ts';
import { cause } from '../cause.ts';
import { minus, noTally, plus, type Tally } from '../tally.ts';

/** Shorter pages are not asked for. */
const fewestRows = 20;

/** `page`: the header leaves out a page of the list, or has it twice: rows from a multiple of their number on. */
export const page: Hypothesis = {
  code: 'page',
  dependsOn: 'case',
  work: ({ rows, target }) => (Math.abs(target.count) < fewestRows ? 0 : rows.size),
  *candidates({ subject }) {
    const { rows, target } = subject;
    const size = Math.abs(target.count);
    if (size < fewestRows) return;
    const is = target.count < 0 ? 'left_out' : 'counted_twice';
    const choices = Math.ceil(rows.size / size);
    for (let from = 0; from + size <= rows.size; from += size) {
      let sum: Tally | undefined = noTally;
      for (let row = from; row < from + size && sum; row++) {
        const own = tallyOfRowAt(subject, rows, row);
        sum = own && plus(sum, own);
      }
      if (sum === undefined) continue;
      const change = is === 'left_out' ? minus(noTally, sum) : sum;
      yield {
        cause: cause('page', { is, from }),
        choices,
        change,
        rows: { of: 'page', from, count: size },
      };
    }
  },
};
