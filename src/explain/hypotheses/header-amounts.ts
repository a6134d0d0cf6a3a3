import { type Hypothesis, noRows } from '../candidate.ts';
import { cause } from '../cause.ts';
import {
  type Amounts,
  changeOf,
  type Delta,
  noAmounts,
  otherIdentities,
  payInDelta,
} from '../delta.ts';
import { asHeaderSees } from '../sides.ts';

/** `sign_convention`: fees, tax or both have the opposite sign in the rows. */
export const signConvention: Hypothesis = {
  code: 'sign_convention',
  dependsOn: 'header',
  *candidates({ subject: { identity }, header }) {
    for (const amounts of [['fees'], ['tax'], ['fees', 'tax']] as const) {
      const fees = amounts.some((amount) => amount === 'fees') ? 2n * header.fees : 0n;
      const tax = amounts.some((amount) => amount === 'tax') ? 2n * header.tax : 0n;
      const delta = changeOf(identity, 0, { gross: 0n, fees, tax });
      yield { cause: cause('sign_convention', { amounts }), free: 1, delta, rows: noRows };
    }
  },
};

/** `fees_tax_swapped`: the header's fees are the rows' tax and the other way round. */
export const feesTaxSwapped: Hypothesis = {
  code: 'fees_tax_swapped',
  dependsOn: 'header',
  *candidates({ subject: { identity }, header: { fees, tax } }) {
    const delta = changeOf(identity, 0, { gross: 0n, fees: fees - tax, tax: tax - fees });
    yield { cause: cause('fees_tax_swapped', {}), free: 0, delta, rows: noRows };
  },
};

/** `tax_in_fees`: the fees include a tax that stands apart as well, in the header or in the rows. */
export const taxAlsoInFees: Hypothesis = {
  code: 'tax_in_fees',
  dependsOn: 'header',
  *candidates({ subject: { identity }, header: { tax } }) {
    for (const kind of ['also_in_header', 'also_in_rows'] as const) {
      const fees = kind === 'also_in_header' ? tax : -tax;
      const delta = changeOf(identity, 0, { ...noAmounts, fees });
      yield { cause: cause('tax_in_fees', { kind }), free: 1, delta, rows: noRows };
    }
  },
};

/** `tax_in_fees`: the header's fees include the tax, and there is none in its tax. */
export const taxMovedIntoFees: Hypothesis = {
  code: 'tax_in_fees',
  dependsOn: 'cells',
  *candidates(sides) {
    const moved = asHeaderSees(sides, everyRow, ({ count, amounts }) => ({
      count,
      amounts: withTaxInFees(amounts),
    }));
    if (moved === undefined) return;
    const { delta, sides: undone } = moved;
    const facts = cause('tax_in_fees', { kind: 'moved' });
    yield { cause: facts, free: 0, delta, rows: noRows, undone, revalue: withTaxInFees };
  },
};

const everyRow = () => true;

function withTaxInFees({ gross, fees, tax }: Amounts): Amounts {
  return { gross, fees: fees + tax, tax: 0n };
}

/** `identity`: another named identity makes the header agree with itself. */
export const otherIdentity: Hypothesis = {
  code: 'identity',
  dependsOn: 'header',
  *candidates({ subject, header }) {
    for (const { name, payIn } of otherIdentities(subject.identity, header)) {
      const delta: Delta = payInDelta(payIn);
      yield { cause: cause('identity', { identity: name }), free: 1, delta, rows: noRows };
    }
  },
};
