import { type CauseCandidate, type Hypothesis, noRows } from '../candidate.ts';
import { cause, type RoundingRule } from '../cause.ts';
import { type Amounts, changeOf, noAmounts } from '../delta.ts';
import {
  type ChargedCell,
  type ChargedRate,
  chargedRatesOf,
  roundedProduct,
  roundingRules,
} from '../rates.ts';
import type { BothSides, Cell } from '../sides.ts';

/**
 * `rounding`: the header rounds fees or tax by another rule than the rows, or the total at once
 * where they round each. The rate has to give the amount of every row that has one.
 */
export const rounding: Hypothesis = {
  code: 'rounding',
  dependsOn: 'cells',
  work: ({ rows }) => rows.size * 4,
  *candidates(sides) {
    for (const charge of chargedRatesOf(sides.subject)) {
      for (const rule of roundingRules) {
        yield eachRowBy(sides, charge, rule);
        yield totalBy(sides, charge, rule);
      }
    }
  },
};

function eachRowBy(sides: BothSides, charge: ChargedRate, rule: RoundingRule): CauseCandidate {
  const difference = sumOver(sides, charge, ({ rounded, value }) => rounded[rule] - value);
  const { amount, base, rate } = charge;
  const revalue = (amounts: Amounts) =>
    amounts[amount] === 0n || amounts[base] === 0n
      ? amounts
      : { ...amounts, [amount]: roundedProduct(amounts[base], rate, rule) };
  return { ...roundedBy(sides, charge, rule, 'row', difference), revalue };
}

function totalBy(sides: BothSides, charge: ChargedRate, rule: RoundingRule): CauseCandidate {
  const base = sumOver(sides, charge, (cell) => cell.base);
  const value = sumOver(sides, charge, (cell) => cell.value);
  const difference = roundedProduct(base, charge.rate, rule) - value;
  return roundedBy(sides, charge, rule, 'total', difference);
}

function roundedBy(
  { subject: { identity } }: BothSides,
  { amount, base, rate, rule: rowsRule, isShortest }: ChargedRate,
  rule: RoundingRule,
  of: 'row' | 'total',
  difference: bigint,
): CauseCandidate {
  return {
    cause: cause('rounding', { amount, base, rate, rowsRule, rule, of }),
    free: isShortest ? 2 : 3,
    delta: changeOf(identity, 0, { ...noAmounts, [amount]: difference }),
    rows: noRows,
  };
}

/** A sum over the cells as the header sees them: some may be left out, some with the other sign. */
function sumOver(
  { cells }: BothSides,
  charge: ChargedRate,
  measure: (cell: ChargedCell) => bigint,
): bigint {
  return cells.reduce((sum, cell) => {
    const charged = charge.cells.get(cell.key);
    if (charged === undefined) return sum;
    return sum + signOf(cell, charged.value, charge.amount) * measure(charged);
  }, 0n);
}

function signOf({ amounts }: Cell, listed: bigint, amount: 'fees' | 'tax'): bigint {
  if (listed === 0n) return 1n;
  if (amounts[amount] === 0n) return 0n;
  return amounts[amount] === -listed ? -1n : 1n;
}
