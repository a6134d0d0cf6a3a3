import { groupCandidate, type Hypothesis } from '../candidate.ts';
import type { RowTraits } from '../case.ts';
import { cause } from '../cause.ts';
import type { RowHypothesis } from '../row-form.ts';
import { minus, noTally, shift } from '../tally.ts';

/** How far decimal places slip: between the currencies of the world, by at most three. */
const powers = [1, 2, 3, -1, -2, -3] as const;

/** `scale_slip` of the header: all its amounts should be 10^power times what is reported. */
export const headerScaleSlip: Hypothesis = {
  code: 'scale_slip',
  dependsOn: 'header',
  *candidates({ header }) {
    for (const power of powers) {
      const right = shift(header, power);
      if (right) {
        yield {
          cause: slip('header', power),
          choices: powers.length,
          change: minus(header, right),
        };
      }
      for (const amount of ['gross', 'fees', 'tax'] as const) {
        const own = shift({ ...noTally, [amount]: header[amount] }, power);
        if (own === undefined) continue;
        const change = { ...noTally, [amount]: header[amount] - own[amount] };
        const facts = cause('scale_slip', { of: amount, power, decimalPlaces: undefined });
        yield { cause: facts, choices: 3 * powers.length, change };
      }
    }
  },
};

/** `scale_slip` of the rows that have the same decimal places, where not all rows have them. */
export const rowsScaleSlip: Hypothesis = {
  code: 'scale_slip',
  dependsOn: 'cells',
  *candidates(sides) {
    const { settlement } = sides.subject;
    const own = sides.cells.filter(({ currency }) => currency === settlement.currency);
    const scales = new Set(own.map(({ scale }) => scale));
    if (scales.size < 2) return;
    for (const decimalPlaces of scales) {
      const has = ({ currency, scale }: RowTraits) =>
        currency === settlement.currency && scale === decimalPlaces;
      for (const power of powers) {
        // That the header's decimal places were taken for the rows' own is no choice of ours.
        const isTakenForOwn = power === decimalPlaces - settlement.scale;
        const choices = scales.size * (isTakenForOwn ? 1 : powers.length);
        const facts = slip('rows', power, decimalPlaces);
        yield* groupCandidate(sides, facts, choices, has, ({ sum }) => shift(sum, power));
      }
    }
  },
};

export const rowScaleSlip: RowHypothesis = {
  code: 'scale_slip',
  work: ({ rows }) => rows.size / 8,
  forms: ({ rows, values }) =>
    powers.map((power) => ({
      cause: slip('row', power),
      values: values(),
      count: 0,
      listed: 1,
      times: 1,
      power,
      choices: rows.size * powers.length,
      isSecond: false,
    })),
};

function slip(of: 'header' | 'rows' | 'row', power: number, decimalPlaces?: number) {
  return cause('scale_slip', { of, power, decimalPlaces });
}
