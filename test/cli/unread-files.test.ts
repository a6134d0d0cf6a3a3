import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { statementsIn } from '../../src/sandbox/bank.ts';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { row, text, workbookOf } from '../bank/workbook-file.ts';
import { readWorkbook } from '../render/xlsx/read-workbook.ts';
import { runRecon } from '../support/run-recon.ts';
import { temporaryFolder } from './temporary.ts';

const month = statementsIn(await loadScenario('month'));
const statement = month.find(({ name }) => name === 'month.xml')?.text ?? '';
const csv = (currency: string) =>
  month.find(({ name }) => name.endsWith(`-${currency}.csv`))?.text ?? '';

/** As the bank writes them after it has changed a letter of the header. */
const changed = (currency: string) => csv(currency).replace('Booking date', 'Booking Date');

const recipes = await readFile('docs/recipes.md', 'utf8');
const [mapping = ''] = /\[profiles\.sandbox\.bank_csv\][^`]*/.exec(recipes) ?? [];

/** A folder `bank` with these files, and a profile with the mapping of the sandbox's CSV files. */
async function company(files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = await temporaryFolder();
  const bank = join(folder, 'bank');
  await mkdir(bank);
  for (const [name, content] of Object.entries(files)) await writeFile(join(bank, name), content);
  const config = join(folder, 'config.toml');
  await writeFile(config, mapping, { mode: 0o600 });
  const days = ['--from', '2026-03-02', '--to', '2026-03-12'];
  const asked = ['--sandbox', '--config', config, '--profile', 'sandbox', '--quiet'];
  return {
    ...{ folder, bank, days },
    run: (...args: readonly string[]) => runRecon([...args, ...asked]),
  };
}

describe('a file in the folder that is not read, and may be a statement', () => {
  test.each([
    ['bank', 'table'],
    ['bank', 'csv'],
    ['bank', 'json'],
    ['bank', 'ndjson'],
    ['bank', 'markdown'],
    ['bank', 'html'],
    ['bank', 'xlsx'],
    ['settlements', 'table'],
    ['settlements', 'csv'],
    ['settlements', 'json'],
    ['settlements', 'ndjson'],
    ['settlements', 'html'],
    ['settlements', 'xlsx'],
    ['close', 'table'],
    ['close', 'csv'],
    ['close', 'json'],
    ['close', 'ndjson'],
    ['close', 'html'],
    ['close', 'xlsx'],
  ])('is told by %s as %s, and ends with 4', async (command, format) => {
    const { bank, folder, days, run } = await company({
      ...{ 'eur.csv': changed('eur'), 'jpy.csv': changed('jpy'), 'month.xml': statement },
    });
    const output = join(folder, `report.${format}`);
    const which = command === 'settlements' ? ['--bank', bank] : [bank];
    const target = ['--format', format, '--output', output];
    const { exitCode, stderr } = await run(command, ...which, ...days, ...target);
    expect(exitCode).toBe(4);
    const bytes = await readFile(output);
    const written =
      format === 'xlsx'
        ? [...(await readWorkbook(bytes)).values()].flat(2).join('\n')
        : bytes.toString();
    // A line of these files is a settlement or a balance.
    const isApart = format === 'csv' && command !== 'bank';
    const told = isApart ? stderr : written.replaceAll('\\', '');
    for (const said of ['eur.csv', 'jpy.csv', 'Booking Date']) expect(told).toContain(said);
  });

  test.each(['table', 'csv', 'json', 'html'])('is told by nightly as %s', async (format) => {
    const { bank, folder, run } = await company({ 'eur.csv': changed('eur'), 'm.xml': statement });
    const night = () =>
      run('nightly', '--out', join(folder, 'out'), '--bank', bank, '--format', format);
    const [first, second] = [await night(), await night()];
    expect([first.exitCode, second.exitCode]).toEqual([4, 4]);
    expect(first.stdout).toContain('eur.csv');
    if (format !== 'csv') expect(second.stdout).toContain('eur.csv');
    await copyFile(join(bank, 'm.xml'), join(bank, 'eur.csv'));
    expect((await night()).exitCode).not.toBe(4);
  });

  test('is told by journal, and ends with 4', async () => {
    const { bank, run, days } = await company({ 'eur.csv': changed('eur'), 'm.xml': statement });
    const { stdout, exitCode } = await run('journal', '--bank', bank, '--for', 'hledger', ...days);
    expect(exitCode).toBe(4);
    expect(stdout).toContain('eur.csv');
  });

  test('names the columns that it lacks and those that it has', async () => {
    const { bank, days, run } = await company({
      ...{ 'eur.csv': changed('eur'), 'jpy.csv': csv('jpy') },
    });
    const { stdout } = await run('bank', bank, ...days, '--format', 'json');
    const { statementFindings: found, verdict } = JSON.parse(stdout);
    expect(verdict).toBe('incomplete');
    expect(found).toMatchObject([
      {
        ...{ code: 'not_read', file: join(bank, 'eur.csv'), line: 1, setting: 'bank_csv' },
        ...{ found: expect.stringMatching(/^Account, Booking Date,/), expected: 'Booking date' },
      },
    ]);
  });

  test.each([
    ['orders.csv', 'Order,Total,Paid\n1,2.00,yes\n2,3.00,yes\n'],
    ['export', 'Order;Total;Paid\n1;2.00;yes\n'],
    ['old.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['download.html', '<html><body>Your session has expired</body></html>'],
    ['march.qif', '!Type:Bank\nD03/05/26\n'],
    ['march.ofx', 'Service unavailable'],
    ['march.csv', ''],
    ['march.txt', ':61:2603050305CR3452,72NTRFNONREF\n'],
    ['march.zip', zipSync({ 'a/orders.csv': Buffer.from('a;b;c\n1;2;3\n') })],
    ['march.gz', Buffer.from('1f8b0800', 'hex')],
  ])('may be %s', async (name, content) => {
    const { bank, days, run } = await company({ [name]: content, 'm.xml': statement });
    const { exitCode, stderr } = await run('bank', bank, ...days, '--format', 'csv');
    expect(exitCode).toBe(4);
    expect(stderr).toContain(name);
  });
});

describe('another file in the folder', () => {
  test.each([
    ['letter.pdf', '%PDF-1.7'],
    ['scan.png', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['README.txt', 'Put the files here.\nThe bank sends them at 6, every day, by SFTP.\n'],
    ['march.ok', ''],
    ['manifest.json', '{"files": 2}'],
    [
      'status.xml',
      '<?xml version="1.0"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt/></Document>',
    ],
    ['letters.zip', zipSync({ 'letter.pdf': Buffer.from('%PDF-1.7') })],
  ])('is told, and changes nothing: %s', async (name, content) => {
    const { bank, days, run } = await company({ [name]: content, 'm.xml': statement });
    const { exitCode, stdout } = await run('bank', bank, ...days, '--fail-on', 'none');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(name);
    const json = await run('bank', bank, ...days, '--format', 'json');
    expect(JSON.parse(json.stdout).statementFindings).toMatchObject([{ code: 'other_file' }]);
  });
});

describe('a named file that is not a statement', () => {
  test.each([
    ['export.xlsx', workbookOf({ rows: row(1, text('A1', 'Order')) }), 'This is an Excel workbook'],
    ['orders.csv', 'Order,Total,Paid\n1,2.00,yes\n', 'This file lacks columns'],
    ['letters.zip', zipSync({ 'letter.pdf': Buffer.from('%PDF-1.7') }), 'This is a PDF'],
    ['empty.zip', zipSync({}), ''],
    ['notes.txt', 'Call the bank', 'Not a bank statement'],
  ])('is refused, also beside others: %s', async (name, content, message) => {
    const { bank, days, run } = await company({ [name]: content, 'm.xml': statement });
    const paths = [join(bank, 'm.xml'), join(bank, name)];
    for (const some of [paths, [...paths].reverse(), paths.slice(1)]) {
      const { exitCode, stderr } = await run('bank', ...some, ...days);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(message);
      expect(stderr).toContain(join(bank, name));
    }
  });
});

describe('pay-outs whose days have no statements', () => {
  test('count with --fail-on +not-covered, after their days', async () => {
    const { bank, run } = await company({ 'jpy.csv': csv('jpy') });
    const more = ['--fail-on', '+not-covered'];
    for (const which of [
      ['bank', join(bank, 'jpy.csv')],
      ['settlements', '--bank', join(bank, 'jpy.csv')],
    ]) {
      const over = [...which, '--on', '2026-03-02'];
      expect((await run(...over)).exitCode).toBe(0);
      expect((await run(...over, ...more)).exitCode).toBe(1);
      // The sandbox's month ends before its money is due.
      const last = [...which, '--on', '2026-03-26'];
      expect((await run(...last, ...more)).exitCode).toBe(0);
    }
    const alone = await run('settlements', '--on', '2026-03-02', ...more);
    expect(alone.stderr).toContain('--fail-on not-covered needs --bank.');
  });
});
