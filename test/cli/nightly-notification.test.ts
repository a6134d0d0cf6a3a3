import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Received, type Reply, serve } from '../base/http/loopback.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { runRecon } from '../support/run-recon.ts';
import { startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

/** Nothing of these may be said. */
const path = '/services/T0KEN/of-the-path?key=of-the-query';

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
      const result = await runRecon(words, { clock: new FakeClock(Date.UTC(2026, 2, 12, 6)), env });
      const said = result.stdout + result.stderr;
      for (const secret of ['T0KEN', 'of-the', host]) expect(said).not.toContain(secret);
      return result;
    },
  };
}

test('new differences are posted once they are printed, and only once', async () => {
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
          /^Nightly settlements: 2 new differences, EUR \+5\.00 and EUR -5\.00\./,
        ),
        profiles: [{ profile: null, exitCode: 1, news: { out_of_balance: 2 } }],
        more: 0,
      },
    },
  ]);
  expect((await night()).stdout).toContain('Nothing new since the last run.');
  expect(received).toHaveLength(1);
});

test('what was not accepted fails the run, and is sent again by the next one', async () => {
  let status = 404;
  const { night, received } = await startNights(() => ({ status, body: 'no_service' }));
  const { exitCode, stdout, stderr } = await night();
  expect(exitCode).toBe(5);
  expect(stdout).toContain('2 new since the last run.');
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
