import {
  type ChargedRate,
  chargedRatesOf,
  type RoundedOf,
  type RoundingRule,
  roundedProduct,
  roundingEffect,
  roundingRules,
} from '../../reconcile/tariffs.ts';
import type { CauseCandidate, Hypothesis } from '../candidate.ts';
import { cause } from '../cause.ts';
import type { BothSides } from '../sides.ts';
import { noTally, type Tally } from '../tally.ts';

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
    const { rows, settlement, scale, rules } = sides.subject;
    const { currency } = settlement;
    for (const charge of chargedRatesOf(rows, { currency, scale })) {
      // An amount that is rounded by a rule already is not rounded another way as well.
      if (rules.rounding?.some(({ amount }) => amount === charge.amount)) continue;
      for (const rule of roundingRules) {
        yield roundedBy(sides, charge, rule, 'row');
        yield roundedBy(sides, charge, rule, 'total');
      }
    }
  },
};

function roundedBy(
  { cells }: BothSides,
  charge: ChargedRate,
  rule: RoundingRule,
  of: RoundedOf,
): CauseCandidate {
  const { amount, base, rate, rule: rowsRule, isShortest } = charge;
  const difference = roundingEffect(charge, { rule, of }, timesIn(cells, charge));
  const revalue = (row: Tally) =>
    row[amount] === 0n || row[base] === 0n
      ? row
      : { ...row, [amount]: roundedProduct(row[base], rate, rule) };
  return {
    cause: cause('rounding', { amount, base, rate, rowsRule, rule, of }),
    choices: (isShortest ? 2 : 4) * roundingRules.length,
    change: { ...noTally, [amount]: difference },
    ...(of === 'row' && { revalue }),
  };
}

/** How often the header has the rows of each kind: some may be left out, some with the other sign. */
function timesIn(
  cells: BothSides['cells'],
  { amount, sums }: ChargedRate,
): (kind: number) => bigint {
  const byKind = new Map<number, bigint>();
  for (const { kinds, sum: seen } of cells) {
    const listed = kinds.reduce((sum, kind) => sum + (sums[kind]?.value ?? 0n), 0n);
    for (const kind of kinds) byKind.set(kind, signOf(seen[amount], listed));
  }
  return (kind) => byKind.get(kind) ?? 0n;
}

function signOf(seen: bigint, listed: bigint): bigint {
  if (listed === 0n) return 1n;
  if (seen === 0n) return 0n;
  return seen === -listed ? -1n : 1n;
}
