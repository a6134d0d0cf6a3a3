import { isSameId } from './exchange.ts';
import type { Scenario, ScenarioSettlement, WireRecord } from './scenarios.ts';

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
  const sums = { paid: 0, refunded: 0, disputed: 0 };
  for (const [index, { row }] of rows.entries()) {
    const one = amounts[index] ?? 0;
    if (one > 0) sums.paid += one;
    else sums[row['transactionType'] === 'refund' ? 'refunded' : 'disputed'] -= one;
  }
  const { paid, refunded, disputed } = sums;
  const amount = Math.max(paid, refunded, disputed);
  const isWhole = refunded > 0 && refunded === amount;
  const status = isWhole ? 'refunded' : statusOf(first);
  const completed = status === 'not_authorised' || isWhole ? 0 : amount;
  return expandCharge(
    {
      status,
      amount,
      action: refunded > 0 ? 'refund' : 'complete',
      summary: {
        current_order_total: amount - refunded,
        completed_amount: completed,
        refunded_amount: refunded,
        settled_amount: status === 'settled' || isWhole ? amount : 0,
        disputed_amount: disputed,
      },
      fields: status === 'not_authorised' ? { error_message: 'The card was declined.' } : {},
    },
    { ...first.row, accountingToken: first.settlement.header['accountingToken'] },
  );
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

/**
 * A charge as the service sends it (doc 2.2 to 2.5). Ids, notes, currency and accounting token are
 * those of the given record of the wire; what the fixture says nothing of is made up.
 */
export function expandCharge(
  { status, amount, action = 'complete', summary, fields }: FixtureCharge,
  { chargeId, orderId, accountingToken, currencyCode, notes }: WireRecord,
): WireRecord {
  return {
    charge_id: chargeId,
    order: {
      order_id: orderId,
      service_id: accountingToken,
      order_amount: { value: amount, currency: { currency_code: currencyCode } },
      customer: person('Carla', 'Customer'),
      your_order_reference: `order of ${String(chargeId).slice(0, 8)}`,
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
    ...fields,
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
