import { createHash } from 'node:crypto';
import { chargeFinder } from './charges.ts';
import { record } from './exchange.ts';
import { uuidOf } from './fixture.ts';
import type { Scenario, WireRecord } from './scenario.ts';

/** The statuses with a webhook by default (doc 3.1). */
const notifiedByDefault =
  /^(created|completed|cancelled|refunded|not_(created|validated|authorised|completed))$/;

/** The webhooks of a scenario: of settlements, then of charges. */
export function webhooksOf(scenario: Scenario): readonly WireRecord[] {
  const { settlements, charges = [] } = scenario;
  const find = chargeFinder(scenario);
  const chargeIds = new Set([
    ...charges.map((charge) => charge['charge_id']),
    ...settlements.flatMap(({ rows }) => rows.map((row) => row['chargeId'])),
  ]);
  const notified = [...chargeIds]
    .map((id) => find(String(id)))
    .filter((charge) => charge !== undefined)
    .filter((charge) => notifiedByDefault.test(String(record(charge['status'])?.['status'])));
  return [
    // Doc 6.2; the default statuses are not documented.
    ...settlements.map(({ header: { settlementId, settlementDate, settlementStatus } }) => ({
      id: payloadId(`${settlementId} ${settlementStatus}`),
      settlement_id: settlementId,
      settlement_date: settlementDate,
      settlement_status: { status: settlementStatus, timestamp: settlementDate },
      object_type: 'webhook.settlement',
      version: '1',
      event: 'settlement_status_changed',
    })),
    // Doc 6.1 shows two fields.
    ...notified.map((charge) => ({
      charge_id: charge['charge_id'],
      service_id: record(charge['order'])?.['service_id'],
    })),
  ];
}

function payloadId(name: string): string {
  return uuidOf(createHash('sha256').update(name).digest('hex'), '4', '8');
}
