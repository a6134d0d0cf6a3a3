import type { Replacer } from '../base/json.ts';
import type { Money } from '../money/money.ts';
import type { Note } from './row.ts';

/** Charges have two implied decimal places in every currency, also in those without any (doc 2.1). */
export const chargeScale = 2;

/**
 * A charge (doc 2.2): a payment for an order. Amounts have two decimal places. Texts are kept as
 * they came; what the service left out is an empty text or list, or an absent amount, never a zero.
 * Nothing personal is in it, and nothing encrypted.
 */
export interface Charge {
  /** `charge_id`. */
  readonly id: string;
  /** One of doc 3.1, or whatever else the service says. */
  readonly status: string;
  readonly order: ChargeOrder;
  readonly summary: ChargeSummary;
  /** The last event that was applied to it. */
  readonly event: ChargeEvent;
  /** Why it failed, in words that customers may read (doc 7.3). */
  readonly errorMessage: string;
  readonly payments: readonly ChargePayment[];
  /** For diagnosis, and not for customers (doc 7.3). */
  readonly responses: readonly ProcessingResponse[];
}

/** The order that a charge was created for (doc 2.3). */
interface ChargeOrder {
  readonly id: string;
  /** Equals the accounting token of the settlements (doc 2.7). */
  readonly serviceId: string;
  /** The merchant's own reference. */
  readonly reference: string;
  /** The merchant's own keys and values. */
  readonly details: readonly Note[];
  readonly currency: string;
  readonly amount: Money | undefined;
}

/** The amounts of doc 2.5 that a charge always has, in its order, as the service names them. */
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

export type SummaryAmount = keyof typeof summaryAmounts;

/** Running totals (doc 2.5). */
export type ChargeSummary = Readonly<Record<SummaryAmount, Money | undefined>> & {
  readonly outOfBalance: readonly Money[];
  /** What stands among the out-of-balance amounts in a form that is no amount, as JSON. */
  readonly outOfBalanceOther: readonly string[];
};

export interface ChargeEvent {
  readonly number: number | undefined;
  /** For example `complete` or `refund`. */
  readonly action: string;
  readonly source: string;
  /** The status that it led to. */
  readonly status: string;
}

/** An attempt to pay (doc 2.4). */
export interface ChargePayment {
  readonly instrumentId: string;
  readonly instrumentType: string;
  readonly ledgerType: string;
  /** Whether the instrument was kept for reuse; absent where the service doesn't say. */
  readonly savedForLater: boolean | undefined;
  /** The merchant's own reference. */
  readonly instrumentReference: string;
}

/**
 * What a processor answered, under the service's own names and in the order of doc 2.2: it is for
 * those who talk with the service. An error is as it came, a text or JSON.
 */
export type ProcessingResponse = Readonly<Record<ResponseField, string>>;

type ResponseField =
  | 'psp_id'
  | 'type'
  | 'status_code'
  | 'authorization_id'
  | 'acquirer_response_code'
  | 'network_unique_id'
  | 'psp_error';

/** Where charges come from. The service's API is one source. */
export interface ChargeSource {
  /**
   * The charge of one id. Throws ReconError: `not_found` where the service knows none or refuses
   * it, `service` where an amount can't be read.
   */
  charge(id: string): Promise<Charge>;
  /** The charge of one id as it came: a JSON value from `parseExact`, with all that is personal in it. */
  chargeDocument(id: string): Promise<unknown>;
}

/** The people of a charge (doc 2.3, 2.4), and what describes them wherever it may stand. */
const personal: readonly string[] = ['customer', 'payer', 'entity_details'];

/**
 * For JSON text of a charge, or of a part of it: leaves out the encrypted payment details, which are
 * never shown (doc 2.4), and the people in it unless they are asked for. The rest stays as it came.
 */
export function withoutSecrets(withPersons: boolean): Replacer {
  // `instrument` holds nothing but encrypted details.
  const isEncrypted = (field: string) => field === 'instrument' || /encrypt/i.test(field);
  return (field, value) =>
    isEncrypted(field) || (!withPersons && personal.includes(field)) ? undefined : value;
}
