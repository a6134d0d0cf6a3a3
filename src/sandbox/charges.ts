import { isSameId } from './exchange.ts';
import type { Scenario, ScenarioSettlement, WireRecord } from './scenario.ts';

interface ListedRow {
  readonly row: WireRecord;
  readonly settlement: ScenarioSettlement;
}

/** Finds a charge of a scenario: one that is written down there, or the one that its rows call for. */
export function chargeFinder(scenario: Scenario): (id: string) => WireRecord | undefined {
  const { charges = [] } = scenario;
  return (id) =>
    charges.find((one) => isSameId(one['charge_id'], id)) ?? chargeOfRows(listedRows(scenario, id));
}

/** The rows of a charge, each transaction once. */
function listedRows({ settlements }: Scenario, chargeId: string): readonly ListedRow[] {
  const rows = settlements.flatMap((settlement) =>
    settlement.rows
      .filter((row) => isSameId(row['chargeId'], chargeId))
      .map((row) => [row['transactionId'], { row, settlement }] as const),
  );
  return [...new Map(rows).values()];
}

/** The charge that has just these rows; none where charges can't express their amounts. */
function chargeOfRows(rows: readonly ListedRow[]): WireRecord | undefined {
  const [first] = rows;
  const amounts = rows.map(({ row }) => withTwoDecimals(row));
  if (first === undefined || !amounts.every(Number.isSafeInteger)) return undefined;
  const sum = (isMeant: (type: unknown, amount: number) => boolean) =>
    rows.reduce((total, { row }, index) => {
      const amount = amounts[index] ?? 0;
      return isMeant(row['transactionType'], amount) ? total + amount : total;
    }, 0);
  const refunded = -sum((type, amount) => amount < 0 && type === 'refund');
  const disputed = -sum((type, amount) => amount < 0 && type !== 'refund');
  const amount = Math.max(
    sum((_, one) => one > 0),
    refunded,
    disputed,
  );
  const isWhole = refunded > 0 && refunded === amount;
  const status = isWhole ? 'refunded' : statusOf(first);
  const completed = status === 'not_authorised' || isWhole ? 0 : amount;
  const document = wireCharge({
    id: first.row['chargeId'],
    orderId: first.row['orderId'],
    serviceId: first.settlement.header['accountingToken'],
    status,
    currency: first.row['currencyCode'],
    amount,
    notes: first.row['notes'],
    action: refunded > 0 ? 'refund' : 'complete',
    summary: {
      current_order_total: amount - refunded,
      completed_amount: completed,
      refunded_amount: refunded,
      settled_amount: status === 'settled' || isWhole ? amount : 0,
      disputed_amount: disputed,
    },
  });
  return status === 'not_authorised'
    ? { ...document, error_message: 'The card was declined.' }
    : document;
}

/** Declined rows are of charges that were never made; settled ones show two days later (doc 3.1). */
function statusOf({ row, settlement }: ListedRow): string {
  if (row['state'] === 'declined') return 'not_authorised';
  return String(settlement.header['settlementStatus']).startsWith('settled')
    ? 'settled'
    : 'completed';
}

/** A row's amount as charges write it: two decimals (doc 2.1), or nothing where that isn't exact. */
function withTwoDecimals(row: WireRecord): number {
  const [amount, places] = [row['amount'], Number(row['decimalPlaces'])];
  if (typeof amount !== 'number') return Number.NaN;
  return places <= 2 ? amount * 10 ** (2 - places) : amount / 10 ** (places - 2);
}

/** What matters of a charge. */
interface ChargeFacts {
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
function wireCharge(facts: ChargeFacts): WireRecord {
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

/** A charge as it is written down in fixtures/; any other charge of a row follows from its rows. */
export interface FixtureCharge {
  readonly account?: string;
  readonly status: string;
  /** Of the order, with two decimal places in every currency (doc 2.1). */
  readonly amount: number;
  /** The last event's action; `complete` where left out. */
  readonly action?: string;
  /** Summary amounts; where left out, only the order's totals aren't 0. */
  readonly summary?: WireRecord;
  /** Fields of the charge that stand as written. */
  readonly fields?: WireRecord;
}

/** Writes a charge out as it is sent; `account` has the fields of its settlements' headers. */
export function expandCharge(
  { status, amount, action = 'complete', summary = {}, fields = {} }: FixtureCharge,
  account: WireRecord,
  ids: { readonly chargeId: string; readonly orderId: string; readonly notes: unknown },
): WireRecord {
  const document = wireCharge({
    id: ids.chargeId,
    orderId: ids.orderId,
    serviceId: account['accountingToken'],
    status,
    currency: account['currencyCode'],
    amount,
    notes: ids.notes,
    summary,
    action,
  });
  return { ...document, ...fields };
}
