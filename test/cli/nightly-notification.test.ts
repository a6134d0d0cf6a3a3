import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Received, type Reply, serve } from '../base/http/loopback.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { runRecon } from '../support/run-recon.ts';
import { startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

/** Nothing of these may be said. */
const path = '/services/T0KEN/of-the-path?key=of-the-query';

const sixOClock = () => new FakeClock(Date.UTC(2026, 2, 12, 6));

/** Nights of a service with two new differences, and whoever hears of them. */
async function startNights(answer: (request: Received) => Reply) {
  const receiver = await serve(answer);
  const service = await startService('offsetting');
  const out = join(await temporaryFolder(), 'out');
  const env = { ...service.env, RECON_NOTIFY_URL: receiver.url + path };
  const host = new URL(receiver.url).host;
  return {
    ...receiver,
    night: async () => {
      const words = ['nightly', '--out', out, '--since', '2026-03-04', '--verbose'];
      const result = await runRecon(words, { clock: sixOClock(), env });
      const said = result.stdout + result.stderr;
      for (const secret of ['T0KEN', 'of-the', host]) expect(said).not.toContain(secret);
      return result;
    },
  };
}

test('new differences are posted after they are printed, once', async () => {
  const { night, received } = await startNights(() => ({ body: 'ok' }));
  const { exitCode, stderr } = await night();
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/ POST notify_url: HTTP 200, \d+ ms\n/);
  expect(received).toMatchObject([
    {
      path,
      body: {
        event: 'recon.nightly',
        text: expect.stringMatching(
          /^Nightly settlements: 2 new differences, \+5\.00 EUR and -5\.00 EUR\./,
        ),
        profiles: [{ profile: null, exitCode: 1, news: { out_of_balance: 2 } }],
        more: 0,
      },
    },
  ]);
  expect((await night()).stdout).toContain('Nothing new since the last run.');
  expect(received).toHaveLength(1);
});

test('a notification that is not accepted fails the run, and is sent again by the next one', async () => {
  let status = 404;
  const { night, received } = await startNights(() => ({ status, body: 'no_service' }));
  const { exitCode, stdout, stderr } = await night();
  expect(exitCode).toBe(5);
  expect(stdout).toContain('2 new differences.');
  expect(stderr).toContain('The notification was not accepted (HTTP 404, no_service).');
  expect(stderr).toContain('Check notify_url.');
  status = 200;
  expect((await night()).exitCode).toBe(1);
  expect(received).toHaveLength(2);
  const [first, second] = received.map(({ body }) => body?.['news']);
  expect(second).toEqual(first);
  await night();
  expect(received).toHaveLength(2);
});

test('a server that is down is tried five times in virtual time', async () => {
  const { night, received } = await startNights(() => ({ status: 503 }));
  const { exitCode, stderr } = await night();
  expect(exitCode).toBe(5);
  expect(received).toHaveLength(5);
  expect(stderr).toMatch(/POST notify_url: HTTP 503, \d+ ms, attempt 5: The notification/);
});

test('profiles with one address share a notification, and one that is refused is sent again', async () => {
  let isOpen = false;
  const receivers = await Promise.all([
    serve(() => ({ body: 'ok' })),
    serve(() => (isOpen ? { body: 'ok' } : { status: 410 })),
  ]);
  const [first, second] = receivers;
  const { env } = await startService('offsetting');
  const folder = await temporaryFolder();
  const config = join(folder, 'config.toml');
  const profiles = [
    ['spain', first],
    ['italy', second],
    ['france', first],
  ] as const;
  const text = profiles.flatMap(([name, { url }]) => [
    `[profiles.${name}]`,
    ...Object.entries(env).map(
      ([key, value]) => `${key.replace('RECON_', '').toLowerCase()} = "${value}"`,
    ),
    `notify_url = "${url}${path}"`,
  ]);
  await writeFile(config, text.join('\n'), { mode: 0o600 });
  const words = ['nightly', '--all-profiles', '--config', config, '--since', '2026-03-10'];
  const night = () => runRecon([...words, '--out', join(folder, 'out')], { clock: sixOClock() });
  const { exitCode, stdout, stderr } = await night();
  expect(exitCode).toBe(5);
  expect(stdout + stderr).not.toMatch(/T0KEN|of-the/);
  expect(stderr).toContain('error: italy: The notification was not accepted (HTTP 410).');
  isOpen = true;
  expect((await night()).exitCode).toBe(1);
  await night();
  const profilesIn = ({ received }: { readonly received: readonly Received[] }) =>
    received.map(({ body }) => body?.['profiles']);
  expect(profilesIn(first)).toMatchObject([[{ profile: 'spain' }, { profile: 'france' }]]);
  expect(profilesIn(second)).toMatchObject([[{ profile: 'italy' }], [{ profile: 'italy' }]]);
});

test('the data of the sandbox are not notified', async () => {
  const { received, url } = await serve(() => ({ body: 'ok' }));
  const out = join(await temporaryFolder(), 'out');
  const sandbox = ['--sandbox', '--scenario', 'fee-off-by-one'];
  const config = join(out, '..', 'config.toml');
  await writeFile(config, `[profiles.spain]\nnotify_url = "${url}/hook"\n`, { mode: 0o600 });
  const words = ['nightly', ...sandbox, '--config', config, '--profile', 'spain', '--out', out];
  expect((await runRecon(words)).stdout).toContain('1 new difference');
  expect(received).toEqual([]);
});
