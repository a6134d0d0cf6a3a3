import type { Hypothesis } from '../candidate.ts';
import type { RowHypothesis } from '../row-form.ts';
import { unlistedFees } from './fee-without-row.ts';
import { groupHypotheses } from './groups.ts';
import { headerHypotheses } from './header.ts';
import { listedElsewhere, neighbourHypotheses } from './neighbours.ts';
import { roundings } from './rounding.ts';
import { duplicateRows, missingRows, page, rowScaleSlip, singleRows } from './rows.ts';

/**
 * Causes that concern the settlement as a whole. Of two that concern its rows, the one further up is
 * undone first: what is done to all rows comes after what is done to some; rounding is last, because
 * it depends on which rows are there.
 */
export const hypotheses: readonly Hypothesis[] = [
  missingRows,
  ...headerHypotheses,
  ...unlistedFees,
  ...neighbourHypotheses,
  duplicateRows,
  page,
  ...groupHypotheses,
  ...roundings,
];

export const rowHypotheses: readonly RowHypothesis[] = [
  ...singleRows,
  listedElsewhere,
  rowScaleSlip,
];
