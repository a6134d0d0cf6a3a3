import type { Hypothesis } from '../candidate.ts';
import type { RowHypothesis } from '../row-form.ts';
import { unlistedFees } from './fee-without-row.ts';
import { groupHypotheses, taxMovedIntoFees } from './groups.ts';
import { headerHypotheses } from './header.ts';
import { carriedOver, listedElsewhere } from './neighbours.ts';
import { roundings } from './rounding.ts';
import { duplicateRows, missingRows, page, singleRows } from './rows.ts';
import { headerScaleSlip, rowScaleSlip, rowsScaleSlip } from './scale-slip.ts';
import { severalNeighbours } from './several-neighbours.ts';

/**
 * Causes that concern the settlement as a whole. Of two that concern its rows, the one further up is
 * undone first: what is done to all rows comes after what is done to some; rounding is last, because
 * it depends on which rows are there.
 */
export const hypotheses: readonly Hypothesis[] = [
  missingRows,
  ...headerHypotheses,
  headerScaleSlip,
  ...unlistedFees,
  carriedOver,
  ...severalNeighbours,
  duplicateRows,
  page,
  ...groupHypotheses,
  rowsScaleSlip,
  taxMovedIntoFees,
  ...roundings,
];

export const rowHypotheses: readonly RowHypothesis[] = [
  ...singleRows,
  listedElsewhere,
  rowScaleSlip,
];
