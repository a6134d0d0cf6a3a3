import type { FeeDrift } from '../../reconcile/fee-drift.ts';
import { digitsOf, firstOf, grouped, moneyText, signedDigitsOf } from './phrase.ts';

/** The payment type and the currency, `card (EUR)`, of which a fee rate is. */
export function paymentTypeText({
  paymentType,
  currency,
}: Pick<FeeDrift, 'paymentType' | 'currency'>): string {
  return `${paymentType || 'no payment type'} (${currency})`;
}

/** How a fee rate has changed, and what that comes to. Without a full stop, so that it fits in a list. */
export function feeDriftText({ earlier, now, change, ...drift }: FeeDrift): string {
  const { atEarlierRate, difference, examples } = drift;
  const [verb, sign] = change.startsWith('-') ? ['fell', ''] : ['rose', '+'];
  const named = firstOf(
    examples.map(
      (one) =>
        `${one.transactionId} (${grouped(digitsOf(one.fees))} on ${grouped(digitsOf(one.amount))})`,
    ),
  );
  return (
    `fees ${verb} from ${earlier.feesPercent} % to ${now.feesPercent} % of gross ` +
    `(${sign}${change} percentage points): ${moneyText(now.fees)}, at the earlier rate ` +
    `${moneyText(atEarlierRate)} (difference ${grouped(signedDigitsOf(difference))}, rounded)` +
    (named && `; largest examples: ${named}`)
  );
}
