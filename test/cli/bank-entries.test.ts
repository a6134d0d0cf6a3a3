import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readWorkbook } from '../render/xlsx/read-workbook.ts';
import { runRecon } from '../support/run-recon.ts';
import { readRecords } from './read-report.ts';
import { temporaryFolder } from './temporary.ts';

const config = `[profiles.shop.bank_csv.giro]
delimiter = ";"
decimal = ","
date_format = "DD.MM.YYYY"
date = "Buchungstag"
amount = "Betrag"
currency = "EUR"
account = "DE1"
texts = ["Zweck"]
name = "Name"

[profiles.shop.bank_csv.yen]
date = "Date"
debit = "Out"
credit = "In"
currency = "JPY"
account = "JP1"
status = "State"
`;

const giro = [
  'Buchungstag;Betrag;Zweck;Name',
  '31.03.2026;-1.234,50;Rent;Landlord',
  '05.03.2026;3.452,72;Payout E2E-1;Pay Ltd',
].join('\n');
const yen = 'Date,Out,In,State\n2026-03-06,,500,Completed\n2026-04-01,200,,Pending\n';

async function listed(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'config.toml'), config, { mode: 0o600 });
  const paths = Object.keys(files).map((name) => join(folder, name));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const flags = ['--entries', '--config', join(folder, 'config.toml'), ...args];
  return { folder, ...(await runRecon(['bank', ...paths, ...flags])) };
}

describe('recon bank --entries', () => {
  const both = { 'giro.csv': giro, 'yen.csv': yen };

  test('lists what is read, line by line, without any service', async () => {
    const { stdout, exitCode } = await listed(both, '--format', 'csv');
    expect(exitCode).toBe(0);
    const rows = readRecords(stdout).map((row) =>
      [
        ...['bank_date', 'bank_amount', 'bank_currency', 'bank_account', 'bank_status'],
        ...['counterparty', 'bank_text', 'format'],
      ]
        .map((key) => row[key])
        .join('|'),
    );
    expect(rows).toEqual([
      '2026-03-31|-1234.50|EUR|DE1|booked|Landlord|Rent|CSV by bank_csv.giro',
      '2026-03-05|3452.72|EUR|DE1|booked|Pay Ltd|Payout E2E-1|CSV by bank_csv.giro',
      '2026-03-06|500|JPY|JP1|booked|||CSV by bank_csv.yen',
      '2026-04-01|-200|JPY|JP1|pending|||CSV by bank_csv.yen',
    ]);
    expect(stdout).toContain('giro.csv:3');
  });

  test('lists the days of a range', async () => {
    const { stdout } = await listed(both, '--format', 'json', '--month', '2026-03');
    const { entries, range, isWhole, statements } = JSON.parse(stdout);
    expect(entries).toHaveLength(3);
    expect({ range, isWhole }).toEqual({
      ...{ range: { from: '2026-03-01', to: '2026-03-31' }, isWhole: true },
    });
    expect(statements).toMatchObject([
      { account: 'DE1', setting: 'bank_csv.giro', sum: { amount: '2218.22' } },
      { account: 'JP1', setting: 'bank_csv.yen', sum: { amount: '500' } },
    ]);
  });

  test.each(['table', 'markdown', 'html', 'ndjson'])('shows them as %s', async (format) => {
    const { stdout, exitCode } = await listed(both, '--format', format);
    expect(exitCode).toBe(0);
    const plain = stdout.replaceAll('\\', '').replaceAll(',', '');
    for (const shown of ['1234.50', 'Landlord', 'Payout E2E-1', 'pending', '500']) {
      expect(plain).toContain(shown);
    }
  });

  test('writes a workbook', async () => {
    const folder = await temporaryFolder();
    const output = join(folder, 'entries.xlsx');
    const { exitCode } = await listed(both, '--output', output);
    expect(exitCode).toBe(0);
    const sheets = await readWorkbook(await readFile(output));
    expect([...sheets.keys()]).toEqual(['Summary', 'Entries', 'Statements']);
    expect(sheets.get('Entries')).toHaveLength(5);
  });

  test('ends with 4 if something cannot be read, and names the keys to check', async () => {
    const spoiled = giro.replace('3.452,72', '3452.72');
    const { stdout, exitCode } = await listed(
      { ...both, 'giro.csv': spoiled },
      '--format',
      'table',
    );
    expect(exitCode).toBe(4);
    const plain = stdout.replace(/\s+/g, ' ');
    expect(plain).toContain('PARTLY READ');
    expect(plain).toContain('giro.csv:3: Betrag cannot be read: found 3452.72');
    expect(plain).toContain('check decimal and thousands in bank_csv.giro');
  });

  test('is not the same as --init', async () => {
    const { stderr, exitCode } = await listed(both, '--init');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--init');
  });
});
