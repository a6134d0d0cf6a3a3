import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { readRecords, readReport } from './read-report.ts';
import { startServer } from './server.ts';
import { march, type Service, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const webShop = '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601';

/** A home with a configuration file. */
async function homeWith(toml: string): Promise<string> {
  const home = await temporaryFolder();
  const folder = join(home, '.config', 'recon');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'config.toml'), toml, { mode: 0o600 });
  return home;
}

const profileOf = (name: string, { sandbox }: Service, more = '') => `
[profiles.${name}]
base_url = "${sandbox.baseUrl}/"
auth_url = "${sandbox.authUrl}"
client_id = "${sandbox.credentials.clientId}"
client_secret = "${sandbox.credentials.clientSecret}"
audience = "${sandbox.credentials.audience}"
${more}
`;

describe('a profile', () => {
  it('has all that a run needs, and names for accounting tokens (trap 19, trap 34)', async () => {
    const service = await startService('balanced');
    const names = `names = { "${webShop}" = "Online" }`;
    const home = await homeWith(profileOf('spain', service, names));
    const run = await runRecon(['settlements', ...march, '--format', 'json'], {
      env: { HOME: home },
    });
    expect(run.exitCode).toBe(0);
    const report = readReport(run.stdout);
    expect(report.settings['profile']).toBe('spain');
    const named = new Set(report.settlements.map((one) => one.accountingName));
    expect(named).toEqual(new Set(['Online', null]));
  });

  it('is chosen by name among several, and never guessed (trap 19)', async () => {
    const [spain, france] = [await startService('balanced'), await startService('empty')];
    const home = await homeWith(profileOf('spain', spain) + profileOf('france', france));
    const run = (...args: string[]) =>
      runRecon(['settlements', ...march, ...args], { env: { HOME: home } });
    expect(readRecords((await run('--profile', 'spain')).stdout)).toHaveLength(9);
    expect(readRecords((await run('--profile', 'france')).stdout)).toHaveLength(0);
    const unguessed = await run();
    expect([unguessed.exitCode, unguessed.stdout]).toEqual([2, '']);
    expect(unguessed.stderr).toContain('spain');
  });

  it('has the settings for reconciling, and flags override them', async () => {
    const service = await startService('fee-off-by-one');
    const home = await homeWith(
      profileOf('shop', service, 'tolerance = 1\nignore = ["count"]\nidentity = "gross-fees"'),
    );
    const run = async (...args: string[]) =>
      readReport(
        (
          await runRecon(['settlements', ...march, '--format', 'json', ...args], {
            env: { HOME: home },
          })
        ).stdout,
      ).settings;
    expect(await run()).toMatchObject({
      tolerance: '1',
      ignored: ['count'],
      identity: 'gross-fees',
    });
    expect(await run('--tolerance', '0', '--identity', 'gross')).toMatchObject({
      tolerance: '0',
      ignored: ['count'],
      identity: 'gross',
    });
  });

  it('has the time zone of its days', async () => {
    const service = await startService('balanced');
    const home = await homeWith(profileOf('shop', service, 'time_zone = "Pacific/Kiritimati"'));
    const { stdout } = await runRecon(['settlements', '--on', 'today', '--format', 'json'], {
      env: { HOME: home },
    });
    expect(readReport(stdout).range.from).toBe('2026-04-06');
  });

  it('is overridden by the environment', async () => {
    const [there, here] = [await startService('balanced'), await startService('empty')];
    const home = await homeWith(profileOf('shop', there));
    const env = { ...here.env, HOME: home };
    expect((await runRecon(['settlements', ...march], { env })).exitCode).toBe(0);
    expect(there.sandbox.requests).toEqual([]);
    expect(here.asked('headers').length).toBeGreaterThan(0);
  });

  it('is not used by the sandbox, unless it is named', async () => {
    const home = await homeWith('[profiles.shop]\ntolerance = 1\n');
    const env = { HOME: home };
    const flags = ['settlements', '--sandbox', '--scenario', 'fee-off-by-one'];
    expect((await runRecon(flags, { env })).exitCode).toBe(1);
    expect((await runRecon([...flags, '--profile', 'shop'], { env })).exitCode).toBe(0);
  });
});

describe('the environment', () => {
  it('is enough, without a configuration file', async () => {
    const service = await startService('declined-rows');
    const folder = await temporaryFolder();
    const rules = join(folder, 'rules.json');
    await writeFile(rules, '{\n  "not_counted": [{ "state": "declined" }]\n}\n');
    const env = {
      RECON_RULES_FILE: rules,
      RECON_NAMES: `{"${webShop}":"Online"}`,
      RECON_TIME_ZONE: 'Pacific/Kiritimati',
      RECON_ACCEPTED: join(folder, 'accepted.csv'),
    };
    expect((await service.settlements()).exitCode).toBe(1);
    const { exitCode, stderr } = await service.settlements([], { env });
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain('Nothing is accepted');
    const report = readReport((await service.settlements(['--format', 'json'], { env })).stdout);
    expect(report.settings['rules']).toEqual({
      not_counted: [{ state: 'declined', count: 'follows' }],
    });
    expect(report.settlements.map((one) => one.accountingName)).toContain('Online');
    const today = await runRecon(['settlements', '--on', 'today', '--format', 'json'], {
      env: { ...service.env, ...env },
    });
    expect(readReport(today.stdout).range.from).toBe('2026-04-06');
  });

  it('is checked first: an invalid variable is named, and no request is sent', async () => {
    const service = await startService('balanced');
    const { exitCode, stderr } = await service.settlements([], {
      env: { RECON_RULES: '{"not_counted":[{"sate":"declined"}]}' },
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Unknown setting rules.not_counted[0].sate.');
    expect(stderr).toContain('at:  environment RECON_RULES');
    expect(stderr).toContain('Did you mean state?');
    expect(service.sandbox.requests).toEqual([]);
  });

  it('is not used by the sandbox, unless a profile or a file is named', async () => {
    const home = await homeWith('[profiles.shop]\n');
    const env = { HOME: home, RECON_TOLERANCE: '1', RECON_ACCEPTED: '/nonexistent/accepted.csv' };
    const flags = ['settlements', '--sandbox', '--scenario', 'fee-off-by-one'];
    const alone = await runRecon(flags);
    expect(alone.exitCode).toBe(1);
    for (const leftover of [
      { RECON_RULES: 'x' },
      { RECON_AUTH: 'x' },
      { RECON_NAMES_FILE: '/x' },
    ]) {
      expect(await runRecon(flags, { env: { ...env, ...leftover } })).toEqual(alone);
    }
    expect((await runRecon([...flags, '--profile', 'shop'], { env })).exitCode).toBe(0);
  });

  it('says how an export is read, and overrides what is stored with it', async () => {
    const out = join(await temporaryFolder(), 'out');
    const source = ['--sandbox', '--scenario', 'fee-off-by-one', ...march];
    await runRecon(['export', ...source, '--out', out]);
    const read = async (env: Record<string, string>, ...range: string[]) =>
      runRecon(['settlements', '--from-export', out, ...range, '--format', 'json'], { env });
    expect((await read({})).exitCode).toBe(1);
    expect((await read({ RECON_TOLERANCE: '1' })).exitCode).toBe(0);
    const env = { RECON_TIME_ZONE: 'Pacific/Kiritimati' };
    const { stdout } = await read(env, '--on', 'today');
    expect(readReport(stdout).range.from).toBe('2026-04-06');
  });

  it('shows no address for notifications', async () => {
    const env = { RECON_NOTIFY_URL: 'https://hooks.example.com/T0/B0/s3cret' };
    for (const format of ['table', 'csv', 'json']) {
      const { stdout } = await runRecon(['config', 'show', '--format', format], { env });
      expect(stdout).toContain('environment RECON_NOTIFY_URL');
    }
    const { stdout, stderr } = await runRecon(['doctor'], {
      env: { RECON_NOTIFY_URL: 'http://hooks.example.com/T0/B0/s3cret' },
    });
    expect(stdout).toContain('notify_url must start with https://');
    expect(stdout + stderr).not.toContain('s3cret');
  });
});

describe('secrets', () => {
  it('come from a file of their own', async () => {
    const { env, sandbox } = await startService('balanced');
    const file = join(await temporaryFolder(), 'secret');
    await writeFile(file, `${sandbox.credentials.clientSecret}\n`);
    const { RECON_CLIENT_SECRET, ...others } = env;
    const runWith = async (mode: number, ...flags: readonly string[]) => {
      await chmod(file, mode);
      const withFile = { ...others, RECON_CLIENT_SECRET_FILE: file };
      return runRecon(['settlements', ...march, ...flags], { env: withFile });
    };
    expect(RECON_CLIENT_SECRET).toBe(sandbox.credentials.clientSecret);
    expect(await runWith(0o600, '--quiet')).toMatchObject({ exitCode: 0, stderr: '' });
    // As containers mount it: worth a word, unless none is wanted.
    const mounted = await runWith(0o444);
    expect([mounted.exitCode, mounted.stderr]).toEqual([0, expect.stringContaining(file)]);
    expect(await runWith(0o444, '--quiet')).toMatchObject({ exitCode: 0, stderr: '' });
    const open = await runWith(0o666, '--quiet');
    expect([open.exitCode, open.stdout]).toEqual([2, '']);
    expect(open.stderr).toContain('is writable by others');
  });

  it('come from a file that the profile names', async () => {
    const service = await startService('balanced');
    const { clientSecret } = service.sandbox.credentials;
    const profile = profileOf('shop', service);
    const home = await homeWith(
      profile.replace(/client_secret = .*/, 'client_secret_file = "secret"'),
    );
    await writeFile(join(home, '.config', 'recon', 'secret'), clientSecret, { mode: 0o600 });
    const env = { HOME: home };
    expect((await runRecon(['settlements', ...march], { env })).exitCode).toBe(0);
  });

  it('come from a command', async () => {
    const service = await startService('balanced');
    const { clientSecret } = service.sandbox.credentials;
    const home = await homeWith(
      profileOf('shop', service).replace(
        /client_secret = .*/,
        `client_secret_command = "printf %s ${clientSecret}"`,
      ),
    );
    const env = { HOME: home, PATH: process.env['PATH'] ?? '' };
    expect((await runRecon(['settlements', ...march], { env })).exitCode).toBe(0);
  });

  it('are never taken from the command line', async () => {
    for (const flag of ['--client-secret', '--secret', '--token', '--notify-url']) {
      for (const words of [[flag, "it's s3cret"], [`${flag}=it's s3cret`]]) {
        const { exitCode, stderr } = await runRecon(['settlements', '--sandbox', ...words]);
        expect(exitCode).toBe(2);
        expect(stderr).toContain(`Unknown option '${flag}'.`);
        expect(stderr).not.toContain('s3cret');
      }
    }
  });

  it('that a command or a file does not give are named by their place', async () => {
    const service = await startService('balanced');
    const { RECON_CLIENT_SECRET, ...env } = service.env;
    expect(RECON_CLIENT_SECRET).toBeDefined();
    const missing = await runRecon(['settlements', ...march], {
      env: { ...env, RECON_CLIENT_SECRET_FILE: '/nonexistent/secret' },
    });
    expect([missing.exitCode, missing.stdout]).toEqual([2, '']);
    expect(missing.stderr).toContain('RECON_CLIENT_SECRET_FILE');
    expect(service.sandbox.requests).toEqual([]);
  });

  it('refused by the service are named by their place in the profile', async () => {
    const service = await startService('balanced', 'http-401@token');
    const home = await homeWith(profileOf('shop', service));
    const { exitCode, stderr } = await runRecon(['settlements', ...march], { env: { HOME: home } });
    expect(exitCode).toBe(3);
    expect(stderr).toContain(
      'Check client_id, client_secret and audience: all from profile shop in ',
    );
  });

  it.each([
    'http-401@token',
    'http-401',
    'wrapper-1002',
    'scope-missing',
    'http-503',
    'html',
    'reset@token',
  ])('are in no error, with --verbose and as JSON: %s', async (fault) => {
    const service = await startService('balanced', fault);
    for (const flags of [
      [],
      ['--verbose'],
      ['--format', 'json'],
      ['--verbose', '--format', 'json'],
    ]) {
      const { exitCode } = await service.settlements(flags);
      expect(exitCode).toBeGreaterThanOrEqual(3);
    }
  });

  it.each(['http-401', 'wrapper-1002', 'http-401=every:1@rows'])(
    'whose tokens are all refused are named by their places (trap 3): %s',
    async (fault) => {
      const { settlements } = await startService('balanced', fault);
      const { exitCode, stderr } = await settlements();
      expect(exitCode).toBe(3);
      for (const name of ['RECON_CLIENT_ID', 'RECON_CLIENT_SECRET', 'RECON_AUDIENCE']) {
        expect(stderr).toContain(name);
      }
    },
  );

  it('that the service repeats are not shown', async () => {
    const said = (message: string) => ({
      status: 400,
      body: { status: { code: '1020', response: 'Fail', message } },
    });
    const echoing = await startServer(({ path, headers, text }) =>
      path === '/oauth/token'
        ? { body: { access_token: 'an-access-token' } }
        : said(`${headers.authorization} in ${text}`),
    );
    const ofToken = await startServer(({ text }) => said(`not known: ${text}`));
    for (const [server, exitCode] of [
      [echoing, 4],
      [ofToken, 4],
    ] as const) {
      for (const flags of [[], ['--verbose'], ['--format', 'json']]) {
        const run = await runRecon(['settlements', ...march, ...flags], { env: server.env });
        expect(run.exitCode).toBe(exitCode);
        expect(run.stderr).not.toContain('an-access-token');
      }
    }
  });

  it('in a file that others can read are refused', async () => {
    const service = await startService('balanced');
    const home = await homeWith(profileOf('shop', service));
    await chmod(join(home, '.config', 'recon', 'config.toml'), 0o644);
    const run = await runRecon(['settlements', ...march], { env: { HOME: home }, uid: 1000 });
    expect([run.exitCode, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toContain('chmod 600');
  });
});
