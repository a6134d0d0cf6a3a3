import type { Hypothesis } from '../candidate.ts';
import type { RowHypothesis } from '../row-form.ts';
import { unlistedFees } from './fee-without-row.ts';
import { groupHypotheses } from './groups.ts';
import { headerHypotheses } from './header.ts';
import { listedElsewhere, neighbourHypotheses } from './neighbours.ts';
import { roundings } from './rounding.ts';
import { duplicateRows, missingRows, page, refundFees, rowScaleSlip, singleRows } from './rows.ts';

/**
 * Causes that concern the settlement as a whole. Of two that concern its rows, the first in this list is
 * undone first: some rows before all rows, and rounding last, because it depends on all rows.
 */
export const hypotheses: readonly Hypothesis[] = [
  missingRows,
  ...headerHypotheses,
  ...unlistedFees,
  ...neighbourHypotheses,
  duplicateRows,
  refundFees,
  page,
  ...groupHypotheses,
  ...roundings,
];

export const rowHypotheses: readonly RowHypothesis[] = [
  ...singleRows,
  listedElsewhere,
  rowScaleSlip,
];
