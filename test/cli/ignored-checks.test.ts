import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { readRecords, readReport } from './read-report.ts';
import { scenarioOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

/** A header of 20.00 over a row of 10.00. */
const header = { amountGross: 2000, fees: 25, tax: 5, amountPayIn: 1970, totalTransactions: 1 };
const twice = scenarioOf([{ date: '2026-03-04', header, rows: [['purchase', 1000, 25, 5]] }]);
const id = String(twice.settlements[0]?.header['settlementId']);

describe('an ignored check', () => {
  it('changes the verdict, and no figure of the screen, of the records, or of an explanation', async () => {
    const { settlements, env } = await startService(twice);
    const ignoring = ['--ignore', 'gross'];
    const screen = await settlements([...ignoring, '--format', 'table']);
    expect(screen.exitCode).toBe(0);
    expect(screen.stdout).toMatch(/^BALANCED\n1 settlement: balanced\.\n/);
    expect(screen.stdout).toMatch(/ 19\.70 +9\.70 +\+10\.00 +10\.00\n/);
    const said = 'Ignored checks: gross (+10.00 EUR net, 10.00 EUR absolute in 1 settlement).';
    expect(screen.stdout.replace(/\n +/g, ' ')).toContain(said);

    const csv = await settlements(ignoring);
    expect(csv.stderr).toContain(`BALANCED. 1 settlement: balanced.\n${said}\n`);
    expect(readRecords(csv.stdout)).toMatchObject([
      { verdict: 'balanced', discrepancies: '', notices: 'gross', pay_in_difference: '10.00' },
    ]);
    const byGroup = await settlements([...ignoring, '--by', 'group']);
    expect(readRecords(byGroup.stdout)).toMatchObject([
      { pay_in_difference: '10.00', out_of_balance_net: '0.00' },
    ]);
    const report = readReport((await settlements([...ignoring, '--format', 'json'])).stdout);
    expect(report).toMatchObject({
      ignored: [{ code: 'gross', currency: 'EUR', settlements: 1, difference: { net: {} } }],
      settlements: [{ discrepancies: [], notices: [{ code: 'gross', weight: 'ignored' }] }],
    });
    const explained = await runRecon(['explain', id, ...ignoring], { env });
    expect(explained.stdout).toContain('gross +10.00, net pay-out +10.00 EUR');
  });

  it('is shown by an export, and by the export read again', async () => {
    const { env } = await startService(twice);
    const out = join(await temporaryFolder(), 'days');
    const day = ['--on', '2026-03-04'];
    const exported = await runRecon(['export', ...day, '--out', out, '--ignore', 'gross'], { env });
    expect(exported.exitCode).toBe(0);
    const again = await runRecon(['settlements', '--from-export', out, '--format', 'table']);
    expect(again.exitCode).toBe(0);
    expect(again.stdout).toMatch(/ 19\.70 +9\.70 +\+10\.00 +10\.00\n/);
    const found = await runRecon(['settlements', '--from-export', out, '--format', 'json']);
    expect(readReport(found.stdout).settlements).toMatchObject([
      { notices: [{ code: 'gross', weight: 'ignored' }] },
    ]);
  });

  it('does not give "Every sum agrees" if only the status says that it is out of balance', async () => {
    const [only] = twice.settlements;
    const complained = scenarioOf([
      {
        date: '2026-03-04',
        header: { ...header, ...only?.header, settlementStatus: 'settled_out_of_balance' },
        rows: [['purchase', 1000, 25, 5]],
      },
    ]);
    const { env } = await startService(complained);
    const { stdout } = await runRecon(['explain', id, '--ignore', 'gross'], { env });
    expect(stdout).toContain('Does not balance: gross +10.00');
    expect(stdout).not.toContain('Every sum agrees');
  });
});
