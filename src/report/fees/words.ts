import type { AgreedPrice, AgreedRate } from '../../model/agreed-rates.ts';
import type { AgreementFault, FeeDifference } from '../../reconcile/agreed/check-fees.ts';
import { amountText, enumerate, grouped, present } from '../common/phrase.ts';
import { ruleWords } from '../explain/cause-words.ts';

/** The price that was agreed: `0.25 + 1.4 % of 300.00, at least 0.30, rounded down`. */
function priceText(price: AgreedPrice, { rounding }: AgreedRate, of: string): string {
  const { percent, percent_from: from, percent_to: to, fixed, minimum, maximum } = price;
  const part = percent ?? (from && `${from} % to ${to}`);
  return present(
    present(fixed, part && `${part} %${of}`).join(' + '),
    minimum && `at least ${minimum}`,
    maximum && `at most ${maximum}`,
    rounding && `rounded ${ruleWords[rounding]}`,
  ).join(', ');
}

/** How the agreed fee of a row comes about: `1.4 % of 300.00 = 4.20`; or the tax of a settlement. */
export function agreedFeeText(one: FeeDifference): string {
  const { amount, line, rate, price, agreedFee, agreedTax, ids } = one;
  const { scale } = line;
  const of = ` of ${grouped(amountText(amount < 0n ? -amount : amount, scale))}`;
  if (ids.id === '') return `tax of ${price.percent} %${of} = ${amountText(agreedTax, scale)}`;
  const sign = amount < 0n ? rate.sign : 'charged';
  const how =
    sign === 'none'
      ? 'no fee on negative amounts'
      : present(priceText(price, rate, of), sign === 'returned' && 'returned').join(', ');
  return `${how} = ${amountText(agreedFee, scale)}`;
}

/** Why the settings cannot be right. */
export function agreementFaultText(
  { rates, misfit, kind, rowId }: AgreementFault,
  all: readonly AgreedRate[],
): string {
  const keys = enumerate(rates.map((one) => `agreed_rates[${all.indexOf(one)}] (${one.name})`));
  const { type, paymentType, state, currency, scale, settlementId } = kind;
  const values = present(type, paymentType, state, currency).join(', ');
  const row = `row ${rowId} of settlement ${settlementId} (${values})`;
  return misfit
    ? `${keys} has more decimals in ${misfit} than ${row}, which has ${scale}.`
    : `${keys} apply to the same row: ${row}.`;
}
