import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { afterToken, startServer } from './server.ts';
import { connectionTo, march, scenarioOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

interface Mistake {
  readonly args: readonly string[];
  readonly says: readonly string[];
}

const sandbox: readonly string[] = ['settlements', '--sandbox'];

const mistakes: readonly Mistake[] = [
  {
    args: [...sandbox, '--from', '2026-02-31', '--to', '2026-03-01'],
    says: ['2026-02-31', '--from'],
  },
  { args: [...sandbox, '--from', '2026-03-01', '--to', '31.3.2026'], says: ['31.3.2026', '--to'] },
  {
    args: [...sandbox, '--from', '2026-3-1', '--to', '2026-03-31'],
    says: ['2026-3-1', '2026-03-05'],
  },
  { args: [...sandbox, '--on', 'tomorrow'], says: ['tomorrow', '--on', 'yesterday'] },
  {
    args: ['close', '--sandbox', '--decisions', 'march.xlsx'],
    says: ['CSV', 'march.xlsx', 'accept --from'],
  },
  { args: [...sandbox, '--on', ''], says: ['""', '--on'] },
  { args: [...sandbox, '--month', '2026-13'], says: ['2026-13', '--month'] },
  { args: [...sandbox, '--month', 'march'], says: ['march', '2026-03', 'last'] },
  { args: [...sandbox, '--month', 'next'], says: ['next', '--month'] },
  { args: [...sandbox, '--month', 'constructor'], says: ['constructor', '--month'] },
  { args: [...sandbox, '--on', '-1y'], says: ['-1y', '--on'] },
  { args: [...sandbox, '--on', '-m'], says: ['-m', '--on'] },
  {
    args: [...sandbox, '--from', '2026-03-05', '--to', '2026-03-04'],
    says: ['2026-03-04', '2026-03-05', 'before'],
  },
  { args: [...sandbox, '--from', '2026-03-05'], says: ['--from', 'needs --to'] },
  { args: [...sandbox, '--to', '2026-03-05'], says: ['--to', 'needs --from'] },
  { args: [...sandbox, '--on', 'today', '--month', '2026-03'], says: ['more than once'] },
  {
    args: [...sandbox, '--from', '-7d', '--to', 'today', '--on', 'today'],
    says: ['more than once'],
  },
  { args: [...sandbox, '--mid', '1d0f5b3e-7a44'], says: ['--mid', 'UUID'] },
  { args: [...sandbox, '--cid', 'seven'], says: ['--cid', 'whole number'] },
  { args: [...sandbox, '--chid', '-1'], says: ['--chid', 'whole number'] },
  { args: [...sandbox, '--cid', '7.5'], says: ['--cid', 'whole number'] },
  { args: [...sandbox, '--format', 'pdf'], says: ['--format', 'table', 'csv', 'json'] },
  { args: [...sandbox, '--dialect', 'excel', '--format', 'table'], says: ['--dialect', 'table'] },
  { args: [...sandbox, '--dialect', 'excel-us'], says: ['--dialect', 'excel-eu'] },
  { args: [...sandbox, '--by', 'week'], says: ['--by', 'day, month, account'] },
  { args: [...sandbox, '--by', 'day,month,account'], says: ['--by', 'at most two'] },
  { args: [...sandbox, '--by', 'settlement,day'], says: ['settlement cannot be combined'] },
  { args: [...sandbox, '--by', 'day, day'], says: ['day can be given only once'] },
  { args: [...sandbox, '--by', 'day', '--by', 'day'], says: ['--by', 'only once'] },
  { args: [...sandbox, '--by', 'group,account'], says: ['group and account mean the same'] },
  { args: [...sandbox, '--only', 'balanced,unbalanced'], says: ['--only', 'out_of_balance'] },
  { args: [...sandbox, '--fail-on', 'anything'], says: ['--fail-on', 'out-of-balance'] },
  { args: [...sandbox, '--fail-on', 'empty,none'], says: ['--fail-on', 'none cannot be combined'] },
  {
    args: [...sandbox, '--fail-on', 'none', '--fail-on', 'empty'],
    says: ['none cannot be combined'],
  },
  { args: [...sandbox, '--fail-on', '+none'], says: ['--fail-on', '+unusual-scale'] },
  { args: [...sandbox, '--fail-on', '+empty,none'], says: ['none cannot be combined'] },
  ...['export --out days', 'settlements', 'close'].map((command) => ({
    args: [...command.split(' '), '--sandbox', '--from', '2026-03-01', '--to', '9999-12-31'],
    says: ['From 2026-03-01 to 9999-12-31 are more than 10,000 days.', 'Correct --from or --to.'],
  })),
  { args: ['transactions', '--sandbox', '--settlement', 'abc'], says: ['--settlement', 'UUID'] },
  { args: [...sandbox, '--output', ''], says: ['--output is empty'] },
  { args: [...sandbox, '--scenario', 'mnth'], says: ['"mnth"', 'Did you mean month?', '--list'] },
  { args: [...sandbox, '--fault', 'page-mx=3'], says: ['"page-mx"', 'Did you mean page-max?'] },
  { args: [...sandbox, '--fault', 'qqqqqqqq'], says: ['"qqqqqqqq"', 'recon sandbox --list'] },
  { args: ['sandbox', '--port', '99999'], says: ['--port', 'at most 65535'] },
  { args: ['sandbox', '--host', '192.0.2.1'], says: ['--host', 'not an address of this machine'] },
  {
    args: ['help', 'setlements'],
    says: ["Unknown command 'setlements'", 'Did you mean settlements?'],
  },
  {
    args: ['explain', 'be678572-cc4e-5b84-ae52-bdd95f9ee0dd', '--neighbours', '9999999'],
    says: ['--neighbours', 'at most 366'],
  },
  { args: [...sandbox, '--color', 'sometimes'], says: ['--color', 'never'] },
  { args: [...sandbox, '--output', 'report.pdf'], says: ['report.pdf', '--format'] },
  {
    args: [...sandbox, '--identity', 'gross-fees-taxes'],
    says: ['identity', 'Did you mean gross-fees-tax?'],
  },
  { args: [...sandbox, '--tolerance', '0.05'], says: ['tolerance', '0.05', 'smallest unit'] },
  { args: [...sandbox, '--tolerance', '-1'], says: ['tolerance'] },
  { args: [...sandbox, '--ignore', 'fee'], says: ['Did you mean fees?'] },
  { args: [...sandbox, '--ignore', 'unsteady_read'], says: ['ignore', 'unsteady_read'] },
  { args: [...sandbox, '--concurrency', '0'], says: ['concurrency'] },
  { args: [...sandbox, '--concurrency', '100000'], says: ['concurrency'] },
  { args: [...sandbox, '--timeout', '10'], says: ['timeout', '90s'] },
  { args: [...sandbox, '--timeout', '0s'], says: ['timeout'] },
  { args: [...sandbox, '--scenario', 'moth'], says: ['moth', 'month'] },
  {
    args: [...sandbox, '--fault', 'http-999'],
    says: ['http-999', 'Did you mean http-', 'recon sandbox --list'],
  },
  { args: [...sandbox, '--fault', 'page-max=many'], says: ['page-max=many', '--fault'] },
  { args: [...sandbox, '--formt', 'csv'], says: ['--formt', 'Did you mean --format?'] },
  { args: [...sandbox, '--fromat', 'csv'], says: ['Did you mean --format?'] },
  { args: [...sandbox, '--form', 'csv'], says: ['Did you mean --from?'] },
  { args: [...sandbox, '--outptu', 'x.csv'], says: ['Did you mean --output?'] },
  { args: [...sandbox, '--format', 'csv', '--format', 'table'], says: ['--format', 'only once'] },
  {
    args: [...sandbox, '--from', '-7d', '--from', '-8d', '--to', 'today'],
    says: ['--from', 'only once'],
  },
  { args: [...sandbox, '--profile'], says: ['--profile', 'argument missing'] },
  { args: [...sandbox, 'march'], says: ['Too many arguments'] },
  { args: ['settlement'], says: ['settlement', 'Did you mean settlements?'] },
  { args: ['settlements', ...march, '--scenario', 'month'], says: ['--scenario', '--sandbox'] },
  { args: ['settlements', ...march, '--fault', 'repeat'], says: ['--fault', '--sandbox'] },
];

/** One clear sentence with what to do, on standard error alone. */
function expectSentence(
  { stdout, stderr }: { stdout: string; stderr: string },
  says: readonly string[],
): void {
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^error: \S.*\.$/m);
  expect(stderr.match(/^error: /gm)).toHaveLength(1);
  expect(stderr).not.toMatch(/\n\s+at .*:\d+:\d+/);
  for (const fragment of says) expect(stderr).toContain(fragment);
}

describe('a mistake on the command line', () => {
  it.each(mistakes)('is told in a sentence, and exits with 2: $args', async ({ args, says }) => {
    const env = connectionTo('http://127.0.0.1:1');
    const { exitCode, ...said } = await runRecon(args, { env });
    expect(exitCode).toBe(2);
    expectSentence(said, says);
  });

  it('is reported in lines that fit the terminal, broken between words', async () => {
    const args = ['settlements', '--sandbox', '--ignore', 'nope'];
    const { stderr } = await runRecon(args, { env: { CI: '1' }, stderrColumns: 40 });
    const lines = stderr.trimEnd().split('\n');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
    const inOne = (await runRecon(args)).stderr;
    expect(stderr.split(/\s+/)).toEqual(inOne.split(/\s+/));
    expect(lines.length).toBeGreaterThan(inOne.trimEnd().split('\n').length);
  });

  it('is reported if the range of a real service is missing', async () => {
    const { asked, env } = await startService('balanced');
    const { exitCode, ...said } = await runRecon(['settlements'], { env });
    expect(exitCode).toBe(2);
    expectSentence(said, ['No range', '--from', '--on', '--month']);
    expect(asked('token')).toEqual([]);
  });
});

describe('a failure of a program that asks for JSON', () => {
  it.each([
    { format: 'json', flags: ['--from', '2026-03-05'], cause: 'usage', exitCode: 2 },
    { format: 'ndjson', flags: ['--formt'], cause: 'usage', exitCode: 2 },
    { format: 'json', flags: ['--fault', 'http-401@token'], cause: 'authentication', exitCode: 3 },
    { format: 'json', flags: ['--fault', 'wrapper-1010@headers'], cause: 'service', exitCode: 4 },
    { format: 'ndjson', flags: ['--output', '/dev/full'], cause: 'output', exitCode: 5 },
  ])('is one object on standard error: $format $flags', async ({ format, flags, ...expected }) => {
    const run = await runRecon([...sandbox, '--quiet', '--format', format, ...flags]);
    expect([run.exitCode, run.stdout]).toEqual([expected.exitCode, '']);
    expect(JSON.parse(run.stderr)).toEqual({
      error: expect.objectContaining({ ...expected, message: expect.stringMatching(/\.$/) }),
    });
  });
});

describe('an invalid configuration', () => {
  it('without settings is refused with the names of the settings, and the places for them', async () => {
    const { exitCode, ...said } = await runRecon(['settlements', ...march]);
    expect(exitCode).toBe(2);
    expectSentence(said, [
      ...['base_url', 'auth_url', 'client_id', 'client_secret', 'audience'],
      ...['RECON_BASE_URL', 'RECON_CLIENT_SECRET', 'config.toml', '--sandbox'],
    ]);
  });

  it('with some settings is refused with the names of the missing ones only', async () => {
    const { RECON_AUDIENCE, ...env } = connectionTo('http://127.0.0.1:1');
    expect(RECON_AUDIENCE).toBeDefined();
    const { exitCode, ...said } = await runRecon(['settlements', ...march], { env });
    expect(exitCode).toBe(2);
    expectSentence(said, ['Not set: audience.', 'RECON_AUDIENCE']);
  });

  it.each([
    { url: 'http://api.example.com', says: 'https://' },
    { url: 'http://192.168.0.10:8080', says: 'https://' },
    { url: 'http://127.0.0.1.example.com', says: 'https://' },
    { url: 'ftp://api.example.com', says: 'https://' },
    { url: 'api.example.com', says: 'no' },
    { url: 'https://user:hunter2@api.example.com', says: 'password' },
    { url: 'https://api.example.com/?key=1', says: '?' },
  ])('with the address $url is refused, for either host', async ({ url, says }) => {
    for (const name of ['RECON_BASE_URL', 'RECON_AUTH_URL']) {
      const env = { ...connectionTo('http://127.0.0.1:1'), [name]: url };
      const { exitCode, ...said } = await runRecon(['settlements', ...march], { env });
      expect(exitCode).toBe(2);
      expectSentence(said, [says, name]);
      expect(said.stderr).not.toContain('hunter2');
    }
  });

  it('without the asked profile is refused, with or without a file', async () => {
    const flags = ['settlements', ...march, '--profile', 'spane'];
    const { exitCode, ...said } = await runRecon(flags);
    expect(exitCode).toBe(2);
    expectSentence(said, ['spane', 'config.toml']);
    const file = await configFile('[profiles.spain]\n[profiles.france]\n');
    const withFile = await runRecon([...flags, '--config', file]);
    expect(withFile.exitCode).toBe(2);
    expectSentence(withFile, ['spane', 'spain', 'france']);
  });

  it.each([
    {
      toml: '[profiles.shop]\nbase_url = https://api.example.com\n',
      says: ['line 2', 'column 12', ':2:12'],
    },
    { toml: '[profiles.shop\n', says: ['line 1', 'column'] },
    {
      toml: '[profiles.shop]\ntolerance = "5"\n',
      says: ['profiles.shop.tolerance', 'whole number'],
    },
    {
      toml: '[profiles.shop]\nbase_ulr = "x"\n',
      says: ['profiles.shop.base_ulr', 'Did you mean base_url?'],
    },
    { toml: '[profiles.shop]\nidentity = "gros"\n', says: ['identity', 'gros'] },
    {
      toml: '[profiles.shop]\ntime_zone = "Europe/Berlim"\n',
      says: ['time_zone', 'Europe/Berlim'],
    },
  ])('with a malformed file is refused: $toml', async ({ toml, says }) => {
    const file = await configFile(toml);
    const { exitCode, ...said } = await runRecon(['settlements', ...march, '--config', file]);
    expect(exitCode).toBe(2);
    expectSentence(said, [file, ...says]);
  });

  it('with a malformed file that holds a secret is refused without the secret', async () => {
    const file = await configFile('[profiles.shop]\nclient_secret = "hunter2" oops\n');
    const { exitCode, ...said } = await runRecon(['settlements', ...march, '--config', file]);
    expect(exitCode).toBe(2);
    expectSentence(said, ['line 2']);
    expect(said.stderr).not.toContain('hunter2');
  });

  it('with a named file that does not exist is refused', async () => {
    const flags = ['settlements', ...march, '--config', '/nonexistent/recon.toml'];
    const { exitCode, ...said } = await runRecon(flags);
    expect(exitCode).toBe(2);
    expectSentence(said, ['/nonexistent/recon.toml']);
  });

  it('with a proxy whose address is not http is refused', async () => {
    const env = { ...connectionTo('http://127.0.0.1:1'), http_proxy: 'socks5://127.0.0.1:1' };
    const { exitCode, ...said } = await runRecon(['settlements', ...march], { env });
    expect(exitCode).toBe(2);
    expectSentence(said, ['http_proxy']);
  });
});

describe('a service that does not work', () => {
  it('cannot be reached, and recon ends with 4 and names the address', async () => {
    const url = `http://127.0.0.1:${await closedPort()}`;
    const env = connectionTo(url);
    const { exitCode, ...said } = await runRecon(['settlements', ...march], { env });
    expect(exitCode).toBe(4);
    expectSentence(said, [url, 'No connection to', 'try: ']);
  });

  it.each([
    { about: 'text', body: 'Hello', says: 'text/plain' },
    { about: 'nothing', body: '', says: 'HTTP 200' },
    { about: 'JSON without a wrapper', body: { hello: 'world' }, says: 'application/json' },
    { about: 'a list', body: [], says: 'application/json' },
  ])('answers with $about, and recon ends with 4', async ({ body, says }) => {
    const server = await startServer(afterToken(() => ({ body })));
    const { exitCode, ...said } = await runRecon(['settlements', ...march], { env: server.env });
    expect(exitCode).toBe(4);
    expectSentence(said, [says, 'unreadable', 'base_url', '/v1/merchant/settlement']);
  });

  it('gives no token, and recon ends with 4', async () => {
    for (const body of [{}, { access_token: '' }, { access_token: 5 }, 'Hello']) {
      const server = await startServer(() => ({ body }));
      const { exitCode, ...said } = await runRecon(['settlements', ...march], { env: server.env });
      expect(exitCode).toBe(4);
      expectSentence(said, ['/oauth/token']);
    }
  });

  it('refuses the credentials, and recon ends with 3 and names where each is from', async () => {
    const { env } = await startService('balanced');
    const wrong = { ...env, RECON_CLIENT_SECRET: 'not-the-right-secret' };
    const { exitCode, ...said } = await runRecon(['settlements', ...march], { env: wrong });
    expect(exitCode).toBe(3);
    expectSentence(said, [
      'client_id is from environment RECON_CLIENT_ID',
      'client_secret is from environment RECON_CLIENT_SECRET',
      'audience is from environment RECON_AUDIENCE',
    ]);
  });
});

describe('a record that cannot be read', () => {
  const missing = Symbol('missing');
  const withRow = (field: string, value: unknown) =>
    scenarioOf([
      { date: '2026-03-03', rows: [['purchase', 1000, 25, 5]] },
      {
        date: '2026-03-04',
        rows: [['purchase', 1000, 25, 5, { [field]: value === missing ? undefined : value }]],
      },
    ]);

  it.each([
    ['decimalPlaces', ''],
    ['decimalPlaces', ' '],
    ['decimalPlaces', '2.0'],
    ['decimalPlaces', '-2'],
    ['decimalPlaces', '2e0'],
    ['decimalPlaces', '19'],
    ['decimalPlaces', null],
    ['decimalPlaces', true],
    ['decimalPlaces', missing],
    ['amount', '1000'],
    ['amount', 10.5],
    ['amount', 2 ** 53],
    ['amount', null],
    ['amount', missing],
    ['fees', '25'],
    ['fees', missing],
    ['tax', null],
    ['tax', missing],
    ['currencyCode', ''],
    ['currencyCode', missing],
    ['transactionId', ''],
    ['transactionId', null],
  ])(
    'makes its settlement incomplete, and no other: %s is %j (trap 20, trap 22)',
    async (field, value) => {
      const { settlements } = await startService(withRow(field, value));
      const { exitCode, stdout } = await settlements(['--format', 'json']);
      expect(exitCode).toBe(4);
      expect(JSON.parse(stdout)).toMatchObject({
        verdict: 'incomplete',
        settlements: [
          { verdict: 'balanced', complete: true },
          {
            verdict: 'incomplete',
            complete: false,
            computed: null,
            discrepancies: [
              { code: 'unreadable_record', count: 1, facts: { examples: [{ field }] } },
            ],
          },
        ],
      });
    },
  );

  it.each([
    ['amountGross', 10.5],
    ['amountGross', '1000'],
    ['fees', null],
    ['tax', missing],
    ['amountPayIn', 2 ** 53],
    ['decimalPlaces', ''],
    ['decimalPlaces', null],
    ['totalTransactions', -1],
    ['totalTransactions', missing],
    ['settlementDate', '4 March 2026'],
    ['settlementDate', missing],
    ['currencyCode', ''],
    ['settlementId', ''],
    ['accountingToken', missing],
  ])(
    'makes the run incomplete if it is a header: %s is %j (trap 20, trap 22)',
    async (field, value) => {
      const rows = [['purchase', 1000, 25, 5]] as const;
      const header = { [field]: value === missing ? undefined : value };
      const { settlements } = await startService(
        scenarioOf([
          { date: '2026-03-03', rows },
          { date: '2026-03-04', rows, header, filter: { date: '2026-03-04' } },
        ]),
      );
      const { exitCode, stdout } = await settlements(['--format', 'json']);
      expect(exitCode).toBe(4);
      expect(JSON.parse(stdout)).toMatchObject({
        verdict: 'incomplete',
        completeness: { complete: false, settlements: 1 },
        settlements: [{ verdict: 'balanced' }],
        findings: [{ code: 'unreadable_header', facts: { examples: [{ field }] } }],
      });
    },
  );

  it.each(['1000.00000000000001', '9007199254740993', '-9007199254740993', '1e300'])(
    'has an amount that would be rounded, and is quoted as received: %s (trap 22)',
    async (amount) => {
      const header = {
        settlementId: 'be678572-cc4e-5b84-ae52-bdd95f9ee0dd',
        settlementDate: '2026-03-04',
        accountingToken: '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601',
        currencyCode: 'EUR',
        decimalPlaces: 2,
        ...{ amountGross: 1000, fees: 0, tax: 0, amountPayIn: 1000, totalTransactions: 0 },
      };
      const data = JSON.stringify([header]).replace(
        '"amountPayIn":1000',
        `"amountPayIn":${amount}`,
      );
      const server = await startServer(
        afterToken(({ text }) => {
          const page = JSON.parse(text).offset === 0 ? data : '[]';
          return { body: `{"status":{"code":"0","response":"Success"},"data":${page}}` };
        }),
      );
      const run = await runRecon(['settlements', ...march, '--format', 'json'], {
        env: server.env,
      });
      expect(run.exitCode).toBe(4);
      const example = { record: header.settlementId, field: 'amountPayIn', found: amount };
      expect(JSON.parse(run.stdout)).toMatchObject({
        findings: [{ code: 'unreadable_header', facts: { examples: [example] } }],
      });
    },
  );

  it('is not a record with odd values in fields that the document does not promise', async () => {
    const liberal = {
      timestamp: 'yesterday',
      transactionType: 7,
      paymentType: null,
      state: undefined,
      notes: 'none',
      chargeId: undefined,
      orderId: 12,
      somethingNew: { deep: true },
    };
    const { settlements } = await startService(
      scenarioOf([
        {
          date: '2026-03-04',
          header: { paymentReferences: null, paymentEndToEndIds: undefined, merchantId: undefined },
          rows: [['purchase', 1000, 25, 5, liberal]],
        },
      ]),
    );
    const { exitCode, stdout } = await settlements(['--format', 'json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      settlements: [{ verdict: 'balanced', paymentReferences: [], paymentEndToEndIds: [] }],
    });
  });

  it.each([
    ...['chargeId', 'orderId', 'timestamp', 'transactionType', 'paymentType', 'state', 'notes'].map(
      (field) => ({ field, row: { [field]: undefined }, header: {} }),
    ),
    ...[
      ...['merchantId', 'paymentService', 'settlementStatus'],
      ...['paymentReferences', 'paymentEndToEndIds'],
    ].map((field) => ({ field, row: {}, header: { [field]: undefined } })),
  ])('is not a record without $field (trap 30, trap 33)', async ({ row, header }) => {
    const rows = [['purchase', 1000, 25, 5, row]] as const;
    const { settlements } = await startService(scenarioOf([{ date: '2026-03-04', header, rows }]));
    expect((await settlements()).exitCode).toBe(0);
  });

  it('is not a record in a sum beyond 2^53, which stays exact (trap 22)', async () => {
    const most = 2 ** 53 - 1;
    const { settlements } = await startService(
      scenarioOf([
        {
          date: '2026-03-04',
          header: { amountGross: most, fees: 0, tax: 0, amountPayIn: most, totalTransactions: 3 },
          rows: [
            ['purchase', most, 0, 0],
            ['purchase', most, 0, 0],
            ['purchase', 2, 0, 0],
          ],
        },
      ]),
    );
    const { stdout } = await settlements(['--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      settlements: [
        {
          computed: { gross: { amount: '180143985094819.84', minor: '18014398509481984' } },
          difference: { gross: { minor: '-9007199254740993' } },
        },
      ],
    });
  });
});

/** A configuration file that is gone when the test ends. */
async function configFile(toml: string): Promise<string> {
  const folder = join(await temporaryFolder(), 'recon');
  await mkdir(folder);
  const file = join(folder, 'config.toml');
  await writeFile(file, toml, { mode: 0o600 });
  return file;
}

/** A port of this machine on which nothing listens. */
function closedPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

describe('a mistake of a first day', () => {
  /** What is said with these lines in the profile. */
  async function saidWith(lines: readonly string[], ...args: readonly string[]) {
    const config = join(await temporaryFolder(), 'config.toml');
    await writeFile(config, ['[profiles.main]', ...lines].join('\n'), { mode: 0o600 });
    const { stderr, exitCode } = await runRecon([...args, '--config', config]);
    expect(exitCode).toBe(2);
    return stderr.replaceAll(/\s+/g, ' ');
  }
  const month = ['--month', '2026-03'];

  it.each([
    [['time_zone = "Madrid"'], 'Did you mean Europe/Madrid?'],
    [['statements = "C:\\Users\\me\\bank"'], 'Write paths with /, as in "C:/bank"'],
    [['tolerance = 1', 'tolerance = 2'], 'this name is there already. '],
  ])('in the configuration is explained: %s', async (lines, says) => {
    expect(await saidWith(lines, 'settlements', ...month)).toContain(says);
  });

  it('in a setting that names files says which setting it is', async () => {
    const says = await saidWith(['statements = "bank"'], 'bank', '--sandbox', ...month);
    expect(says).toContain('Bank statement not found.');
    expect(says).toContain('The setting statements names it');
  });

  it('in the files of bank and shop says what to do with just such a file', async () => {
    const folder = await temporaryFolder();
    const written = async (name: string, text: string | Uint8Array) => {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    };
    const table = await written('bank.csv', 'Datum;Betrag;Text\n01.03.2026;100,00;PAY\n');
    const said = async (path: string) =>
      (await runRecon(['bank', path, '--sandbox', ...month])).stderr;
    expect(await said(table)).toContain(`recon bank --init ${table} proposes it`);
    const old = await written('old.xls', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 1));
    expect(await said(old)).toContain('Save it as .xlsx or CSV, without a password.');
    const page = await written('login.xml', '<html><body>Session expired</body></html>');
    expect(await said(page)).toContain('Download it from the bank again.');
    const orders = await written('orders.csv', 'Order;Total;Day\n1;10.00;2026-03-01\n');
    const mapping = [
      '[profiles.main.orders_csv]',
      'methods = []',
      'order = "Order"',
      'date = "Day"',
      'date_format = "YYYY-MM-DD"',
      'total = "Total"',
      'currency = "EUR"',
    ];
    expect(await saidWith(mapping, 'orders', orders, '--sandbox')).toContain(
      'It has 1 column: Order;Total;Day. Check delimiter in orders_csv.',
    );
  });

  it('on the command line names the word or the flag', async () => {
    const said = async (...args: readonly string[]) => (await runRecon(args)).stderr;
    expect(await said('settlements', '--sandbox', '--month', 'March', '2026')).toContain(
      'Too many arguments: "2026".',
    );
    expect(await said('nightly')).toContain('--out is missing.');
    const id = 'be678572-cc4e-5b84-ae52-bdd95f9ee0dd';
    expect(await said('accept', id, '--sandbox', '--difference', '82.79')).toContain(
      'try: Add why, for example --reason',
    );
  });
});
