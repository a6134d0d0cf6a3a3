import { uuid } from '../support/build.ts';

type Record = Readonly<{ [field: string]: unknown }>;

/** A settlement header as the service sends it (doc 2.7). */
export function rawHeader(overrides: Record = {}): Record {
  return {
    settlementId: uuid(1),
    paymentService: 'payments',
    merchantId: 'merchant-1',
    accountingToken: 'token-a',
    settlementStatus: 'settled',
    settlementDate: '2026-03-05T06:00:00Z',
    amountGross: 1000,
    fees: 30,
    tax: 6,
    currencyCode: 'EUR',
    amountPayIn: 964,
    decimalPlaces: 2,
    paymentEndToEndIds: ['E2E-1'],
    paymentReferences: ['PMT-1'],
    totalTransactions: 1,
    ...overrides,
  };
}

/** A row as the service sends it (doc 2.8). */
export function rawRow(overrides: Record = {}): Record {
  return {
    chargeId: uuid(2001),
    transactionId: uuid(1001),
    timestamp: '2026-03-04T12:00:00Z',
    transactionType: 'purchase',
    paymentType: 'card',
    amount: 1000,
    fees: 30,
    tax: 6,
    decimalPlaces: '2',
    currencyCode: 'EUR',
    state: 'approved',
    orderId: uuid(3001),
    notes: [],
    settlementId: uuid(1),
    ...overrides,
  };
}

/** A record after its way over the wire, with the raw JSON of one field put in (`undefined`: left out). */
export function onTheWire(record: Record, field: string, json: string | undefined): unknown {
  const { [field]: _, ...others } = record;
  const text = JSON.stringify(others);
  if (json === undefined) return JSON.parse(text);
  return JSON.parse(`${text.slice(0, -1)},${JSON.stringify(field)}:${json}}`);
}
