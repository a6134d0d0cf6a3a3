import type { CauseCandidate, Hypothesis, RowChange } from '../candidate.ts';
import { cause, type RoundingRule } from '../cause.ts';
import { type ChargedRate, chargedRatesOf, roundedProduct, roundingRules } from '../rates.ts';
import type { BothSides } from '../sides.ts';
import { minus, noTally, type Tally, total } from '../tally.ts';

/**
 * `rounding`: the header rounds fees or tax by another rule than the rows, or the total at once
 * where they round each. The rate has to give the amount of every row that has one.
 */
export const rounding: Hypothesis = {
  code: 'rounding',
  dependsOn: 'cells',
  work: ({ rows }) => rows.size * 4,
  canMake: ({ count, gross, contradiction }) => count === 0 && gross === 0n && contradiction === 0n,
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
  const { amount, base, rate, roundedUp } = charge;
  const difference = sumOver(sides, charge, (kind) =>
    BigInt(roundedUp(rule, kind) - roundedUp(charge.rule, kind)),
  );
  const revalue = (row: Tally) =>
    row[amount] === 0n || row[base] === 0n
      ? row
      : { ...row, [amount]: roundedProduct(row[base], rate, rule) };
  const beside = (rows: readonly RowChange[]) =>
    total(
      rows.map(({ listed, reported, change: { count } }) => ({
        ...minus(revalue(reported), revalue(listed)),
        count,
      })),
    );
  return { ...roundedBy(charge, rule, 'row', difference), beside };
}

function totalBy(sides: BothSides, charge: ChargedRate, rule: RoundingRule): CauseCandidate {
  const base = sumOver(sides, charge, (kind) => charge.sums[kind]?.base ?? 0n);
  const value = sumOver(sides, charge, (kind) => charge.sums[kind]?.value ?? 0n);
  return roundedBy(charge, rule, 'total', roundedProduct(base, charge.rate, rule) - value);
}

function roundedBy(
  { amount, base, rate, rule: rowsRule, isShortest }: ChargedRate,
  rule: RoundingRule,
  of: 'row' | 'total',
  difference: bigint,
): CauseCandidate {
  return {
    cause: cause('rounding', { amount, base, rate, rowsRule, rule, of }),
    choices: (isShortest ? 2 : 4) * roundingRules.length,
    change: { ...noTally, [amount]: difference },
  };
}

/** A sum over the cells as the header sees them: some may be left out, some with the other sign. */
function sumOver(
  { cells }: BothSides,
  { amount, sums }: ChargedRate,
  measure: (kind: number) => bigint,
): bigint {
  const over = (kinds: readonly number[], of: (kind: number) => bigint) =>
    kinds.reduce((sum, kind) => sum + of(kind), 0n);
  return cells.reduce((sum, { kinds, sum: seen }) => {
    const listed = over(kinds, (kind) => sums[kind]?.value ?? 0n);
    return sum + signOf(seen[amount], listed) * over(kinds, measure);
  }, 0n);
}

function signOf(seen: bigint, listed: bigint): bigint {
  if (listed === 0n) return 1n;
  if (seen === 0n) return 0n;
  return seen === -listed ? -1n : 1n;
}
