import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { webhooksOf } from '../../src/sandbox/webhooks.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { noon, runRecon } from '../support/run-recon.ts';
import { post, startListener } from './listener.ts';
import { mountSmallDisk } from './mounts.ts';
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

/** The text of a file in a journal's folder that is to hold one file. */
async function onlyFile(folder: string): Promise<string> {
  const [name = '', ...others] = (await readdir(folder)).filter((one) => one.endsWith('.json'));
  expect(others).toEqual([]);
  return readFile(join(folder, name), 'utf8');
}

const nobody = '00000000-0000-4000-8000-000000000000';

describe('a webhook', () => {
  it('of a settlement is answered by reading and reconciling it, whatever the payload has', async () => {
    const { env } = await startService('charges');
    const listener = await startListener({ env });
    const forged = { ...settlementEvent, settlement_status: { status: 'pending_settlement' } };
    expect(await listener.post(forged)).toBe(200);
    const [line] = await listener.until(1);
    expect(line).toMatchObject({
      event: expect.stringMatching(/^\d{8}T\d{6}\.\d{3}Z-id-[0-9a-f]{32}$/),
      webhook: {
        kind: 'settlement',
        settlement: { id: settlementId },
        status: 'pending_settlement',
      },
      answer: 'settlement',
      verdict: 'out_of_balance',
      settlement: { id: settlementId, serviceSays: 'balanced', sumsSay: 'out_of_balance' },
    });
  });

  it('of a charge is answered by reading it, and its status decides whether it is approved', async () => {
    const { env } = await startService('charges');
    const listener = await startListener({ env });
    for (const status of ['completed', 'not_authorised', 'refunded']) {
      await listener.post({ charge_id: chargeId(status), status: { status: 'completed' } });
    }
    const lines = await listener.until(3);
    expect(lines.map(({ verdict, charge }) => [verdict, charge?.['approved']]).sort()).toEqual([
      ['failure', false],
      ['refunded', false],
      ['success', true],
    ]);
    expect(listener.out()).not.toContain('Carla');
  });

  it('of an unknown charge or settlement is reported as such', async () => {
    const { env } = await startService('charges');
    const listener = await startListener({ env });
    await listener.post({ charge_id: nobody });
    await listener.post({ settlement_id: nobody, object_type: 'webhook.settlement' });
    const lines = await listener.until(2);
    expect(lines.map(({ answer, verdict, setAside }) => [answer, verdict, setAside])).toEqual([
      ['not_found', null, null],
      ['not_found', null, null],
    ]);
  });

  it('is answered for each of its ids, at any place in the payload', async () => {
    const { sandbox, env } = await startService(
      'charges',
      'webhook-deep=first:2',
      'webhook-list=every:3',
    );
    const listener = await startListener({ env });
    const statuses = await sandbox.notify(listener.url, new AbortController().signal);
    expect([...statuses.keys()]).toEqual([200]);
    const lines = await listener.until(payloads.length);
    const named = lines.map(({ webhook }) => webhook.settlement?.id ?? webhook.chargeId ?? '');
    expect([...named].sort()).toEqual(
      payloads.map((payload) => payload['settlement_id'] ?? payload['charge_id']).sort(),
    );
    expect(new Set(lines.map(({ answer }) => answer))).toEqual(new Set(['settlement', 'charge']));
    expect(await readdir(join(listener.journal, 'set-aside'))).toEqual([]);
  });

  it('has all fields that the document names for a settlement (doc 6.2)', async () => {
    const { env } = await startService('charges');
    const listener = await startListener({ env });
    await listener.post(settlementEvent);
    const status = settlementEvent['settlement_status'] as Record<string, string>;
    expect((await listener.until(1))[0]?.webhook).toEqual({
      kind: 'settlement',
      settlement: { id: settlementId },
      payloadId: settlementEvent['id'],
      settlementDate: settlementEvent['settlement_date'],
      status: status['status'],
      statusTimestamp: status['timestamp'],
      objectType: 'webhook.settlement',
      version: settlementEvent['version'],
      event: settlementEvent['event'],
      serviceId: '',
    });
  });

  it('is reported if the service_id of a charge differs from that of its webhook or settlement', async () => {
    const token = '6b1f0c52-0d3e-4f8a-8c35-9e7d20a4b601';
    const settlements = scenario.settlements.map((one) => ({
      ...one,
      header: { ...one.header, accountingToken: token },
    }));
    const { env } = await startService({ ...scenario, settlements });
    const listener = await startListener({ env });
    const id = chargeId('completed');
    await listener.post({ charge_id: id, service_id: nobody, settlement_id: settlementId });
    const lines = await listener.until(2);
    const own = lines.find(({ charge }) => charge)?.charge?.['accountingToken'];
    expect(lines.flatMap(({ differences }) => differences)).toEqual([
      { code: 'service_id_of_webhook', charge: own, other: nobody },
      { code: 'service_id_of_settlement', charge: own, other: token },
    ]);
    const screen = await startListener({ env: { ...env, NO_COLOR: '1' }, columns: 80 });
    await screen.post({ charge_id: id, service_id: nobody });
    await screen.untilOut(/\n/);
    expect(screen.out()).toContain(
      `The service_id of the charge is ${own}; the webhook says ${nobody}.`,
    );
  });

  it('is shown as a line on a terminal', async () => {
    const service = await startService('charges');
    const env = { ...service.env, NO_COLOR: '1' };
    const listener = await startListener({ env, columns: 80, clock: new FakeClock(noon) });
    await listener.post({ charge_id: chargeId('completed') });
    await listener.untilOut(/\n/);
    expect(listener.out()).toBe(
      `2026-04-05T12:00:00.000Z Charge ${chargeId('completed')} is completed: the payment is approved. Fulfil the order.\n`,
    );
  });

  it('with an id that was received before is acknowledged and not repeated, also after a restart', async () => {
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

  it('is answered together with others about the same object, with a line each', async () => {
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
    expect(listener.err()).toMatch(/event \S+ is not answered yet.*503/);
    expect(service.asked('charge')).toHaveLength(10);
  });

  it('does not delay other events', async () => {
    const service = await startService('charges', 'wrapper-1010@headers');
    const listener = await startListener({ env: service.env });
    await listener.post(settlementEvent);
    await listener.untilSaid(/event \S+ is not answered yet/);
    await listener.post({ charge_id: chargeId('completed') });
    expect((await listener.until(1))[0]?.webhook['kind']).toBe('charge');
    expect(await listener.stop()).toBe(0);
    expect(listener.err()).toContain('Left for the next start: 1 event.');
  });

  it('is asked after a restart about what is left, with corrected credentials', async () => {
    const service = await startService('charges');
    const wrong = { ...service.env, RECON_CLIENT_SECRET: 'wrong' };
    const first = await startListener({ env: wrong });
    await first.post({ charge_id: chargeId('completed') });
    await first.untilSaid(/event \S+ is not answered yet.*rejects the credentials/);
    expect(await first.stop()).toBe(0);
    const second = await startListener({ env: service.env, journal: first.journal });
    expect((await second.until(1))[0]).toMatchObject({ verdict: 'success' });
    expect(second.err()).toContain('Still to be answered from the last run: 1 event.');
  });
});

describe('an event that cannot be answered', () => {
  it('because it has no id is kept in full, and its place is named', async () => {
    const { env } = await startService('charges');
    const listener = await startListener({ env });
    const body = '{"hello": "world",\n "amount": 1.10, "email": "somebody@example.com"}';
    await listener.post(body);
    const [line] = await listener.until(1);
    expect(line).toMatchObject({
      webhook: { kind: 'unknown', fields: ['hello', 'amount', 'email'] },
      answer: 'not_recognised',
      verdict: null,
    });
    const { path = '', reason = '' } = line?.setAside ?? {};
    await listener.untilSaid(/set aside/);
    expect(listener.err()).toContain(path);
    await listener.stop();
    expect(await readFile(path, 'utf8')).toBe(body);
    const reasons = await readFile(join(listener.journal, 'set-aside', 'reasons.txt'), 'utf8');
    expect(reasons).toBe(`${line?.event}.json: ${reason}\n`);
    expect(listener.out() + listener.err()).not.toContain('somebody@');
  });

  it('because it has more than twenty ids is answered for twenty, and kept in full', async () => {
    const { env } = await startService('charges');
    const listener = await startListener({ env });
    const unknown = (n: number) =>
      `00000000-0000-4000-8000-0000000001${String(n).padStart(2, '0')}`;
    await listener.post({
      list: Array.from({ length: 25 }, (_, n) => ({ charge_id: unknown(n) })),
    });
    const lines = await listener.until(20);
    expect(lines[0]?.setAside?.reason).toContain('more than 20');
    await listener.stop();
    expect(listener.lines()).toHaveLength(20);
  });

  it('because its ids are invalid is never asked for', async () => {
    const { sandbox, env, asked } = await startService('charges', 'webhook-forged');
    const listener = await startListener({ env });
    await sandbox.notify(listener.url, new AbortController().signal);
    await listener.until(4 * payloads.length);
    expect(new Set(asked('headers').map(({ body }) => body?.['settlementId']))).toEqual(
      new Set(payloads.map((payload) => payload['settlement_id']).filter(Boolean)),
    );
    for (const { path } of asked('charge')) expect(path).toMatch(/^\/charge\/[0-9a-f-]{36}$/);
    const given = listener.lines().filter(({ setAside }) => setAside);
    expect(given).toHaveLength(2 * payloads.length);
  });

  it('because it fails for three days is set aside and reported, and tried again if put back', async () => {
    const { env } = await startService('charges', 'wrapper-1010@headers');
    const clock = new FakeClock(noon);
    const listener = await startListener({ env, clock });
    await listener.post(settlementEvent);
    const [line] = await listener.until(1);
    expect(line).toMatchObject({
      webhook: { kind: 'settlement', settlement: { id: settlementId } },
      answer: 'failed',
      verdict: null,
      error: { cause: 'service' },
    });
    expect(clock.now() - noon).toBeGreaterThanOrEqual(3 * 24 * 3_600_000);
    await listener.untilSaid(
      /event \S+ is set aside: Settlement \S+ was given up.*To try it again, move it to/,
    );
    expect(await listener.stop()).toBe(0);
    expect(listener.err()).toContain('Left for the next start: 0 events.');
    const { path = '' } = line?.setAside ?? {};
    await rename(path, join(listener.journal, 'new', `${line?.event}.json`));
    const mended = await startService('charges');
    const second = await startListener({ env: mended.env, journal: listener.journal });
    expect((await second.until(1))[0]).toMatchObject({ event: line?.event, answer: 'settlement' });
  });
});

describe('an invalid request', () => {
  it.each(['', 'null', '[]', '"text"', '7', '{"half":', '{} {}', '\uFEFF'])(
    'gets 400 and no other answer: %j',
    async (body) => {
      const { env } = await startService('empty');
      const listener = await startListener({ env });
      expect(await listener.post(body)).toBe(400);
      await listener.post({});
      expect(await listener.until(1)).toHaveLength(1);
    },
  );

  it('gets 404 with another path, and the secret path is never shown', async () => {
    const { env } = await startService('empty');
    const secret = join(await temporaryFolder(), 'path');
    await writeFile(secret, '/hook/quietly7x\n');
    const listener = await startListener({ env: { ...env, RECON_LISTEN_PATH_FILE: secret } });
    for (const path of ['/', '/hook', '/hook/', '/hook/quietly7']) {
      expect(await post(listener.origin + path, '{}')).toBe(404);
    }
    expect(await post(`${listener.origin}/hook/quietly7x`, '{}')).toBe(200);
    await listener.until(1);
    expect(listener.err() + listener.out()).not.toContain('quietly');
  });
});

it('recon listen uses the loopback address by default, and warns if others can reach it', async () => {
  const { env } = await startService('empty');
  const alone = await startListener({ env });
  expect([new URL(alone.url).hostname, alone.err().includes('secret --path')]).toEqual([
    '127.0.0.1',
    false,
  ]);
  const open = await startListener({ env, args: ['--host', '0.0.0.0'] });
  expect(open.err()).toContain('Other machines can reach this address, and webhooks are unsigned');
  const secret = await startListener({ env, args: ['--host', '0.0.0.0', '--path', '/hook/9f2c'] });
  expect(secret.err()).not.toContain('Other machines can reach');
});

it('recon listen --port is the port of recon listen, not of the sandbox', async () => {
  const { url } = await startServer(() => undefined);
  const journal = await temporaryFolder();
  const port = new URL(url).port;
  const { exitCode, stderr } = await runRecon(
    ['listen', '--sandbox', '--port', port, '--journal', journal],
    { columns: 80 },
  );
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`recon cannot listen on port ${port} of 127.0.0.1: the port is in use`);
});

describe('a journal that cannot be written', () => {
  it('gives 503 to senders and at the health path, until it can be written', async () => {
    const { env } = await startService('charges');
    const listener = await startListener({ env });
    const health = async () => (await fetch(`${listener.origin}/healthz`)).status;
    expect(await health()).toBe(200);
    // A file stands where events are written.
    const tmp = join(listener.journal, 'tmp');
    await rm(tmp, { recursive: true });
    await writeFile(tmp, '');
    const refused = await fetch(listener.url, { method: 'POST', body: '{"n":1}' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await health()).toBe(503);
    await rm(tmp);
    expect(await health()).toBe(200);
    expect(await listener.post({ n: 2 })).toBe(200);
    await listener.until(1);
    expect(listener.err()).toContain('journal: ');
  });

  it('acknowledges no event that it cannot keep on a full disk, and continues when space is free', async () => {
    const journal = join(await temporaryFolder(), 'disk');
    const disk = mountSmallDisk(journal);
    if (!disk) return;
    const { env } = await startService('empty');
    const listener = await startListener({ env, journal });
    disk.leave('size', 8);
    const marks = Array.from({ length: 60 }, (_, n) => `mark${n}`);
    const statuses = await Promise.all(marks.map((mark) => listener.post({ [mark]: true })));
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    const owed = marks.filter((_, n) => statuses[n] === 200);
    disk.free();
    expect(await listener.post({ last: true })).toBe(200);
    const lines = await listener.until(owed.length + 1);
    const told = lines.map(({ webhook }) => String(webhook['fields']));
    expect(told.sort()).toEqual([...owed, 'last'].sort());
  });

  it('is readable by its owner only, and is for one process', async () => {
    const { env } = await startService('empty');
    const listener = await startListener({ env, journal: join(await temporaryFolder(), 'new') });
    await listener.post({ n: 1 });
    await listener.post({ charge_id: nobody });
    await listener.until(2);
    await listener.stop();
    const entries = await readdir(listener.journal, { recursive: true });
    // The lock says nothing but who has it.
    const names = ['', ...entries].filter((name) => name !== '.lock');
    const modes = names.map(async (name) => (await stat(join(listener.journal, name))).mode);
    expect(names.length).toBeGreaterThan(5);
    for (const mode of await Promise.all(modes)) expect(mode & 0o077).toBe(0);
    const { journal } = await startListener({ env });
    const second = await runRecon(['listen', '--port', '0', '--journal', journal], { env });
    expect([second.exitCode, second.stdout]).toEqual([75, '']);
  });

  it('keeps answered events for 30 days, or as set', async () => {
    const { env } = await startService('charges');
    const body = { charge_id: chargeId('completed') };
    const at = (day: number) => new FakeClock(noon + day * 24 * 3_600_000);
    const first = await startListener({ env, clock: at(0) });
    const { journal } = first;
    await first.post(body);
    await first.until(1);
    await first.stop();
    const days = () => readdir(join(journal, 'done'));
    expect(await onlyFile(join(journal, 'done', '2026-04-05'))).toBe(JSON.stringify(body));
    for (const [day, args, wanted] of [
      [30, [], ['2026-04-05']],
      [30, ['--keep-events', '29'], []],
    ] as const) {
      await (await startListener({ env, journal, clock: at(day), args })).stop();
      expect(await days()).toEqual(wanted);
    }
  });
});

describe('the end of recon listen', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'has exit code 0 on %s, with a reading under way',
    async (signal) => {
      const server = await startServer(afterToken(() => undefined));
      const listener = await startListener({ env: server.env });
      await listener.post(settlementEvent);
      expect(await listener.stop(signal)).toBe(0);
      expect(listener.err()).toContain('Left for the next start: 1 event.');
      expect(listener.out()).toBe('');
      expect(await readdir(listener.journal)).not.toContain('lock');
    },
  );

  it('has exit code 2 if the port is in use, missing or invalid, or the path is invalid', async () => {
    const { env } = await startService('empty');
    const { origin } = await startListener({ env });
    const journal = await temporaryFolder();
    for (const [args, said] of [
      [['--port', new URL(origin).port], '--port'],
      [[], '--port'],
      [['--port', '70000'], 'at most 65535'],
      [['--port', '0', '--path', 'hook'], '--path'],
      [['--port', '0', '--path', '/healthz'], '--path'],
    ] as const) {
      const run = await runRecon(['listen', ...args, '--journal', journal], { env });
      expect([args, run.exitCode]).toEqual([args, 2]);
      expect(run.stderr).toContain(said);
    }
  });

  it('has exit code 2 before the port is opened if settings are missing', async () => {
    const run = await runRecon(['listen', '--port', '0', '--journal', await temporaryFolder()]);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('base_url');
  });
});
