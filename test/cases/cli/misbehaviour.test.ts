import { beforeAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { amounts, codes, type Report, readReport } from '../../cli/read-report.ts';
import { connectionTo, march, purchases, scenarioOf, startService } from '../../cli/service.ts';
import { faultNames } from '../../sandbox/faults.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { noon, type RunResult, runRecon } from '../../support/run-recon.ts';

/** Faults after which everything is read all the same. Each line is a run of its own. */
const recovered: readonly (readonly string[])[] = [
  ['page-max=30'],
  ['page-max=4@headers'],
  ['page-max=40-7'],
  ['page-max=5-60'],
  ['page-max=30', 'repeat', 'skip'],
  ['repeat'],
  ['page-max=5@headers', 'repeat@headers'],
  ['page-max=5@headers', 'skip@headers'],
  ['hole'],
  ['page-max=5@headers', 'hole@headers'],
  ['late-settlement=1'],
  ['late-settlement=2'],
  ['restless-header=first:1'],
  ['restless-header=on:2'],
  ['over-limit=7'],
  ['over-limit=200'],
  ['page-max=5@headers', 'over-limit=2'],
  ['page-max=30', 'end-at-total'],
  ['wrapper-429=first:3'],
  ['wrapper-429=every:9'],
  ['http-429=every:9', 'retry-after=2'],
  ['wrapper-429=every:9', 'retry-after=Sun, 05 Apr 2026 12:01:00 GMT'],
  ['rate-limit=20,1'],
  ['rate-limit=5', 'retry-after=1'],
  ['http-rate-limit=100'],
  ['wrapper-1000=first:3'],
  ['wrapper-1002=on:5'],
  ['wrapper-2001=every:4'],
  ['http-408=every:5'],
  ['http-500=every:5'],
  ['http-502=every:5'],
  ['http-503=first:5@rows'],
  ['http-504=every:5'],
  ['html=every:7'],
  ['truncated=every:7'],
  ['not-utf8=every:7'],
  ['broken-off=every:7'],
  ['reset=every:7'],
  ['http-401=on:3'],
  ['http-503=first:2@token'],
  ['http-429=first:2@token'],
  ['reset=first:2@token'],
  ['slow=250'],
  ['token-life=100', 'slow=500'],
  ['token-uses=20'],
  ['token-uses=20', 'auth-by-wrapper'],
  ['wrapper-0=every:4'],
  ['clock-skew=-90'],
  ['unknown-fields'],
  // It is about charges alone.
  ['hostile-keys'],
  ['page-max=25', 'wrapper-429=every:11', 'http-502=every:13', 'token-uses=30', 'repeat', 'hole'],
];

/** Answers that the document doesn't show, after which everything is read too, and a word said. */
const noticed: readonly (readonly [fault: string, odd: object])[] = [
  ['empty-data=absent', { field: 'data', found: 'nothing', expected: '[]' }],
  ['empty-data=null', { field: 'data', found: 'null', expected: '[]' }],
  ['empty-data=object', { field: 'data', found: '{}', expected: '[]' }],
  ['numeric-code', { field: 'status.code', found: '0', expected: '"0"' }],
  ['other-word=Partial', { field: 'status.response', found: '"Partial"', expected: '"Success"' }],
];

/** Faults of charges and of access, which `charge.test.ts` and `doctor.test.ts` test. */
const ofCharges = ['charge-scheme=v1', 'charge-scheme=v2', 'scheme=v1', 'scheme=v2'] as const;

/** Faults of webhooks, which `webhooks.test.ts` tests. */
const ofWebhooks = [
  'webhook-twice',
  'webhook-malformed',
  'webhook-unknown',
  'webhook-deep',
  'webhook-list',
  'webhook-forged',
] as const;

/** Faults after which some settlements, or the list of them, are not certain. */
const incomplete: readonly {
  readonly faults: readonly string[];
  readonly code: string;
  readonly settlements: number;
}[] = [
  // The pending one stays pending.
  { faults: ['http-503@rows'], code: 'not_read', settlements: 11 },
  { faults: ['wrapper-1010@rows'], code: 'not_read', settlements: 11 },
  { faults: ['wrapper-1020@rows'], code: 'not_read', settlements: 11 },
  { faults: ['wrapper-9999@rows'], code: 'not_read', settlements: 11 },
  { faults: ['http-400@rows'], code: 'not_read', settlements: 11 },
  { faults: ['wrapper-0@rows'], code: 'not_read', settlements: 11 },
  { faults: ['html@rows'], code: 'not_read', settlements: 11 },
  { faults: ['reset@rows'], code: 'not_read', settlements: 11 },
  { faults: ['wrapper-429@rows'], code: 'not_read', settlements: 11 },
  { faults: ['ignore-offset@rows'], code: 'unsteady_read', settlements: 2 },
  // The one whose count is wrong too: no two walks of it agree.
  { faults: ['skip=always@rows'], code: 'unsteady_read', settlements: 1 },
  { faults: ['ignore-offset@headers'], code: 'unsteady_headers', settlements: 0 },
  { faults: ['restless-header'], code: 'unsteady_headers', settlements: 0 },
  {
    faults: ['page-max=5@headers', 'skip=always@headers'],
    code: 'unsteady_headers',
    settlements: 0,
  },
];

/** Faults after which there is nothing to report. */
const fatal: readonly {
  readonly fault: string;
  readonly exitCode: number;
  /** How often the request is tried before it is given up. */
  readonly attempts: number;
  readonly says: readonly string[];
}[] = [
  { fault: 'wrapper-429@headers', exitCode: 4, attempts: 16, says: ['rate limit', '429'] },
  { fault: 'http-429@headers', exitCode: 4, attempts: 16, says: ['rate limit', '429'] },
  { fault: 'wrapper-0@headers', exitCode: 4, attempts: 6, says: ['code 0, Fail'] },
  { fault: 'other-word=Fail', exitCode: 4, attempts: 6, says: ['code 0, Fail'] },
  { fault: 'wrapper-1000@headers', exitCode: 4, attempts: 6, says: ['1000'] },
  { fault: 'wrapper-2001@headers', exitCode: 4, attempts: 6, says: ['2001', 'database'] },
  { fault: 'wrapper-1010@headers', exitCode: 4, attempts: 1, says: ['1010', 'not implemented'] },
  { fault: 'wrapper-1020@headers', exitCode: 4, attempts: 1, says: ['1020'] },
  { fault: 'wrapper-9999@headers', exitCode: 4, attempts: 1, says: ['9999'] },
  { fault: 'long-code@headers', exitCode: 4, attempts: 1, says: ['9999'] },
  { fault: 'echo-secrets@headers', exitCode: 4, attempts: 6, says: ['1000', '[redacted]'] },
  { fault: 'http-400@headers', exitCode: 4, attempts: 1, says: ['HTTP 400'] },
  { fault: 'http-408@headers', exitCode: 4, attempts: 6, says: ['HTTP 408'] },
  { fault: 'http-500@headers', exitCode: 4, attempts: 6, says: ['HTTP 500'] },
  { fault: 'http-502@headers', exitCode: 4, attempts: 6, says: ['HTTP 502'] },
  { fault: 'http-503@headers', exitCode: 4, attempts: 6, says: ['HTTP 503', 'text/html'] },
  { fault: 'http-504@headers', exitCode: 4, attempts: 6, says: ['HTTP 504'] },
  { fault: 'html@headers', exitCode: 4, attempts: 6, says: ['HTTP 200', 'text/html'] },
  { fault: 'truncated@headers', exitCode: 4, attempts: 6, says: ['unreadable'] },
  { fault: 'not-utf8@headers', exitCode: 4, attempts: 6, says: ['not in UTF-8'] },
  { fault: 'broken-off@headers', exitCode: 4, attempts: 6, says: ['Connection closed by'] },
  { fault: 'reset@headers', exitCode: 4, attempts: 6, says: ['Connection closed by'] },
  { fault: 'wrapper-1001@headers', exitCode: 3, attempts: 1, says: ['read:merchant:settlement'] },
  { fault: 'http-403@headers', exitCode: 3, attempts: 1, says: ['read:merchant:settlement'] },
  { fault: 'scope-missing', exitCode: 3, attempts: 1, says: ['read:merchant:settlement'] },
  { fault: 'wrapper-1002@headers', exitCode: 3, attempts: 2, says: ['1002', 'access token'] },
  { fault: 'http-401@headers', exitCode: 3, attempts: 2, says: ['HTTP 401', 'access token'] },
];

/** A bit of everything: many rows, a difference, a missing row, a duplicate, a pending one. */
const mixed = scenarioOf([
  { date: '2026-03-02', rows: purchases(130) },
  { date: '2026-03-03', rows: purchases(45), off: { fees: 1, amountPayIn: -1 } },
  { date: '2026-03-04', rows: purchases(12), off: { totalTransactions: 1 } },
  { date: '2026-03-05', rows: purchases(8), status: 'pending_settlement' },
  {
    date: '2026-03-06',
    header: { totalTransactions: 2, amountGross: 3000, fees: 75, tax: 15, amountPayIn: 2910 },
    rows: [
      ['purchase', 2000, 50, 10, { label: 'twice' }],
      ['purchase', 2000, 50, 10, { label: 'twice' }],
      ['purchase', 1000, 25, 5],
    ],
  },
  ...Array.from({ length: 7 }, (_, index) => ({
    date: `2026-03-1${index}`,
    rows: purchases(1 + index),
  })),
]);

/** The causes follow from the rows, and take long to find. */
const asJson = ['--format', 'json', '--no-explain'];

async function disturbed(faults: readonly string[], ...args: string[]): Promise<RunResult> {
  const { settlements } = await startService(mixed, ...faults);
  return settlements([...asJson, ...args]);
}

const undisturbed = { stdout: '', exitCode: 1 };
beforeAll(async () => {
  const sandbox = await startSandbox({ scenario: mixed, clock: new FakeClock(noon) });
  const env = connectionTo(sandbox.baseUrl);
  const run = await runRecon(['settlements', ...march, ...asJson], { env });
  await sandbox.close();
  const { completeness, settlements } = readReport(run.stdout);
  expect(run.exitCode).toBe(undisturbed.exitCode);
  expect(completeness).toEqual({ complete: true, settlements: 12, transactions: 225, unread: [] });
  expect(settlements.map((one) => codes([...one.discrepancies, ...one.notices]))).toEqual([
    ...['', 'fees', 'count', 'overdue', 'duplicate_transaction'],
    ...Array.from({ length: 7 }, () => ''),
  ]);
  undisturbed.stdout = run.stdout;
});

describe('a service that misbehaves for a while', () => {
  it.each(recovered.map((faults) => ({ faults })))(
    'does not change the report: $faults',
    async ({ faults }) => {
      const { stdout, exitCode } = await disturbed(faults);
      expect(exitCode).toBe(undisturbed.exitCode);
      expect(stdout).toBe(undisturbed.stdout);
    },
  );

  it('does not change the report in the sandbox of the command', async () => {
    const faults = ['page-max=30', 'wrapper-2001=every:6', 'http-429=first:2', 'token-uses=50'];
    const flags = ['settlements', '--sandbox', '--format', 'json'];
    const usual = await runRecon(flags);
    const { stdout } = await runRecon([...flags, ...faults.flatMap((one) => ['--fault', one])]);
    expect(stdout).toBe(usual.stdout);
  });

  it('does not change the report with one request at a time (trap 8, trap 10)', async () => {
    const faults = ['page-max=33', 'repeat', 'skip', 'http-502=every:7', 'late-settlement=1'];
    const { stdout } = await disturbed(faults, '--concurrency', '1');
    expect(stdout).toBe(undisturbed.stdout);
  });
});

describe('a settlement of many pages', () => {
  const manyRows = scenarioOf([{ date: '2026-03-04', rows: purchases(250) }]);

  it.each([
    'page-max=30',
    'page-max=90-3',
    'repeat',
    'repeat=always',
    'skip',
    'skip=always',
    'hole',
    'http-503=every:3',
    'wrapper-429=every:4',
    'rate-limit=2',
  ])('is read to its last row, each row once: %s (trap 8, trap 10)', async (fault) => {
    const { settlements } = await startService(manyRows, `${fault}@rows`);
    const { exitCode, stdout } = await settlements(['--format', 'json']);
    const [settlement] = readReport(stdout).settlements;
    expect([exitCode, settlement?.verdict]).toEqual([0, 'balanced']);
    expect(amounts(settlement?.computed ?? null)).toBe('2500.00 62.50 12.50 2425.00 250');
    expect(settlement?.notices).toEqual([]);
  });

  it.each(['hole=always', 'ignore-offset'])(
    'is incomplete if rows are never listed: %s (trap 10)',
    async (fault) => {
      const { settlements } = await startService(manyRows, `${fault}@rows`);
      const { exitCode, stdout } = await settlements(['--format', 'json']);
      const [settlement] = readReport(stdout).settlements;
      expect(exitCode).toBe(4);
      expect(settlement).toMatchObject({ verdict: 'incomplete', computed: null, difference: null });
      expect(codes(settlement?.discrepancies ?? [])).toBe('unsteady_read');
    },
  );
});

describe('answers that are not as documented', () => {
  const balanced = async (...faults: string[]) => {
    const { settlements, sandbox } = await startService('balanced', ...faults);
    const { stdout, exitCode } = await settlements(['--format', 'json']);
    const report = readReport(stdout);
    return { report, exitCode, env: connectionTo(sandbox.baseUrl) };
  };

  it.each(noticed)('change nothing, and are noticed: %s', async (fault, odd) => {
    const calm = await balanced();
    const { report, exitCode } = await balanced(fault);
    expect(report.findings).toMatchObject([
      { code: 'unusual_answer', weight: 'notice', facts: { examples: [odd] } },
    ]);
    expect([{ ...report, findings: [] }, exitCode]).toEqual([calm.report, calm.exitCode]);
  });

  it('are reported on standard error if the report has no place for them', async () => {
    const { env } = await balanced('other-word=Partial');
    const [first] = (await balanced()).report.settlements;
    for (const args of [
      ['settlements', ...march, '--format', 'csv'],
      ['transactions', ...march],
      ['explain', first?.id ?? ''],
    ]) {
      const { stderr, exitCode } = await runRecon(args, { env });
      expect(exitCode).toBe(0);
      expect(stderr).toContain('status.response (found "Partial", expected "Success")');
      const quiet = await runRecon([...args, '--quiet'], { env });
      expect(quiet.stderr).toBe('');
    }
  });

  it.each(['absent', 'null', 'object'])(
    'are not an empty page below the announced total: empty-data=%s',
    async (form) => {
      const { stdout, exitCode } = await disturbed([`empty-data=${form}`]);
      const report = readReport(stdout);
      // The one of which fewer rows are listed than announced.
      expect([exitCode, incompleteCodes(report)]).toEqual([4, ['not_read']]);
      expect(report.settlements[2]).toMatchObject({ verdict: 'incomplete', computed: null });
    },
  );

  it.each(['absent', 'null', 'object'])(
    'are asked for again below the announced total: a hole with empty-data=%s',
    async (form) => {
      const rows = scenarioOf([{ date: '2026-03-04', rows: purchases(250) }]);
      const { settlements } = await startService(rows, 'hole@rows', `empty-data=${form}`);
      const { stdout, exitCode } = await settlements(['--format', 'json']);
      const [settlement] = readReport(stdout).settlements;
      expect([exitCode, settlement?.computed?.transactions]).toEqual([0, 250]);
    },
  );
});

it('dates can be in the basic format of ISO 8601', async () => {
  const rows = purchases(3);
  const basic = { settlementDate: '20260305T101530Z' };
  const filter = { date: '2026-03-05' };
  const { settlements } = await startService(
    scenarioOf([{ date: '2026-03-05', header: basic, rows, filter }]),
  );
  const { exitCode, stdout } = await settlements(['--format', 'json']);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    settlements: [{ date: '2026-03-05', verdict: 'balanced', notices: [] }],
    findings: [],
  });
});

describe('rows beyond the announced total', () => {
  const beyond = scenarioOf([
    { date: '2026-03-04', header: { totalTransactions: 150 }, rows: purchases(160) },
  ]);

  it('count, though no rows are listed at the total itself', async () => {
    const { settlements } = await startService(beyond, 'end-at-total');
    const { exitCode, stdout } = await settlements(['--format', 'json']);
    const report = readReport(stdout);
    expect([exitCode, report.verdict]).toEqual([4, 'incomplete']);
    expect(report.settlements.map((one) => codes(one.discrepancies))).toEqual(['unsteady_read']);
  });

  it('are handed on by transactions, which says that the list is not certain', async () => {
    const { sandbox } = await startService(beyond, 'end-at-total');
    const env = connectionTo(sandbox.baseUrl);
    const { exitCode, stdout } = await runRecon(['transactions', ...march], { env });
    // A line each, the header row, and what stands behind the last line break.
    expect([exitCode, stdout.split('\r\n')]).toEqual([4, expect.objectContaining({ length: 162 })]);
  });
});

describe('a service that always misbehaves', () => {
  it.each(incomplete)(
    'makes the report incomplete and exit 4: $faults',
    async ({ faults, code, settlements }) => {
      const { stdout, exitCode } = await disturbed(faults);
      const report = readReport(stdout);
      expect(exitCode).toBe(4);
      expect([report.verdict, report.completeness.complete]).toEqual(['incomplete', false]);
      expect(incompleteCodes(report)).toEqual(
        settlements === 0 ? [] : Array.from({ length: settlements }, () => code),
      );
      expect(codes(report.findings)).toBe(settlements === 0 ? code : '');
    },
  );

  it.each(fatal)('ends the run with exit $exitCode: $fault', async (expected) => {
    const { settlements, asked } = await startService('balanced', expected.fault);
    const { exitCode, stdout, stderr } = await settlements();
    expect([exitCode, stdout]).toEqual([expected.exitCode, '']);
    for (const fragment of expected.says) expect(stderr).toContain(fragment);
    const [first] = asked('headers');
    const attempts = asked('headers').filter(({ body }) => body?.['offset'] === 0);
    expect(first?.body?.['offset']).toBe(0);
    expect(attempts).toHaveLength(expected.attempts);
  });

  it.each([
    { fault: 'http-401@token', exitCode: 3, attempts: 1, says: 'RECON_CLIENT_SECRET' },
    { fault: 'http-400@token', exitCode: 3, attempts: 1, says: 'RECON_CLIENT_ID' },
    { fault: 'http-403@token', exitCode: 3, attempts: 1, says: 'RECON_AUDIENCE' },
    { fault: 'http-503@token', exitCode: 4, attempts: 6, says: 'HTTP 503' },
    { fault: 'http-429@token', exitCode: 4, attempts: 16, says: 'HTTP 429' },
    { fault: 'html@token', exitCode: 4, attempts: 6, says: 'text/html' },
    { fault: 'truncated@token', exitCode: 4, attempts: 6, says: 'HTTP 200' },
    { fault: 'reset@token', exitCode: 4, attempts: 6, says: 'Connection closed by' },
  ])('ends the run before any settlement is asked for: $fault', async (expected) => {
    const { settlements, asked } = await startService('balanced', expected.fault);
    const { exitCode, stdout, stderr } = await settlements();
    expect([exitCode, stdout]).toEqual([expected.exitCode, '']);
    expect(stderr).toContain(expected.says);
    expect(stderr).toContain('/oauth/token');
    expect(asked('token')).toHaveLength(expected.attempts);
    expect(asked('headers')).toEqual([]);
  });

  it('ends with a report that names a settlement with faults', async () => {
    const id = readReport(undisturbed.stdout).settlements[5]?.id ?? '';
    const { stdout, exitCode } = await disturbed([`wrapper-1010@${id}`]);
    const settlements = readReport(stdout).settlements;
    expect(exitCode).toBe(4);
    const notRead = settlements.filter((one) => one.verdict === 'incomplete');
    expect(notRead.map((one) => one.id)).toEqual([id]);
    expect(notRead[0]?.computed).toBeNull();
    expect(settlements.filter((one) => one.id !== id)).toEqual(
      readReport(undisturbed.stdout).settlements.filter((one) => one.id !== id),
    );
  });

  it('ends the run if it denies access to one settlement', async () => {
    const id = readReport(undisturbed.stdout).settlements[5]?.id ?? '';
    const { stdout, exitCode } = await disturbed([`wrapper-1001@${id}`]);
    expect([exitCode, stdout]).toEqual([3, '']);
  });
});

it('every misbehaviour of the sandbox is tested', () => {
  const texts = [
    ...recovered.flat(),
    ...noticed.map(([fault]) => fault),
    ...incomplete.flatMap(({ faults }) => faults),
    ...fatal.map(({ fault }) => fault),
    ...ofCharges,
    ...ofWebhooks,
  ];
  const tested = new Set(texts.map((text) => /^[^=@]*/.exec(text)?.[0]));
  expect([...tested].sort()).toEqual(faultNames.map(({ name }) => name).sort());
});

/** The codes of weight incomplete, a settlement after the other. */
function incompleteCodes(report: Report): readonly string[] {
  return report.settlements
    .filter(({ verdict }) => verdict === 'incomplete')
    .flatMap(({ discrepancies }) => discrepancies)
    .filter(({ weight }) => weight === 'incomplete')
    .map(({ code }) => code);
}
