import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { closedPipe, noon, type RunOptions, runRecon } from '../support/run-recon.ts';
import { readLines, readRecords } from './read-report.ts';
import {
  connectionTo,
  field,
  march,
  purchases,
  type Service,
  scenarioOf,
  startService,
} from './service.ts';
import { temporaryFolder } from './temporary.ts';

const header =
  'settlement_date,settlement_id,accounting_token,accounting_name,transaction_id,charge_id,' +
  'order_id,timestamp,transaction_type,payment_type,state,currency,decimal_places,amount,fees,' +
  'tax,amount_minor,fees_minor,tax_minor';

const sandbox = (scenario: string, ...args: string[]) =>
  runRecon(['transactions', '--sandbox', '--scenario', scenario, ...args]);

function ask({ env, clock }: Service, args: readonly string[] = [], options: RunOptions = {}) {
  return runRecon(['transactions', ...march, ...args], { clock, ...options, env });
}

/** The transaction ids of a CSV, in its order. */
function idsOf(stdout: string): readonly string[] {
  return readRecords(stdout).map((row) => row['transaction_id'] ?? '');
}

const anyId = 'be678572-cc4e-5b84-ae52-bdd95f9ee0dd';

const oneSettlement = async (scenario: string, index = 0) =>
  String((await loadScenario(scenario)).settlements[index]?.header['settlementId']);

describe('transactions as csv', () => {
  it('are the format of a pipe: a row per transaction, with these bytes', async () => {
    const { exitCode, stdout } = await sandbox('refund', '--note', 'merchant_order_ref');
    const lines = stdout.split('\r\n');
    expect([exitCode, lines.length, lines[0]]).toEqual([0, 6, `${header},merchant_order_ref`]);
    expect(lines[3]).toBe(
      '2026-03-04,dac025e5-056e-5a4a-8dff-ec86855f16a0,3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601,,' +
        '783ab6e5-994f-5a27-a291-9e6ce671a26e,3a0debcd-754d-553b-b776-7bd01839a282,' +
        '687d7c0a-6afc-598c-8a1a-35dfcc023ca6,2026-03-02T08:04:51Z,refund,card,approved,EUR,2,' +
        '-30.00,0.00,0.00,-3000,0,0,ORD-01-0001',
    );
  });

  it('have a header row if no transactions exist', async () => {
    expect((await sandbox('empty')).stdout).toBe(`${header}\r\n`);
    expect((await sandbox('refund', '--state', 'none')).stdout).toBe(`${header}\r\n`);
  });

  it('are sorted by settlement date, then settlement id, then in the order of the list', async () => {
    const rows = readRecords((await sandbox('month')).stdout);
    const settlements = rows.map((row) => `${row['settlement_date']} ${row['settlement_id']}`);
    expect(rows).toHaveLength(1960);
    expect(settlements).toEqual([...settlements].sort());
    const { settlements: listed } = await loadScenario('month');
    for (const { header, rows: wanted } of listed) {
      const ids = rows
        .filter((row) => row['settlement_id'] === header['settlementId'])
        .map((row) => row['transaction_id']);
      expect(ids).toEqual([...new Set(wanted.map((row) => row['transactionId']))]);
    }
  });

  it('have the decimal places of each row, and the names of accounting tokens', async () => {
    const rows = readRecords((await sandbox('month')).stdout);
    const yen = rows.find((row) => row['currency'] === 'JPY');
    expect(yen).toMatchObject({ decimal_places: '0', accounting_name: 'Japan' });
    expect(yen?.['amount']).toBe(yen?.['amount_minor']);
  });

  it.each(['excel', 'excel-eu'])('open in a spreadsheet with --dialect %s', async (dialect) => {
    const { stdout } = await sandbox('refund', '--dialect', dialect);
    const isEuropean = dialect === 'excel-eu';
    expect(stdout.startsWith('\ufeffsettlement_date')).toBe(true);
    expect(stdout).toContain(isEuropean ? ';-30,00;0,00;0,00;-3000;' : ',-30.00,0.00,0.00,-3000,');
  });
});

describe('transactions in other formats', () => {
  it('are lines with a type, and a summary at the end: ndjson', async () => {
    const lines = readLines((await sandbox('refund', '--format', 'ndjson', '--notes')).stdout);
    expect(lines.map((line) => [line['type'], line['schema']])).toEqual([
      ...Array(4).fill(['transaction', 1]),
      ['summary', 1],
    ]);
    expect(lines[2]).toMatchObject({
      settlement: { date: '2026-03-04' },
      transactionType: 'refund',
      decimalPlaces: 2,
      amount: { amount: '-30.00', minor: '-3000' },
      notes: [{ key: 'merchant_order_ref' }, { key: 'merchant_customer_ref' }],
    });
    expect(lines[4]).toMatchObject({
      completeness: { complete: true, settlements: 2, transactions: 4 },
      listed: 4,
      partial: [],
    });
  });

  it('are one document: json', async () => {
    const { stdout } = await sandbox('refund', '--format', 'json', '--note', 'merchant_order_ref');
    const { schema, transactions, completeness, range } = JSON.parse(stdout);
    expect([schema, transactions.length, completeness.complete]).toEqual([1, 4, true]);
    expect(range).toEqual({ from: '2026-03-01', to: '2026-03-31' });
    expect(transactions[0]).toMatchObject({
      amount: { amount: '100.00', minor: '10000' },
      notes: [{ key: 'merchant_order_ref', value: 'ORD-01-0001' }],
    });
    expect(JSON.parse((await sandbox('empty', '--format', 'json')).stdout).transactions).toEqual(
      [],
    );
  });

  it('are the first rows and a count on a terminal', async () => {
    const { stdout } = await runRecon(['transactions', '--sandbox'], {
      columns: 80,
      env: { NO_COLOR: '1' },
    });
    const rows = stdout.split('\n').filter((line) => /^2026-03-/.test(line));
    expect(rows).toHaveLength(50);
    expect(stdout).toContain('1960 (showing the first 50; --format csv lists all)');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('have no text that acts (trap: texts of merchants)', async () => {
    for (const format of ['csv', 'ndjson', 'json', 'table']) {
      for (const notes of [['--notes'], ['--note', 'merchant_order_ref', '--note', '@key\r\n']]) {
        const { stdout, stderr } = await sandbox('hostile-text', '--format', format, ...notes);
        expect(stdout + stderr).not.toMatch(/[^\P{C}\r\n]/u);
      }
    }
    const [first] = readRecords(
      (await sandbox('hostile-text', '--note', 'merchant_order_ref')).stdout,
    );
    expect(first?.['transaction_id']).toBe("'=1+1\\u001b[31mred");
    expect(first?.['merchant_order_ref']).toMatch(/^'=cmd/);
  });
});

describe('the range of recon transactions', () => {
  it('may be one settlement, by its id alone', async () => {
    const service = await startService('refund');
    const id = await oneSettlement('refund', 1);
    const { env } = service;
    const { exitCode, stdout, stderr } = await runRecon(['transactions', '--settlement', id], {
      env,
    });
    expect([exitCode, idsOf(stdout).length]).toEqual([0, 1]);
    expect(stderr).toContain(`Transactions of settlement ${id}`);
    for (const { body } of service.asked('headers')) {
      expect(Object.keys(body ?? {}).sort()).toEqual(['limit', 'offset', 'settlementId']);
    }
    expect(new Set(service.asked('rows').map(field('settlementId')))).toEqual(new Set([id]));
  });

  it('ends with 4 if the service does not know the settlement', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const { exitCode, stdout, stderr } = await sandbox('refund', '--settlement', id);
    expect([exitCode, stdout]).toEqual([4, '']);
    expect(stderr).toContain(`Settlement not found: ${id}`);
  });

  it('may be filtered by the service, and after reading', async () => {
    const { stdout } = await sandbox('month', '--type', 'refund,chargeback', '--state', 'approved');
    const rows = readRecords(stdout);
    const types = rows.map((row) => row['transaction_type'] ?? '');
    expect([...new Set(types)].sort()).toEqual(['chargeback', 'refund']);
    const service = await startService('filters');
    await ask(service, ['--cid', '7']);
    expect(service.asked('headers').every(({ body }) => body?.['cid'] === 7)).toBe(true);
  });

  it('has a message if no row matches a filter, with the values that exist, also with --quiet', async () => {
    const wanted = ['--state', 'Approved', '--type', 'refund,chargeback', '--payment-type', 'cash'];
    const { exitCode, stderr } = await sandbox('refund', '--quiet', ...wanted);
    expect(exitCode).toBe(0);
    expect(stderr.split('\n')).toEqual([
      'No transaction has state "Approved". Found: "approved".',
      'No transaction has type "chargeback". Found: "purchase" and "refund".',
      'No transaction has payment type "cash". Found: "card".',
      '',
    ]);
    const json = await sandbox('refund', '--format', 'json', '--type', 'refund,chargeback');
    expect(JSON.parse(json.stdout).unmatched).toEqual([
      { field: 'type', value: 'chargeback', seen: ['purchase', 'refund'] },
    ]);
    expect(json.stderr).toBe('');
  });

  it.each([
    ['--settlement', anyId, '--month', '2026-03'],
    ['--settlement', anyId, '--from', '2026-03-01'],
    ['--settlement', anyId, '--cid', '7'],
    ['--settlement', ''],
    ['--settlement', 'abc'],
    ['--note', 'a', '--notes'],
    ['--note', 'a', '--note', 'a'],
    ['--note', ''],
    ['--state', 'approved,'],
    ['--fail-on', 'pending'],
    ['--format', 'markdown'],
    ['--quiet', '--verbose'],
  ])('is refused: %s %s %s %s', async (...args) => {
    const { exitCode, stdout, stderr } = await sandbox('refund', ...args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('error: ');
  });
});

/** Many pages, a duplicate, small settlements beside it. */
const mixed = scenarioOf([
  { date: '2026-03-02', rows: purchases(230) },
  {
    date: '2026-03-03',
    header: { totalTransactions: 2, amountGross: 3000, fees: 75, tax: 15, amountPayIn: 2910 },
    rows: [
      ['purchase', 2000, 50, 10, { label: 'twice' }],
      ['purchase', 2000, 50, 10, { label: 'twice' }],
      ['purchase', 1000, 25, 5],
    ],
  },
  { date: '2026-03-04', rows: purchases(12), off: { totalTransactions: 1 } },
  { date: '2026-03-05', rows: purchases(8), status: 'pending_settlement' },
  ...Array.from({ length: 7 }, (_, index) => ({
    date: `2026-03-1${index}`,
    rows: purchases(1 + index),
  })),
]);

const undisturbed = { stdout: '' };
beforeAll(async () => {
  const started = await startSandbox({ scenario: mixed, clock: new FakeClock(noon) });
  const env = connectionTo(started.baseUrl);
  const { exitCode, stdout } = await runRecon(['transactions', ...march], { env });
  await started.close();
  expect(exitCode).toBe(0);
  undisturbed.stdout = stdout;
  expect(idsOf(stdout)).toHaveLength(230 + 2 + 12 + 8 + 28);
});

/** The lines of a CSV in an order that doesn't depend on when each was first seen. */
const sorted = (stdout: string) => stdout.split('\r\n').sort();

describe('a service that misbehaves for a while', () => {
  it.each([
    ['page-max=30'],
    ['page-max=40-7'],
    ['page-max=5-60'],
    ['repeat'],
    ['skip'],
    ['page-max=30', 'repeat', 'skip'],
    ['hole'],
    ['late-settlement=1'],
    ['wrapper-429=every:9'],
    ['http-429=every:9', 'retry-after=2'],
    ['wrapper-1002=on:5'],
    ['http-503=first:5@rows'],
    ['html=every:7'],
    ['truncated=every:7'],
    ['broken-off=every:7'],
    ['reset=every:7'],
    ['token-uses=20'],
    ['page-max=25', 'wrapper-429=every:11', 'http-502=every:13', 'token-uses=30', 'repeat', 'hole'],
  ])('loses no row and prints none twice: %s %s %s %s', async (...faults) => {
    const service = await startService(mixed, ...faults);
    const { exitCode, stdout } = await ask(service);
    expect(exitCode).toBe(0);
    expect(sorted(stdout)).toEqual(sorted(undisturbed.stdout));
  });

  it('gives the same with one request at a time', async () => {
    const { stdout } = await ask(await startService(mixed), ['--concurrency', '1']);
    expect(stdout).toBe(undisturbed.stdout);
  });
});

describe('an incomplete list', () => {
  it('ends in a page without data though the header announces a further row', async () => {
    const { exitCode, stderr } = await ask(await startService(mixed, 'empty-data=null'));
    expect(exitCode).toBe(4);
    expect(stderr).toContain('The service returned no data, but records were expected.');
  });

  const first = String(mixed.settlements[0]?.header['settlementId']);
  const endings = [
    { fault: 'hole=always@rows', says: 'reading it again returned different records' },
    { fault: 'ignore-offset@rows', says: 'pages keep repeating' },
    { fault: `wrapper-1010@${first}`, says: 'its transactions were not read' },
    { fault: 'ignore-offset@headers', says: 'settlements may not have been listed' },
  ];

  it.each(endings)('ends with 4 and names the settlement and why: $fault', async (expected) => {
    const service = await startService(mixed, expected.fault);
    const { exitCode, stdout, stderr } = await ask(service, ['--quiet']);
    expect([exitCode, stdout.startsWith(header)]).toEqual([4, true]);
    expect(stderr).toContain(expected.says);
    expect(stderr).toContain('error: Incomplete: ');
    if (!expected.fault.endsWith('headers')) expect(stderr).toContain(first);
  });

  it.each(endings)('leaves the file of the last run unchanged: $fault', async ({ fault }) => {
    const folder = await temporaryFolder();
    const path = join(folder, 'rows.csv');
    await writeFile(path, 'of yesterday');
    const { exitCode, stderr } = await ask(await startService(mixed, fault), ['--output', path]);
    expect(exitCode).toBe(4);
    expect(stderr).toContain(`${path} was not written`);
    expect(await readdir(folder)).toEqual(['rows.csv']);
    expect(await readFile(path, 'utf8')).toBe('of yesterday');
  });

  it('has all records that can be read', async () => {
    const { exitCode, stdout, stderr } = await sandbox('malformed', '--format', 'ndjson');
    const lines = readLines(stdout);
    expect(exitCode).toBe(4);
    expect(lines.at(-1)).toMatchObject({
      completeness: { complete: false },
      partial: [
        { pending: false, reasons: [{ code: 'unreadable_record' }] },
        { pending: false, reasons: [{ code: 'unreadable_record' }] },
      ],
      findings: [{ code: 'unreadable_header' }],
    });
    expect(lines.slice(0, -1).every(({ type }) => type === 'transaction')).toBe(true);
    expect(stderr).toContain('"exitCode":4');
  });

  it('ends after five settlements in a row that cannot be read', async () => {
    const service = await startService(mixed, 'http-400@rows');
    const { exitCode, stdout, stderr } = await ask(service);
    expect([exitCode, stdout]).toEqual([4, `${header}\r\n`]);
    // The pending one is told apart.
    expect(stderr.match(/^Settlement .*its transactions were not read/gm)).toHaveLength(4);
    expect(stderr).toContain('\n7 more settlements not fully read (not_read).\n');
  });

  it('is complete if only a pending settlement is not fully read, and that is said', async () => {
    const pending = String(mixed.settlements[3]?.header['settlementId']);
    const service = await startService(mixed, `wrapper-1010@${pending}`);
    const path = join(await temporaryFolder(), 'rows.ndjson');
    const { exitCode, stderr } = await ask(service, ['--output', path]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      `Settlement ${pending} (2026-03-05, pending): its transactions were not read`,
    );
    const summary = readLines(await readFile(path, 'utf8')).at(-1);
    expect(summary).toMatchObject({
      completeness: { complete: true, settlements: 11, transactions: 272 },
      partial: [{ settlement: { id: pending }, pending: true }],
    });
    expect((await ask(service, ['--quiet'])).stderr).toBe('');
  });

  it('is empty if the list of settlements is refused', async () => {
    const { exitCode, stdout } = await ask(await startService(mixed, 'wrapper-1001@headers'));
    expect([exitCode, stdout]).toEqual([3, '']);
  });
});

describe('transactions are streamed', () => {
  const pages = 60;
  const long = scenarioOf([{ date: '2026-03-04', rows: purchases(pages * 100) }]);

  it('on a terminal, with the first rows before the last page is asked for', async () => {
    const service = await startService(long);
    const asked: number[] = [];
    const { stdout } = await ask(service, [], {
      columns: 80,
      onOutput: () => {
        asked.push(service.asked('rows').length);
      },
    });
    expect(asked).toHaveLength(2);
    expect(asked[0]).toBeLessThan(pages);
    expect(stdout).toContain('6000 (showing the first 50;');
  });

  it.each(['csv', 'ndjson', 'json'])(
    'until their reader closes the pipe, without a message and with exit code 0: %s',
    async (format) => {
      const service = await startService(long);
      const args = ['--format', format, '--quiet'];
      const { exitCode, stderr } = await ask(service, args, { onOutput: closedPipe });
      expect([exitCode, stderr]).toEqual([0, '']);
      expect(service.asked('rows').length).toBeLessThan(pages);
    },
  );

  it('to a file that exists only when it is complete', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'rows.csv');
    const { exitCode, stdout } = await ask(await startService(mixed), ['--output', path]);
    expect([exitCode, stdout]).toEqual([0, '']);
    expect(await readFile(path, 'utf8')).toBe(undisturbed.stdout);
    expect(await readdir(folder)).toEqual(['rows.csv']);
  });
});

describe('a transaction with two contents', () => {
  const content = (amount: number) => ['purchase', amount, 0, 0, { label: 'same' }] as const;
  /** Both orders, with so many rows between them. */
  const orders = (between: number) =>
    [
      [content(1000), ...purchases(between), content(2000)],
      [content(2000), ...purchases(between), content(1000)],
    ].map((rows) =>
      startService(
        scenarioOf([{ date: '2026-03-04', rows, header: { totalTransactions: between + 1 } }]),
      ),
    );
  const conflict = /Settlement \S+ \(2026-03-04\): 1 transaction listed with conflicting contents/;

  it.each([0, 1, 99, 100, 250])(
    'is listed once, with the content that counts, in either order: %i rows apart',
    async (between) => {
      const services = await Promise.all(orders(between));
      const runs = await Promise.all(services.map((service) => ask(service, ['--quiet'])));
      const [one, other] = runs;
      expect(one?.stdout).toBe(other?.stdout);
      expect(idsOf(one?.stdout ?? '')).toHaveLength(between + 1);
      for (const { exitCode, stderr } of runs) {
        expect(exitCode).toBe(0);
        expect(stderr).toMatch(conflict);
      }
      // The same as counts for `settlements`.
      for (const [at, service] of services.entries()) {
        const { stdout } = await service.settlements();
        const gross = readRecords(runs[at]?.stdout ?? '').map((row) => Number(row['amount_minor']));
        const sum = gross.reduce((total, amount) => total + amount, 0) / 100;
        expect(readRecords(stdout)).toMatchObject([{ gross_computed: sum.toFixed(2) }]);
      }
    },
  );

  it('is reported in the document, and leaves a file', async () => {
    const path = join(await temporaryFolder(), 'rows.json');
    for (const starting of orders(0)) {
      const { exitCode } = await ask(await starting, ['--output', path]);
      expect(exitCode).toBe(0);
      expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({
        completeness: { complete: true, transactions: 1 },
        partial: [],
        conflicting: [{ code: 'conflicting_transaction', count: 1 }],
      });
    }
  });
});
