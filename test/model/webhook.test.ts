import { describe, expect, it } from 'vitest';
import { isId, readWebhook } from '../../src/model/webhook.ts';

const id = '3f0c5a52-7f0e-4c6b-9d0e-2b8f6a1c9e77';
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const named = (payload: object) =>
  readWebhook({ ...payload }).hints.map((hint) => `${hint.kind} ${hint.id}`);

const settlementWebhook = {
  id: 'a2c5',
  settlement_id: id,
  settlement_date: '2026-03-04T04:30:00Z',
  settlement_status: { status: 'settled', timestamp: '2026-03-04T04:31:00Z' },
  object_type: 'webhook.settlement',
  version: '1',
  event: 'changed',
};

describe('a payload', () => {
  it('of a settlement is read with all fields of the document (doc 6.2)', () => {
    expect(readWebhook(settlementWebhook).hints).toEqual([
      {
        kind: 'settlement',
        id,
        said: {
          payloadId: 'a2c5',
          settlementDate: '2026-03-04T04:30:00Z',
          status: 'settled',
          statusTimestamp: '2026-03-04T04:31:00Z',
          objectType: 'webhook.settlement',
          version: '1',
          event: 'changed',
          serviceId: '',
        },
      },
    ]);
  });

  it('of a charge is read with its charge_id and service_id (doc 6.1)', () => {
    const [hint] = readWebhook({ charge_id: id, service_id: 's', more: [1] }).hints;
    expect(hint).toMatchObject({ kind: 'charge', id, said: { serviceId: 's', status: '' } });
  });

  it.each([
    ['without a type', { settlement_id: id }, [`settlement ${id}`]],
    ['with both', { charge_id: id, settlement_id: id }, [`charge ${id}`, `settlement ${id}`]],
    [
      'that names one twice',
      { charge_id: id, last: { chargeId: id.toUpperCase() } },
      [`charge ${id}`],
    ],
    ['with the id deeper', { refund: { detail: { charge_id: id } } }, [`charge ${id}`]],
    ['with ids in a list', { charges: [{ charge_id: id }] }, [`charge ${id}`]],
    [
      'with a list of ids',
      { charge_id: [uuid(1), [uuid(2)]] },
      [`charge ${uuid(1)}`, `charge ${uuid(2)}`],
    ],
    [
      'with the outer ones first',
      { a: { charge_id: uuid(1) }, charge_id: uuid(2) },
      [`charge ${uuid(2)}`, `charge ${uuid(1)}`],
    ],
    ['whose id is no text', { charge_id: 7 }, ['charge 7']],
    [
      'without an id',
      { object_type: 'webhook.settlement', charge_id: null, settlement_id: '' },
      [],
    ],
    ['that is empty', {}, []],
  ])('%s: %j names %j', (_, payload, wanted) => {
    expect(named(payload)).toEqual(wanted);
  });

  it('gives each id the fields beside it, or else around it', () => {
    const { hints } = readWebhook({
      event: 'refund',
      service_id: 'outer',
      charges: [{ charge_id: uuid(1), service_id: 'inner' }, { charge_id: uuid(2) }],
    });
    expect(hints.map(({ said }) => [said.serviceId, said.event])).toEqual([
      ['inner', 'refund'],
      ['outer', 'refund'],
    ]);
  });

  it('names at most twenty ids, and says if more exist', () => {
    const list = (length: number) => Array.from({ length }, (_, n) => ({ charge_id: uuid(n) }));
    const of = (length: number) => readWebhook({ list: list(length) });
    expect([of(20).hints.length, of(20).namesMore]).toEqual([20, false]);
    expect([of(21).hints.length, of(21).namesMore]).toEqual([20, true]);
  });

  it('may have long texts, which are cut', () => {
    const long = 'x'.repeat(1000);
    const { hints, fields } = readWebhook({ [long]: 1, id: long, charge_id: long });
    for (const text of [fields[0], hints[0]?.id, hints[0]?.said.payloadId]) {
      expect(text).toBe(`${'x'.repeat(100)}…`);
    }
  });

  it('may be as deep as a body allows', () => {
    const depth = 100_000;
    const text = `{"a":${'['.repeat(depth)}{"charge_id":"${id}"}${']'.repeat(depth)}}`;
    expect(named(JSON.parse(text))).toEqual([`charge ${id}`]);
  });
});

it.each([
  [id, true],
  [id.toUpperCase(), true],
  ['../v1/merchant', false],
  [`${id}0`, false],
  ['7', false],
])('%s can be an id: %s', (text, wanted) => {
  const [hint] = readWebhook({ charge_id: text }).hints;
  expect(hint && isId(hint)).toBe(wanted);
});

describe('the identity of a payload', () => {
  const { identity } = readWebhook(settlementWebhook);

  it('is the same each time it is sent', () => {
    const { id: payloadId, ...others } = settlementWebhook;
    const again = { ...others, id: payloadId, undocumented: 1 };
    expect(identity).not.toBe('');
    expect(readWebhook(again).identity).toBe(identity);
  });

  it.each([
    ['settlement', { settlement_id: uuid(2) }],
    ['status', { settlement_status: { status: 'pending_settlement' } }],
    ['id', { id: 'b3d6' }],
  ])('is another with another %s', (_, changed) => {
    expect(readWebhook({ ...settlementWebhook, ...changed }).identity).not.toBe(identity);
  });

  it.each([
    { settlement_id: id },
    { id: 'a2c5', charge_id: id },
    { ...settlementWebhook, charge_id: id },
    { id: 'a2c5' },
    { id: 'a2c5', settlement_id: Array.from({ length: 21 }, (_, at) => uuid(at)) },
  ])('of %j is not known', (payload) => {
    expect(readWebhook(payload).identity).toBe('');
  });
});
