import type { Replacer } from '../base/json.ts';
import type { Money } from '../money/money.ts';
import type { Note } from './row.ts';

/** Charges have two implied decimal places in every currency (doc 2.1). */
export const chargeScale = 2;

/** A payment for an order (doc 2.2), without personal data. Missing texts are empty. */
export interface Charge {
  readonly id: string;
  /** One of doc 3.1, or any other. */
  readonly status: string;
  /** The order of a charge (doc 2.3). */
  readonly order: {
    readonly id: string;
    /** Equals the accounting token of the settlements (doc 2.7). */
    readonly serviceId: string;
    /** The merchant's own reference; `details` are its own keys and values. */
    readonly reference: string;
    readonly details: readonly Note[];
    readonly currency: string;
    readonly amount: Money | undefined;
  };
  /** Running totals (doc 2.5). */
  readonly summary: Readonly<Record<keyof typeof summaryAmounts, Money | undefined>> & {
    readonly outOfBalance: readonly Money[];
    /** Out-of-balance amounts that cannot be decoded, as JSON. */
    readonly outOfBalanceOther: readonly string[];
  };
  readonly event: {
    readonly number: number | undefined;
    readonly action: string;
    readonly source: string;
    readonly status: string;
  };
  /** Why it failed, in words for customers (doc 7.3). */
  readonly errorMessage: string;
  readonly payments: readonly {
    readonly instrumentId: string;
    readonly instrumentType: string;
    readonly ledgerType: string;
    readonly savedForLater: boolean | undefined;
    readonly instrumentReference: string;
  }[];
  /** Answers of processors, for diagnosis, not for customers (doc 7.3). */
  readonly responses: readonly Readonly<Record<keyof typeof responseFields, string>>[];
}

/** The amounts of a charge in the order of doc 2.5, by the names that the service has for them. */
export const summaryAmounts = {
  originalOrderTotal: 'original_order_total',
  currentOrderTotal: 'current_order_total',
  completed: 'completed_amount',
  refunded: 'refunded_amount',
  settled: 'settled_amount',
  canceled: 'canceled_amount',
  disputed: 'disputed_amount',
  reconciled: 'reconciled_amount',
  reversed: 'reversed_amount',
} as const;

/** The shown fields of a processor's answer: the names of doc 2.2, each with its path. */
export const responseFields = {
  psp_id: 'psp_id',
  type: 'type',
  status_code: 'details.status_code',
  authorization_id: 'details.charge_responses.authorization_id',
  acquirer_response_code: 'details.charge_responses.acquirer_response_code',
  network_unique_id: 'details.charge_responses.network_unique_id',
  psp_error: 'psp_error',
} as const;

export interface ChargeSource {
  /** Throws ReconError: `not_found` if unknown or denied, `service` for an unreadable amount. */
  charge(id: string): Promise<Charge>;
  /** The charge as received, with personal data: a JSON value from `parseExact`. */
  chargeDocument(id: string): Promise<unknown>;
}

/** Fields with personal data (doc 2.3, 2.4), wherever they are. */
const personal: readonly string[] = ['customer', 'payer', 'entity_details'];

/** A JSON replacer that removes encrypted details and, unless `keepsPersons`, personal data. */
export function withoutSecrets(keepsPersons = false): Replacer {
  // `instrument` has only encrypted details.
  const isEncrypted = (field: string) => field === 'instrument' || /encrypt/i.test(field);
  return (field, value) =>
    isEncrypted(field) || (!keepsPersons && personal.includes(field)) ? undefined : value;
}
