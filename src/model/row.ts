/** A transaction of a settlement (doc 2.8). Minor units at `scale`; missing texts are empty. */
export interface Row {
  /** `transactionId`, never empty. */
  readonly id: string;
  readonly chargeId: string;
  readonly orderId: string;
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

/** A merchant's own key and value. Keys may occur more than once. */
export interface Note {
  readonly key: string;
  readonly value: string;
}

/** The service's names for the fields of a row (doc 2.8). */
export const rowFields: Readonly<Record<Exclude<keyof Row, 'id'>, string>> = {
  chargeId: 'chargeId',
  orderId: 'orderId',
  settlementId: 'settlementId',
  timestamp: 'timestamp',
  type: 'transactionType',
  paymentType: 'paymentType',
  state: 'state',
  currency: 'currencyCode',
  scale: 'decimalPlaces',
  amount: 'amount',
  fees: 'fees',
  tax: 'tax',
  notes: 'notes',
};
