import type { AgreedPrice, AgreedRate } from '../../model/agreed-rates.ts';
import type { AgreementFault, FeeDifference } from '../../reconcile/agreed/check-fees.ts';
import type { FeeCause } from '../../reconcile/agreed/fee-line.ts';
import { amountText, enumerate, grouped, present } from '../common/phrase.ts';
import { ruleWords } from '../explain/cause-words.ts';

/** Why rows cost more than agreed, as the title of a column. */
export const feeCauseWords: Readonly<Record<FeeCause, string>> = {
  fee_rate: 'Fee rate',
  fixed_part: 'Fixed part',
  rounding: 'Rounding',
  kept: 'Kept on refunds',
  tax_on_fees: 'Tax on these',
  tax: 'Wrong tax',
};

/** The price that was agreed: `0.25 + 1.4 %, at least 0.30, rounded down`. */
export function priceText(price: AgreedPrice, rate: AgreedRate, of = ''): string {
  const { percent, percent_from: from, percent_to: to, fixed, minimum, maximum } = price;
  const part = percent ?? (from && `${from} % to ${to}`);
  return present(
    present(fixed, part && `${part} %${of}`).join(' + '),
    minimum && `at least ${minimum}`,
    maximum && `at most ${maximum}`,
    rate.rounding && `rounded ${ruleWords[rate.rounding]}`,
  ).join(', ');
}

/** How the agreed fee of a row comes about: `1.4 % of 300.00 = 4.20`. */
export function agreedFeeText(one: FeeDifference): string {
  const { amount, scale, rate, price, agreedFee, agreedTax, id } = one;
  const of = ` of ${grouped(amountText(amount < 0n ? -amount : amount, scale))}`;
  if (id === '') return `${price.percent} %${of} = ${amountText(agreedTax, scale)}`;
  const result = ` = ${amountText(agreedFee, scale)}`;
  if (amount >= 0n || rate.sign === 'charged') return priceText(price, rate, of) + result;
  const isNone = rate.sign === 'none';
  return `${isNone ? 'no fee on negative amounts' : `${priceText(price, rate, of)}, returned`}${result}`;
}

/** The tax that was agreed: `20 %, rounded down, per row`. */
export function taxText({ tax }: AgreedRate): string {
  if (!tax) return 'not checked';
  const rounding = tax.rounding && `rounded ${ruleWords[tax.rounding]}`;
  return present(`${tax.percent} %`, rounding, `per ${tax.per}`).join(', ');
}

/** Why the settings cannot be right, and what to do. */
export function agreementFaultText(
  { rates, misfit, kind, rowId }: AgreementFault,
  all: readonly AgreedRate[],
): readonly [message: string, hint: string] {
  const keys = rates.map((one) => `agreed_rates[${all.indexOf(one)}] (${one.name})`);
  const { type, paymentType, state, currency, scale, settlementId } = kind;
  const values = present(type, paymentType, state, currency).join(', ');
  const row = `row ${rowId} of settlement ${settlementId} (${values})`;
  return misfit
    ? [
        `${keys.join('')} has more decimals in ${misfit} than ${row}, which has ${scale}.`,
        'Write the amount with fewer decimals.',
      ]
    : [
        `${enumerate(keys)} both apply to ${row}.`,
        'Change their dates or other keys, so only one applies to each row.',
      ];
}
