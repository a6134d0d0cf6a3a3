import type { WireRecord } from './scenario.ts';

/** What matters of a charge. */
export interface ChargeFacts {
  readonly id: unknown;
  readonly orderId: unknown;
  /** The accounting token. */
  readonly serviceId: unknown;
  readonly status: string;
  readonly currency: unknown;
  /** Of the order, with two decimal places in every currency (doc 2.1). */
  readonly amount: number;
  readonly notes: unknown;
  /** Summary amounts that differ from an untouched order's. */
  readonly summary: WireRecord;
  /** The last event's action. */
  readonly action: string;
}

/** A charge as the service sends it (doc 2.2 to 2.5), with everything made up but these facts. */
export function wireCharge(facts: ChargeFacts): WireRecord {
  const { id, orderId, serviceId, status, currency, amount, notes, summary, action } = facts;
  return {
    charge_id: id,
    order: {
      order_id: orderId,
      service_id: serviceId,
      order_amount: { value: amount, currency: { currency_code: currency } },
      customer: person('Carla', 'Customer'),
      your_order_reference: `order of ${String(id).slice(0, 8)}`,
      order_line_items: [],
      your_order_details: notes,
    },
    payments: [
      {
        payment_instrument: {
          instrument_id: '5d0a6f0e-93b1-4f55-8c27-e1b4a9d27c10',
          instrument_type: 'card',
          instrument: { encrypted_data: 'ENCRYPTED-DATA', encrypted_info: 'ENCRYPTED-INFO' },
          payer: person('Pedro', 'Payer'),
          saved_for_later: false,
          your_instrument_reference: 'card on file 1',
        },
        ledger: { ledger_type: 'debit' },
      },
    ],
    session: { success_url: 'https://shop.example/thanks', failure_url: 'https://shop.example/oh' },
    status: { status },
    event: { event_number: 4, action, source: 'api', status },
    summary_amounts: {
      original_order_total: amount,
      current_order_total: amount,
      completed_amount: 0,
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
  };
}

function person(first: string, last: string): WireRecord {
  return {
    entity_id: 'b7e0a1c4-0d65-4a3e-9a0c-5f1d3c2b7a88',
    entity_type: 'person',
    entity_details: {
      name: { first, last },
      email: `${first}@example.com`.toLowerCase(),
      phone_number: { type: 'mobile', details: { unformatted_number: '+15550100' } },
    },
  };
}
