import { mkdir, writeFile } from 'node:fs/promises';
import { createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { interfaceVersion } from '../../src/model/probe.ts';
import { deadProxy, proxyThatSays } from '../base/http/connect-proxy.ts';
import { listen } from '../base/http/loopback.ts';
import { selfSigned } from '../base/http/self-signed.ts';
import { faultNames } from '../sandbox/faults.ts';
import { uuid as nth } from '../support/build.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { type RunOptions, type RunResult, runRecon } from '../support/run-recon.ts';
import { afterToken, startServer, wrapped } from './server.ts';
import { connectionTo, march, purchases, scenarioOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

interface Line {
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'failure' | 'not_checked';
  readonly found: string;
  readonly whatToDo: string | null;
  readonly facts: unknown;
  readonly error: { readonly cause: string } | null;
}

interface Page extends RunResult {
  readonly lines: readonly Line[];
  readonly requests: number;
  /** The line of a check. */
  on(check: string): Line;
  /** The checks of that level. */
  of(level: Line['level']): readonly string[];
}

/** The page as JSON. */
function readPage(result: RunResult): Page {
  const { checks, requests }: { checks: readonly Line[]; requests: number } = JSON.parse(
    result.stdout,
  );
  return {
    ...result,
    lines: checks,
    requests,
    on: (name) => {
      const line = checks.find(({ check }) => check === name);
      if (!line) throw new Error(`no check ${name}`);
      return line;
    },
    of: (level) => checks.filter((one) => one.level === level).map(({ check }) => check),
  };
}

async function examine(args: readonly string[], options: RunOptions = {}): Promise<Page> {
  return readPage(await runRecon(['doctor', '--format', 'json', ...args], options));
}

const withFaults = (faults: readonly string[]) =>
  examine(['--sandbox', ...faults.flatMap((fault) => ['--fault', fault])]);

/** The names that a sentence has for checks, if they are other ones. */
const shownNames: Readonly<Record<string, string>> = {
  tls: 'TLS',
  settlement_pages: 'pages of settlements',
  transaction_pages: 'pages of transactions',
  scales: 'decimal places',
};

const checks = [
  'configuration',
  'proxy',
  'address',
  'tls',
  'clock',
  'token',
  'settlements',
  'settlement_pages',
  'transaction_pages',
  'latency',
  'records',
  'dates',
  'names',
  'scales',
  'identity',
  'rules',
  'charges',
  'interface',
];

describe('a service without faults', () => {
  it('is ok in every line, with twelve requests', async () => {
    const { lines, of, requests, exitCode, stderr } = await examine(['--sandbox']);
    expect(lines.map(({ check }) => check)).toEqual(checks);
    expect(of('ok')).toEqual(checks);
    expect({ requests, exitCode, stderr }).toEqual({ requests: 12, exitCode: 0, stderr: '' });
  });

  it('gets requests that only read', async () => {
    const { sandbox, env } = await startService('month');
    await examine(['--days', '10'], { env });
    const asked = sandbox.requests.map(({ method, path }) => `${method} ${path.split('/')[1]}`);
    expect(asked.length).toBeLessThanOrEqual(12);
    expect(new Set(asked)).toEqual(new Set(['POST oauth', 'POST v1', 'GET charge']));
  });

  it('is reported in the same form on a terminal and in a pipe', async () => {
    const piped = await runRecon(['doctor', '--sandbox']);
    const env = { NO_COLOR: '1' };
    const shown = await runRecon(['doctor', '--sandbox'], { columns: 120, env });
    expect(piped.stdout).toBe(shown.stdout);
  });

  it('names the version that recon follows', async () => {
    const { on } = await examine(['--sandbox']);
    expect(on('interface').found).toContain(`Version ${interfaceVersion} is supported`);
  });
});

/** Misbehaviour, the line that names it, and a fragment of what that line says. */
const named: readonly {
  readonly faults: readonly string[];
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'failure';
  readonly says: string;
  /** Of a failure. */
  readonly exitCode?: number;
}[] = [
  // Pages
  { faults: ['page-max=4@headers'], check: 'settlement_pages', level: 'warning', says: 'is 4.' },
  { faults: ['page-max=30@rows'], check: 'transaction_pages', level: 'warning', says: 'is 30.' },
  {
    faults: ['ignore-offset@headers'],
    check: 'settlement_pages',
    level: 'failure',
    says: 'repeats them',
    exitCode: 4,
  },
  {
    faults: ['ignore-offset@rows'],
    check: 'transaction_pages',
    level: 'failure',
    says: 'repeats them',
    exitCode: 4,
  },
  {
    faults: ['page-max=30@rows', 'repeat@rows'],
    check: 'transaction_pages',
    level: 'warning',
    says: '1 repeated on',
  },
  // The empty page is the second one where it lies in the middle.
  { faults: ['hole@rows'], check: 'transaction_pages', level: 'warning', says: 'and no more' },
  {
    faults: ['over-limit=3@headers'],
    check: 'settlements',
    level: 'warning',
    says: '1 requested, 4 returned',
  },
  // Tokens and clock
  { faults: ['token-life=5'], check: 'token', level: 'warning', says: '5 seconds' },
  {
    faults: ['scope-missing'],
    check: 'settlements',
    level: 'failure',
    says: 'code 1001',
    exitCode: 3,
  },
  { faults: ['token-uses=2'], check: 'latency', level: 'warning', says: 'the access token' },
  {
    faults: ['token-uses=2', 'auth-by-wrapper'],
    check: 'latency',
    level: 'warning',
    says: 'code 1002',
  },
  { faults: ['scheme=v1'], check: 'settlements', level: 'failure', says: 'rejects', exitCode: 3 },
  { faults: ['http-401@token'], check: 'token', level: 'failure', says: 'rejects', exitCode: 3 },
  { faults: ['http-403@token'], check: 'token', level: 'failure', says: 'rejects', exitCode: 3 },
  { faults: ['http-503@token'], check: 'token', level: 'failure', says: '503', exitCode: 4 },
  { faults: ['html@token'], check: 'token', level: 'failure', says: 'text/html', exitCode: 4 },
  {
    faults: ['reset@token'],
    check: 'address',
    level: 'failure',
    says: 'Connection closed by',
    exitCode: 4,
  },
  { faults: ['clock-skew=-90'], check: 'clock', level: 'warning', says: '90 seconds ahead of' },
  { faults: ['clock-skew=3600'], check: 'clock', level: 'warning', says: '3,600 seconds behind' },
  { faults: ['clock-skew=20'], check: 'clock', level: 'ok', says: '20 seconds behind' },
  // What the records are like
  { faults: ['unknown-fields'], check: 'records', level: 'warning', says: 'added_later' },
  { faults: ['empty-data=null'], check: 'records', level: 'warning', says: 'data (found null' },
  { faults: ['numeric-code'], check: 'records', level: 'warning', says: 'status.code (found 0' },
  { faults: ['other-word=OK'], check: 'records', level: 'warning', says: '(found "OK"' },
  // Charges
  { faults: ['hostile-keys'], check: 'charges', level: 'ok', says: 'accept V2' },
  { faults: ['charge-scheme=v1'], check: 'charges', level: 'warning', says: 'reject V2' },
  { faults: ['http-403@charge'], check: 'charges', level: 'warning', says: '403' },
  { faults: ['http-400@charge'], check: 'charges', level: 'warning', says: '400' },
  { faults: ['http-503@charge'], check: 'charges', level: 'failure', says: '503', exitCode: 4 },
  // Answers that take long, or come at the second attempt
  { faults: ['slow=4000'], check: 'latency', level: 'warning', says: '4.0 s' },
  { faults: ['rate-limit=1,1'], check: 'latency', level: 'warning', says: 'rate limit' },
  { faults: ['http-rate-limit=1,1'], check: 'latency', level: 'warning', says: 'rate limit' },
  { faults: ['wrapper-429=first:1'], check: 'latency', level: 'warning', says: 'rate limit' },
  { faults: ['http-502=first:1'], check: 'latency', level: 'warning', says: 'HTTP 502' },
  { faults: ['reset=on:3'], check: 'latency', level: 'warning', says: 'Connection closed by' },
  // Settlements that can't be read
  ...[
    ['wrapper-429', 'code 429', 4],
    ['wrapper-0', 'code 0, Fail', 4],
    ['wrapper-1000', 'code 1000', 4],
    ['wrapper-1001', 'code 1001', 3],
    ['wrapper-1002', 'code 1002', 3],
    ['wrapper-1010', 'code 1010', 4],
    ['wrapper-1020', 'code 1020', 4],
    ['wrapper-2001', 'code 2001', 4],
    ['wrapper-9999', 'code 9999', 4],
    ['echo-secrets', '[redacted]', 4],
    ['long-code', 'code 9999', 4],
    ['http-400', 'HTTP 400', 4],
    ['http-401', 'HTTP 401', 3],
    ['http-403', 'HTTP 403', 3],
    ['http-408', 'HTTP 408', 4],
    ['http-429', 'HTTP 429', 4],
    ['http-500', 'HTTP 500', 4],
    ['http-502', 'HTTP 502', 4],
    ['http-503', 'HTTP 503', 4],
    ['http-504', 'HTTP 504', 4],
    ['html', 'text/html', 4],
    ['truncated', 'unreadable', 4],
    ['not-utf8', 'not in UTF-8', 4],
  ].map(([fault, says, exitCode]) => ({
    faults: [`${fault}@headers`],
    check: 'settlements',
    level: 'failure' as const,
    says: String(says),
    exitCode: Number(exitCode),
  })),
  {
    faults: ['broken-off@headers'],
    check: 'address',
    level: 'failure',
    says: 'Connection closed by',
    exitCode: 4,
  },
  {
    faults: ['http-429@headers', 'retry-after=3600'],
    check: 'settlements',
    level: 'failure',
    says: 'rate limit',
    exitCode: 4,
  },
  // And single lists
  {
    faults: ['http-503=on:2@headers', 'http-503=on:2@headers'],
    check: 'settlement_pages',
    level: 'failure',
    says: '503',
    exitCode: 4,
  },
  {
    faults: ['wrapper-1010@rows'],
    check: 'transaction_pages',
    level: 'failure',
    says: 'code 1010',
    exitCode: 4,
  },
];

/**
 * Misbehaviour that a few requests can't see: what a page hides is known only once all is read, a
 * list that grows shows while it is read, and every form of an empty page means the same.
 */
const unseen: readonly string[] = [
  'skip',
  'late-settlement=1',
  'restless-header',
  'end-at-total',
  'webhook-twice',
  'webhook-malformed',
  'webhook-unknown',
  'webhook-deep',
  'webhook-list',
  'webhook-forged',
];

describe('a service that misbehaves', () => {
  it.each(named)('is reported by $check: $faults', async (expected) => {
    const { on, of, exitCode } = await withFaults(expected.faults);
    const line = on(expected.check);
    expect(line).toMatchObject({
      level: expected.level,
      found: expect.stringContaining(expected.says),
    });
    if (expected.level !== 'ok') expect(line.whatToDo).toMatch(/^[A-Zr].*\.$/s);
    expect(of('failure')).toEqual(expected.exitCode === undefined ? [] : [expected.check]);
    expect(exitCode).toBe(expected.exitCode ?? 0);
    // All of them are there, whatever failed, and each that wasn't checked says why.
    for (const name of of('not_checked')) {
      expect(on(name)).toMatchObject({
        facts: null,
        found: `Skipped: ${shownNames[expected.check] ?? expected.check} failed.`,
      });
    }
  });

  it('is reported with the missing scope before settlements are refused for it', async () => {
    const { on } = await withFaults(['scope-missing']);
    expect(on('token')).toMatchObject({
      level: 'warning',
      whatToDo: 'Ask the service to grant read:merchant:settlement.',
      facts: { scopes: ['read:merchant'] },
    });
  });

  it.each(unseen)('is not noticed with few requests: %s', async (fault) => {
    const { of, exitCode } = await withFaults([fault]);
    expect([of('ok'), exitCode]).toEqual([checks, 0]);
  });

  it('is tested with each fault name', () => {
    const tested = [...named.flatMap(({ faults }) => faults), ...unseen].map(
      (text) => /^[^=@]*/.exec(text)?.[0],
    );
    expect([...new Set(tested)].sort()).toEqual(faultNames.map(({ name }) => name).sort());
  });

  it('is asked again once, and not after a pause that is too long', async () => {
    const asked = async (...faults: readonly string[]) => (await withFaults(faults)).requests;
    expect(await asked('http-503@headers')).toBe(3);
    expect(await asked('http-429@headers', 'retry-after=3600')).toBe(2);
  });
});

describe('settlements', () => {
  const dated = (settlementDate: string, header: object = {}) => ({
    date: settlementDate.slice(0, 10),
    header: { settlementDate, ...header },
    rows: purchases(2),
  });
  const ofMarch = async (scenario: Parameters<typeof startService>[0], ...args: string[]) => {
    const { env } = await startService(scenario);
    return examine(['--days', '36', ...args], { env });
  };

  it('cause a warning if none exist, and what needs one is not checked', async () => {
    const { on, of, exitCode } = await examine(['--sandbox', '--scenario', 'empty']);
    expect(on('settlements')).toMatchObject({
      level: 'warning',
      whatToDo: expect.stringContaining('check the profile'),
    });
    expect(of('not_checked')).toEqual([
      'settlement_pages',
      'transaction_pages',
      'dates',
      'names',
      'scales',
      'identity',
      'rules',
      'charges',
    ]);
    expect(on('identity').found).toBe('Skipped: no settlement found.');
    expect(exitCode).toBe(0);
  });

  it.each([
    [['2026-03-04T04:30:00Z'], 'ok', 'in UTC (Z)'],
    [['2026-03-04T04:30:00+02:00'], 'ok', 'with offset +02:00'],
    [['2026-03-04T04:30:00.123-0530'], 'ok', 'with offset -0530'],
    [['2026-03-04T04:30:00'], 'ok', 'without a time zone'],
    [['2026-03-04'], 'ok', 'without a time zone'],
    [
      ['2026-03-28T04:30:00+01:00', '2026-03-29T04:30:00+02:00', '2026-03-30T04:30:00+02:00'],
      'warning',
      '2 with offset +02:00 and 1 with offset +01:00',
    ],
  ])('have dates in a zone: %s', async (dates, level, says) => {
    const { on } = await ofMarch(scenarioOf(dates.map((date) => dated(date))));
    expect(on('dates')).toMatchObject({ level, found: expect.stringContaining(says) });
  });

  it('that are outside the range by their written date are reported', async () => {
    const { on } = await examine(['--sandbox', '--scenario', 'outside-range', '--days', '366']);
    expect(on('dates')).toMatchObject({
      level: 'warning',
      found: expect.stringContaining('; 1 dated outside the requested days'),
    });
  });

  it('that another identity fits give the line for the profile', async () => {
    const { on, exitCode } = await examine(['--sandbox', '--scenario', 'other-identity']);
    expect(on('identity')).toMatchObject({
      level: 'warning',
      whatToDo: expect.stringContaining('identity = "gross-fees+tax" under [profiles.NAME]'),
      found: expect.stringMatching(/gross - fees - tax holds for \d of 2 settlements/),
      facts: { better: ['gross-fees+tax'] },
    });
    expect(exitCode).toBe(0);
  });

  it('count for each identity', async () => {
    const rows = purchases(2);
    const off = { date: '2026-03-09', rows, off: { amountPayIn: 1 } };
    const { on } = await ofMarch(
      scenarioOf([{ date: '2026-03-04', rows }, { date: '2026-03-05', rows }, off]),
    );
    const { level, found, facts } = on('identity');
    expect([level, found]).toEqual([
      'ok',
      'Net pay-out = gross - fees - tax holds for 2 of 3 settlements.',
    ]);
    expect(facts).toMatchObject({
      fits: [
        { identity: 'gross-fees-tax', settlements: 2 },
        ...Array.from({ length: 8 }, () => ({ settlements: 0 })),
      ],
    });
  });

  it('that cannot be read are a failure, with record and field', async () => {
    const { on, exitCode } = await examine(['--sandbox', '--scenario', 'malformed']);
    expect(on('records')).toMatchObject({
      level: 'failure',
      found: expect.stringMatching(/found .*, expected /),
    });
    expect(exitCode).toBe(4);
  });

  it('without a charge leave charges unchecked', async () => {
    const rows = [['purchase', 1000, 25, 5, { chargeId: 'none' }]] as const;
    const { on, exitCode } = await ofMarch(scenarioOf([{ date: '2026-03-04', rows }]));
    expect(on('charges')).toMatchObject({
      level: 'not_checked',
      found: 'Skipped: no transaction with a charge id found.',
    });
    expect(exitCode).toBe(0);
  });

  it('are read for today and the days before', async () => {
    const { env, asked } = await startService('month');
    await examine([], { env });
    await examine(['--days', '1'], { env });
    const ranges = asked('headers').map(({ body }) => [body?.['startDate'], body?.['endDate']]);
    expect(ranges[0]).toEqual(['2026-03-30', '2026-04-05']);
    expect(ranges.at(-1)).toEqual(['2026-04-05', '2026-04-05']);
  });

  it('are those up to the newest one if the last days have none, and the report says which', async () => {
    const { env } = await startService('month');
    const clock = new FakeClock(Date.UTC(2026, 10, 28, 12));
    const { stdout, exitCode } = await runRecon(['doctor', '--format', 'json'], { env, clock });
    const { range, checks } = JSON.parse(stdout);
    expect(range).toEqual({ from: '2026-03-25', to: '2026-03-31' });
    const of = (name: string) => checks.find(({ check }: { check: string }) => check === name);
    expect(of('settlements').found).toContain(
      '(2026-03-25 to 2026-03-31), since 2026-11-22 to 2026-11-28 has none.',
    );
    expect([exitCode, of('records').level, of('charges').level]).toEqual([0, 'ok', 'ok']);
    // A number of days that is given is kept.
    const asked = await runRecon(['doctor', '--days', '3', '--format', 'json'], { env, clock });
    expect(JSON.parse(asked.stdout).range).toEqual({ from: '2026-11-26', to: '2026-11-28' });
  });

  it.each(['0', '367', 'week'])('cannot be read for %s days', async (days) => {
    const { exitCode, stdout, stderr } = await runRecon(['doctor', '--sandbox', '--days', days]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--days');
  });
});

describe('charges', () => {
  it('are asked for by the scheme that is set', async () => {
    const byV1 = ['--charge-auth', 'v1'];
    const { on } = await examine(['--sandbox', ...byV1]);
    expect(on('charges').found).toContain('accept V1');
    const refused = await examine(['--sandbox', ...byV1, '--fault', 'charge-scheme=v2']);
    expect(refused.on('charges')).toMatchObject({
      level: 'warning',
      found: expect.stringContaining('reject V1'),
    });
  });

  it('that refuse V2 have the other scheme suggested', async () => {
    const { on } = await withFaults(['charge-scheme=v1']);
    expect(on('charges').whatToDo).toContain('--charge-auth v1');
  });
});

describe('V1 for everything', () => {
  it('gets no token, and has a stricter check of the clock', async () => {
    const { env, asked } = await startService('month', 'clock-skew=20');
    // With keys of V2, that would be tried.
    const onlyV1 = { ...env, RECON_AUTH: 'v1', RECON_CLIENT_SECRET: '' };
    const { on } = await examine(['--days', '20'], { env: onlyV1 });
    expect(on('token').found).toMatch(/^V1: /);
    expect(on('clock')).toMatchObject({
      level: 'warning',
      whatToDo: expect.stringContaining('V1 tokens carry its time'),
    });
    expect(asked('token')).toEqual([]);
  });
});

describe('the configuration', () => {
  it('is a failure if it is missing, and no request is sent', async () => {
    const { on, of, requests, exitCode } = await examine([]);
    expect(of('failure')).toEqual(['configuration']);
    expect(of('ok')).toEqual(['interface']);
    expect(on('token').found).toBe('Skipped: configuration failed.');
    expect(on('configuration')).toMatchObject({
      found: expect.stringContaining('base_url'),
      whatToDo: expect.stringContaining('recon config init'),
    });
    expect({ requests, exitCode }).toEqual({ requests: 0, exitCode: 2 });
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['an address', { RECON_BASE_URL: 'http://example.com' }, 'https://'],
    ['a scheme', { RECON_AUTH: 'v3' }, 'v3'],
    ['a proxy', { HTTPS_PROXY: 'proxy.example' }, 'HTTPS_PROXY'],
    [
      'a file for a secret',
      { RECON_JWT_SECRET_FILE: '/nonexistent/x', RECON_CHARGE_AUTH: 'v1', RECON_JWT_SECRET: '' },
      '/nonexistent/x',
    ],
  ])('is a failure if it is invalid: %s', async (_, wrong, says) => {
    const env = { ...connectionTo('http://127.0.0.1:9'), ...wrong };
    const { on, exitCode } = await examine([], { env });
    expect(on('configuration')).toMatchObject({
      level: 'failure',
      found: expect.stringContaining(says),
    });
    expect(exitCode).toBe(2);
  });

  it('is shown with the place of each setting, and secrets only as present', async () => {
    const { sandbox } = await startService('month');
    const home = await temporaryFolder();
    const folder = join(home, '.config', 'recon');
    await mkdir(folder, { recursive: true });
    const { clientId, audience } = sandbox.credentials;
    await writeFile(
      join(folder, 'config.toml'),
      `[profiles.spain]\nbase_url = "${sandbox.baseUrl}"\nauth_url = "${sandbox.authUrl}"\n` +
        `client_id = "${clientId}"\naudience = "${audience}"\n`,
    );
    const { clientSecret } = sandbox.credentials;
    const env = { HOME: home, RECON_CLIENT_SECRET: clientSecret };
    const { on, stdout } = await examine([], { env });
    expect(on('configuration').found).toContain('profile spain in ');
    const { settings }: { settings: readonly { setting: string }[] } = JSON.parse(stdout);
    expect(settings).toContainEqual({
      setting: 'client_secret',
      value: '[redacted]',
      source: 'environment RECON_CLIENT_SECRET',
    });
    expect(settings).toContainEqual({
      setting: 'client_id',
      value: clientId,
      source: expect.stringContaining('profile spain in '),
    });
  });

  it('is not checked for an unknown flag, which is wrong usage', async () => {
    const { exitCode, stdout } = await runRecon(['doctor', '--sandbox', '--form', 'json']);
    expect([exitCode, stdout]).toEqual([2, '']);
  });
});

describe('the connection to the service', () => {
  it('fails if no server is there', async () => {
    const { on, of, exitCode } = await examine([], { env: connectionTo('http://127.0.0.1:1') });
    expect(of('failure')).toEqual(['address']);
    expect(on('address').found).toContain('127.0.0.1:1');
    expect(on('latency')).toMatchObject({
      level: 'not_checked',
      found: 'Skipped: address failed.',
    });
    expect(exitCode).toBe(4);
  });

  it('fails if another path answers', async () => {
    const { env, sandbox } = await startService('month');
    const wrong = { ...env, RECON_BASE_URL: `${sandbox.baseUrl}/v2` };
    const { on, of, exitCode } = await examine([], { env: wrong });
    expect(of('failure')).toEqual(['address']);
    expect(on('address').found).toContain('/v2/v1/merchant/settlement');
    expect(on('token').level).toBe('ok');
    expect(exitCode).toBe(4);
  });

  it('fails if the secret is refused', async () => {
    const { env } = await startService('month');
    const wrong = { ...env, RECON_CLIENT_SECRET: 'a-wrong-secret' };
    const { on, of, exitCode, requests } = await examine([], { env: wrong });
    expect(of('failure')).toEqual(['token']);
    expect(on('token').whatToDo).toContain('RECON_CLIENT_SECRET');
    expect({ exitCode, requests }).toEqual({ exitCode: 3, requests: 1 });
  });

  it('fails if the certificate is self-signed', async () => {
    const server = createHttpsServer(selfSigned(), (_, response) => response.end('{}'));
    const { port } = new URL(`http://${await listen(server)}`);
    const { on, of, exitCode } = await examine([], {
      env: connectionTo(`https://localhost:${port}`),
    });
    expect(of('failure')).toEqual(['tls']);
    expect(on('tls').found).toContain('SELF_SIGNED');
    expect(on('address').found).toBe('Skipped: TLS failed.');
    expect(exitCode).toBe(4);
  });

  it('fails at a proxy that does not answer, whose password is not shown', async () => {
    const { env } = await startService('month');
    const dead = await deadProxy();
    const HTTP_PROXY = dead.replace('//', '//me:hidden@');
    const { on, of, stdout, exitCode } = await examine([], { env: { ...env, HTTP_PROXY } });
    expect(of('failure')).toEqual(['proxy']);
    expect(on('proxy')).toMatchObject({
      found: expect.stringContaining(`the proxy ${dead}`),
      whatToDo: expect.stringContaining('HTTP_PROXY'),
    });
    expect(stdout).not.toContain('hidden');
    expect(exitCode).toBe(4);
  });

  it('does not use a proxy from which the host is exempt', async () => {
    const { env } = await startService('month');
    const exempt = { ...env, HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: '127.0.0.1' };
    const { on } = await examine([], { env: exempt });
    expect(on('proxy')).toMatchObject({
      level: 'ok',
      found: expect.stringContaining('not used for these hosts'),
    });
  });

  it('fails at a proxy that refuses it', async () => {
    const HTTP_PROXY = await proxyThatSays('HTTP/1.1 403 Forbidden\r\n\r\n');
    const { env } = await startService('month');
    const { on } = await examine([], { env: { ...env, HTTP_PROXY } });
    expect(on('proxy')).toMatchObject({
      level: 'failure',
      found: expect.stringContaining(`The proxy ${HTTP_PROXY} did not connect`),
      whatToDo: expect.stringContaining('HTTP_PROXY'),
    });
  });
});

describe('answers', () => {
  it('without a Date leave the clock unchecked', async () => {
    const { env } = await startServer(
      afterToken(() => ({ ...wrapped([]), headers: { date: '' } })),
    );
    const { on } = await examine([], { env });
    // The token exchange has a Date all the same, and it counts.
    expect(on('clock').level).not.toBe('ok');
  });

  it('with a page that is longer than asked for are reported', async () => {
    const header = (number: number) => ({ settlementId: `s-${number}` });
    const { env } = await startServer(afterToken(() => wrapped([header(1), header(2)])));
    const { on } = await examine([], { env });
    expect(on('settlements')).toMatchObject({
      level: 'warning',
      found: expect.stringContaining('1 requested, 2 returned'),
    });
    expect(on('settlement_pages')).toMatchObject({ level: 'failure' });
  });

  it('have fields outside the document shown by their names only', async () => {
    const answer = { status: { code: '0', trace: 'hidden' }, data: [], total: 'hidden' };
    const { env } = await startServer(afterToken(() => ({ body: answer })));
    const { on, stdout } = await examine([], { env });
    expect(on('records').facts).toMatchObject({
      unknownFields: [{ record: 'wrapper', fields: ['status.trace', 'total'] }],
    });
    expect(stdout).not.toContain('hidden');
  });
});

describe('a service that accepts only the other scheme', () => {
  const v1Keys = { RECON_JWT_PUBLIC_KEY: '', RECON_JWT_SECRET: '' };
  const settlementsCheck = async (
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ) => {
    const { exitCode, stdout } = await runRecon(['doctor', '--json', ...args], { env });
    const checks: { check: string; level: string; whatToDo: string }[] = JSON.parse(stdout).checks;
    const { level, whatToDo } = checks.find(({ check }) => check === 'settlements') ?? {};
    return { exitCode, level, whatToDo };
  };

  it.each([
    ['v2', 'v1'],
    ['v1', 'v2'],
  ])('is asked with it if its keys are set: %s refused, %s accepted', async (set, taken) => {
    const { env } = await startService('month', `scheme=${taken}`);
    const ownState = { XDG_STATE_HOME: await temporaryFolder() };
    const found = await settlementsCheck([], { ...env, ...ownState, RECON_AUTH: set });
    expect(found).toMatchObject({ exitCode: 3, level: 'failure' });
    expect(found.whatToDo).toContain(
      `The service accepts ${taken.toUpperCase()}: set auth = "${taken}"`,
    );
  });

  it('is reported with what to try if the keys are not set', async () => {
    const { env, asked } = await startService('month', 'scheme=v1');
    const found = await settlementsCheck([], { ...env, ...v1Keys });
    expect(found.whatToDo).toContain('set auth = "v1"');
    // One token, refused, and a new one, refused.
    expect(asked('headers')).toHaveLength(2);
  });

  it('is reported with both schemes if it refuses both', async () => {
    const { env } = await startService('month', 'http-401@headers');
    const { whatToDo } = await settlementsCheck([], env);
    expect(whatToDo).toMatch(/^V1 was tried too: The service rejects the access token/);
  });

  it.each([
    ['settlements', '--month', '2026-03'],
    ['explain', nth(1)],
    ['charge', nth(1)],
  ])('is named by recon %s if the token was granted', async (...args) => {
    const { env } = await startService('month', 'scheme=v1');
    const { exitCode, stderr } = await runRecon(args, { env });
    expect([
      exitCode,
      stderr.match(/The token itself was granted[^.]*\. .*auth = "v1"/)?.length,
    ]).toEqual([3, 1]);
  });
});

describe('the output of recon doctor', () => {
  it('to a file leaves what failed on standard error', async () => {
    const path = join(await temporaryFolder(), 'doctor.txt');
    const fault = ['--fault', 'http-401@token'];
    const { exitCode, stdout, stderr } = await runRecon([
      'doctor',
      '--sandbox',
      ...fault,
      '--quiet',
      '--output',
      path,
    ]);
    expect([exitCode, stdout]).toEqual([3, '']);
    expect(stderr).toContain('FAILURE. ');
    expect(stderr).toContain('Token: The token exchange rejects the credentials.');
  });

  it('to a file leaves standard error empty if all is well', async () => {
    const path = join(await temporaryFolder(), 'doctor.txt');
    const { exitCode, stdout, stderr } = await runRecon([
      'doctor',
      '--sandbox',
      '--quiet',
      '--output',
      path,
    ]);
    expect([exitCode, stdout, stderr]).toEqual([0, '', '']);
  });

  it.each(['csv', 'ndjson', 'json', 'table'])('has every check as %s', async (format) => {
    const { stdout } = await runRecon(['doctor', '--sandbox', '--format', format]);
    const words = format === 'table' ? ['latency', 'interface'] : checks;
    for (const word of words) expect(stdout).toContain(word);
  });

  it('is empty after an interruption or the time limit', async () => {
    const interrupted = await runRecon(['doctor', '--sandbox'], {
      onStart: (signals) => setImmediate(() => signals.emit('SIGINT')),
    });
    expect([interrupted.exitCode, interrupted.stdout]).toEqual([130, '']);
    const { env } = await startServer(() => undefined);
    const late = await runRecon(['doctor', '--timeout', '1s'], { env });
    expect([late.exitCode, late.stdout]).toEqual([4, '']);
    expect(late.stderr).toContain('--timeout');
  });
});

it('recon doctor reads the same month that recon settlements reconciles', async () => {
  const { env, settlements } = await startService('month');
  const { on } = await examine(['--days', '36'], { env });
  const { stdout } = await settlements([...march.slice(2), '--format', 'json']);
  const { completeness }: { completeness: { settlements: number } } = JSON.parse(stdout);
  expect(on('identity').found).toContain(`of ${completeness.settlements} settlements`);
});
