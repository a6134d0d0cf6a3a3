import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { readLines, readRecords } from './read-report.ts';
import { purchases, scenarioOf, startService } from './service.ts';
import { settlementOn } from './shop.ts';
import { type Booked, writeStatement } from './statement.ts';
import { temporaryFolder } from './temporary.ts';

const [whole, short, missing] = [settlementOn(3), settlementOn(4), settlementOn(5)];

/** Three settlements: paid, paid with a bank fee of 1.50 taken off (and its pay-in is 5.00 too high), and not paid. */
async function startMonth() {
  const settlements = [3, 4, 5].map((day) => ({
    date: `2026-03-0${day}`,
    header: { settlementId: settlementOn(day), paymentEndToEndIds: [`PAYOUT-${day}`] },
    rows: purchases(3),
    off: day === 4 ? { amountGross: 500, amountPayIn: 500 } : {},
  }));
  const { env } = await startService(scenarioOf(settlements));
  const folder = await temporaryFolder();
  const register = join(folder, 'accepted.csv');
  const statement = join(folder, 'march.xml');
  const bank = (...booked: readonly Booked[]) => writeStatement(statement, [1, 31], booked);
  await bank([4, 'PAYOUT-3', 2910], [5, 'PAYOUT-4', 3260]);
  const run = (...words: readonly string[]) =>
    runRecon([...words, '--accepted', register], { env });
  return {
    ...{ register, bank, run },
    text: () => readFile(register, 'utf8'),
    accept: (id: string, difference: string, ...more: readonly string[]) =>
      run(
        ...['accept', id, '--bank', statement, '--difference', difference],
        ...['--reason', 'bank fee', ...more],
      ),
    report: (...more: readonly string[]) => run('bank', statement, ...more),
    settlements: (...more: readonly string[]) =>
      run('settlements', '--month', '2026-03', '--bank', statement, ...more),
  };
}

const onDifference = ['--fail-on', 'difference'];

describe('an accepted bank difference', () => {
  it('keeps its figures, and changes no exit code until one cent changes', async () => {
    const { accept, report, settlements, bank } = await startMonth();
    expect((await report(...onDifference)).exitCode).toBe(1);
    const { exitCode, stderr, stdout } = await accept(short, '-1.50', '--account', '4970');
    expect([exitCode, stderr.split('\n')]).toEqual([
      0,
      [
        `ACCEPTED. The bank difference of -1.50 EUR in settlement ${short} is accepted as long as the amounts expected and received do not change.`,
        expect.stringMatching(/^Started the register of accepted differences: .*accepted\.csv$/),
        '',
      ],
    ]);
    expect(readRecords(stdout)).toMatchObject([
      { settlement_id: short, bank_expected: '34.10', bank_received: '32.60', gross_reported: '' },
    ]);

    const quiet = await report(...onDifference);
    expect(quiet.exitCode).toBe(0);
    const [, record] = readRecords(quiet.stdout);
    expect(record).toMatchObject({
      accepted: 'accepted',
      state: 'difference',
      difference: '-1.50',
    });
    const [, line] = readLines((await settlements('--format', 'ndjson')).stdout);
    expect(line).toMatchObject({ bank: { accepted: { state: 'accepted', reason: 'bank fee' } } });

    await bank([4, 'PAYOUT-3', 2910], [5, 'PAYOUT-4', 3259]);
    const loud = await report('--format', 'table', ...onDifference);
    expect(loud.exitCode).toBe(1);
    expect(loud.stdout.replace(/\s+/g, ' ')).toContain(
      'accepted on 2026-04-05, but received changed from 32.60 to 32.59',
    );
  });

  it('is listed beside the pay-in difference of its settlement, and is removed on its own', async () => {
    const { accept, run, text } = await startMonth();
    const payIn = ['accept', short, '--difference', '5.00', '--reason', 'refund'];
    expect((await run(...payIn)).exitCode).toBe(0);
    const ordinary = await text();
    expect((await accept(short, '-1.50')).exitCode).toBe(0);
    expect(readRecords(await text()).map((line) => line['accepted_reason'])).toEqual([
      'refund',
      'bank fee',
    ]);
    const again = await accept(short, '-1.50');
    expect(again.stderr).toContain('The register already says so.');
    const listed = await run('accept', '--list', '--format', 'table');
    expect(listed.stdout).toMatch(/^ACCEPTED DIFFERENCES\n1 settlement\.\n/);
    expect(listed.stdout).toContain('- expected 34.10, received 32.60\n');

    const removed = await run('accept', short, '--remove', '--bank');
    expect(removed.stderr).toContain(
      'The bank difference is no longer in the register. The net pay-out difference still is.',
    );
    expect(await text()).toBe(ordinary);
    const none = await run('accept', short, '--remove', '--bank');
    expect([none.exitCode, none.stderr]).toEqual([
      2,
      expect.stringContaining('is in the register only with its net pay-out difference.'),
    ]);
  });

  it('is added to a register from before bank differences, whose lines stay byte for byte', async () => {
    const { accept, run, register, text } = await startMonth();
    await run('accept', short, '--difference', '5.00', '--reason', 'refund');
    const cut = (line: string, cells: number) => line.split(',').slice(0, -cells).join(',');
    const [head = '', line = ''] = (await text()).trim().split('\r\n');
    const old = [cut(head, 19), cut(line, 19)];
    await writeFile(register, `${old.join('\r\n')}\r\n`);
    const same = await run('accept', short, '--difference', '5.00', '--reason', 'refund');
    expect(same.stderr).toContain('The register already says so.');
    expect((await accept(short, '-1.50')).exitCode).toBe(0);
    const lines = (await text()).trim().split('\r\n');
    expect(lines.slice(0, 2)).toEqual([head, old[1]]);
    expect(lines[2]).toMatch(/,34\.10,32\.60,-1\.50,{15}$/);
    const listed = await run('accept', '--list', '--format', 'csv');
    expect(readRecords(listed.stdout).map((one) => one['bank_difference'])).toEqual(['', '-1.50']);
  });
});

describe('no bank difference is accepted', () => {
  it.each<[string, string, string, string]>([
    ['another difference', short, '-1.49', 'is -1.50 EUR, not -1.49.'],
    ['that is missing', missing, '-29.10', 'is missing from the bank statements'],
    ['that is there as expected', whole, '0', 'is on the bank statements with the expected amount'],
  ])('%s', async (_, id, difference, message) => {
    const { accept, text } = await startMonth();
    const { exitCode, stderr } = await accept(id, difference);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
    await expect(text()).rejects.toThrow('ENOENT');
  });
});
