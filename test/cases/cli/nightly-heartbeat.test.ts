import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Received, type Reply, serve } from '../../base/http/loopback.ts';
import { startService } from '../../cli/service.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { runRecon } from '../../support/run-recon.ts';

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

test('neither the sandbox nor a dry run sends a heartbeat', async () => {
  const { night, received } = await startNights('balanced');
  await night('--dry-run');
  await night('--sandbox');
  expect(received).toEqual([]);
});
