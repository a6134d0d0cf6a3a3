import { wireCharge } from './charge-document.ts';
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
