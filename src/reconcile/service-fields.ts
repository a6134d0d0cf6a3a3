import type { Row } from '../model/row.ts';
import type { Settlement } from '../model/settlement.ts';

/** What the service calls the fields of a row (doc 2.8). */
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

/** What the service calls the fields of a header (doc 2.7). */
export const settlementFields: Readonly<Record<Exclude<keyof Settlement, 'id' | 'date'>, string>> =
  {
    timestamp: 'settlementDate',
    accountingToken: 'accountingToken',
    merchantId: 'merchantId',
    paymentService: 'paymentService',
    status: 'settlementStatus',
    currency: 'currencyCode',
    scale: 'decimalPlaces',
    gross: 'amountGross',
    fees: 'fees',
    tax: 'tax',
    payIn: 'amountPayIn',
    transactions: 'totalTransactions',
    paymentReferences: 'paymentReferences',
    paymentEndToEndIds: 'paymentEndToEndIds',
  };

/** The fields in which rows differ, as the service calls them. */
export function differingRowFields(rows: readonly Row[]): readonly string[] {
  return differing(rows, rowFields);
}

/** The fields in which headers differ, as the service calls them. */
export function differingSettlementFields(headers: readonly Settlement[]): readonly string[] {
  return differing(headers, settlementFields);
}

function differing(records: readonly object[], names: Readonly<Record<string, string>>) {
  const texts = records.map((record) => {
    const values = new Map<string, unknown>(Object.entries(record));
    return Object.keys(names).map((field) => text(values.get(field)));
  });
  return Object.values(names).filter(
    (_, index) => new Set(texts.map((values) => values[index])).size > 1,
  );
}

/** A field's whole content, amounts and lists included. */
function text(value: unknown): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
