import { byConstruction, type Hypothesis, noRows } from '../candidate.ts';
import { cause } from '../cause.ts';
import { changeOf } from '../delta.ts';

/**
 * `missing_rows`: the header counts more rows than are listed, and their amounts are whatever is
 * missing. It fits any difference, so that it proves nothing but the number of rows.
 */
export const missingRows: Hypothesis = {
  code: 'missing_rows',
  dependsOn: 'case',
  *candidates({ subject: { identity, target } }) {
    if (target.count <= 0) return;
    yield {
      cause: cause('missing_rows', {}),
      free: byConstruction,
      delta: changeOf(identity, target.count, target),
      rows: noRows,
    };
  },
};

/** `tax_in_fees` in its weakest form: fees and tax differ by the same, whatever it consists of. */
export const cancellingTax: Hypothesis = {
  code: 'tax_in_fees',
  dependsOn: 'case',
  *candidates({ subject: { identity, target } }) {
    const { fees, tax } = target;
    if (fees === 0n || fees + tax !== 0n) return;
    yield {
      cause: cause('tax_in_fees', { kind: 'part' }),
      free: byConstruction,
      delta: changeOf(identity, 0, { gross: 0n, fees, tax }),
      rows: noRows,
    };
  },
};
