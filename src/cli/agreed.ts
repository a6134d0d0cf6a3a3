import { ReconError } from '../base/errors.ts';
import { settingTable } from '../config/table.ts';
import { type AgreementFault, FeeCheck } from '../reconcile/agreed/check-fees.ts';
import { agreementFaultText } from '../report/fees/rates.ts';
import type { Flags } from './flags.ts';
import type { Inputs } from './inputs.ts';

/** What was agreed on fees by the settings, or else by `otherwise`; undefined if no rates are. */
export function agreementOf({ settings }: Pick<Inputs, 'settings'>, otherwise = '[]') {
  const { agreed_rates, agreed_fees: fees, time_zone: timeZone } = settings.preferences;
  const given = { key: 'agreed_rates', text: otherwise, origin: 'default' } as const;
  const rates = agreed_rates.length > 0 ? agreed_rates : settingTable.agreed_rates.parse(given);
  if (rates.length === 0) return undefined;
  const faultOf = (fault: AgreementFault) => {
    const message = agreementFaultText(fault, rates);
    const hint = 'Correct agreed_rates: one rate applies to each transaction.';
    const where = settings.originOf('agreed_rates');
    return new ReconError('configuration', message, { where, hint });
  };
  return { agreement: { rates, fees, timeZone }, faultOf };
}

/** What was agreed by the settings, or else in the sandbox; undefined if no rates are. */
export async function agreementAt(inputs: Pick<Inputs, 'settings'>, flags: Flags) {
  const shop = flags.sandbox ? await import('../sandbox/shop.ts') : undefined;
  return agreementOf(inputs, shop?.sandboxAgreedRates);
}

/** What fees are compared with beside the settlements; undefined if no rates are agreed. Tiers need volumes. */
export function feeCheckOf(inputs: Pick<Inputs, 'settings' | 'judgement'>): FeeCheck | undefined {
  const agreed = agreementOf(inputs);
  return agreed && new FeeCheck({ ...agreed, rules: inputs.judgement.rules });
}
