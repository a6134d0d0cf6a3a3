import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { camtStatement } from '../../src/sandbox/bank.ts';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { runRecon } from '../support/run-recon.ts';

let folder: string;
let register: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recon-close-'));
  register = join(folder, 'closes.csv');
});

afterEach(() => rm(folder, { recursive: true }));

const close = (...flags: string[]) => runRecon(['close', '--sandbox', ...flags]);
const days = (from: string, to: string) => ['--from', `2026-03-${from}`, '--to', `2026-03-${to}`];
const forced = ['--record', '--by', 'Anna', '--force', '--note', 'known'];

interface Figure {
  readonly amount: string;
}

interface Blocker {
  readonly code: string;
  readonly count: number;
  readonly amounts: readonly object[];
  readonly message: string;
}

type Line = Readonly<Record<string, Figure | string>> & { readonly accountingName: string };

/** Figures of each line of the roll-forward, by name of the account. */
async function linesOf(...flags: string[]) {
  const { stdout, exitCode } = await close(...flags, '--json');
  const report = JSON.parse(stdout);
  const figure = (line: Line, name: string) => (line[name] as Figure).amount;
  const lines = Object.fromEntries(
    report.lines.map((line: Line) => [
      line.accountingName ?? 'shared',
      ['opening', 'changed', 'settled', 'received', 'bankCharges', 'over', 'short', 'closing'].map(
        (name) => figure(line, name),
      ),
    ]),
  );
  return { lines, report, exitCode };
}

test('an export of exactly the range is enough, and an export without one of its days is not', async () => {
  const out = join(folder, 'export');
  const statement = join(folder, 'march.xml');
  await writeFile(statement, camtStatement(await loadScenario('month')).text);
  await runRecon(['export', '--sandbox', ...days('01', '31'), '--out', out]);
  const exported = () => runRecon(['close', statement, '--from-export', out, '--json']);
  const { lines: expected } = (await linesOf()).report;
  const { stdout, exitCode } = await exported();
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout).lines).toEqual(expected);
  await rm(join(out, '2026-03-04'), { recursive: true });
  expect((await exported()).exitCode).toBe(4);
});

test('the March of the sandbox has the figures of its worked example', async () => {
  const { lines, report, exitCode } = await linesOf();
  expect(exitCode).toBe(1);
  expect(lines).toEqual({
    'Web shop': ['0.00', '0.00', '123351.42', '123349.92', '1.50', '0.00', '0.00', '0.00'],
    Stores: ['0.00', '0.00', '24541.20', '21481.88', '0.00', '0.00', '0.00', '3059.32'],
    Japan: ['0', '0', '2255749', '2578885', '0', '323136', '0', '0'],
  });
  const [eur] = report.totals;
  expect([eur.gross, eur.fees, eur.tax, eur.payInDifference].map((one) => one.amount)).toEqual([
    ...['150843.69', '2533.39', '500.46', '82.78'],
  ]);
  expect(report.checks.map((one: { readonly holds: boolean }) => one.holds)).toEqual([
    ...[true, true, true],
  ]);
  const parts = ['movement', 'cleared', 'over', 'bankCharges', 'suspense', 'unrelated', 'residual'];
  const bridge = report.bridge.map((one: Readonly<Record<string, Figure>>) =>
    parts.map((name) => one[name]?.amount),
  );
  expect(bridge).toEqual([
    ['2578885', '2255749', '323136', '0', '0', '0', '0'],
    ['143944.20', '144833.30', '0.00', '-1.50', '312.40', '-1200.00', '0.00'],
  ]);
  // Each part is that of the entries, each named once.
  for (const line of report.bridge) {
    for (const name of parts.slice(0, -1)) {
      const minors = line.entries.map((one: Record<string, { minor: string }>) => one[name]?.minor);
      const sum = minors.reduce((total: bigint, minor: string) => total + BigInt(minor), 0n);
      expect(`${name} ${sum}`).toBe(`${name} ${line[name].minor}`);
    }
    const ids = line.entries.map(({ id }: { readonly id: string }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  }
  const blockers = report.blockers.map(
    ({ code, count, forceable }: { code: string; count: number; forceable: boolean }) =>
      `${code} ${count} ${forceable}`,
  );
  expect(blockers.filter((text: string) => !text.startsWith('order_'))).toEqual([
    ...['out_of_balance 6 true', 'currency 1 true', 'missing_on_bank 1 true'],
    ...['difference 1 true', 'unknown_on_bank 1 true'],
  ]);
  expect(report.items).toMatchObject([
    { date: '2026-03-13', dueUntil: '2026-03-20', ageDays: 18, daysLate: 11 },
  ]);
});

test('a row that the books cannot hold is not reported as missing from their register', async () => {
  await runRecon(['sandbox', '--statements', folder]);
  const booked = ['--booked', join(folder, 'booked.csv')];
  const bank = join(folder, 'month.xml');
  const journal = await runRecon([
    ...['journal', '--sandbox', '--month', '2026-03', '--for', 'datev', '--bank', bank],
    ...['--new-register', ...booked, '--output', join(folder, 'EXTF_1.csv')],
  ]);
  expect(journal.stderr).toContain('Not booked: 1 transaction, 129.00 USD.');
  const { report } = await linesOf(bank, ...booked);
  const codes = report.blockers.map(({ code }: { readonly code: string }) => code);
  expect(codes).toContain('currency');
  expect(codes).not.toContain('not_booked');
});

test('a pay-out is short if the statements state no charge', async () => {
  await runRecon(['sandbox', '--statements', folder]);
  const { lines } = await linesOf(join(folder, 'month.mt940'));
  expect(lines['Web shop']).toEqual([
    ...['0.00', '0.00', '123351.42', '123349.92', '0.00', '0.00', '1.50', '0.00'],
  ]);
});

test('a settlement that is overdue has a minus, as a pay-out that has not arrived', async () => {
  const { report } = await linesOf('--scenario', 'overdue');
  const step = report.checklist.find((one: { step: string }) => one.step === 'settlements');
  const point = report.blockers.find((one: { code: string }) => one.code === 'overdue');
  const nets = point.amounts.map((one: { net: Figure }) => one.net.amount);
  expect(nets).toEqual(['-145.50', '-4850']);
  expect(step.amounts).toEqual(point.amounts);
});

test('the closing of a part of the month is the opening of the next part', async () => {
  const first = await linesOf(...days('01', '17'));
  expect(first.lines['Web shop']?.at(-1)).toBe('10253.90');
  expect(first.lines['Stores']?.at(-1)).toBe('5202.35');
  await close(...days('01', '17'), ...forced, '--closes', register, '--new-register');
  const second = await linesOf(...days('18', '31'), '--closes', register);
  expect(second.lines).toEqual((await linesOf(...days('18', '31'))).lines);
  expect(second.report).toMatchObject({ continues: true, changes: [] });
  expect(second.lines['Stores']).toEqual([
    ...['5202.35', '0.00', '12893.04', '15036.07', '0.00', '0.00', '0.00', '3059.32'],
  ]);
});

describe('the register of closes', () => {
  test('keeps what was closed, readable by its owner only', async () => {
    const { exitCode, stdout } = await close(
      ...[...days('01', '17'), ...forced, '--closes', register, '--new-register', '--json'],
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'closed', recorded: { by: 'Anna' } });
    expect((await stat(register)).mode & 0o777).toBe(0o600);
    const again = await close(...days('01', '17'), ...forced, '--closes', register);
    expect(again.exitCode).toBe(1);
    expect(again.stderr).toContain(
      '17 days are closed already: 2026-03-01, 2026-03-02, 2026-03-03 and 14 more',
    );
    const later = await close(...days('20', '31'), '--closes', register);
    expect(later.stderr).toContain(
      '2 days between the last close and the range are left out: 2026-03-18 and 2026-03-19',
    );
    const { report } = await linesOf(...days('01', '17'), '--closes', register);
    expect(report.closed[0].message).toContain(
      'by Anna; since then: nothing has changed in its settlements.',
    );
  });

  test('shows a closed range with all figures of then', async () => {
    const then = (await linesOf(...days('01', '17'))).report;
    await close(...days('01', '17'), ...forced, '--closes', register, '--new-register');
    const { report, exitCode } = await linesOf(...days('01', '17'), '--closes', register);
    expect(exitCode).toBe(0);
    const figures = ['lines', 'totals', 'checks', 'pending', 'unexplained', 'continues'];
    for (const name of [...figures, 'items', 'bridge', 'ladders', 'blockers']) {
      expect(report[name]).toEqual(then[name]);
    }
    const points = then.blockers.map(({ code, count, amounts, message }: Blocker) => {
      return { code, count, amounts, message };
    });
    expect(report.recorded).toMatchObject({ by: 'Anna', note: 'known', forced: points });
  });

  test('a closed range has changed if a statement at hand has other entries', async () => {
    const range = days('01', '17');
    const statement = join(folder, 'march.xml');
    const { text } = camtStatement(await loadScenario('month'));
    await writeFile(statement, text);
    await close(statement, ...range, ...forced, '--closes', register, '--new-register');
    expect((await close(statement, ...range, '--closes', register)).exitCode).toBe(0);
    await writeFile(statement, text.replace('5183.41', '5183.42'));
    const { exitCode, stdout } = await close(statement, ...range, '--closes', register, '--json');
    expect(exitCode).toBe(1);
    const account = 'DE79123456780000143027 EUR';
    expect(JSON.parse(stdout).notes).toContain(`Changed since the close: statement ${account}.`);
  });

  test('refuses a close that is not ready, has no note or has no name', async () => {
    const refused = await close(
      ...days('01', '17'),
      '--record',
      '--by',
      'Anna',
      '--closes',
      register,
    );
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('Not recorded');
    const flags = ['--record', '--closes', register];
    expect((await close(...flags)).stderr).toContain('No --by given');
    expect((await close(...flags, '--by', 'A', '--force')).stderr).toContain(
      '--force needs --note',
    );
  });

  test('is begun when it is missing, but not beside another one', async () => {
    const first = await close(...days('01', '17'), ...forced, '--closes', register);
    expect(first.exitCode).toBe(0);
    expect(first.stderr).toContain(`Started the register of closes: ${register}\n`);
    const mistyped = register.replace(/s\.csv$/, '.csv');
    const refused = await close(...days('18', '31'), ...forced, '--closes', mistyped);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain(`There is another one beside it: ${register}.`);
    await rm(register);
    const vanished = await close(...days('18', '31'), ...forced, '--closes', mistyped);
    expect(vanished.exitCode).toBe(2);
    const lost = await close(...days('18', '31'), ...forced, '--closes', register);
    expect([lost.exitCode, lost.stderr]).toEqual([4, expect.stringContaining('not as it was')]);
    const flags = [...forced, '--closes', mistyped, '--new-register'];
    expect(await close(...days('01', '17'), ...flags)).toMatchObject({ exitCode: 0 });
  });

  test('is not begun by itself once the books or a close show that there was one', async () => {
    const booked = ['--booked', join(folder, 'booked.csv')];
    const books = join(folder, 'march.journal');
    const journal = (...flags: string[]) =>
      runRecon(['journal', '--sandbox', '--bank', '--for', 'hledger', '-o', books, ...flags]);
    await journal(...booked, '--closed-through', '2026-02-28');
    const recording = [...days('01', '31'), ...forced, ...booked, '--closes', register];
    const refused = await close(...recording);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('The books were closed through 2026-02-28');
    expect(await close(...recording, '--new-register')).toMatchObject({ exitCode: 0 });
    await rm(join(folder, 'booked.csv'));
    await rm(join(folder, '.booked.csv.last'));
    const again = await journal(...booked, '--closes', register);
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toContain('The books are closed through 2026-03-31');
  });

  test('is reopened with a reason, and keeps both lines', async () => {
    await close(...days('01', '17'), ...forced, '--closes', register, '--new-register');
    const reopened = await close('--reopen', '--closes', register, '--by', 'Bo', '--note', 'late');
    expect(reopened.exitCode).toBe(0);
    const { report } = await linesOf(...days('01', '17'), '--closes', register);
    expect(report.closed).toEqual([]);
    expect(await readFile(register, 'utf8')).toMatch(/^close,2,.*Bo,late/m);
  });

  test('reports a changed line and an old copy', async () => {
    await close(...days('01', '17'), ...forced, '--closes', register, '--new-register');
    const { writeFile } = await import('node:fs/promises');
    const text = await readFile(register, 'utf8');
    await writeFile(register, text.replace('10253.90', '10253.91'));
    expect((await close(...days('18', '31'), '--closes', register)).stderr).toContain(
      'was changed',
    );
    await writeFile(register, text);
    await close(...days('18', '31'), ...forced, '--closes', register);
    await writeFile(register, text);
    const old = await close(...days('18', '31'), '--closes', register);
    expect(old.exitCode).toBe(4);
    expect(old.stderr).toContain('close 2 was the last one recorded');
  });
});
