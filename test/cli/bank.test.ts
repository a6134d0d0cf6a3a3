import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readStatements } from '../../src/bank/read-statements.ts';
import { groupedBy } from '../../src/base/lists.ts';
import { statementOfSandbox } from '../../src/cli/sandbox.ts';
import { camtStatement } from '../../src/sandbox/bank.ts';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { readWorkbook, recordsOf } from '../render/xlsx/read-workbook.ts';
import { runRecon } from '../support/run-recon.ts';
import { readRecords } from './read-report.ts';
import { startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const month = ['bank', '--sandbox'];

interface Report {
  readonly verdict: string;
  readonly range: object;
  readonly matches: readonly {
    readonly state: string;
    readonly matchedBy: string | null;
    readonly reason: string | null;
    readonly difference: { readonly amount: string } | null;
    readonly settlements: readonly { readonly id: string }[];
    readonly entries: readonly object[];
  }[];
}

async function json(...args: readonly string[]) {
  const { stdout, stderr, exitCode } = await runRecon([...args, '--format', 'json']);
  expect(stderr).toBe('');
  return { exitCode, report: JSON.parse(stdout) as Report };
}

/** The statement of the sandbox's month, changed. */
async function statementWith(change: (xml: string) => string): Promise<string> {
  const path = join(await temporaryFolder(), 'month.xml');
  await writeFile(path, change(camtStatement(await loadScenario('month')).text));
  return path;
}

it('names the end-to-end id of a pay-out that is not on the statements, and so does a close', async () => {
  for (const command of ['bank', 'close']) {
    const { stdout } = await runRecon([command, '--sandbox', '--format', 'table']);
    expect(stdout).toContain('- end-to-end id "E2E-20260313-26"');
  }
});

interface Movement {
  readonly account: string;
  readonly earlierEntries: number;
  readonly [figure: string]: unknown;
}

it('ties the entries of any days to the statement, for each of its accounts', async () => {
  for (const days of [
    ['2026-03-01', '2026-03-31'],
    ['2026-03-10', '2026-03-20'],
  ] as const) {
    const [from, to] = days;
    const { report } = await json('bank', '--sandbox', '--from', from, '--to', to);
    const { movements } = report as unknown as { readonly movements: readonly Movement[] };
    const { entries } = await readStatements([await statementOfSandbox(undefined)], undefined);
    expect(movements).toHaveLength(2);
    for (const one of movements) {
      const minor = (name: string) => BigInt((one[name] as { readonly minor: string }).minor);
      const own = entries.filter(
        ({ account, date }) => account === one.account && from <= date && date <= to,
      );
      const sum = own.reduce((all, { amount }) => all + amount, 0n);
      expect(minor('movement')).toBe(sum);
      const parts = ['received', 'earlier', 'unknown', 'unrelated'].map(minor);
      expect(parts.reduce((all, part) => all + part, 0n)).toBe(sum);
      expect(one.earlierEntries > 0).toBe(from !== '2026-03-01');
    }
  }
});

describe('the sandbox month on the bank statements', () => {
  let report: Report;
  beforeAll(async () => {
    ({ report } = await json(...month));
  });

  it('has a stated charge, a pay-out paid twice, one missing, and an unknown entry', () => {
    const counts = groupedBy(report.matches, ({ state }) => state);
    const found = [...counts].map(([state, all]) => [state, all.length]);
    expect(report.verdict).toBe('not_reconciled');
    expect(Object.fromEntries(found)).toEqual({
      ...{ matched: 33, charged: 1, difference: 1, missing_on_bank: 1, unknown_on_bank: 1 },
      not_paid_yet: 4,
    });
    const off = ['charged', 'difference'].flatMap((state) => counts.get(state) ?? []);
    expect(off.map(({ reason, difference }) => [reason, difference?.amount])).toEqual([
      [null, '-1.50'],
      ['paid_twice', '323136'],
    ]);
  });

  it('has the same figures in every format', async () => {
    const { stdout, stderr, exitCode } = await runRecon(month);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('NOT RECONCILED. 35 of 36 pay-outs are on the bank statements.');
    const csv = readRecords(stdout);
    const ids = report.matches.flatMap(({ settlements }) => settlements.map(({ id }) => id));
    const payouts = csv.filter((one) => one['expected']);
    expect(payouts.map((one) => one['settlement_id'])).toEqual(ids);
    const path = join(await temporaryFolder(), 'bank.xlsx');
    await runRecon([...month, '--output', path]);
    const sheets = await readWorkbook(await readFile(path));
    expect([...sheets.keys()]).toEqual([
      ...['Summary', 'Pay-outs', 'Bank entries', 'Statements', 'Accounts'],
    ]);
    const number = (text = '') => (text === '' ? null : Number(text));
    expect(recordsOf(sheets.get('Pay-outs'))).toEqual(
      payouts.map((one) =>
        expect.objectContaining({
          Date: new Date(`${one['settlement_date']}T00:00:00Z`),
          Settlement: one['settlement_id'],
          Expected: number(one['expected']),
          Received: number(one['received']),
          Difference: number(one['difference']),
          Match: Number(one['match']),
        }),
      ),
    );
    const lines = (await runRecon([...month, '--format', 'ndjson'])).stdout.trim().split('\n');
    const last = JSON.parse(lines.at(-1) ?? '') as object;
    expect(last).toMatchObject({ type: 'summary', verdict: 'not_reconciled' });
    expect(lines.filter((line) => line.startsWith('{"type":"match"'))).toHaveLength(
      report.matches.length,
    );
    for (const format of ['html', 'markdown']) {
      const { stdout } = await runRecon([...month, '--format', format]);
      expect(stdout).toContain(
        '35 of 36 pay-outs are on the bank statements. 1 is not on the statements',
      );
    }
  });

  it.each([
    [['--fail-on', 'none'], 0],
    [['--fail-on', 'empty'], 0],
    [['--fail-on', '+missing-on-bank'], 1],
    [['--fail-on', '+unknown-on-bank'], 1],
    [['--fail-on', 'difference'], 1],
    [['--fail-on', '+pending'], 1],
    [['--on', '2026-03-06', '--fail-on', '+missing-on-bank,+difference,+empty'], 0],
  ])('with %j ends with %i', async (flags, exitCode) => {
    expect(await runRecon([...month, ...flags])).toMatchObject({ exitCode });
  });
});

describe('statements without a range', () => {
  it('are about their own days, and about what was paid before and is received on them', async () => {
    const { env } = await startService('month');
    const whole = await loadScenario('month');
    const dayOf = (header: Readonly<Record<string, unknown>>) => String(header['settlementDate']);
    const settlements = whole.settlements.filter(({ header }) => dayOf(header) >= '2026-03-09');
    const period = { from: '2026-03-10', to: '2026-03-31' };
    const path = join(await temporaryFolder(), 'march.xml');
    await writeFile(path, camtStatement({ ...whole, settlements, period }).text);
    const { stdout } = await runRecon(['bank', path, '--format', 'json'], { env });
    const report = JSON.parse(stdout) as Report;
    expect(report.range).toEqual({ from: '2026-03-03', to: '2026-03-31' });
    expect(report.matches[0]).toMatchObject({
      ...{ state: 'matched', settlements: [{ date: '2026-03-09' }] },
    });
    expect(report.matches.filter(({ state }) => state === 'not_covered')).toEqual([]);
    const asked = ['bank', path, '--from', '2026-03-03', '--to', '2026-03-31'];
    const { stderr } = await runRecon(asked, { env });
    expect(stderr).toContain('7 cannot be checked: the statements do not cover their days.');
  });
});

describe('an export beside statements', () => {
  it('is read instead of the service, and days that it lacks make the report incomplete', async () => {
    const folder = await temporaryFolder();
    const out = join(folder, 'export');
    const week = ['--from', '2026-03-02', '--to', '2026-03-06'];
    await runRecon(['export', '--sandbox', '--out', out, '--quiet', ...week]);
    const statement = await statementWith((xml) => xml);
    const asked = ['bank', statement, '--from-export', out];
    const { report, exitCode } = await json(...asked);
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({ verdict: 'reconciled', matches: { length: 9 } });
    await rm(join(out, '2026-03-04'), { recursive: true });
    const lacking = await runRecon([...asked, '--quiet']);
    expect(lacking.exitCode).toBe(4);
    expect(lacking.stderr).toContain('INCOMPLETE.');
    expect(lacking.stderr).toContain('1 day missing from the export: 2026-03-04.');
  });
});

describe('a statement', () => {
  it('whose balance does not follow from its entries ends with 1, whatever is matched', async () => {
    const path = await statementWith((xml) => xml.replace('>5183.41<', '>5183.40<'));
    const { exitCode, stderr } = await runRecon([...month, path, '--quiet']);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/month\.xml:\d+: account DE\w+: the opening balance and the entries/);
  });

  it('of other days than the range, or of another currency, is refused', async () => {
    const other = await runRecon([...month, '--month', '2026-05']);
    expect(other.exitCode).toBe(2);
    expect(other.stderr).toContain(
      'The statements cover 2026-03-01 to 2026-03-31; the range is 2026-05-01 to 2026-05-31.',
    );
    const dollars = await statementWith((xml) => xml.replaceAll(/EUR|JPY/g, 'USD'));
    const foreign = await runRecon(['bank', dollars, '--sandbox', '--scenario', 'balanced']);
    expect(foreign.stderr).toContain(
      'The statements are in USD; the pay-outs are in EUR, JPY and KWD.',
    );
    expect(foreign.exitCode).toBe(2);
  });
});
