import { magnitude } from '../../money/money.ts';
import { identityNames, payInOf } from '../../reconcile/identity.ts';
import { bitsOf } from '../bits.ts';
import { type Hypothesis, miscount } from '../candidate.ts';
import { type Cause, type CauseCode, cause, scalePowers } from '../cause.ts';
import { minus, noTally, shift, type Tally } from '../tally.ts';

/** `wrong_count`: the header's number of transactions is wrong, and nothing else. */
const wrongCount: Hypothesis = {
  code: 'wrong_count',
  dependsOn: 'case',
  *candidates({ subject: { target } }) {
    if (target.count !== 0) yield miscount(target.count);
  },
};

/** `tax_in_fees` in its weakest form: fees and tax differ by the same amount in opposite directions. */
const cancellingTax: Hypothesis = {
  code: 'tax_in_fees',
  dependsOn: 'case',
  *candidates({ subject: { target } }) {
    const { fees, tax } = target;
    if (fees === 0n || fees + tax !== 0n) return;
    const change = { ...noTally, fees, tax };
    yield {
      cause: cause('tax_in_fees', { kind: 'part' }),
      choices: 1,
      assumed: bitsOf(tax),
      change,
    };
  },
};

/** `identity`: another named identity makes the header agree with itself. */
const otherIdentity: Hypothesis = {
  code: 'identity',
  dependsOn: 'header',
  *candidates({ subject: { identity: chosen }, header: { gross, fees, tax } }) {
    if (chosen === 'off') return;
    for (const identity of identityNames) {
      if (identity === chosen) continue;
      const contradiction = payInOf(identity, gross, fees, tax) - payInOf(chosen, gross, fees, tax);
      const change = { ...noTally, contradiction };
      yield { cause: cause('identity', { identity }), choices: identityNames.length - 1, change };
    }
  },
};

/** A cause that follows from the amounts of the header: its forms, each with what it changes. */
function ofHeader(
  code: CauseCode,
  choices: number,
  forms: (header: Tally) => readonly (readonly [cause: Cause, change: Partial<Tally>])[],
): Hypothesis {
  return {
    code,
    dependsOn: 'header',
    *candidates({ header }) {
      for (const [cause, change] of forms(header)) {
        yield { cause, choices, change: { ...noTally, ...change } };
      }
    },
  };
}

/** `tax_in_fees`: the fees include a tax that is in the tax too, in the header or in the rows. */
const taxAlsoInFees = ofHeader('tax_in_fees', 1, ({ tax }) => [
  [cause('tax_in_fees', { kind: 'also_in_header' }), { fees: tax }],
  [cause('tax_in_fees', { kind: 'also_in_rows' }), { fees: -tax }],
]);

/** `fees_tax_swapped`: the header's fees are the rows' tax and the other way round. */
const feesTaxSwapped = ofHeader('fees_tax_swapped', 1, ({ fees, tax }) => [
  [cause('fees_tax_swapped', {}), { fees: fees - tax, tax: tax - fees }],
]);

/** `sign_convention`: fees, tax or both have the opposite sign in the rows. */
const signConvention = ofHeader('sign_convention', 3, ({ fees, tax }) => [
  [cause('sign_convention', { amounts: ['fees'] }), { fees: 2n * fees }],
  [cause('sign_convention', { amounts: ['tax'] }), { tax: 2n * tax }],
  [cause('sign_convention', { amounts: ['fees', 'tax'] }), { fees: 2n * fees, tax: 2n * tax }],
]);

/** `pay_in_rounded`: the pay-in is rounded to whole units, down or to the nearest. */
const wholeUnits: Hypothesis = {
  code: 'pay_in_rounded',
  dependsOn: 'header',
  *candidates({ header: { gross, fees, tax, contradiction }, subject: { identity, scale } }) {
    const unit = 10n ** BigInt(scale);
    if (identity === 'off' || contradiction === 0n || magnitude(contradiction) >= unit) return;
    const payIn = payInOf(identity, gross, fees, tax) + contradiction;
    const isNearest = 2n * magnitude(contradiction) <= unit;
    if (payIn % unit !== 0n || (contradiction > 0n && !isNearest)) return;
    yield { cause: cause('pay_in_rounded', {}), choices: 2, change: { ...noTally, contradiction } };
  },
};

/** `scale_slip` of the header: its amounts, or one of them, should be 10^power times what is reported. */
const headerScaleSlip: Hypothesis = {
  code: 'scale_slip',
  dependsOn: 'header',
  *candidates({ header }) {
    for (const power of scalePowers) {
      for (const of of ['header', 'gross', 'fees', 'tax'] as const) {
        const own = of === 'header' ? header : { ...noTally, [of]: header[of] };
        const right = shift(own, power);
        if (right === undefined) continue;
        const choices = (of === 'header' ? 1 : 3) * scalePowers.length;
        const facts = cause('scale_slip', { of, power, decimalPlaces: undefined });
        yield { cause: facts, choices, change: minus(own, right) };
      }
    }
  },
};

export const headerHypotheses: readonly Hypothesis[] = [
  wrongCount,
  cancellingTax,
  otherIdentity,
  wholeUnits,
  taxAlsoInFees,
  feesTaxSwapped,
  signConvention,
  headerScaleSlip,
];
