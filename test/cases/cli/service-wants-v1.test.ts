import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rawCharge, rawHeader, rawRow } from '../../api/raw.ts';
import { type Reply, type Server, startServer, wrapped } from '../../cli/server.ts';
import { profileOf, startService } from '../../cli/service.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { uuid } from '../../support/build.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { noon, type RunResult, runRecon } from '../../support/run-recon.ts';

/** Which credentials a service takes for its operations, and how it refuses others. */
interface Gate {
  readonly accepts: readonly ('v1' | 'v2')[];
  /** Whether the token exchange takes the credentials. */
  readonly exchanges?: boolean;
  readonly refusal?: Reply;
}

const byHttp: Reply = { status: 401, body: 'no' };
const byWrapper: Reply = {
  body: { status: { code: '1002', response: 'Fail', message: 'Auth token missing or invalid' } },
};

/** A service with one balanced settlement of one row, behind a gate. */
function startGated({ accepts, exchanges = true, refusal = byHttp }: Gate): Promise<Server> {
  return startServer(({ path, headers, text }) => {
    if (path === '/oauth/token') {
      return exchanges
        ? { body: { access_token: 'a-token', expires_in: 3600, token_type: 'Bearer' } }
        : byHttp;
    }
    const scheme = schemeOf((headers.authorization ?? '').replace('Bearer ', ''));
    if (scheme === undefined || !accepts.includes(scheme)) return refusal;
    if (path.startsWith('/charge/')) return { body: rawCharge({ charge_id: path.split('/')[2] }) };
    const { offset = 0 } = JSON.parse(text) as { readonly offset?: number };
    if (offset > 0) return wrapped([]);
    return wrapped([path.endsWith('/transactions') ? rawRow() : rawHeader()]);
  });
}

/** By which scheme a token is one of the sandbox's; undefined where it is neither. */
function schemeOf(token: string): 'v1' | 'v2' | undefined {
  if (token === 'a-token') return 'v2';
  const [header, payload = '', signature] = token.split('.');
  const key = createHmac('sha256', 'sandbox-jwt-secret').update(`${header}.${payload}`);
  if (signature === undefined || key.digest('base64url') !== signature) return undefined;
  const { iss } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as {
    readonly iss: string;
  };
  return iss === 'sandbox-jwt-public-key' ? 'v1' : undefined;
}

type Changes = Readonly<Record<string, string | undefined>>;

const noKeys: Changes = { RECON_JWT_PUBLIC_KEY: undefined, RECON_JWT_SECRET: undefined };
const wrongKeys: Changes = { RECON_JWT_SECRET: 'another-secret' };
const noClient: Changes = {
  RECON_CLIENT_ID: undefined,
  RECON_CLIENT_SECRET: undefined,
  RECON_AUDIENCE: undefined,
};

async function run(
  { env }: Pick<Server, 'env'>,
  args: readonly string[],
  changes: Changes = {},
): Promise<RunResult> {
  const all = Object.entries({ ...env, XDG_STATE_HOME: await temporaryFolder(), ...changes });
  const set = all.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  return runRecon(args, { env: Object.fromEntries(set), clock: new FakeClock(noon) });
}

/** What a run says, on lines that may be as long as they like; quotes as in TOML. */
function said({ stdout, stderr }: RunResult): string {
  return `${stdout}\n${stderr}`
    .replaceAll('\\"', '"')
    .replaceAll('""', '"')
    .replaceAll(/\s+/g, ' ');
}

/** The line for the profile; that for charges alone is another. */
const sayV1 = /(?<!charge_)auth = "v1"/;
const sayV2 = /(?<!charge_)auth = "v2"/;

const day = ['--on', '2026-03-05'];
const settlements = ['settlements', ...day];

/** What reads the service first of all; files go to a folder. */
const commands: Readonly<Record<string, (folder: string) => readonly string[]>> = {
  settlements: () => settlements,
  'settlements --dry-run': () => [...settlements, '--dry-run'],
  'settlements --json': () => [...settlements, '--json'],
  transactions: () => ['transactions', ...day],
  explain: () => ['explain', uuid(1)],
  'explain of a range': () => ['explain', ...day],
  export: (folder) => ['export', ...day, '--out', join(folder, 'days')],
  nightly: (folder) => ['nightly', '--out', join(folder, 'days'), '--since', '2026-04-03'],
};

describe('a service that grants access tokens and accepts only signed requests', () => {
  const faces = [
    ['HTTP 401', byHttp],
    ['wrapper code 1002', byWrapper],
  ] as const;

  describe.each(faces)('by %s', (_, refusal) => {
    const gate: Gate = { accepts: ['v1'], refusal };

    test.each(Object.entries(commands))('%s names the setting that it accepts', async (_, args) => {
      const service = await startGated(gate);
      const result = await run(service, args(await temporaryFolder()));
      expect(result.exitCode).toBe(3);
      expect(said(result)).toMatch(sayV1);
      expect(said(result)).not.toContain('Check client_id, client_secret and audience');
    });

    test.each(['table', 'json', 'csv', 'ndjson'])('is named by doctor, as %s', async (format) => {
      const service = await startGated(gate);
      const result = await run(service, ['doctor', '--days', '31', '--format', format]);
      expect(result.exitCode).toBe(3);
      expect(said(result)).toMatch(sayV1);
      expect(said(result)).not.toContain('Check client_id, client_secret and audience');
      // Twelve requests, each repeated once.
      expect(service.asked.length).toBeLessThanOrEqual(24);
    });
  });

  test('has charge name the setting for charges, or that for all requests', async () => {
    const result = await run(await startGated({ accepts: ['v1'] }), ['charge', uuid(2001)]);
    expect(result.exitCode).toBe(3);
    expect(said(result)).toMatch(/auth = "v1"/);
  });

  test('has signed requests in doctor, each with a second of its own', async () => {
    const service = await startGated({ accepts: ['v1'] });
    await run(service, ['doctor']);
    const tokens = service.asked.map(({ headers }) => headers.authorization ?? '');
    const signed = tokens.filter((token) => schemeOf(token.replace('Bearer ', '')) === 'v1');
    expect(signed.length).toBeGreaterThan(0);
    expect(new Set(signed).size).toBe(signed.length);
  });

  test('works with the settings that are advised', async () => {
    const service = await startGated({ accepts: ['v1'] });
    const listed = await run(service, settlements, { RECON_AUTH: 'v1' });
    expect(listed.exitCode).toBe(0);
    const { exitCode } = await run(service, ['doctor'], { RECON_AUTH: 'v1' });
    expect(exitCode).toBe(0);
  });

  test('has the setting named also if a profile has keys', async () => {
    const service = await startGated({ accepts: ['v1'] });
    const config = join(await temporaryFolder(), 'config.toml');
    await writeFile(config, profileOf('shop', service.url), { mode: 0o600 });
    for (const args of [settlements, ['doctor']]) {
      const result = await run({ env: {} }, [...args, '--config', config]);
      expect(result.exitCode).toBe(3);
      expect(said(result)).toMatch(sayV1);
    }
  });

  test('gives an authentication error without keys', async () => {
    const service = await startGated({ accepts: ['v1'] });
    for (const args of [settlements, ['doctor']]) {
      expect((await run(service, args, noKeys)).exitCode).toBe(3);
    }
  });

  test('is not said to accept keys that it refuses', async () => {
    const service = await startGated({ accepts: ['v1'] });
    const result = await run(service, ['doctor'], wrongKeys);
    expect(result.exitCode).toBe(3);
    expect(said(result)).not.toMatch(sayV1);
  });
});

describe('a service that accepts only access tokens', () => {
  test('is named by doctor if all requests are signed', async () => {
    const service = await startGated({ accepts: ['v2'] });
    const result = await run(service, ['doctor'], { RECON_AUTH: 'v1' });
    expect(result.exitCode).toBe(3);
    expect(said(result)).toMatch(sayV2);
    expect(said(result)).not.toMatch(sayV1);
  });

  test('has no setting advised that is set already', async () => {
    const service = await startGated({ accepts: ['v2'] });
    const result = await run(service, settlements, { RECON_AUTH: 'v1' });
    expect(result.exitCode).toBe(3);
    expect(said(result)).not.toMatch(sayV1);
  });

  test('has no setting advised without credentials', async () => {
    const service = await startGated({ accepts: ['v2'] });
    const result = await run(service, ['doctor'], { RECON_AUTH: 'v1', ...noClient });
    expect(result.exitCode).toBe(3);
    expect(said(result)).not.toMatch(sayV1);
    expect(service.asked.filter(({ path }) => path === '/oauth/token')).toEqual([]);
  });

  test('is read without a message about schemes', async () => {
    const service = await startGated({ accepts: ['v2'] });
    for (const args of [settlements, ['doctor', '--days', '31']]) {
      const result = await run(service, args);
      expect(result.exitCode).toBe(0);
      expect(said(result)).not.toMatch(sayV1);
    }
  });
});

describe('wrong credentials', () => {
  test.each(Object.entries(commands))('do not make %s name the scheme', async (_, args) => {
    const service = await startGated({ accepts: [], exchanges: false });
    const result = await run(service, args(await temporaryFolder()));
    expect(result.exitCode).toBe(3);
    expect(said(result)).not.toMatch(sayV1);
    expect(said(result)).toMatch(/client_id, client_secret and audience/);
  });

  test('have no advice about the scheme in doctor', async () => {
    const service = await startGated({ accepts: [], exchanges: false });
    const result = await run(service, ['doctor']);
    expect(result.exitCode).toBe(3);
    expect(said(result)).not.toMatch(sayV1);
    expect(said(result)).toMatch(/client_id, client_secret and audience/);
  });

  test('have none in doctor if every operation refuses both schemes', async () => {
    const service = await startGated({ accepts: [] });
    const result = await run(service, ['doctor']);
    expect(result.exitCode).toBe(3);
    expect(said(result)).not.toMatch(sayV1);
    expect(service.asked.length).toBeLessThanOrEqual(24);
  });

  test('have none without keys to try', async () => {
    const service = await startGated({ accepts: [], exchanges: false });
    for (const args of [settlements, ['doctor']]) {
      const result = await run(service, args, noKeys);
      expect(result.exitCode).toBe(3);
      expect(said(result)).not.toMatch(sayV1);
    }
  });
});

describe('a service that accepts signed requests for charges alone', () => {
  test('is named by doctor with charge_auth, not auth', async () => {
    const { env } = await startService('balanced', 'charge-scheme=v1');
    const result = await run({ env }, ['doctor', '--days', '60']);
    expect(result.exitCode).toBe(0);
    expect(said(result)).toMatch(/charge_auth = "v1"/);
    expect(said(result)).not.toMatch(sayV1);
  });

  test('is reconciled without a message about it', async () => {
    const { settlements: listed } = await startService('balanced', 'charge-scheme=v1');
    const result = await listed();
    expect(result.exitCode).toBe(0);
    expect(said(result)).not.toMatch(sayV1);
  });
});

test('denied access gets no advice about authentication schemes', async () => {
  const { env } = await startService('balanced', 'scope-missing');
  for (const args of [['settlements', '--month', '2026-03'], ['doctor']]) {
    const result = await run({ env }, args);
    expect(result.exitCode).toBe(3);
    expect(said(result)).not.toMatch(sayV1);
  }
});
