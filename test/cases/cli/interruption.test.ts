import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { afterToken, startServer } from '../../cli/server.ts';
import { march } from '../../cli/service.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { runRecon } from '../../support/run-recon.ts';

/** A configuration file whose secret is known to a command. */
async function secretCommand(command: string) {
  const path = join(await temporaryFolder(), 'config.toml');
  const toml = [
    '[profiles.main]',
    'base_url = "http://127.0.0.1:9"',
    'auth_url = "http://127.0.0.1:9"',
    'client_id = "client"',
    `client_secret_command = ${JSON.stringify(command)}`,
    'audience = "audience"',
  ];
  await writeFile(path, toml.join('\n'), { mode: 0o600 });
  return { path, env: { PATH: process.env['PATH'] ?? '' } };
}

describe('--timeout', () => {
  it('ends a run that hangs with the failure that took the time, and exit code 4', async () => {
    const late = async (env: Readonly<Record<string, string>>, ...flags: readonly string[]) => {
      const began = performance.now();
      const args = ['settlements', ...march, '--timeout', '1s', ...flags];
      // Attempts and their pauses take time as well.
      const run = await runRecon(args, { env, clock: systemClock });
      return { ...run, ms: performance.now() - began };
    };
    const { path, env } = await secretCommand('exec sleep 100');
    const servers = [
      await startServer(afterToken(() => undefined)),
      await startServer(() => undefined),
      await startServer(() => ({ status: 503, body: 'down for maintenance' })),
    ];
    // Beside each other, since the second is a real one.
    const runs = await Promise.all([
      late(env, '--config', path),
      ...servers.map((server) => late(server.env)),
    ]);
    for (const [at, { exitCode, stdout, stderr, ms }] of runs.entries()) {
      const hanging = ['the secret', 'the list', 'the token', 'attempts'][at];
      expect([exitCode, stdout], hanging).toEqual([4, '']);
      expect(stderr, hanging).toContain('--timeout');
      // A command takes a while to be ended.
      expect(ms, hanging).toBeLessThan(hanging === 'the secret' ? 3000 : 1500);
    }
    expect(runs.at(-1)?.stderr).toMatch(/Last failed request: .*HTTP 503/);
    expect(runs[1]?.stderr).toContain('Until then, 1 request was answered.');
  });
});
