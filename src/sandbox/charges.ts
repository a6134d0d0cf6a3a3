import madeUp from '../../fixtures/parts/charge.json' with { type: 'json' };
import { isSameId } from './exchange.ts';
import type { Scenario, WireRecord } from './scenario.ts';

/** Finds a charge: written in the scenario, or derived from its rows. */
export function chargeFinder(scenario: Scenario): (id: string) => WireRecord | undefined {
  const { charges = [], settlements } = scenario;
  const rowsOf = (id: string): readonly ListedRow[] => {
    const listed = settlements.flatMap(({ header, rows }) =>
      rows.filter((row) => isSameId(row['chargeId'], id)).map((row) => ({ row, header })),
    );
    return [...new Map(listed.map((one) => [one.row['transactionId'], one])).values()];
  };
  return (id) => charges.find((one) => isSameId(one['charge_id'], id)) ?? chargeOf(rowsOf(id));
}

interface ListedRow {
  readonly row: WireRecord;
  readonly header: WireRecord;
}

/** The charge of these rows; undefined if charges cannot express the amounts. */
function chargeOf(rows: readonly ListedRow[]): WireRecord | undefined {
  const [first] = rows;
  const sums = { paid: 0, refunded: 0, disputed: 0 };
  for (const { row } of rows) {
    const amount = withTwoDecimals(row);
    if (!Number.isSafeInteger(amount)) return undefined;
    if (amount > 0) sums.paid += amount;
    else sums[row['transactionType'] === 'refund' ? 'refunded' : 'disputed'] -= amount;
  }
  if (first === undefined) return undefined;
  const { paid, refunded, disputed } = sums;
  const amount = Math.max(paid, refunded, disputed);
  const isWhole = refunded > 0 && refunded === amount;
  const status = isWhole ? 'refunded' : statusOf(first);
  const isDeclined = status === 'not_authorised';
  return expandCharge(
    {
      status,
      amount,
      action: refunded > 0 ? 'refund' : 'complete',
      summary: {
        current_order_total: amount - refunded,
        completed_amount: isDeclined || isWhole ? 0 : amount,
        refunded_amount: refunded,
        settled_amount: status === 'settled' || isWhole ? amount : 0,
        disputed_amount: disputed,
      },
      fields: isDeclined ? { error_message: 'The card was declined.' } : {},
    },
    { ...first.row, accountingToken: first.header['accountingToken'] },
  );
}

/** Declined rows have no charge; settled ones show two days later (doc 3.1). */
function statusOf({ row, header }: ListedRow): string {
  if (row['state'] === 'declined') return 'not_authorised';
  return String(header['settlementStatus']).startsWith('settled') ? 'settled' : 'completed';
}

/** Charges have two decimals (doc 2.1); not a number if inexact. */
function withTwoDecimals(row: WireRecord): number {
  const [amount, places] = [row['amount'], Number(row['decimalPlaces'])];
  if (typeof amount !== 'number') return Number.NaN;
  return places <= 2 ? amount * 10 ** (2 - places) : amount / 10 ** (places - 2);
}

export interface FixtureCharge {
  readonly account?: string;
  readonly status: string;
  /** With two decimals in every currency (doc 2.1). */
  readonly amount: number;
  readonly action?: string;
  /** Default: 0, but for the totals of the order. */
  readonly summary?: WireRecord;
  readonly fields?: WireRecord;
}

/** A charge on the wire (doc 2.2 to 2.5); what the fixture leaves out is made up. */
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
      customer: madeUp.customer,
      your_order_reference: `order of ${String(chargeId).slice(0, 8)}`,
      order_line_items: [],
      your_order_details: notes,
    },
    payments: madeUp.payments,
    session: madeUp.session,
    status: { status },
    event: { event_number: 4, action, source: 'api', status },
    summary_amounts: {
      original_order_total: amount,
      current_order_total: amount,
      ...madeUp.summary_amounts,
      ...summary,
    },
    psp_responses: madeUp.psp_responses,
    ...fields,
  };
}
