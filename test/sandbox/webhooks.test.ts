import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { webhooksOf } from '../../src/sandbox/webhooks.ts';
import { startServer } from '../cli/server.ts';
import { scenarioOf } from '../cli/service.ts';
import { at, call } from './caller.ts';

const payloads = webhooksOf(await loadScenario('charges'));
const kindOf = (payload: Readonly<Record<string, unknown>>) =>
  payload['object_type'] === 'webhook.settlement' ? 'settlement' : 'charge';

/** What a sandbox with these faults sends to a receiver that answers with `status`. */
async function sent(faults: readonly string[], status = 200) {
  const receiver = await startServer(() => ({ status, body: 'ok' }));
  const { sandbox } = await call('charges', ...faults);
  const receipts = await sandbox.notify(`${receiver.url}/hook`, new AbortController().signal);
  return { receipts, asked: receiver.asked };
}

describe('the webhooks of a scenario', () => {
  it('are for its settlements, with the fields of doc 6.2', async () => {
    const { settlements } = await loadScenario('pending');
    const events = webhooksOf(await loadScenario('pending')).filter(
      (one) => kindOf(one) === 'settlement',
    );
    expect(events).toEqual(
      settlements.map(({ header }) => ({
        id: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
        settlement_id: header['settlementId'],
        settlement_date: header['settlementDate'],
        settlement_status: {
          status: header['settlementStatus'],
          timestamp: header['settlementDate'],
        },
        object_type: 'webhook.settlement',
        version: expect.any(String),
        event: expect.any(String),
      })),
    );
  });

  it('have one id for each settlement and status', () => {
    const statuses = ['pending_settlement', 'validated', 'settled', 'settled_out_of_balance'];
    const header = { settlementId: '5d0a6f0e-93b1-4f55-8c27-e1b4a9d27c10' };
    const idsAt = (status: string) =>
      webhooksOf(scenarioOf([{ date: '2026-03-04', status, header, rows: [] }])).map(
        ({ id }) => id,
      );
    expect(new Set(statuses.flatMap(idsAt)).size).toBe(4);
    expect(idsAt('settled')).toEqual(idsAt('settled'));
  });

  it('are for the charges with a status notified by default (doc 3.1), with both ids (doc 6.1)', () => {
    const silent =
      'pending_validation validated pending_authorisation authorised pending_completion';
    const told =
      'created completed not_created not_validated not_authorised not_completed cancelled';
    const statuses = `${told} refunded ${silent} settled settled_out_of_balance under_review`;
    const scenario = scenarioOf([], {
      charges: Object.fromEntries(
        statuses.split(' ').map((status) => [status, { status, amount: 1000 }]),
      ),
    });
    const wanted = (scenario.charges ?? []).filter((charge) =>
      `${told} refunded`.split(' ').includes(String(at(charge, 'status', 'status'))),
    );
    expect(wanted).toHaveLength(8);
    expect(webhooksOf(scenario)).toEqual(
      wanted.map((charge) => ({
        charge_id: charge['charge_id'],
        service_id: at(charge, 'order', 'service_id'),
      })),
    );
  });
});

describe('sending webhooks', () => {
  it('posts each once, in order, as JSON', async () => {
    const { asked, receipts } = await sent([]);
    expect(asked.map(({ text }) => JSON.parse(text))).toEqual(payloads);
    expect(new Set(asked.map(({ method, path }) => `${method} ${path}`))).toEqual(
      new Set(['POST /hook']),
    );
    expect(asked[0]?.headers['content-type']).toBe('application/json');
    expect([...receipts]).toEqual([[200, payloads.length]]);
  });

  it('counts refused webhooks and does not repeat them', async () => {
    const { asked, receipts } = await sent([], 503);
    expect([asked.length, [...receipts]]).toEqual([payloads.length, [[503, payloads.length]]]);
  });

  it('has faults on request', async () => {
    const { asked } = await sent([
      'webhook-twice=on:1',
      'webhook-malformed=on:2',
      'webhook-unknown=on:3',
    ]);
    expect(asked).toHaveLength(payloads.length + 3);
    const parsed = asked.map(({ text }) => {
      try {
        return JSON.parse(text) as { object_type?: string };
      } catch {
        return undefined;
      }
    });
    expect(parsed.filter((one) => one === undefined)).toHaveLength(1);
    expect(parsed.filter((one) => one?.object_type === 'webhook.unknown')).toHaveLength(1);
  });

  it('hides ids deeper, in lists and behind forged webhooks on request', async () => {
    // Three forged ones come before the second, which makes the third one the sixth.
    const { asked } = await sent(['webhook-deep=on:1', 'webhook-list=on:6', 'webhook-forged=on:2']);
    const [first, second, third, ...others] = payloads;
    const received = asked.map(({ text }) => JSON.parse(text) as unknown);
    expect(received[0]).toEqual({ type: 'refund', refund: { detail: [first] } });
    expect(received.slice(1, 4)).not.toContainEqual(second);
    expect(received.slice(4)).toEqual([second, ...others, { list: [third] }]);
  });

  it('waits until a server listens', async () => {
    const { sandbox, clock } = await call('charges');
    const stop = new AbortController();
    const sleep = clock.sleep.bind(clock);
    clock.sleep = async (ms, signal) => {
      await sleep(ms, signal);
      if (clock.slept.length === 3) stop.abort();
    };
    // Nobody listens at the port of a closed server.
    const { sandbox: closed } = await call('empty');
    await closed.close();
    await expect(sandbox.notify(closed.baseUrl, stop.signal)).rejects.toThrow();
    expect(clock.slept).toEqual([1000, 1000, 1000]);
  });
});
