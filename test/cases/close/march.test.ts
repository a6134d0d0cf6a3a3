import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { programAt } from '../../support/programs.ts';
import { balances, type Closed, postingsOf } from './adapter.ts';
import { type Format, formats, openMarch, tokens } from './march.ts';

const from = ['books_from = "2026-03-01"'];
const march = ['--month', '2026-03'];
const hledger = programAt('hledger');

/** Lines of the roll-forward, picked and in minor units. */
function rolled({ rollForward }: Closed, ...fields: readonly string[]) {
  const line = (key: string) => {
    return fields.map((field) => Number(rollForward[key]?.[field]));
  };
  return { web: line(tokens.web), stores: line(tokens.stores), japan: line(tokens.japan) };
}

/** The bank's statement states the charge of 1.50 only in camt (CLOSING 2). */
const charge = (format: Format) => (format === 'camt' ? [150, 0] : [0, 150]);

describe.each(formats)("the sandbox's March with %s", (format) => {
  const open = () => openMarch(format, from);

  test('rolls forward as in CLOSING 1', async () => {
    const closed = await (await open()).close(...march);
    expect(rolled(closed, 'opening', 'changed', 'gross', 'fees', 'tax', 'payInDifference')).toEqual(
      {
        web: [0, 0, 12_581_537, 205_685, 40_709, -1],
        stores: [0, 0, 2_502_832, 47_654, 9_337, 8_279],
        japan: [0, 0, 2_299_851, 36_810, 7_292, 0],
      },
    );
    const moved = rolled(closed, 'settled', 'received', 'bankCharges', 'short', 'over', 'closing');
    expect(moved).toEqual({
      web: [12_335_142, 12_334_992, ...charge(format), 0, 0],
      stores: [2_454_120, 2_148_188, 0, 0, 0, 305_932],
      japan: [2_255_749, 2_578_885, 0, 0, 323_136, 0],
    });
    expect(closed.items).toMatchObject([
      {
        ...{ date: '2026-03-13', dueUntil: '2026-03-20', ageDays: 18, daysLate: 11 },
        ...{ payIn: 305_932n, open: 305_932n },
      },
    ]);
    expect(closed.items).toHaveLength(1);
    expect(closed.pending).toEqual({ EUR: 2_085_946n, JPY: 326_175n });
  });

  // A CSV has no balances: the movement is that of its entries.
  test('is bridged from the bank to the books as in CLOSING 2', async () => {
    const { bridges } = await (await open()).close(...march);
    const [charged] = charge(format);
    expect(bridges['EUR']).toMatchObject({
      movement: 14_394_420n,
      cleared: 14_483_180n + BigInt(charged ?? 0),
      over: 0n,
      bankCharges: -BigInt(charged ?? 0),
      suspense: 31_240n,
      unrelated: -120_000n,
      residual: 0n,
    });
    expect(bridges['JPY']).toMatchObject({
      movement: 2_578_885n,
      cleared: 2_255_749n,
      over: 323_136n,
      ...{ bankCharges: 0n, suspense: 0n, unrelated: 0n, residual: 0n },
    });
  });

  test('is booked to the balances of CLOSING 2', async () => {
    const { run, bank } = await open();
    const { stdout } = await run('journal', ...march, '--for', 'csv', '--bank', bank);
    const held = balances(postingsOf(stdout), '2026-03-31');
    expect(held).toMatchObject({
      'bank EUR': 14_514_420n,
      'bank JPY': 2_578_885n,
      'in_transit EUR': 305_932n,
      'suspense EUR': format === 'camt' ? -39_518n : -39_368n,
      'suspense JPY': -323_136n,
      'suspense USD': 12_654n,
      ...(format === 'camt' && { 'bank_fees EUR': 150n }),
    });
    expect(Object.keys(held)).not.toContain('in_transit JPY');
    if (format !== 'camt') expect(Object.keys(held)).not.toContain('bank_fees EUR');
    // Each receipt stands on its own day: the second one of 323,136 arrived on 18 March (CLOSING 3).
    const cut = balances(postingsOf(stdout), '2026-03-17');
    expect(cut).toMatchObject({ 'in_transit EUR': 1_545_625n, 'bank JPY': 1_316_952n });
    expect(Object.keys(cut)).not.toContain('in_transit JPY');
  });

  test('is cut at 17 March as in CLOSING 1', async () => {
    const { close } = await open();
    const fields = ['opening', 'settled', 'received', 'bankCharges', 'short', 'over', 'closing'];
    const first = await close('--from', '2026-03-01', '--to', '2026-03-17');
    expect(rolled(first, ...fields)).toEqual({
      web: [0, 8_354_821, 7_329_281, ...charge(format), 0, 1_025_390],
      stores: [0, 1_164_816, 644_581, 0, 0, 0, 520_235],
      japan: [0, 1_316_952, 1_316_952, 0, 0, 0, 0],
    });
    expect(first.items.map(({ open }) => Number(open)).sort((a, b) => a - b)).toEqual([
      ...[214_303, 305_932, 313_446, 711_944],
    ]);
    const second = await close('--from', '2026-03-18', '--to', '2026-03-31');
    expect(rolled(second, ...fields)).toEqual({
      web: [1_025_390, 3_980_321, 5_005_711, 0, 0, 0, 0],
      stores: [520_235, 1_289_304, 1_503_607, 0, 0, 0, 305_932],
      japan: [0, 938_797, 1_261_933, 0, 0, 323_136, 0],
    });
  });

  test('is not ready, says why and how, and nothing of it is beyond force', async () => {
    const { close } = await open();
    const { exitCode, verdict, blockers } = await close(...march);
    expect([exitCode, verdict]).toEqual([1, 'not_ready']);
    // A CSV has no balances, and ends with its last entry.
    const beyond = blockers.filter(({ forceable }) => !forceable);
    expect(format === 'csv' ? [] : beyond).toEqual([]);
    expect(blockers.filter(({ code, command }) => code === '' || !command)).toEqual([]);
    const amounts = blockers.map(({ amount }) => amount?.amount.replace(/^[-+]/, ''));
    const expected = ['3059.32', '323136', '312.40', ...(format === 'camt' ? [] : ['1.50'])];
    expect(amounts).toEqual(expect.arrayContaining(expected));
    if (format === 'camt') expect(amounts).not.toContain('1.50');
  });

  test.runIf(hledger)('in two halves passes hledger in one file', async () => {
    const { run, bank, file } = await open();
    const written: string[] = [];
    for (const [first, last] of [
      ['2026-03-01', '2026-03-17'],
      ['2026-03-18', '2026-03-31'],
    ] as const) {
      const output = file(`${first}.journal`);
      const range = ['--from', first, '--to', last, '--for', 'hledger', '--output', output];
      await run('journal', ...range, '--fail-on', 'none', '--bank', bank);
      written.push(`include ${output}\n`);
    }
    writeFileSync(file('all.journal'), written.join(''));
    const ask = (...args: string[]) =>
      execFileSync(hledger ?? '', ['-f', file('all.journal'), ...args], { encoding: 'utf8' });
    expect(ask('check', '--strict')).toBe('');
    expect(ask('bal', '-N', '^Transit$').trim()).toMatch(/^3059\.32 EUR/);
    expect(ask('bal', '-N', '^Bank$').trim()).toMatch(/145144\.20 EUR\s+2578885 JPY/);
  });
});

describe('the range of a March without a beginning', () => {
  test('takes an opening of 0, and says so', async () => {
    const { run, bank } = await openMarch();
    const { stdout, stderr } = await run('close', bank, ...march, '--format', 'table');
    expect(`${stdout}${stderr}`).toMatch(/books_from/);
  });

  test('ends with 4 where a statement cannot be read', async () => {
    const { run, bank, file } = await openMarch('mt940');
    const text = readFileSync(join(bank, 'month.mt940'), 'utf8');
    writeFileSync(file('broken.sta'), text.replace('C4197,18', 'C4197.18'));
    const { exitCode } = await run('close', file('broken.sta'), ...march, '--format', 'json');
    expect(exitCode).toBe(4);
  });
});
