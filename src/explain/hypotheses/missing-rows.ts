import type { Hypothesis } from '../candidate.ts';
import { cause } from '../cause.ts';
import { bitsOfRowsLike, isLikeRows } from '../rows-like.ts';
import { type Tally, tallyOf } from '../tally.ts';

/**
 * `missing_rows`: the header counts more rows than are listed, and their amounts are whatever is
 * missing. It fits any difference; how well they go with the rows that are listed says how likely.
 */
export const missingRows: Hypothesis = {
  code: 'missing_rows',
  dependsOn: 'case',
  *candidates({ subject }) {
    const { target } = subject;
    const change = tallyOf(target.count, target);
    if (target.count <= 0 || isWithoutAmounts(change)) return;
    yield {
      cause: cause('missing_rows', {}),
      choices: 1,
      assumed: bitsOfRowsLike(subject),
      inLine: isLikeRows(subject),
      change,
    };
  },
};

/** Rows without any amount would be a wrong count. */
function isWithoutAmounts({ gross, fees, tax }: Tally): boolean {
  return gross === 0n && fees === 0n && tax === 0n;
}
