import type { Hypothesis } from '../candidate.ts';
import type { RowHypothesis } from '../row-form.ts';
import { duplicateRows } from './duplicate-rows.ts';
import { feeWithoutRow, oneOffFee } from './fee-without-row.ts';
import {
  foreignCurrencyRows,
  foreignSettlementRows,
  stateLeftOut,
  typeLeftOut,
  typeSign,
} from './groups.ts';
import {
  cancellingTax,
  feesTaxSwapped,
  otherIdentity,
  signConvention,
  taxAlsoInFees,
  taxMovedIntoFees,
  wholeUnits,
  wrongCount,
} from './header.ts';
import { missingRows } from './missing-rows.ts';
import { carriedOver, listedElsewhere } from './neighbours.ts';
import { page } from './page.ts';
import { roundedByRule, sizeOfRounding } from './rounding.ts';
import { headerScaleSlip, rowScaleSlip, rowsScaleSlip } from './scale-slip.ts';
import { carriedBalance, madeUp, withheld } from './several-neighbours.ts';
import { rowCountedTwice, rowNotCounted, rowSign } from './single-rows.ts';

/**
 * Causes that concern the settlement as a whole. Of two that concern its rows, the one further up is
 * undone first: what is done to all rows comes after what is done to some; rounding is last, because
 * it depends on which rows are there.
 */
export const hypotheses: readonly Hypothesis[] = [
  missingRows,
  wrongCount,
  cancellingTax,
  feeWithoutRow,
  oneOffFee,
  page,
  wholeUnits,
  withheld,
  otherIdentity,
  headerScaleSlip,
  taxAlsoInFees,
  feesTaxSwapped,
  signConvention,
  carriedOver,
  carriedBalance,
  madeUp,
  duplicateRows,
  foreignSettlementRows,
  foreignCurrencyRows,
  stateLeftOut,
  typeLeftOut,
  typeSign,
  rowsScaleSlip,
  taxMovedIntoFees,
  sizeOfRounding,
  roundedByRule,
];

/** Causes that concern single rows. */
export const rowHypotheses: readonly RowHypothesis[] = [
  rowNotCounted,
  rowCountedTwice,
  rowSign,
  listedElsewhere,
  rowScaleSlip,
];
