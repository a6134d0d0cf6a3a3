import type { Hypothesis } from '../candidate.ts';
import { cause } from '../cause.ts';
import { hasAmounts, tallyOf } from '../tally.ts';
import { bitsOfRowsLike, isLikeRows } from '../unknown.ts';

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
    // Rows without any amount would be a wrong count.
    if (target.count <= 0 || !hasAmounts(target)) return;
    const inLine = isLikeRows(subject);
    yield {
      cause: cause('missing_rows', {}),
      // Rows that are charged otherwise are rarely what is missing.
      choices: inLine ? 1 : 64,
      assumed: bitsOfRowsLike(subject),
      inLine,
      change,
    };
  },
};
