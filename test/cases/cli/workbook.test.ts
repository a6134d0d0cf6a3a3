import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRecords } from '../../cli/read-report.ts';
import { purchases, type Service, scenarioOf, startService } from '../../cli/service.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { partsOf, readWorkbook, recordsOf } from '../../render/xlsx/read-workbook.ts';
import { runRecon } from '../../support/run-recon.ts';

/** The bytes of a workbook that a command writes. */
async function written(...args: readonly string[]): Promise<Uint8Array> {
  const path = join(await temporaryFolder(), 'report.xlsx');
  const { stderr } = await runRecon([...args, '--output', path]);
  return readFile(path).catch(() => {
    throw new Error(stderr);
  });
}

async function csv(...args: readonly string[]) {
  const { stdout } = await runRecon([...args, '--format', 'csv']);
  return readRecords(stdout);
}

/** The amount or number of a CSV as a spreadsheet has it; an empty one is none. */
function numberOf(text = ''): number | null {
  return text === '' ? null : Number(text);
}

const month = ['settlements', '--sandbox'];

/** The month of the sandbox as a workbook with transactions, written once. */
let ofMonth: Promise<Uint8Array> | undefined;
function monthWritten(): Promise<Uint8Array> {
  ofMonth ??= written(...month, '--rows');
  return ofMonth;
}

/** Its sheets, read once. */
let sheetsOfMonth: ReturnType<typeof readWorkbook> | undefined;
function monthRead(): ReturnType<typeof readWorkbook> {
  sheetsOfMonth ??= monthWritten().then(readWorkbook);
  return sheetsOfMonth;
}
const measures = { pay_in: 'Net pay-out', gross: 'Gross', fees: 'Fees', tax: 'Tax' };
const sides = ['reported', 'computed', 'difference'];

describe('the workbook of settlements', () => {
  it('has the figures of the CSV, to the last digit', async () => {
    const sheets = await monthRead();
    expect([...sheets.keys()]).toEqual([
      ...['Summary', 'Accounts', 'Exceptions', 'Settlements', 'Transactions'],
    ]);
    const settlements = await csv(...month);
    expect(recordsOf(sheets.get('Settlements'))).toEqual(
      settlements.map((record) =>
        expect.objectContaining({
          Date: new Date(`${record['settlement_date']}T00:00:00Z`),
          Settlement: record['settlement_id'],
          Currency: record['currency'],
          Verdict: record['verdict']?.replaceAll('_', ' '),
          'Account id': record['accounting_token'],
          ...figuresOf(record),
        }),
      ),
    );
    const groups = await csv(...month, '--by', 'group');
    expect(recordsOf(sheets.get('Accounts')).slice(0, groups.length)).toEqual(
      groups.map((record) =>
        expect.objectContaining({
          'Account id': record['accounting_token'],
          Currency: record['currency'],
          Balanced: numberOf(record['settlements_balanced']),
          'Net pay-out pending': numberOf(record['pending_pay_in']),
          'Gross difference absolute': numberOf(record['gross_difference_absolute']),
          ...figuresOf(record),
        }),
      ),
    );
    const transactions = await csv('transactions', '--sandbox');
    const listed = recordsOf(sheets.get('Transactions')).map((one) =>
      [...['Settlement', 'Transaction', 'Payment type', 'Order', 'Amount', 'Fees', 'Tax']].map(
        (title) => one[title],
      ),
    );
    // As text, since there are many.
    expect(listed.map(String).sort().join('\n')).toBe(
      transactions
        .map((record) => [
          ...['settlement_id', 'transaction_id', 'payment_type', 'order_id'].map(
            (key) => record[key],
          ),
          ...['amount', 'fees', 'tax'].map((key) => numberOf(record[key])),
        ])
        .map(String)
        .sort()
        .join('\n'),
    );
  });

  it('shows for each exception its differences, its cause and its transactions', async () => {
    const sheets = await monthRead();
    const exceptions = recordsOf(sheets.get('Exceptions'));
    expect(exceptions.map((one) => one['Net pay-out difference'])).toEqual([
      82.79, 5, -5, -0.01, 0, 0,
    ]);
    expect(exceptions[0]).toMatchObject({
      Exception: 'out of balance',
      'Gross reported': 1980.51,
      'Gross computed': 1896.01,
      'Gross difference': 84.5,
      'Transactions difference': 1,
      Cause: expect.stringMatching(
        /^Likely cause: the settlement counts one transaction that is not listed/,
      ),
    });
    const rows = sheets.get('Transactions') ?? [];
    const [first, last] = String(exceptions[0]?.['Rows on Transactions']).split(' to ').map(Number);
    const settlement = exceptions[0]?.['Settlement'];
    const places = rows.flatMap((row, index) => (row[1] === settlement ? [index + 1] : []));
    expect([places[0], places.at(-1)]).toEqual([first, last]);
  });

  it('prints the findings of each exception in a column with line breaks', async () => {
    const bytes = await monthWritten();
    const parts = partsOf(bytes);
    const [titles = [], ...rows] = (await readWorkbook(bytes)).get('Exceptions') ?? [];
    const findings = titles.indexOf('Findings');
    const usd = rows.find((row) => String(row[findings]).includes('129.00 USD'));
    expect(usd?.[findings]).toBe(
      '1 transaction in another currency, not included in the totals: gross 129.00 USD, fees 2.05 USD, tax 0.41 USD.',
    );
    const printed = /Print_Area"[^>]*>'Exceptions'!\$A\$1:\$([A-Z])/.exec(
      parts.get('xl/workbook.xml') ?? '',
    );
    expect((printed?.[1] ?? '').charCodeAt(0) - 65).toBeGreaterThan(titles.indexOf('Cause'));
    expect(findings).toBeLessThan(titles.indexOf('Cause'));
    const styles = parts.get('xl/styles.xml') ?? '';
    expect(styles).toMatch(/<alignment(?=[^>]*wrapText="true")[^>]*horizontal="left"/);
    // A text never touches the figure before it.
    expect(styles).not.toMatch(/<alignment(?![^>]*indent="1")[^>]*horizontal="left"/);
  });

  it('adds up with formulas, none of which contains a text of the data', async () => {
    const bytes = await monthWritten();
    const accounts = partsOf(bytes).get('xl/worksheets/sheet2.xml') ?? '';
    const formulas = [...accounts.matchAll(/<f>(.*?)<\/f>/g)].map(([, formula]) => formula);
    // 5 lines of 22 numbers.
    expect(formulas).toHaveLength(110);
    const texts = formulas.flatMap((formula = '') => formula.match(/"[^"]*"/g) ?? []);
    expect(new Set(texts)).toEqual(
      new Set(
        ['&lt;0', '&gt;0', 'balanced', 'incomplete', 'out of balance', 'pending', 'yes'].map(
          (word) => `"${word}"`,
        ),
      ),
    );
    for (const [path, part] of partsOf(bytes)) {
      if (/sheet[1345]\.xml$/.test(path)) expect(part).not.toContain('<f>');
    }
  });

  it('writes totals as values if its sheets do not have all settlements', async () => {
    const bytes = await written(...month, '--scenario', 'pending', '--only', 'balanced');
    const sheets = await readWorkbook(bytes);
    expect(recordsOf(sheets.get('Settlements'))).toHaveLength(1);
    expect(recordsOf(sheets.get('Accounts'))[0]).toMatchObject({ Settlements: 3, Pending: 2 });
    expect(sheets.get('Summary')?.flat()).toContain(
      'On the sheet Accounts, numbers that a spreadsheet cannot compute exactly from the sheet ' +
        'Settlements are values, not formulas.',
    );
  });

  it('has the same bytes each time, and the same data from an export', async () => {
    const folder = await temporaryFolder();
    const asked = ['--sandbox', '--scenario', 'two-causes'];
    const dates = ['--from', '2026-03-03', '--to', '2026-03-05'];
    await runRecon(['export', ...asked, ...dates, '--out', folder, '--quiet']);
    const exported = ['settlements', '--from-export', folder, ...dates, '--rows'];
    const [one, other] = [await written(...exported), await written(...exported)];
    expect(Buffer.compare(one, other)).toBe(0);
    const live = await readWorkbook(await written('settlements', ...asked, ...dates, '--rows'));
    const again = await readWorkbook(one);
    for (const name of ['Accounts', 'Exceptions', 'Settlements', 'Transactions']) {
      expect(again.get(name)).toEqual(live.get(name));
    }
  });
});

/** Reported, computed and difference of each amount. */
function figuresOf(record: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(measures).flatMap(([key, title]) =>
      sides.map((side) => [`${title} ${side}`, numberOf(record[`${key}_${side}`])]),
    ),
  );
}

const token = '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601';

async function ofTwoProfiles(...args: readonly string[]) {
  const path = join(await temporaryFolder(), 'config.toml');
  await writeFile(path, '[profiles.spain]\n[profiles.italy]\n', { mode: 0o600 });
  const env = { RECON_CONFIG: path };
  return runRecon(['settlements', '--sandbox', '--all-profiles', ...args], { env });
}

describe('--rows', () => {
  const row = purchases(1);
  const rowsOf = (count: number, date = '2026-03-04') =>
    ({ date, header: { totalTransactions: count }, rows: row }) as const;
  const tooMany = /^error: More than 50,000 transactions: a workbook lists 50,000 at most\./;
  const refused = async (service: Service, ...args: readonly string[]) => {
    const path = join(await temporaryFolder(), 'march.xlsx');
    const result = await service.settlements(['--rows', '--output', path, ...args]);
    await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
    return result;
  };

  it('refuses too many rows before it reads any, and names the command without a limit', async () => {
    const service = await startService(scenarioOf([rowsOf(30_000), rowsOf(20_001, '2026-03-05')]));
    const { exitCode, stderr } = await refused(service, '--quiet');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(tooMany);
    expect(stderr).toContain(
      'recon transactions --from 2026-03-01 --to 2026-03-31 --output transactions.csv',
    );
    expect(service.asked('rows')).toEqual([]);
  });

  it('counts only the settlements that are shown', async () => {
    const service = await startService(
      scenarioOf([rowsOf(50_001), { date: '2026-03-05', rows: purchases(2) }]),
    );
    const path = join(await temporaryFolder(), 'march.xlsx');
    await service.settlements(['--rows', '--only', 'balanced', '--output', path]);
    const sheets = await readWorkbook(await readFile(path));
    expect(recordsOf(sheets.get('Transactions')).map((one) => one['Amount'])).toEqual([10, 10]);
  });

  it('counts no transactions of an earlier range', async () => {
    const service = await startService(
      scenarioOf([rowsOf(50_001, '2026-02-04'), { date: '2026-03-05', rows: purchases(2) }]),
    );
    const path = join(await temporaryFolder(), 'march.xlsx');
    await service.settlements(['--rows', '--compare', 'previous', '--output', path]);
    const sheets = await readWorkbook(await readFile(path));
    expect(recordsOf(sheets.get('Transactions')).map((one) => one['Amount'])).toEqual([10, 10]);
  });

  it('gives a single row as one number, not as a range', async () => {
    const sheets = await readWorkbook(await written(...month, '--scenario', 'overdue', '--rows'));
    const exceptions = recordsOf(sheets.get('Exceptions'));
    expect(exceptions.map((one) => one['Rows on Transactions'])).toEqual(['3', '4', '5']);
  });

  it('is for one profile', async () => {
    const { exitCode, stderr } = await ofTwoProfiles('--rows', '--output', 'never.xlsx');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--rows cannot be combined with several profiles.');
  });
});

it('a workbook has no formulas for wildcards, tokens alike but for case, or long numbers', async () => {
  const accounts = {
    wild: { accountingToken: '*' },
    small: { accountingToken: 'abc' },
    capital: { accountingToken: 'ABC' },
    plain: { accountingToken: 'plain' },
    long: { accountingToken: 'long', decimalPlaces: 0 },
  };
  const huge = 2 ** 53 - 1;
  const { settlements } = await startService(
    scenarioOf(
      [
        { account: 'wild', date: '2026-03-02', rows: purchases(1) },
        { account: 'plain', date: '2026-03-03', rows: purchases(2) },
        { account: 'small', date: '2026-03-03', rows: purchases(1) },
        { account: 'capital', date: '2026-03-03', rows: purchases(1) },
        { account: 'long', date: '2026-03-04', rows: [['purchase', huge, 0, 0]] },
      ],
      { accounts },
    ),
  );
  const path = join(await temporaryFolder(), 'march.xlsx');
  await settlements(['--output', path]);
  const bytes = await readFile(path);
  const accountsSheet = partsOf(bytes).get('xl/worksheets/sheet2.xml') ?? '';
  const formulasIn = (row: number) =>
    accountsSheet.match(new RegExp(`<c r="[A-Z]+${row}"[^>]*><f>`, 'g'))?.length ?? 0;
  const records = recordsOf((await readWorkbook(bytes)).get('Accounts'));
  const row = (token: string) => records.findIndex((one) => one['Account id'] === token) + 2;
  for (const sought of ['*', 'abc', 'ABC']) expect(formulasIn(row(sought))).toBe(0);
  expect(formulasIn(row('plain'))).toBe(22);
  // Its counts are formulas, and what is zero.
  expect(formulasIn(row('long'))).toBeLessThan(22);
  expect(records[row('long') - 2]?.['Gross reported']).toBe(String(huge));
  expect(records.at(-1)).toMatchObject({
    Account: 'Total',
    'Gross reported': `${BigInt(huge) + 50n}.00`,
  });
});

it('a workbook of several profiles names the profile of each account and has no total of all', async () => {
  const file = join(await temporaryFolder(), 'both.xlsx');
  await ofTwoProfiles('--scenario', 'offsetting', '--output', file);
  const sheets = await readWorkbook(await readFile(file));
  expect(recordsOf(sheets.get('Settlements'))).toHaveLength(4);
  expect(
    recordsOf(sheets.get('Accounts')).map(({ Profile, Account }) => `${Profile} ${Account}`),
  ).toEqual(['spain', 'italy'].map((name) => `${name} ${token}`));
});

it('a workbook of an explanation has a sheet of settlements and a sheet of causes', async () => {
  const args = ['explain', '--sandbox', '--scenario', 'missing-row'];
  const sheets = await readWorkbook(await written(...args));
  expect([...sheets.keys()]).toEqual(['Summary', 'Settlements', 'Explanations']);
  expect(recordsOf(sheets.get('Settlements'))).toEqual([
    expect.objectContaining({
      'Gross difference': 150,
      'Net pay-out difference': 145.5,
      Cause: expect.stringContaining('the settlement counts one transaction that is not listed'),
    }),
  ]);
  const causes = await csv(...args);
  expect(recordsOf(sheets.get('Explanations'))).toEqual(
    causes.map((record) =>
      expect.objectContaining({
        'Settlement id': record['settlement_id'],
        Outcome: record['outcome'],
        'Explained net pay-out': numberOf(record['explained_pay_in']),
      }),
    ),
  );
});
