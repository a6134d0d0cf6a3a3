import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Received, type Reply, serve } from '../base/http/loopback.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { runRecon } from '../support/run-recon.ts';
import { startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

/** Nothing of these may be said. */
const path = '/ping/T0KEN/of-the-path?key=of-the-query';

const sixOClock = () => new FakeClock(Date.UTC(2026, 2, 12, 6));

/** Nights of a scenario, and whoever waits for their heartbeat. */
async function startNights(
  scenario: string,
  answer: (request: Received) => Reply = () => ({ body: 'OK' }),
  more: Readonly<Record<string, string>> = {},
) {
  const receiver = await serve(answer);
  const service = await startService(scenario);
  const out = join(await temporaryFolder(), 'out');
  const env = { ...service.env, RECON_HEARTBEAT_URL: receiver.url + path, ...more };
  const host = new URL(receiver.url).host;
  return {
    ...receiver,
    out,
    night: async (...args: readonly string[]) => {
      const words = ['nightly', '--out', out, '--since', '2026-03-04', '--verbose', ...args];
      const result = await runRecon(words, { clock: sixOClock(), env });
      const state = await Promise.all(
        ['status.json', 'nightly.json'].map((name) =>
          readFile(join(out, name), 'utf8').catch(() => ''),
        ),
      );
      const said = [result.stdout, result.stderr, ...state].join();
      for (const secret of ['T0KEN', 'of-the', host]) expect(said).not.toContain(secret);
      return result;
    },
  };
}

test.each([
  ['balanced', 0],
  ['offsetting', 1],
])('the heartbeat is sent for %s, although the night ends with %i', async (scenario, code) => {
  const { night, received } = await startNights(scenario);
  const { exitCode, stderr } = await night();
  expect(exitCode).toBe(code);
  expect(received.map((one) => one.path)).toEqual([path]);
  expect(stderr).toMatch(/ GET heartbeat_url: HTTP 200, \d+ ms\n/);
});

describe('a night that failed', () => {
  const failing = { RECON_CLIENT_SECRET: 'another', RECON_NOTIFY_URL: '' };

  test('adds /fail to the address of the heartbeat', async () => {
    const { night, received } = await startNights('balanced', undefined, failing);
    expect((await night()).exitCode).toBe(3);
    expect(received.map((one) => one.path)).toEqual([
      '/ping/T0KEN/of-the-path/fail?key=of-the-query',
    ]);
  });

  test('sends its exit code and its cause in the form that is set', async () => {
    const form = { RECON_HEARTBEAT_FAILURE: '?status=down&code={code}&msg={cause}' };
    const { night, received } = await startNights('balanced', undefined, { ...failing, ...form });
    expect((await night()).exitCode).toBe(3);
    expect(received.map((one) => one.path)).toEqual([
      '/ping/T0KEN/of-the-path?key=of-the-query&status=down&code=3&msg=authentication',
    ]);
  });

  test('sends them also if a day could not be fully read', async () => {
    const form = { RECON_HEARTBEAT_FAILURE: '/{code}?msg={cause}' };
    const { night, received } = await startNights('malformed', undefined, form);
    expect((await night()).exitCode).toBe(4);
    expect(received[0]?.path).toContain('/of-the-path/4?');
    expect(received[0]?.path).toContain('msg=incomplete');
  });
});

test.each([
  ['a refusal', { status: 404 }, 'HTTP 404'],
  ['a redirect', { status: 302, headers: { location: '/elsewhere' } }, 'HTTP 302'],
])('%s of the heartbeat is reported, and does not change the exit code', async (_, reply, said) => {
  const { night, received } = await startNights('balanced', () => reply);
  const { exitCode, stderr } = await night();
  expect(exitCode).toBe(0);
  expect(stderr).toContain(`The heartbeat was not accepted: ${said}.`);
  expect(received).toHaveLength(1);
});

test('a heartbeat server that does not answer is reported without its name', async () => {
  const { night } = await startNights('balanced', undefined, {
    RECON_HEARTBEAT_URL: 'http://127.0.0.1:9/T0KEN',
  });
  const { exitCode, stderr } = await night();
  expect(exitCode).toBe(0);
  expect(stderr).toContain('the host in heartbeat_url');
});

test('a night sends no heartbeat if another run holds the lock', async () => {
  const { night, received, out } = await startNights('balanced');
  await night();
  await writeFile(
    join(out, '.lock'),
    JSON.stringify({
      host: 'another',
      pid: 1,
      startedAt: 'x',
      id: 'y',
      since: '2026-03-12T05:00:00Z',
    }),
  );
  expect((await night()).exitCode).toBe(75);
  expect(received).toHaveLength(1);
});

test.each(['ftp://a.example/x', 'http://a.example/x'])('%s is refused', async (url) => {
  const { night, received } = await startNights('balanced', undefined, {
    RECON_HEARTBEAT_URL: url,
  });
  const { exitCode, stderr } = await night();
  expect(exitCode).toBe(2);
  expect(stderr).toContain('heartbeat_url must start with https://');
  expect(received).toEqual([]);
});

test('a heartbeat form that is neither a path nor parameters is refused', async () => {
  const { night } = await startNights('balanced', undefined, { RECON_HEARTBEAT_FAILURE: 'fail' });
  expect(await night()).toMatchObject({ exitCode: 2 });
});

test('neither the sandbox nor a dry run sends a heartbeat', async () => {
  const { night, received } = await startNights('balanced');
  await night('--dry-run');
  await night('--sandbox');
  expect(received).toEqual([]);
});
