import { figuresPerRow } from '../../model/row-batch.ts';
import { figurePlaces } from '../../reconcile/row-columns.ts';
import type { Hypothesis } from '../candidate.ts';
import type { Case } from '../case.ts';
import { type CauseFacts, cause } from '../cause.ts';
import { noTally } from '../tally.ts';

const charges = [
  { amount: 'fees', on: 'gross' },
  { amount: 'fees', on: 'fees' },
  { amount: 'tax', on: 'gross' },
  { amount: 'tax', on: 'fees' },
  { amount: 'tax', on: 'tax' },
] as const;

/** Hundredths of a percent: up to 10 % in steps of 0.05 %, else whole percents up to 100 %. */
const whole = 10_000;
const [fine, coarse] = [5, 100];

/**
 * `other_rate`: the header charges one payment type more or less than the rows, at a rate of few
 * digits that gives the difference to the minor unit.
 */
export const otherRate: Hypothesis = {
  code: 'other_rate',
  dependsOn: 'case',
  work: ({ rows }) => rows.size,
  *candidates({ subject }) {
    const { target, rows } = subject;
    const { count, gross, contradiction, fees, tax } = target;
    if (count !== 0 || gross !== 0n || contradiction !== 0n || (fees !== 0n) === (tax !== 0n)) {
      return;
    }
    const paymentTypes = new Set(rows.kinds.map(({ paymentType }) => paymentType));
    for (const { amount, on } of charges) {
      const difference = Number(target[amount]);
      if (difference === 0) continue;
      for (const paymentType of paymentTypes) {
        const bases = basesOf(subject, paymentType, on);
        const sum = bases.reduce((all, one) => all + one, 0);
        const step = on === 'gross' ? fine : coarse;
        const rate = Math.round((difference * whole) / sum / step) * step;
        const isPossible = rate !== 0 && Math.abs(rate) <= (on === 'gross' ? 1000 : whole);
        if (!isPossible) continue;
        const rounded = (base: number) =>
          Math.sign(base) * Math.round(Math.abs(base * rate) / whole) * Math.sign(rate);
        const inRows = bases.reduce((all, one) => all + rounded(one), 0) === difference;
        if (!inRows && rounded(sum) !== difference) continue;
        const facts = { paymentType, amount, on, basisPoints: rate, inRows };
        yield {
          cause: cause('other_rate', facts),
          choices: 400 * 2 * charges.length * paymentTypes.size,
          change: { ...noTally, [amount]: target[amount] },
        };
      }
    }
  },
};

function basesOf(
  { rows, settlement, scale }: Case,
  paymentType: string,
  on: CauseFacts['other_rate']['on'],
): readonly number[] {
  const units = rows.kinds.map((kind) =>
    kind.paymentType === paymentType && kind.currency === settlement.currency
      ? 10 ** (scale - kind.scale)
      : 0,
  );
  return Array.from(rows.kindNumbers, (kind, row) => {
    return (rows.figures[row * figuresPerRow + figurePlaces[on]] ?? 0) * (units[kind] ?? 0);
  });
}
