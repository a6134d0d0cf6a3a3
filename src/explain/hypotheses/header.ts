import { magnitude } from '../../money/money.ts';
import { identityNames, payInOf } from '../../reconcile/identity.ts';
import { bitsOf } from '../bits.ts';
import { type Hypothesis, miscount } from '../candidate.ts';
import { type CauseFacts, cause, scalePowers } from '../cause.ts';
import { minus, noTally, shift } from '../tally.ts';

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

/** `tax_in_fees`: the fees include a tax that is in the tax too, in the header or in the rows. */
const taxAlsoInFees: Hypothesis = {
  code: 'tax_in_fees',
  dependsOn: 'header',
  *candidates({ header: { tax } }) {
    for (const kind of ['also_in_header', 'also_in_rows'] as const) {
      const change = { ...noTally, fees: kind === 'also_in_header' ? tax : -tax };
      yield { cause: cause('tax_in_fees', { kind }), choices: 1, change };
    }
  },
};

/** `fees_tax_swapped`: the header's fees are the rows' tax and the other way round. */
const feesTaxSwapped: Hypothesis = {
  code: 'fees_tax_swapped',
  dependsOn: 'header',
  *candidates({ header: { fees, tax } }) {
    const change = { ...noTally, fees: fees - tax, tax: tax - fees };
    yield { cause: cause('fees_tax_swapped', {}), choices: 1, change };
  },
};

const turned: readonly CauseFacts['sign_convention']['amounts'][] = [
  ['fees'],
  ['tax'],
  ['fees', 'tax'],
];

/** `sign_convention`: fees, tax or both have the opposite sign in the rows. */
const signConvention: Hypothesis = {
  code: 'sign_convention',
  dependsOn: 'header',
  *candidates({ header }) {
    for (const amounts of turned) {
      const twice = (of: 'fees' | 'tax') => (amounts.includes(of) ? 2n * header[of] : 0n);
      const change = { ...noTally, fees: twice('fees'), tax: twice('tax') };
      yield { cause: cause('sign_convention', { amounts }), choices: turned.length, change };
    }
  },
};

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

/** `scale_slip` of the header: all its amounts should be 10^power times what is reported. */
const headerScaleSlip: Hypothesis = {
  code: 'scale_slip',
  dependsOn: 'header',
  *candidates({ header }) {
    for (const power of scalePowers) {
      const right = shift(header, power);
      if (right) {
        const facts = cause('scale_slip', { of: 'header', power, decimalPlaces: undefined });
        yield { cause: facts, choices: scalePowers.length, change: minus(header, right) };
      }
      for (const amount of ['gross', 'fees', 'tax'] as const) {
        const own = shift({ ...noTally, [amount]: header[amount] }, power);
        if (own === undefined) continue;
        const change = { ...noTally, [amount]: header[amount] - own[amount] };
        const facts = cause('scale_slip', { of: amount, power, decimalPlaces: undefined });
        yield { cause: facts, choices: 3 * scalePowers.length, change };
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
