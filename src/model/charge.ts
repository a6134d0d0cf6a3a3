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
  readonly summary: ChargeSummary;
  readonly event: ChargeEvent;
  /** Why it failed, in words for customers (doc 7.3). */
  readonly errorMessage: string;
  readonly payments: readonly ChargePayment[];
  /** For diagnosis, not for customers (doc 7.3). */
  readonly responses: readonly ProcessingResponse[];
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

/** Running totals (doc 2.5). */
export type ChargeSummary = Readonly<Record<keyof typeof summaryAmounts, Money | undefined>> & {
  readonly outOfBalance: readonly Money[];
  /** Out-of-balance amounts that cannot be decoded, as JSON. */
  readonly outOfBalanceOther: readonly string[];
};

export interface ChargeEvent {
  readonly number: number | undefined;
  readonly action: string;
  readonly source: string;
  readonly status: string;
}

export interface ChargePayment {
  readonly instrumentId: string;
  readonly instrumentType: string;
  readonly ledgerType: string;
  readonly savedForLater: boolean | undefined;
  readonly instrumentReference: string;
}

/** The answer of a processor, with the names and in the order of doc 2.2. */
export type ProcessingResponse = Readonly<Record<ResponseField, string>>;

type ResponseField =
  | 'psp_id'
  | 'type'
  | 'status_code'
  | 'authorization_id'
  | 'acquirer_response_code'
  | 'network_unique_id'
  | 'psp_error';

export interface ChargeSource {
  /** Throws ReconError: `not_found` if unknown or denied, `service` for an unreadable amount. */
  charge(id: string): Promise<Charge>;
  /** The charge as received, with personal data: a JSON value from `parseExact`. */
  chargeDocument(id: string): Promise<unknown>;
}

/** Fields with personal data (doc 2.3, 2.4), wherever they are. */
const personal: readonly string[] = ['customer', 'payer', 'entity_details'];

/** A JSON replacer that removes encrypted details and, unless `keepPersons`, personal data. */
export function withoutSecrets(options: { readonly keepPersons?: boolean | undefined }): Replacer {
  // `instrument` has only encrypted details.
  const isEncrypted = (field: string) => field === 'instrument' || /encrypt/i.test(field);
  return (field, value) =>
    isEncrypted(field) || (!options.keepPersons && personal.includes(field)) ? undefined : value;
}
