import type { Charge } from '../model/charge.ts';
import type { Settlement } from '../model/settlement.ts';

/**
 * A service id beside a charge that is another than the charge's own: its webhook says the same one,
 * and the accounting token of its settlement equals it (doc 2.3, 2.7).
 */
export interface ServiceIdDifference {
  readonly code: 'service_id_of_webhook' | 'service_id_of_settlement';
  /** The service id of the charge. */
  readonly charge: string;
  /** What its webhook says, or the accounting token of the settlement that it names too. */
  readonly other: string;
}

/** Where the service id of a charge differs. One that isn't there differs from nothing. */
export function serviceIdDifferences(
  { order: { serviceId: charge } }: Charge,
  saidByWebhook: string,
  settlements: readonly Settlement[],
): readonly ServiceIdDifference[] {
  const others = [
    { code: 'service_id_of_webhook', other: saidByWebhook } as const,
    ...settlements.map(
      ({ accountingToken }) =>
        ({ code: 'service_id_of_settlement', other: accountingToken }) as const,
    ),
  ];
  return others
    .filter(({ other }) => other !== '' && charge !== '')
    .filter(({ other }) => other.toLowerCase() !== charge.toLowerCase())
    .map((one) => ({ ...one, charge }));
}
