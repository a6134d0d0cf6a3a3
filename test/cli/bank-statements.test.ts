import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { camtStatement, statementsIn } from '../../src/sandbox/bank.ts';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { runRecon } from '../support/run-recon.ts';
import { startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const { text: xml } = camtStatement(await loadScenario('month'));

/** A folder with these files. */
async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(await temporaryFolder(), 'bank');
  await mkdir(folder);
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  return folder;
}

const bank = (...args: readonly string[]) => runRecon(['bank', '--sandbox', ...args]);

describe('bank statements', () => {
  test('are the files of a folder that are statements', async () => {
    const folder = await folderOf({
      'march.xml': xml,
      'notes.txt': 'Call the bank',
      '.hidden.xml': '<broken',
      'accounts/.trash/hidden.xml': '<broken',
    });
    const { stderr, exitCode } = await bank(folder, '--fail-on', 'none');
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      `${join(folder, 'notes.txt')}: not read: not a bank statement that recon can read.`,
    );
    expect(stderr).not.toContain('hidden');
  });

  test('are read in subfolders, such as one for each account or year', async () => {
    const folder = await folderOf({
      'Web shop/2026/march.xml': xml,
      'Web shop/2025/empty.txt': '',
    });
    const { stdout } = await bank(folder, '--format', 'table');
    expect(stdout).toContain('37 bank entries');
    expect(stdout).toContain(join('2026', 'march.xml'));
  });

  test('of more than 1 GiB, in one file or in all, are refused before they are read', async () => {
    const folder = await folderOf({ 'march.xml': xml, 'april.xml': xml });
    const places = [join(folder, 'march.xml'), join(folder, 'april.xml')];
    // Without anything in them, they take no room on the disk.
    await truncate(places[0] ?? '', 2 ** 30 + 1);
    for (const paths of [[places[0] ?? ''], [folder], places]) {
      const { stdout, stderr, exitCode } = await bank(...paths);
      expect(exitCode).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).toContain('The bank statements have more than 1 GiB.');
      expect(stderr).toContain('march.xml');
    }
    for (const path of places) await truncate(path, 2 ** 29 + 1);
    expect((await bank(folder)).stderr).toContain('more than 1 GiB');
  });

  test('are those of the profile, if none is named', async () => {
    const folder = await folderOf({ 'march.xml': xml });
    const { env, clock } = await startService('month');
    const run = (more: Readonly<Record<string, string>> = {}) =>
      runRecon(['bank'], { env: { ...env, ...more }, clock });
    expect((await run({ RECON_STATEMENTS: folder })).stdout).toContain('march.xml:17');
    const gone = await run({ RECON_STATEMENTS: join(folder, 'gone.xml') });
    expect(gone.stderr).toContain('Bank statement not found.');
    const { stderr, exitCode } = await run();
    expect(exitCode).toBe(2);
    expect(stderr).toContain('No bank statement given.');
  });

  test.each([
    ['nowhere.xml', 'Bank statement not found.', 'nowhere.xml'],
    ['notes.txt', 'Not a bank statement that recon can read.', 'notes.txt'],
    ['', 'No bank statement found.', ''],
  ])('that do not exist are named: %j', async (name, message, place) => {
    const folder = await folderOf({ 'notes.txt': 'Call the bank' });
    const { stderr, exitCode } = await bank(join(folder, name));
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain(join(folder, place));
    expect(stderr).toMatch(/try: /);
  });

  test('that are damaged are read in part, and end with 4', async () => {
    const uncharged = xml.replace(/<Chrgs>.*<\/Chrgs>/, '');
    const folder = await folderOf({ 'march.xml': uncharged.replace('>4197.18<', '>4.197,18<') });
    const { stdout, exitCode } = await bank(folder, '--format', 'table');
    expect(exitCode).toBe(4);
    const text = stdout.replace(/\s+/g, ' ');
    expect(text).toContain(
      'march.xml:17: Ntry/Amt cannot be read: found 4.197,18, expected an amount such as 12.50',
    );
    // The suggested command reads the same statements.
    expect(text).toContain(` --bank ${folder} --difference -1.50 `);
  });

  test('that end before their days are named, and end with 4', async () => {
    const cut = xml.slice(0, xml.indexOf('<Stmt>') + '<Stmt>'.length);
    const folder = await folderOf({ 'march.xml': cut });
    const { stdout, exitCode } = await bank(folder, '--format', 'table');
    expect(exitCode).toBe(4);
    expect(stdout).toContain('unclosed tag: Stmt');
    expect(stdout).not.toMatch(/Invalid Date| to ;/);
  });

  const dates = /<BookgDt>.*?<\/ValDt>/;

  test('with an entry without a date are incomplete on their days, and the entry is not matched', async () => {
    // The first entry of money in is the pay-out of 2 March.
    const at = xml.indexOf('>4197.18<');
    const undated = xml.slice(0, at) + xml.slice(at).replace(dates, '');
    const folder = await folderOf({ 'march.xml': undated });
    const first = await bank(folder, '--on', '2026-03-02', '--format', 'table');
    expect(first.exitCode).toBe(4);
    const text = first.stdout.replace(/\s+/g, ' ');
    expect(text).toContain(
      'march.xml:17: account DE79123456780000143027: an entry of 4197.18 EUR has neither',
    );
    expect(text).toContain('Everything read NO: 1 entry of the statements without a date');
    expect(text).toContain('no statement');
    expect(text).not.toMatch(/missing/i);
    // It counts in its statement.
    expect(text).toMatch(/DE79123456780000143027 EUR 2026-03-01 2026-03-31 28 checked/);
    const csv = await bank(folder, '--on', '2026-03-02', '--format', 'csv');
    expect(csv.stdout).not.toContain('march.xml:17');
    expect(csv.stderr).toContain('march.xml:17');
    const journal = await runRecon([
      ...['journal', '--sandbox', '--month', '2026-03', '--for', 'csv', '--bank', folder],
    ]);
    expect(journal.stderr).toContain('march.xml:17');
    expect(journal.stdout).toContain('Bank,1878.79');
    expect(journal.stdout).not.toContain('Bank,4197.18');
  });

  test('with an entry without a date on other days than the range are named, and change nothing', async () => {
    const old = xml
      .replaceAll(/2026-?03/g, (day) => day.replace('6', '5'))
      .replaceAll('>DE79', '>DE78');
    const folder = await folderOf({ 'march.xml': xml, 'old.xml': old.replace(dates, '') });
    const { stdout, exitCode } = await bank(folder, '--on', '2026-03-03', '--format', 'table');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('old.xml:9');
    expect(stdout).toContain('Everything read  yes');
  });

  test('with a value date of a month of 30 days are read, and the date is named', async () => {
    const { text } = statementsIn(await loadScenario('month'))[1] ?? { text: '' };
    const folder = await folderOf({
      'march.mt940': text.replace(':61:2603030303', ':61:2602300303'),
    });
    const run = (format: string) => bank(folder, '--on', '2026-03-02', '--format', format);
    const { stdout, exitCode } = await run('table');
    expect(exitCode).toBe(0);
    expect(stdout.replace(/\s+/g, ' ')).toContain('the value date 2026-02-30 does not exist');
    expect((await run('csv')).stdout).toContain(',2026-03-03,2026-02-30,booked,');
  });

  test('say of each statement whether its balances were checked', async () => {
    const folder = await folderOf({
      'march.xml': xml.replace(/<Bal><Tp><CdOrPrtry><Cd>CLBD.*<\/Bal>/, ''),
    });
    const run = (format: string) => bank(folder, '--on', '2026-03-03', '--format', format);
    const { stdout } = await run('table');
    expect(stdout.replace(/\s+/g, ' ')).toContain('not checked: no closing balance');
    expect(stdout).toContain('The balances of 1 statement were not checked: no closing balance.');
    expect((await run('html')).stdout).toContain('not checked: no closing balance');
    const report: unknown = JSON.parse((await run('json')).stdout);
    expect(report).toMatchObject({
      statements: [
        { currency: 'JPY', checked: true, notCheckedBecause: null },
        { currency: 'EUR', checked: false, notCheckedBecause: 'no_closing_balance' },
      ],
    });
  });

  test('that are empty are unreadable, and get no figures', async () => {
    const folder = await folderOf({
      'march.xml': xml.replace(/<Stmt>[\s\S]*<\/Stmt>/, '<Stmt></Stmt>'),
    });
    const { stdout, stderr, exitCode } = await bank(folder, '--format', 'table');
    expect(exitCode).toBe(4);
    expect(stdout).toContain('march.xml:4: Stmt cannot be read');
    expect(stdout + stderr).not.toContain('NaN');
    const { env, clock } = await startService('month');
    const unasked = await runRecon(['bank', folder], { env, clock });
    expect(unasked.exitCode).toBe(4);
    expect(unasked.stderr).toContain('march.xml:4: Stmt cannot be read');
  });

  test('that are CSV files with a header only are statements without entries', async () => {
    const folder = await folderOf({ 'march.csv': 'Date,Amount\n' });
    const { env, clock } = await startService('month');
    const mapping = { date: 'Date', amount: 'Amount', currency: 'EUR', account: 'DE79' };
    const run = (...args: readonly string[]) =>
      runRecon(['bank', folder, '--format', 'table', ...args], {
        env: { ...env, RECON_BANK_CSV: JSON.stringify(mapping) },
        clock,
      });
    const march = await run('--on', '2026-03-02');
    expect(march.exitCode).toBe(0);
    expect(march.stdout).toContain('DAYS WITHOUT STATEMENTS');
    const { stdout, exitCode } = await run();
    expect(exitCode).toBe(0);
    expect(stdout).toContain('NOTHING FOUND');
    expect(stdout).toContain('2026-04-05 to 2026-04-05');
  });
});
