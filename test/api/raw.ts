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

/** A charge as the service sends it (doc 2.2 to 2.5). */
export function rawCharge(overrides: Record = {}, summary: Record = {}): Record {
  return {
    charge_id: uuid(2001),
    order: {
      order_id: uuid(3001),
      service_id: 'token-a',
      order_amount: { value: 1000, currency: { currency_code: 'EUR' } },
      customer: { entity_type: 'person', entity_details: { email: 'carla@example.com' } },
      your_order_reference: 'my order',
      your_order_details: [{ key: 'merchant_order_ref', value: 'ORD-1' }],
    },
    payments: [
      {
        payment_instrument: {
          instrument_id: uuid(4001),
          instrument_type: 'card',
          instrument: { encrypted_data: 'xxx', encrypted_info: 'yyy' },
          payer: { entity_type: 'person', entity_details: { email: 'pedro@example.com' } },
          saved_for_later: true,
          your_instrument_reference: 'my card',
        },
        ledger: { ledger_type: 'debit' },
      },
    ],
    status: { status: 'completed' },
    event: { event_number: 4, action: 'complete', source: 'api', status: 'completed' },
    summary_amounts: {
      original_order_total: 1000,
      current_order_total: 1000,
      completed_amount: 1000,
      refunded_amount: 0,
      settled_amount: 0,
      canceled_amount: 0,
      disputed_amount: 0,
      reconciled_amount: 0,
      reversed_amount: 0,
      out_of_balance_amounts: [],
      ...summary,
    },
    psp_responses: [
      {
        psp_id: 'psp-1',
        type: 'authorisation',
        details: {
          status_code: '200',
          charge_responses: {
            authorization_id: 'AUTH-1',
            acquirer_response_code: '00',
            network_unique_id: 'NET-1',
          },
        },
      },
    ],
    ...overrides,
  };
}
