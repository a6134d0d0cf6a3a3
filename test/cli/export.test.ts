import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Scenario } from '../../src/sandbox/scenario.ts';
import { parseFaults } from '../sandbox/faults.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { noon, runRecon } from '../support/run-recon.ts';
import { expectValid } from '../support/valid-json.ts';
import { connectionTo, purchases, scenarioOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const week = ['--from', '2026-03-01', '--to', '2026-03-07'];

describe('recon export', () => {
  test('writes a folder for each day, also for one without settlements', async () => {
    const { out, exported } = await anExport();
    const { exitCode, stdout } = await exported(scenario());
    expect(exitCode).toBe(0);
    expect(stdout.split('\r\n')).toContain('2026-03-05,written,balanced,1,1,0,0,0,3,,,');
    expect(stdout.split('\r\n')).toContain('2026-03-06,written,balanced,0,0,0,0,0,0,,,');
    expect(await readdir(out)).toEqual([...days('2026-03-01', '2026-03-07'), 'export.json']);
    expect(await readdir(join(out, '2026-03-06'))).toEqual([
      'discrepancies.csv',
      'groups.csv',
      'manifest.json',
      'settlements.csv',
      'source.ndjson.gz',
      'transactions.csv',
    ]);
    const empty = await textIn(out, '2026-03-06', 'transactions.csv');
    expect(empty).toMatch(/^settlement_date,[^\r\n]*,notes\r\n$/);
    const manifest = await manifestOf(out, '2026-03-06');
    expect(manifest).toMatchObject({
      complete: true,
      verdict: 'balanced',
      counts: { settlements: { balanced: 0, out_of_balance: 0, pending: 0 }, transactions: 0 },
    });
  });

  test.each(['settlements', 'group'])(
    'writes for a day what recon settlements prints: by %s',
    async (by) => {
      const { out, exported, at } = await anExport();
      await exported(scenario());
      const { stdout } = await at(scenario(), [
        'settlements',
        '--on',
        '2026-03-05',
        '--by',
        by === 'group' ? 'group' : 'settlement',
      ]);
      const name = by === 'group' ? 'groups.csv' : 'settlements.csv';
      expect(await textIn(out, '2026-03-05', name)).toBe(stdout);
    },
  );

  test('writes the rows of recon transactions, by transaction id', async () => {
    const { out, exported, at } = await anExport();
    await exported(scenario());
    const { stdout } = await at(scenario(), ['transactions', '--on', '2026-03-05', '--notes']);
    const [header, ...rows] = stdout.trimEnd().split('\r\n');
    const id = (line: string) => line.split(',')[4] ?? '';
    const sorted = rows.sort((a, b) => (id(a) < id(b) ? -1 : 1));
    expect(await textIn(out, '2026-03-05', 'transactions.csv')).toBe(
      [header, ...sorted, ''].join('\r\n'),
    );
  });

  test('writes control totals that are the sums over the files', async () => {
    const { out, exported } = await anExport();
    await exported(scenario());
    expect((await manifestOf(out, '2026-03-05')).totals).toEqual([
      {
        accountingToken: '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601',
        currency: 'EUR',
        decimalPlaces: 2,
        settlements: 1,
        payIn: '29.10',
        transactions: 3,
        amount: '30.00',
        fees: '0.75',
        tax: '0.15',
      },
    ]);
  });

  test('writes the findings to discrepancies.csv, and ends with 1', async () => {
    const { out, exported } = await anExport();
    const { exitCode, stderr } = await exported(scenario({ off: { fees: 7 } }), ['--quiet']);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^2026-03-05: settlement \S+: fees: reported 0\.82 EUR/m);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(await textIn(out, '2026-03-05', 'discrepancies.csv')).toMatch(
      /\r\n2026-03-05,[^,]+,[^,]+,,EUR,discrepancy,fees,1,0\.07,"fees: reported/,
    );
  });

  test('prints nothing with --quiet if all are balanced', async () => {
    const { exported } = await anExport();
    expect(await exported(scenario(), ['--quiet'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
  });

  test.each([
    [['--fail-on', 'pending'], 1],
    [['--fail-on', 'none'], 0],
    [[], 0],
  ])('exports pending settlements, which count with %j as %i', async (flags, code) => {
    const { out, exported } = await anExport();
    const { exitCode } = await exported(scenario({ status: 'pending_settlement' }), flags);
    expect(exitCode).toBe(code);
    expect(await manifestOf(out, '2026-03-05')).toMatchObject({ verdict: 'pending' });
  });
});

describe('exporting again', () => {
  test('leaves a day unchanged if its data are the same, whatever the order of its rows', async () => {
    const { out, exported, asked } = await anExport();
    await exported(scenario());
    const before = await allOf(out);
    const { stdout } = await exported(scenario({ reversed: true }), ['--deep']);
    expect(stdout).toContain('2026-03-05,unchanged,balanced');
    expect(await allOf(out)).toEqual(before);
    expect(asked()).toBeGreaterThan(0);
  });

  test('reads only headers if they are unchanged, final and balanced', async () => {
    const { exported, asked } = await anExport();
    await exported(scenario());
    await exported(scenario());
    expect(asked()).toBe(0);
  });

  test.each([{ status: 'pending_settlement' }, { off: { fees: 7 } }])(
    'reads the rows of a day again if it is not: %j',
    async (what) => {
      const { exported, asked } = await anExport();
      await exported(scenario(what));
      const { stdout } = await exported(scenario(what));
      expect(stdout).toContain('2026-03-05,unchanged,');
      expect(asked()).toBeGreaterThan(0);
    },
  );

  test('reports what a restatement changed, amount by amount, and keeps the old version', async () => {
    const { out, exported } = await anExport();
    await exported(scenario());
    const old = await allOf(join(out, '2026-03-05'));
    const { exitCode, stdout, stderr } = await exported(
      scenario({ extra: [['refund', -500, 10, 2]] }),
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain('2026-03-05,restated,balanced,1,1,0,0,0,4,');
    expect(stderr).toMatch(
      /2026-03-05 changed: settlement \S+: transactions 3 -> 4; gross 30\.00 -> 25\.00; fees 0\.75 -> 0\.85; tax 0\.15 -> 0\.17; net pay-out 29\.10 -> 23\.98; 1 transaction added/,
    );
    expect(await allOf(join(out, '.superseded', '2026-03-05.1'))).toEqual(old);
    const changes = (await textIn(out, '2026-03-05', 'changes.csv')).split('\r\n');
    expect(changes[0]).toBe('settlement_id,change,field,before,after,transaction_id');
    expect(changes.filter((line) => line.includes(',transaction_added,'))).toEqual([
      expect.stringMatching(/,amount,,-5\.00,[^,]+$/),
      expect.stringMatching(/,fees,,0\.10,[^,]+$/),
      expect.stringMatching(/,tax,,0\.02,[^,]+$/),
    ]);
    expect(changes).toContainEqual(
      expect.stringMatching(/,settlement_changed,gross,30\.00,25\.00,$/),
    );
  });

  test('keeps as many superseded versions as --keep says', async () => {
    const { out, exported } = await anExport();
    for (const fees of [1, 2, 3, 4]) await exported(scenario({ off: { fees } }), ['--keep', '2']);
    expect(await readdir(join(out, '.superseded'))).toEqual(['2026-03-05.2', '2026-03-05.3']);
  });

  test('computes a day again from its source if only settings differ', async () => {
    const { out, exported, asked } = await anExport();
    await exported(scenario());
    const { exitCode, stdout, stderr } = await exported(scenario(), ['--identity', 'gross']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('2026-03-05,recomputed,out_of_balance');
    expect(stderr).not.toContain('restated');
    expect(asked()).toBe(0);
    expect(await readdir(out)).not.toContain('.superseded');
    expect(await manifestOf(out, '2026-03-05')).toMatchObject({ settings: { identity: 'gross' } });
  });

  test('keeps what a restatement changed when it computes a day again', async () => {
    const { out, exported } = await anExport();
    await exported(scenario());
    await exported(scenario({ extra: [['refund', -500, 10, 2]] }));
    const changes = await textIn(out, '2026-03-05', 'changes.csv');
    await exported(scenario({ extra: [['refund', -500, 10, 2]] }), ['--tolerance', '3']);
    expect(await textIn(out, '2026-03-05', 'changes.csv')).toBe(changes);
  });

  test('writes a day again if its files have changed', async () => {
    const { out, exported } = await anExport();
    await exported(scenario());
    const before = await allOf(out);
    await writeFile(join(out, '2026-03-05', 'transactions.csv'), 'tampered\r\n');
    const { stdout } = await exported(scenario());
    expect(stdout).toContain('2026-03-05,repaired,balanced');
    expect(await allOf(out)).toEqual(before);
  });

  test('leaves a day unchanged if it cannot be read in full, and writes the others', async () => {
    const { out, exported } = await anExport();
    await exported(scenario(), ['--on', '2026-03-05']);
    const before = await allOf(join(out, '2026-03-05'));
    const { exitCode, stderr } = await exported(
      scenario({ off: { fees: 1 } }),
      [],
      [`http-500@${idOf(scenario(), '2026-03-05')}`],
    );
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(
      /^2026-03-05 not written: settlement \S+: its transactions were not read/m,
    );
    expect(await allOf(join(out, '2026-03-05'))).toEqual(before);
    expect(await readdir(out)).toContain('2026-03-07');
  });
});

describe('the days that a run reports outside its range', () => {
  const on = (from: string, to: string) => ['--from', `2026-03-${from}`, '--to', `2026-03-${to}`];

  async function exportedTwice(out: string, first: Scenario, second: readonly string[]) {
    const service = await startService(first);
    const run = (...args: readonly string[]) =>
      runRecon(['export', '--out', out, ...args], { env: service.env, clock: service.clock });
    await run(...on('01', '03'));
    return { run, last: await run(...second) };
  }

  test('are the days that were never exported, as ranges, also with --quiet', async () => {
    const out = join(await temporaryFolder(), 'out');
    const lacks =
      'The folder is missing 4 days between its first and last: 2026-03-04 to 2026-03-07.';
    const { run, last } = await exportedTwice(out, scenario(), [...on('08', '10'), '--quiet']);
    expect(last).toEqual({ exitCode: 0, stdout: '', stderr: `${lacks} Export them too.\n` });
    const json = await run(...on('08', '10'), '--format', 'json');
    expect(JSON.parse(json.stdout).outside).toEqual({
      missing: [{ from: '2026-03-04', to: '2026-03-07' }],
      pending: [],
      damaged: [],
      incomplete: [],
    });
    const table = await run(...on('08', '10'), '--format', 'table');
    expect(table.stdout).toContain(`Outside the range\n  ! ${lacks}`);
    expect((await run(...on('05', '06'))).stderr).toContain(
      'is missing 2 days between its first and last: 2026-03-04 and 2026-03-07.',
    );
    expect((await run(...on('04', '07'))).stderr).not.toContain('is missing');
  });

  test('are the days with settlements that were still pending', async () => {
    const out = join(await temporaryFolder(), 'out');
    const pending = scenario({ status: 'pending_settlement' });
    const { run } = await exportedTwice(out, pending, on('04', '06'));
    const { exitCode, stderr } = await run(...on('07', '07'), '--quiet');
    expect(exitCode).toBe(0);
    expect(stderr).toBe(
      'Outside this range, settlements were still pending when exported: 2026-03-05. Export these ' +
        'days again.\n',
    );
    expect((await run(...on('05', '07'), '--quiet')).stderr).toBe('');
  });

  test('are the days whose manifest has changed', async () => {
    const out = join(await temporaryFolder(), 'out');
    const { run } = await exportedTwice(out, scenario(), on('04', '06'));
    await writeFile(join(out, '2026-03-02', 'manifest.json'), '{}');
    const { stderr } = await run(...on('04', '06'), '--quiet');
    expect(stderr).toContain('manifests differ from what was written: 2026-03-02.');
  });
});

describe('the service of an export folder', () => {
  const day = ['--on', '2026-03-05'];

  test('is decided by the first day that is written, not by a service that cannot be reached', async () => {
    const out = join(await temporaryFolder(), 'out');
    const dead = connectionTo('http://127.0.0.1:9');
    const args = ['export', ...day, '--out', out];
    const clock = new FakeClock(noon);
    expect((await runRecon(args, { env: dead, clock })).exitCode).toBe(4);
    expect(await readdir(out)).toEqual([]);
    const broken = await startService(scenario(), 'http-500@rows');
    expect((await runRecon(args, { env: broken.env, clock: broken.clock })).exitCode).toBe(4);
    expect(await readdir(out)).toEqual([]);
    const { env, clock: well } = await startService(scenario());
    expect((await runRecon(args, { env, clock: well })).exitCode).toBe(0);
  });

  test('may have another host with --rebind, and the report says so', async () => {
    const out = join(await temporaryFolder(), 'out');
    const [before, now] = [await startService(scenario()), await startService(scenario())];
    const run = ({ env, clock }: typeof now, ...flags: readonly string[]) =>
      runRecon(['export', ...day, '--out', out, ...flags], { env, clock });
    const hosts = [before, now].map(({ sandbox }) => new URL(sandbox.baseUrl).host);
    expect((await run(before)).exitCode).toBe(0);

    const refused = await run(now);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('add --rebind once');
    expect((await run(now, '--rebind', '--cid', '7')).exitCode).toBe(2);
    const taken = await run(now, '--rebind', '--format', 'json');
    const renamed = `the host was ${hosts[0]}, now ${hosts[1]}`;
    expect(taken.exitCode).toBe(0);
    expect(JSON.parse(taken.stdout)).toMatchObject({
      renamed: [renamed],
      days: [{ state: 'unchanged' }],
    });
    expect((await run(now)).exitCode).toBe(0);
    const back = await run(before, '--rebind', '--format', 'table');
    expect(back.stdout).toContain(`Taken over  the host was ${hosts[1]}, now ${hosts[0]}`);
  });
});

/** A settlement on 5 March and one on 7 March. */
function scenario({
  off = {},
  status = 'settled',
  extra = [],
  reversed = false,
}: {
  off?: Readonly<Record<string, number>>;
  status?: string;
  extra?: Parameters<typeof scenarioOf>[0][number]['rows'];
  reversed?: boolean;
} = {}): Scenario {
  const made = scenarioOf([
    { date: '2026-03-05', status, off, rows: [...purchases(3), ...extra] },
    { date: '2026-03-07', rows: purchases(1) },
  ]);
  if (!reversed) return made;
  return {
    ...made,
    settlements: made.settlements.map((one) => ({ ...one, rows: [...one.rows].reverse() })),
  };
}

function idOf({ settlements }: Scenario, day: string): unknown {
  const one = settlements.find(({ header }) => String(header['settlementDate']).startsWith(day));
  return one?.header['settlementId'];
}

/** An export of the test's own, from a service that stays at its address. */
async function anExport() {
  const out = join(await temporaryFolder(), 'out');
  const clock = new FakeClock(noon);
  let port: number | undefined;
  let rowRequests = 0;
  const at = async (data: Scenario, args: readonly string[], faults: readonly string[] = []) => {
    const sandbox = await startSandbox({
      scenario: data,
      faults: parseFaults(faults),
      clock,
      ...(port !== undefined && { port }),
    });
    port = Number(new URL(sandbox.baseUrl).port);
    await clock.sleep(1000);
    try {
      return await runRecon(args, { clock, env: connectionTo(sandbox.baseUrl) });
    } finally {
      rowRequests = sandbox.requests.filter(({ path }) => path.endsWith('/transactions')).length;
      await sandbox.close();
    }
  };
  return {
    out,
    at,
    /** How many requests for rows the last run sent. */
    asked: () => rowRequests,
    exported: (data: Scenario, args: readonly string[] = [], faults: readonly string[] = []) => {
      const range = args.includes('--on') ? [] : week;
      return at(data, ['export', ...range, '--out', out, ...args], faults);
    },
  };
}

function days(from: string, to: string): string[] {
  const first = Number(from.slice(-2));
  const count = Number(to.slice(-2)) - first + 1;
  return Array.from(
    { length: count },
    (_, at) => `${from.slice(0, -2)}${String(first + at).padStart(2, '0')}`,
  );
}

function textIn(out: string, day: string, name: string): Promise<string> {
  return readFile(join(out, day, name), 'utf8');
}

async function manifestOf(out: string, day: string) {
  const manifest = JSON.parse(await textIn(out, day, 'manifest.json'));
  await expectValid('manifest', manifest);
  return manifest;
}

/** Every file below a folder with its bytes, but for the time in the manifests and their digests. */
async function allOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    const text = path.endsWith('.gz') ? gunzipSync(bytes).toString('utf8') : bytes.toString('utf8');
    const timeless = text.replace(/"exportedAt": "[^"]*"/, '').replace(/^\{\n {2}"sha256": .*/, '');
    files.set(path.slice(folder.length), timeless);
  }
  return files;
}
