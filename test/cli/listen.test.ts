import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { webhooksOf } from '../../src/sandbox/webhooks.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { noon, runRecon } from '../support/run-recon.ts';
import { post, startListener } from './listener.ts';
import { afterToken, startServer } from './server.ts';
import { startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const scenario = await loadScenario('charges');
const payloads = webhooksOf(scenario);
const settlementEvent = payloads[0] ?? {};
const settlementId = settlementEvent['settlement_id'];
const chargeId = (status: string) =>
  String(
    scenario.charges?.find((one) => (one['status'] as { status: string }).status === status)?.[
      'charge_id'
    ],
  );

/** The marks and events in a journal's folder. */
async function journalText(folder: string, suffix: 'events' | 'answered'): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(suffix));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.join('');
}

describe('an event', () => {
  it('of a settlement is answered by reading and reconciling it, whatever the payload says', async () => {
    const { env } = await startService('charges');
    const listener = await startListener({ env });
    const forged = { ...settlementEvent, settlement_status: { status: 'pending_settlement' } };
    expect(await listener.post(forged)).toBe(200);
    const [line] = await listener.until(1);
    expect(line).toMatchObject({
      event: 1,
      webhook: { kind: 'settlement', settlementId, status: 'pending_settlement' },
      answer: 'settlement',
      verdict: 'out_of_balance',
      settlement: { settlementId, serviceSays: 'balanced', sumsSay: 'out_of_balance' },
    });
  });

  it('of a charge is answered by reading it: its status decides whether it is approved', async () => {
    const { env } = await startService('charges');
    const listener = await startListener({ env });
    for (const status of ['completed', 'not_authorised', 'refunded']) {
      await listener.post({ charge_id: chargeId(status), status: { status: 'completed' } });
    }
    const lines = [...(await listener.until(3))].sort((one, other) => one.event - other.event);
    expect(lines.map(({ verdict, charge }) => [verdict, charge?.['approved']])).toEqual([
      ['success', true],
      ['failure', false],
      ['refunded', false],
    ]);
    expect(listener.out()).not.toContain('Carla');
  });

  it('of an unknown charge or settlement says so; what is not recognised is listed', async () => {
    const { env } = await startService('charges');
    const listener = await startListener({ env });
    const nobody = '00000000-0000-4000-8000-000000000000';
    await listener.post({ charge_id: nobody });
    await listener.post({ settlement_id: nobody, object_type: 'webhook.settlement' });
    await listener.post({ hello: 'world', email: 'somebody@example.com' });
    await listener.post({ charge_id: '../oauth/token' });
    const lines = [...(await listener.until(4))].sort((one, other) => one.event - other.event);
    expect(lines.map(({ answer, verdict }) => [answer, verdict])).toEqual([
      ['not_found', null],
      ['not_found', null],
      ['not_recognised', null],
      ['not_recognised', null],
    ]);
    expect(lines[2]?.webhook).toEqual({ kind: 'unknown', fields: ['hello', 'email'] });
    expect(listener.out()).not.toContain('somebody@');
  });

  it('is a line for people on a terminal', async () => {
    const service = await startService('charges');
    const env = { ...service.env, NO_COLOR: '1' };
    const listener = await startListener({ env, columns: 80, clock: new FakeClock(noon) });
    await listener.post({ charge_id: chargeId('completed') });
    await listener.untilOut(/\n/);
    expect(listener.out()).toBe(
      `2026-04-05T12:00:00.000Z #1 Charge ${chargeId('completed')} is completed: the payment is approved. Fulfil the order.\n`,
    );
  });

  it('that came before with the same id is acknowledged and not repeated, after a restart too', async () => {
    const service = await startService('charges');
    const first = await startListener({ env: service.env });
    const { journal, url } = first;
    const together = await Promise.all([1, 2, 3].map(() => first.post(settlementEvent)));
    expect(together).toEqual([200, 200, 200]);
    // A charge event has no id: each counts.
    await first.post({ charge_id: chargeId('completed') });
    await first.post({ charge_id: chargeId('completed') });
    await first.until(3);
    expect(await post(url, JSON.stringify(settlementEvent))).toBe(200);
    expect(await first.stop()).toBe(0);
    const second = await startListener({ env: service.env, journal });
    expect(await second.post(settlementEvent)).toBe(200);
    await second.post({ hello: 'world' });
    const lines = [...first.lines(), ...(await second.until(1))];
    expect(lines.map(({ webhook }) => webhook['kind']).sort()).toEqual([
      'charge',
      'charge',
      'settlement',
      'unknown',
    ]);
  });

  it('is answered together with others about the same, a line each', async () => {
    const service = await startService('charges', 'slow=20@charge');
    const listener = await startListener({ env: service.env });
    const body = { charge_id: chargeId('completed') };
    await Promise.all(Array.from({ length: 50 }, () => listener.post(body)));
    const lines = await listener.until(50);
    expect(new Set(lines.map(({ event }) => event)).size).toBe(50);
    expect(service.asked('charge').length).toBeLessThan(50);
  });
});

describe('an API that fails', () => {
  it('leaves an event in the journal, where it is tried again until it is answered', async () => {
    const service = await startService('charges', 'http-503=first:9@charge');
    const listener = await startListener({ env: service.env, clock: new FakeClock(noon) });
    await listener.post({ charge_id: chargeId('completed') });
    const [line] = await listener.until(1);
    expect(line?.verdict).toBe('success');
    expect(listener.err()).toMatch(/event #1 is not answered yet.*503/);
    expect(service.asked('charge')).toHaveLength(10);
  });

  it('keeps nothing else from being answered', async () => {
    const service = await startService('charges', 'wrapper-1010@headers');
    const listener = await startListener({ env: service.env });
    await listener.post(settlementEvent);
    await listener.untilSaid(/event #1 is not answered yet/);
    await listener.post({ charge_id: chargeId('completed') });
    expect((await listener.until(1))[0]?.event).toBe(2);
    expect(await listener.stop()).toBe(0);
    expect(listener.err()).toContain('Left in the journal for the next start: 1 event.');
  });

  it('is asked at the next start about what is left; the credentials may be mended then', async () => {
    const service = await startService('charges');
    const wrong = { ...service.env, RECON_CLIENT_SECRET: 'wrong' };
    const first = await startListener({ env: wrong });
    await first.post({ charge_id: chargeId('completed') });
    await first.untilSaid(/event #1 is not answered yet.*refuses the credentials/);
    expect(await first.stop()).toBe(0);
    const second = await startListener({ env: service.env, journal: first.journal });
    expect((await second.until(1))[0]).toMatchObject({ event: 1, verdict: 'success' });
    expect(second.err()).toContain('From the last time, still to be answered: 1 event.');
  });
});

describe('what is no webhook', () => {
  it.each(['', 'null', '[]', '"text"', '7', '{"half":', '{} {}', '\uFEFF'])(
    'gets 400 and nothing else: %j',
    async (body) => {
      const { env } = await startService('empty');
      const listener = await startListener({ env });
      expect(await listener.post(body)).toBe(400);
      await listener.post({});
      expect((await listener.until(1)).map(({ event }) => event)).toEqual([1]);
    },
  );

  it('gets 404 under another path, and the secret one is never said', async () => {
    const { env } = await startService('empty');
    const secret = join(await temporaryFolder(), 'path');
    await writeFile(secret, '/hook/9f2c7d51\n');
    const listener = await startListener({ env: { ...env, RECON_LISTEN_PATH_FILE: secret } });
    for (const path of ['/', '/hook', '/hook/', '/hook/9f2c7d5']) {
      expect(await post(listener.origin + path, '{}')).toBe(404);
    }
    expect(await post(`${listener.origin}/hook/9f2c7d51`, '{}')).toBe(200);
    await listener.until(1);
    expect(listener.err() + listener.out()).not.toContain('9f2c');
  });
});

it('listens on the loopback address unless told otherwise, and warns where others can reach it', async () => {
  const { env } = await startService('empty');
  const alone = await startListener({ env });
  expect([new URL(alone.url).hostname, alone.err().includes('secret --path')]).toEqual([
    '127.0.0.1',
    false,
  ]);
  const open = await startListener({ env, args: ['--host', '0.0.0.0'] });
  expect(open.err()).toContain('Others can reach this address, and webhooks are unsigned');
  const secret = await startListener({ env, args: ['--host', '0.0.0.0', '--path', '/hook/9f2c'] });
  expect(secret.err()).not.toContain('Others can reach');
});

it('takes its port for itself, and not for the sandbox that it asks', async () => {
  const { url } = await startServer(() => undefined);
  const journal = await temporaryFolder();
  const port = new URL(url).port;
  const { exitCode, stderr } = await runRecon(
    ['listen', '--sandbox', '--port', port, '--journal', journal],
    { columns: 80 },
  );
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`recon can't listen on port ${port} of 127.0.0.1: another program`);
});

describe('a journal that cannot be written', () => {
  it('is 503 for senders and for the health path, until it can be', async () => {
    const { env } = await startService('charges');
    const listener = await startListener({ env });
    const health = async () => (await fetch(`${listener.origin}/healthz`)).status;
    expect(await health()).toBe(200);
    // The next file of the journal can't be made: the first is filled, and the folder is gone.
    const padding = 'x'.repeat(200 * 1024);
    for (let sent = 0; sent < 21; sent += 1) await listener.post({ padding });
    await listener.until(21);
    await rm(listener.journal, { recursive: true });
    const refused = await fetch(listener.url, { method: 'POST', body: '{"n":1}' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await health()).toBe(503);
    await mkdir(listener.journal);
    expect(await health()).toBe(200);
    expect(await listener.post({ n: 2 })).toBe(200);
    await listener.until(22);
    expect(listener.err()).toContain('journal: ');
  });

  it('is for its owner alone, and for one process', async () => {
    const { env } = await startService('empty');
    const listener = await startListener({ env, journal: join(await temporaryFolder(), 'new') });
    await listener.post({ n: 1 });
    await listener.until(1);
    const modes = await Promise.all(
      // The lock says nothing but who has it.
      ['', ...(await readdir(listener.journal)).filter((name) => name !== '.lock')].map(
        async (name) => (await stat(join(listener.journal, name))).mode & 0o077,
      ),
    );
    expect(new Set(modes)).toEqual(new Set([0]));
    const flags = ['listen', '--port', '0', '--journal', listener.journal];
    const second = await runRecon(flags, { env });
    expect([second.exitCode, second.stdout]).toEqual([75, '']);
  });

  it('forgets the payloads of what is answered when it starts anew', async () => {
    const { env } = await startService('empty');
    const first = await startListener({ env });
    await first.post({ hello: 'world' });
    await first.until(1);
    await first.stop();
    const second = await startListener({ env, journal: first.journal });
    await second.stop();
    expect(await journalText(first.journal, 'events')).toBe('');
    expect(await journalText(first.journal, 'answered')).toBe('');
  });
});

describe('its end', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'is 0 on %s, with a reading under way',
    async (signal) => {
      const server = await startServer(afterToken(() => undefined));
      const listener = await startListener({ env: server.env });
      await listener.post(settlementEvent);
      expect(await listener.stop(signal)).toBe(0);
      expect(listener.err()).toContain('Left in the journal for the next start: 1 event.');
      expect(listener.out()).toBe('');
      expect(await readdir(listener.journal)).not.toContain('lock');
    },
  );

  it('is 2 where the port is taken, not given or none, and where the path is none', async () => {
    const { env } = await startService('empty');
    const { origin } = await startListener({ env });
    const journal = await temporaryFolder();
    for (const [args, said] of [
      [['--port', new URL(origin).port], '--port'],
      [[], '--port'],
      [['--port', '70000'], '65535'],
      [['--port', '0', '--path', 'hook'], '--path'],
      [['--port', '0', '--path', '/healthz'], '--path'],
    ] as const) {
      const run = await runRecon(['listen', ...args, '--journal', journal], { env });
      expect([args, run.exitCode]).toEqual([args, 2]);
      expect(run.stderr).toContain(said);
    }
  });

  it('is 2 before anything is taken where settings are missing', async () => {
    const run = await runRecon(['listen', '--port', '0', '--journal', await temporaryFolder()]);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('base_url');
  });
});
