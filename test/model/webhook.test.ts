import { describe, expect, it } from 'vitest';
import { recogniseWebhook } from '../../src/model/webhook.ts';

const id = '3f0c5a52-7f0e-4c6b-9d0e-2b8f6a1c9e77';

describe('a payload', () => {
  it('of a settlement is recognised as the document shows it (doc 6.2)', () => {
    const payload = {
      id: 'a2c5',
      settlement_id: id,
      settlement_date: '2026-03-04T04:30:00Z',
      settlement_status: { status: 'settled', timestamp: '2026-03-04T04:30:00Z' },
      object_type: 'webhook.settlement',
      version: '1',
      event: 'changed',
    };
    expect(recogniseWebhook(payload)).toEqual({
      kind: 'settlement',
      payloadId: 'a2c5',
      settlementId: id,
      status: 'settled',
      event: 'changed',
    });
  });

  it('of a charge is recognised by its charge_id (doc 6.1)', () => {
    expect(recogniseWebhook({ charge_id: id, service_id: 's', more: [1] })).toEqual({
      kind: 'charge',
      chargeId: id,
      serviceId: 's',
    });
  });

  it.each([
    ['without a type', { settlement_id: id }, 'settlement'],
    ['with a status that is a text', { settlement_id: id, settlement_status: 'x' }, 'settlement'],
    ['of a charge that names its settlement', { charge_id: id, settlement_id: id }, 'charge'],
    ['of a settlement that names a charge', type({ charge_id: id }), 'settlement'],
    ['with the charge one level down', { event: 'refund', charge: { charge_id: id } }, 'charge'],
    [
      'of the type of a settlement, without its id',
      { object_type: 'webhook.settlement' },
      'unknown',
    ],
    ['whose id is no text', { charge_id: 7 }, 'unknown'],
    ['whose id would lead elsewhere', { charge_id: '../v1/merchant' }, 'unknown'],
    ['whose id is endless', { settlement_id: 'x'.repeat(1000) }, 'unknown'],
    ['with ids in lists only', { charges: [{ charge_id: id }] }, 'unknown'],
    ['that is empty', {}, 'unknown'],
  ])('%s: %j is %s', (_, payload, kind) => {
    expect(recogniseWebhook(payload).kind).toBe(kind);
  });
});

function type(fields: object) {
  return { object_type: 'webhook.settlement', settlement_id: id, ...fields };
}
