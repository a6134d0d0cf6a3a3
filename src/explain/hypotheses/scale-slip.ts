import {
  groupCandidate,
  type Hypothesis,
  noRows,
  type RowCandidate,
  type RowHypothesis,
} from '../candidate.ts';
import { amountsOfRow, type Case } from '../case.ts';
import { type Cause, cause } from '../cause.ts';
import {
  type Amounts,
  changeOf,
  minus,
  shiftAmounts,
  shiftDecimals,
  subtractAmounts,
} from '../delta.ts';
import type { HeaderView, RowTraits } from '../sides.ts';

/** How far decimal places slip: between the currencies of the world, by at most three. */
const powers = [1, 2, 3, -1, -2, -3] as const;

/** `scale_slip` of the header: all its amounts are 10^power of what they say. */
export const headerScaleSlip: Hypothesis = {
  code: 'scale_slip',
  dependsOn: 'header',
  *candidates({ header }) {
    for (const power of powers) {
      const amounts = shiftAmounts(header, power);
      const payIn = shiftDecimals(header.payIn, power);
      if (amounts === undefined || payIn === undefined) continue;
      const right = { count: header.count, ...amounts, payIn };
      yield { cause: slip('header', power), free: 1, delta: minus(header, right), rows: noRows };
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
      const isMeant = ({ currency, scale }: RowTraits) =>
        currency === settlement.currency && scale === decimalPlaces;
      for (const power of powers) {
        const view: HeaderView = ({ count, amounts }) => ({
          count,
          amounts: shiftAmounts(amounts, power),
        });
        // That the header's decimal places were taken for the rows' own is no choice of ours.
        const free = power === decimalPlaces - settlement.scale ? 1 : 2;
        const facts = slip('rows', power, decimalPlaces);
        yield* groupCandidate(sides, facts, free, isMeant, view);
      }
    }
  },
};

/** `scale_slip` of one row. */
export const rowScaleSlip: RowHypothesis = {
  code: 'scale_slip',
  size: ({ rows }) => rows.size * powers.length,
  *candidates(subject) {
    const causes = powers.map((power) => ({ power, cause: slip('row', power) }));
    for (let index = 0; index < subject.rows.size; index++) {
      const amounts = amountsOfRow(subject, index);
      for (const { power, cause } of causes) {
        const read = shiftAmounts(amounts, power);
        if (read !== undefined) yield slippedRow(subject, index, cause, amounts, read);
      }
    }
  },
};

function slippedRow(
  { identity, rows }: Case,
  index: number,
  cause: Cause,
  listed: Amounts,
  reported: Amounts,
): RowCandidate {
  const delta = changeOf(identity, 0, subtractAmounts(reported, listed));
  const row = { of: 'row', columns: rows, index, slot: index } as const;
  return { cause, free: 2, delta, rows: row, listed, reported };
}

function slip(of: 'header' | 'rows' | 'row', power: number, decimalPlaces?: number) {
  return cause('scale_slip', { of, power, decimalPlaces });
}
