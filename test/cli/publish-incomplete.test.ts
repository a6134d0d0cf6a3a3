import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { partialDays } from '../../src/export/verify-export.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Scenario } from '../../src/sandbox/scenario.ts';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { parseFaults } from '../sandbox/faults.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { noon, runRecon } from '../support/run-recon.ts';
import { contentsOf } from './exports.ts';
import { connectionTo, scenarioOf } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const row = '2026-03-04';
const header = '2026-03-06';
const all = ['--from', '2026-03-01', '--to', '2026-03-09'];

describe('a day that cannot be read in full', () => {
  test('is not published unless it is named, and the message says how', async () => {
    const { out, malformed } = await anExport();
    const { exitCode, stderr } = await malformed(all);
    expect(exitCode).toBe(4);
    expect(await readdir(out)).not.toContain(row);
    expect(stderr).toContain('Records of 2026-03-04 to 2026-03-06 cannot be read.');
    expect(stderr).toContain('add --publish-incomplete DAY');
  });

  test('is published if it is named, and no other day is', async () => {
    const { out, malformed, verify } = await anExport();
    const named = ['--publish-incomplete', `${row},2026-03-02`];
    const { exitCode, stdout, stderr } = await malformed([...all, ...named]);
    expect(exitCode).toBe(4);
    const states = stdout.split('\r\n').map((line) => line.split(',').slice(0, 3).join());
    expect(states).toContain('2026-03-02,written,balanced');
    expect(states).toContain('2026-03-04,published_incomplete,incomplete');
    expect(states).toContain('2026-03-05,incomplete,incomplete');
    expect(stderr).toMatch(
      /^2026-03-04 published incomplete: settlement \S+ 1 transaction cannot be read/m,
    );
    expect(stderr).toContain('Records of 2026-03-05 to 2026-03-06 cannot be read.');

    const manifest = await manifestOf(out, row);
    const settlements = { balanced: 0, out_of_balance: 0, pending: 0, incomplete: 1 };
    const counts = { settlements, transactions: 0 };
    expect(manifest).toMatchObject({ schema: 1, complete: false, verdict: 'incomplete', counts });
    const whole = await manifestOf(out, '2026-03-02');
    expect(whole).toMatchObject({ complete: true, verdict: 'balanced' });
    expect(whole.counts.settlements).not.toHaveProperty('incomplete');
    expect((await partialDays(new Map([[row, join(out, row)]]))).publishedIncomplete).toEqual([
      row,
    ]);

    const [columns = '', values = ''] = (await textIn(out, row, 'settlements.csv')).split('\r\n');
    const cells = new Map(columns.split(',').map((name, at) => [name, values.split(',')[at]]));
    expect(cells.get('gross_reported')).toBe('150.00');
    for (const name of ['gross_computed', 'gross_difference', 'pay_in_computed'])
      expect(cells.get(name)).toBe('');
    expect((await verify('--on', row)).exitCode).toBe(0);
  });

  test('is named on its own, like other dates, without the days around it', async () => {
    const { out, malformed } = await anExport(new Date('2026-03-07T12:00:00Z').getTime());
    const { exitCode, stdout } = await malformed([
      ...['--publish-incomplete', 'yesterday', '--publish-incomplete', '-3d,2026-03-06'],
      ...['--format', 'table'],
    ]);
    expect(exitCode).toBe(4);
    expect(stdout).toContain('2 days: 2 published incomplete.');
    expect(stdout).toMatch(/Days +2026-03-04 and 2026-03-06/);
    expect(await readdir(out)).toEqual([row, header, 'export.json']);
  });

  test('is within the range if one is given', async () => {
    const { malformed } = await anExport();
    const flags = ['--on', '2026-03-04', '--publish-incomplete', '2026-03-05'];
    const { exitCode, stderr } = await malformed(flags);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('2026-03-05 is outside the range.');
    const date = await malformed(['--publish-incomplete', 'tuesday']);
    expect(date.stderr).toContain('"tuesday" is not a date.');
    const verified = await malformed(['--verify', '--publish-incomplete', row]);
    expect(verified.exitCode).toBe(2);
  });
});

describe('an export with incomplete days', () => {
  test('has the verdict of the service, and every report names its days', async () => {
    const { out, at, malformed, verify } = await anExport();
    await malformed([...all, '--publish-incomplete', '2026-03-04,2026-03-05,2026-03-06']);
    const named = 'These days were published incomplete: 2026-03-04 to 2026-03-06.';
    const both = async (...words: readonly string[]) => {
      const live = await at('malformed', [...words, ...all]);
      const again = await runRecon([...words, ...all, '--from-export', out]);
      expect(live.exitCode).toBe(4);
      expect(again.exitCode).toBe(4);
      expect(again.stderr.match(/published incomplete/g)).toHaveLength(1);
      expect(again.stderr).toContain(named);
      return [live.stdout, again.stdout] as const;
    };
    for (const command of ['settlements', 'explain', 'transactions']) {
      const [live, again] = await both(command, '--format', 'json');
      const { findings, ...rest } = parsed(again);
      const isNotice = ({ code }: { code: string }) => code === 'incomplete_day';
      expect(findings.filter(isNotice)).toMatchObject([{ weight: 'notice', count: 3 }]);
      const others = findings.filter((one: { code: string }) => !isNotice(one));
      expect({ ...rest, findings: others }).toEqual(parsed(live));
    }
    for (const command of ['settlements', 'transactions']) {
      const [live, again] = await both(command, '--format', 'csv');
      expect(again).toBe(live);
    }
    const [, table] = await both('settlements', '--format', 'table');
    expect(table).toContain('3 days published incomplete: 2026-03-04 to 2026-03-06');

    const verified = await verify('--format', 'table');
    expect(verified).toMatchObject({ exitCode: 0 });
    expect(verified.stdout.replace(/\s+/g, ' ')).toContain(
      `9 days intact, 0 missing, 0 problems. ${named}`,
    );
    const report = parsed((await verify('--format', 'json')).stdout);
    expect(report.publishedIncomplete).toEqual(['2026-03-04', '2026-03-05', '2026-03-06']);
    const records = (await verify('--format', 'csv')).stdout;
    expect(records).toContain('published_incomplete,2026-03-06,');

    const outside = await at('malformed', ['export', '--on', '2026-03-04', '--out', out]);
    expect(outside.stderr).toContain(
      'Outside this range, days were published incomplete: 2026-03-05 to 2026-03-06.',
    );
  });

  test('shows one settlement as far as it could be read', async () => {
    const { out, malformed } = await anExport();
    await malformed([...all, '--publish-incomplete', `${row},${header}`]);
    const unreadable = /settlement of the list cannot be read: (\S+)/;
    const listed = await runRecon(['settlements', '--from-export', out, '--on', header]);
    const [, id = ''] = unreadable.exec(listed.stderr) ?? [];
    const explained = await runRecon(['explain', id, '--from-export', out]);
    expect(explained.exitCode).toBe(4);
    expect(explained.stderr).toContain(`Settlement ${id} cannot be read.`);
    expect(explained.stderr).toContain('This day was published incomplete: 2026-03-06.');

    const good = scenario(['2026-03-04', 'whole'], ['2026-03-04', 'broken']);
    const other = await anExport();
    await other.exported(good, ['--publish-incomplete', row]);
    const [first = ''] = idsIn(good);
    const one = await runRecon(['explain', first, '--from-export', other.out]);
    expect(one.exitCode).toBe(0);
    expect(one.stderr).toContain('This day was published incomplete: 2026-03-04.');
  });

  test('has all that was read of the other settlements', async () => {
    const data = scenario(
      ...Array.from({ length: 3 }, () => ['2026-03-04', 'whole'] as const),
      ...Array.from({ length: 3 }, () => ['2026-03-05', 'whole'] as const),
      ['2026-03-06', 'whole'],
    );
    const ids = idsIn(data);
    const { out, exported } = await anExport();
    const faults = ids.slice(0, 6).map((id) => `wrapper-1010@${id}`);
    const days = ['--from', '2026-03-04', '--to', '2026-03-06'];
    const flags = [...days, '--publish-incomplete', '2026-03-04,2026-03-05'];
    expect((await exported(data, flags, faults)).exitCode).toBe(4);
    for (const command of ['settlements', 'transactions']) {
      const read = [command, '--from-export', out, '--format', 'json'];
      const { stdout, exitCode } = await runRecon(read);
      expect(exitCode).toBe(4);
      expect(stdout).toContain('1010');
      expect(stdout).not.toContain('skipped');
    }
    const { stdout } = await runRecon(['settlements', '--from-export', out, '--format', 'json']);
    const verdicts = parsed(stdout).settlements.map((one: { verdict: string }) => one.verdict);
    expect(verdicts).toEqual([...Array(6).fill('incomplete'), 'balanced']);
  });
});

test('keeps why a settlement is not read as a code, and words it as the service client did', async () => {
  const data = scenario([row, 'whole'], [row, 'whole']);
  const [id = ''] = idsIn(data);
  const faults = [`wrapper-1010@${id}`];
  const { out, at, exported } = await anExport();
  await exported(data, ['--publish-incomplete', row], faults);
  const lines = gunzipSync(await readFile(join(out, row, 'source.ndjson.gz'))).toString();
  const end = lines.split('\n').find((line) => line.includes('"notRead"')) ?? '';
  const facts = { code: '1010', number: 'no', response: 'Fail', message: expect.any(String) };
  expect(JSON.parse(end).notRead).toEqual({ code: 'not_implemented', facts });
  const read = ['settlements', '--on', row, '--format', 'csv'];
  const live = await at(data, read, faults);
  const again = await runRecon([...read, '--from-export', out]);
  expect(live.stdout).toContain('The service reports that this operation is not implemented (code');
  expect(again.stdout).toBe(live.stdout);
  expect((await exported(data, ['--on', row])).exitCode).toBe(0);
  expect(await textIn(out, row, 'changes.csv')).toContain('no: not_implemented 1010');
});

describe('the version that is published', () => {
  const broken = scenario([row, 'whole'], [row, 'broken']);
  const otherwise = scenario([row, 'broken'], [row, 'broken']);
  const whole = scenario([row, 'whole'], [row, 'whole']);
  const on = ['--on', row];
  const flag = ['--publish-incomplete', row];

  test('remains if it is complete, and an incomplete one never replaces it', async () => {
    const { out, exported } = await anExport();
    await exported(whole, on);
    const before = contentsOf(out);
    const { exitCode, stdout, stderr } = await exported(broken, [...flag, '--deep']);
    expect(exitCode).toBe(4);
    expect(stdout).toContain('2026-03-04,incomplete,incomplete');
    expect(stderr).toContain('the complete version in the export is kept');
    expect(contentsOf(out)).toEqual(before);
  });

  test('remains if its files were altered, because it may have been complete', async () => {
    const { out, exported } = await anExport();
    await exported(whole, on);
    await writeFile(join(out, row, 'groups.csv'), 'altered');
    const before = contentsOf(out);
    const { exitCode, stderr } = await exported(broken, flag);
    expect(exitCode).toBe(4);
    expect(stderr).toContain('files of the version in the export have changed');
    expect(contentsOf(out)).toEqual(before);
  });

  test.each([[on], [flag]])('is unchanged if a new one is the same: %j', async (flags) => {
    const { out, exported } = await anExport();
    await exported(broken, flag);
    const before = contentsOf(out);
    const { exitCode, stdout, stderr } = await exported(broken, flags);
    expect(exitCode).toBe(4);
    expect(stdout).toContain('2026-03-04,unchanged,incomplete');
    expect(stderr).toContain('2026-03-04 published incomplete: settlement');
    expect(contentsOf(out)).toEqual(before);
  });

  test('is replaced by another incomplete one only on request', async () => {
    const { out, exported } = await anExport();
    await exported(broken, flag);
    const before = contentsOf(out);
    expect((await exported(otherwise, on)).stdout).toContain('2026-03-04,incomplete,incomplete');
    expect(contentsOf(out)).toEqual(before);
    const { exitCode, stdout, stderr } = await exported(otherwise, flag);
    expect(exitCode).toBe(4);
    expect(stdout).toContain('2026-03-04,published_incomplete,incomplete');
    expect(stderr).toMatch(
      /^2026-03-04 published incomplete: settlement \S+: transactions read yes -> not whole/m,
    );
    expect((await manifestOf(out, '.superseded/2026-03-04.1')).complete).toBe(false);
  });

  test('is replaced by a complete one, and the report says what was added', async () => {
    const { out, exported, malformed, verify } = await anExport();
    await exported(broken, flag);
    const { exitCode, stdout, stderr } = await exported(whole, on);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('2026-03-04,completed,balanced');
    expect(stderr).toMatch(
      /^2026-03-04 completed: settlement \S+: transactions read not whole: .* -> yes; 1 transaction added/m,
    );
    expect(await manifestOf(out, row)).toMatchObject({ complete: true, verdict: 'balanced' });
    expect((await manifestOf(out, '.superseded/2026-03-04.1')).complete).toBe(false);

    await malformed(['--publish-incomplete', header]);
    const repaired = scenario([header, 'whole']);
    expect((await exported(repaired, ['--on', header])).stdout).toContain('completed,balanced');
    expect(await textIn(out, header, 'changes.csv')).toMatch(
      /\r\n,day_changed,settlements_listed,not whole: \S+ decimalPlaces null,yes,\r\n/,
    );
    for (const day of [row, header])
      expect(await verify('--on', day)).toMatchObject({ exitCode: 0 });
  });
});

/** Settlements of two rows of 10.00; of a broken one, the second row has no readable amount. */
function scenario(
  ...list: readonly (readonly [date: string, how: 'whole' | 'broken'])[]
): Scenario {
  return scenarioOf(
    list.map(([date, how]) => ({
      date,
      header: { amountGross: 2000, fees: 50, tax: 10, amountPayIn: 1940, totalTransactions: 2 },
      rows: [
        ['purchase', 1000, 25, 5],
        ['purchase', 1000, 25, 5, how === 'broken' ? { decimalPlaces: '' } : {}],
      ],
    })),
  );
}

function idsIn({ settlements }: Scenario): readonly string[] {
  return settlements.map((one) => String(one.header['settlementId']));
}

/** An export of the test's own, from a service that stays at its address. */
async function anExport(now = noon) {
  const out = join(await temporaryFolder(), 'out');
  const clock = new FakeClock(now);
  let port: number | undefined;
  const at = async (
    data: Scenario | 'malformed',
    args: readonly string[],
    faults: readonly string[] = [],
  ) => {
    const scenario = data === 'malformed' ? await loadScenario(data) : data;
    const sandbox = await startSandbox({
      scenario,
      faults: parseFaults(faults),
      clock,
      ...(port !== undefined && { port }),
    });
    port = Number(new URL(sandbox.baseUrl).port);
    try {
      return await runRecon(args, { clock, env: connectionTo(sandbox.baseUrl) });
    } finally {
      await sandbox.close();
    }
  };
  const exported = (
    data: Scenario | 'malformed',
    args: readonly string[],
    faults?: readonly string[],
  ) => at(data, ['export', '--out', out, ...args], faults);
  return {
    out,
    at,
    exported,
    malformed: (args: readonly string[]) => exported('malformed', args),
    verify: (...flags: readonly string[]) =>
      runRecon(['export', '--verify', '--out', out, ...flags]),
  };
}

function textIn(out: string, day: string, name: string): Promise<string> {
  return readFile(join(out, day, name), 'utf8');
}

async function manifestOf(out: string, day: string) {
  return JSON.parse(await textIn(out, day, 'manifest.json'));
}

function parsed(text: string) {
  return JSON.parse(text);
}
