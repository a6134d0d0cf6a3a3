import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { webhooksOf } from '../../src/sandbox/webhooks.ts';
import { startServer } from '../cli/server.ts';
import { call } from './caller.ts';

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
  it('are those of its settlements, with the fields of doc 6.2', async () => {
    const { settlements } = await loadScenario('charges');
    const events = payloads.filter((one) => kindOf(one) === 'settlement');
    expect(events.map((one) => one['settlement_id'])).toEqual(
      settlements.map(({ header }) => header['settlementId']),
    );
    expect(Object.keys(events[0] ?? {}).sort()).toEqual([
      'event',
      'id',
      'object_type',
      'settlement_date',
      'settlement_id',
      'settlement_status',
      'version',
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(settlements.length);
  });

  it('and of the charges whose status is notified by default (doc 3.1)', async () => {
    const { charges = [] } = await loadScenario('charges');
    const notified = new Set(
      payloads.filter((one) => kindOf(one) === 'charge').map((one) => one['charge_id']),
    );
    for (const charge of charges) {
      const { status } = charge['status'] as { status: string };
      const isDefault = ['completed', 'not_authorised', 'refunded'].includes(status);
      expect([status, notified.has(charge['charge_id'])]).toEqual([status, isDefault]);
    }
    expect(notified.size).toBeGreaterThan(2);
  });
});

describe('sending them', () => {
  it('posts each once, in order, as JSON', async () => {
    const { asked, receipts } = await sent([]);
    expect(asked.map(({ text }) => JSON.parse(text))).toEqual(payloads);
    expect(new Set(asked.map(({ method, path }) => `${method} ${path}`))).toEqual(
      new Set(['POST /hook']),
    );
    expect(asked[0]?.headers['content-type']).toBe('application/json');
    expect([...receipts]).toEqual([[200, payloads.length]]);
  });

  it('counts what was refused, and does not repeat it', async () => {
    const { asked, receipts } = await sent([], 503);
    expect([asked.length, [...receipts]]).toEqual([payloads.length, [[503, payloads.length]]]);
  });

  it('misbehaves on request', async () => {
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

  it('waits until somebody listens', async () => {
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
