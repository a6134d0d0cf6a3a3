/**
 * A row: a transaction as it is listed under a settlement (doc 2.8). Amounts are minor units at
 * `scale`. Texts are kept as they came; what the service left out is an empty string or list.
 */
export interface Row {
  /** `transactionId`, never empty. */
  readonly id: string;
  readonly chargeId: string;
  readonly orderId: string;
  /** The settlement that the row itself says it belongs to. */
  readonly settlementId: string;
  readonly timestamp: string;
  readonly type: string;
  readonly paymentType: string;
  readonly state: string;
  readonly currency: string;
  /** `decimalPlaces`: 0 to 18. */
  readonly scale: number;
  readonly amount: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
  readonly notes: readonly Note[];
}

/** A merchant's own key and value. Keys may repeat. */
export interface Note {
  readonly key: string;
  readonly value: string;
}
