import { describe, expect, it } from 'vitest';
import { afterToken, startServer } from '../../cli/server.ts';
import { march, startService } from '../../cli/service.ts';
import { type RunOptions, runRecon } from '../../support/run-recon.ts';

const id = 'd1f7b0ab-54a5-5c4b-9f3a-7d0f2b3d0c11';

/** Pieces of the secrets: half of one is too much as well. */
function piecesOf(secrets: readonly string[]): readonly string[] {
  return secrets.flatMap((secret) => [secret.slice(0, 16), secret.slice(-9)]);
}

/** A run before a service that repeats all secrets in what fails, and what it says. */
async function run(args: readonly string[], faults: readonly string[], options: RunOptions = {}) {
  const service = await startService('month', ...faults);
  const env = { ...service.env, ...options.env };
  const { stdout, stderr, exitCode } = await runRecon(args, {
    ...options,
    clock: service.clock,
    env,
  });
  const said = stdout + stderr;
  const tokens = service.sandbox.requests.flatMap(({ token }) => token ?? []);
  const secrets = ['sandbox-client-secret', 'sandbox-jwt-secret', ...tokens];
  for (const piece of piecesOf(secrets)) expect(said).not.toContain(piece);
  return { said, exitCode };
}

describe('a service that repeats the secrets', () => {
  it.each([
    ['settlements', [...march, '--verbose', '--format', 'csv'], 'headers'],
    ['settlements', [...march, '--verbose', '--format', 'json'], 'rows'],
    ['settlements', [...march, '--format', 'table'], 'rows'],
    ['settlements', march, 'token'],
    ['transactions', [...march, '--verbose'], 'rows'],
    ['explain', [id, '--format', 'markdown'], 'headers'],
    ['charge', [id, '--verbose', '--format', 'json'], 'charge'],
    ['doctor', ['--format', 'json'], 'headers'],
    ['doctor', ['--days', '30'], 'charge'],
  ])('is quoted without them: %s %j, fault at %s', async (command, args, place) => {
    for (const auth of ['v1', 'v2']) {
      const env = { RECON_AUTH: auth };
      const { said } = await run([command, ...args], [`echo-secrets@${place}`], { env });
      const isAsked = place !== 'token' || auth === 'v2';
      if (isAsked) expect(said).toMatch(/refused: (\[redacted\])? \[redacted\] refused:/);
    }
  });
});

describe('a service with codes of a million digits', () => {
  it.each(['headers', 'rows', 'token', 'charge'])('is quoted in short: %s', async (place) => {
    const args = place === 'charge' ? ['charge', id] : ['settlements', ...march, '--format', 'csv'];
    const { said, exitCode } = await run([...args, '--verbose'], [`long-code@${place}`]);
    expect(exitCode).toBe(4);
    expect(said).toContain('99999');
    expect(said.length).toBeLessThan(place === 'rows' ? 100_000 : 5_000);
  });
});

it('the password of a proxy is in no error, neither as written nor as sent', async () => {
  const password = 'p@ss/word-of-the-proxy';
  const sent = Buffer.from(`user:${password}`).toString('base64');
  const said = `${password} ${encodeURIComponent(password)} ${sent}`;
  const { env } = await startServer(
    afterToken(() => ({ body: { status: { code: '1010', response: 'Fail', message: said } } })),
  );
  const proxy = `http://user:${encodeURIComponent(password)}@127.0.0.1:9`;
  const { stderr } = await runRecon(['settlements', ...march], {
    env: { ...env, HTTP_PROXY: proxy, NO_PROXY: '127.0.0.1' },
  });
  expect(stderr).toContain('(code 1010, Fail, [redacted] [redacted] [redacted])');
});
