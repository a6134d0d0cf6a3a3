import { ReconError } from '../base/errors.ts';
import { decimalsFault, parseAgreedRates } from '../config/agreed-rates.ts';
import type { Agreement } from '../model/agreed-rates.ts';
import type { AgreementFault } from '../reconcile/agreed/check-fees.ts';
import { agreementFaultText } from '../report/fees/words.ts';
import type { Asked } from './asked.ts';

/** What was agreed on fees by the settings; undefined if no rates are. Throws ReconError. */
export function agreementOf({ settings }: Pick<Asked, 'settings'>, otherwise = '[]') {
  const { agreed_rates, agreed_fees: fees, time_zone, expected_scales } = settings.preferences;
  const given = { key: 'agreed_rates', text: otherwise, origin: 'default' } as const;
  const rates = agreed_rates.length > 0 ? agreed_rates : parseAgreedRates(given);
  if (rates.length === 0) return undefined;
  const refused = (message: string, hint: string) =>
    new ReconError('configuration', message, { where: settings.originOf('agreed_rates'), hint });
  const decimals = decimalsFault(rates, fees, expected_scales);
  if (decimals) {
    const message = `${decimals.key} has more decimals than ${decimals.currency} has.`;
    throw refused(message, 'Write the amount with fewer decimals.');
  }
  const agreement: Agreement = { rates, fees, timeZone: time_zone };
  const faultOf = (fault: AgreementFault) => refused(...agreementFaultText(fault, rates));
  return { agreement, faultOf };
}
