import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it, test } from 'vitest';
import { journalFormats } from '../../src/books/example-mapping.ts';
import { runRecon } from '../support/run-recon.ts';
import { startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const journal = ['journal', '--sandbox'];
/** One settlement, which is quickly read. */
const small = [...journal, '--scenario', 'fee-off-by-one'];

/** By account and currency, the sum of all postings of a plain-text journal, in minor units of two decimals. */
function balancesOf(text: string): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const [, account = '', amount = '', currency = ''] of text.matchAll(
    /^ {4}(\S.*?) {2,}(-?[\d.]+) ([A-Z]{3})(?: {2};.*)?$/gm,
  )) {
    const key = `${account} ${currency}`;
    sums[key] = (sums[key] ?? 0n) + BigInt(amount.replace('.', ''));
  }
  return sums;
}

describe('recon journal', () => {
  it('books the sandbox month with the totals of the report, and a control line says so', async () => {
    const { stdout, stderr, exitCode } = await runRecon([...journal, '--for', 'hledger']);
    expect(exitCode).toBe(1);
    expect(balancesOf(stdout)).toEqual({
      'assets:payments in transit EUR': 147_892_62n,
      'assets:payments in transit JPY': 2_255_749n,
      'expenses:payment fees EUR': 2_533_39n,
      'expenses:payment fees JPY': 36_810n,
      'assets:input tax EUR': 500_46n,
      'assets:input tax JPY': 7_292n,
      'assets:receivables:payments EUR': -150_843_69n,
      'assets:receivables:payments JPY': -2_299_851n,
      'assets:suspense EUR': -82_78n,
      'assets:receivables:payments USD': -129_00n,
      'expenses:payment fees USD': 2_05n,
      'assets:input tax USD': 41n,
      'assets:suspense USD': 126_54n,
    });
    const control =
      'Control: Stores, 8 settlements: gross 25,028.32, fees 476.54, tax 93.37, net pay-out 24,541.20, difference +82.79 EUR. Journal and report agree.';
    expect(stderr).toContain(`\n${control}\n`);
    expect(stdout).toContain(`\n; ${control}\n`);
    expect(stderr).toContain('Not booked: 4 pending settlements (20,859.46 EUR and 326,175 JPY).');
  });

  it.each([['--per', 'day'], ['--detail'], ['--include-pending'], ['--bank']])(
    'comes to zero with %s %s',
    async (...flags) => {
      const { stdout } = await runRecon([...journal, '--for', 'ledger', ...flags]);
      const sums: Record<string, bigint> = {};
      for (const [key, sum] of Object.entries(balancesOf(stdout))) {
        const currency = key.slice(-3);
        sums[currency] = (sums[currency] ?? 0n) + sum;
      }
      expect(sums).toEqual({ EUR: 0n, JPY: 0n, USD: 0n });
    },
  );

  it('books the rows in another currency without a rate, and says so', async () => {
    const { stdout, stderr } = await runRecon([
      ...[...journal, '--on', '2026-03-12', '--for', 'hledger'],
    ]);
    const said =
      'Booked in another currency than the settlement, without a rate: 1 transaction, 129.00 USD. What the service paid for it is not known: suspense is the counterpart.';
    for (const text of [stdout, stderr]) {
      expect(text).toContain(said);
      expect(text).toMatch(/Control: Web shop, .* Journal and report agree\.\n/);
      expect(text).toContain('On suspense: 1 settlement, 126.54 USD debit net');
    }
    expect(stdout).toMatch(/ Settlement b13e5c60-.*, 1 transaction in USD, Web shop\n/);
  });

  it('leaves rows in another currency out of DATEV, names them, and ends with 1', async () => {
    const asked = [...journal, '--on', '2026-03-12', '--for', 'datev', '--fail-on', 'none'];
    const { exitCode, stdout, stderr } = await runRecon(asked);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      'Not booked: Web shop, 1 transaction in another currency than the settlement: gross 129.00 USD, fees 2.05 USD, tax 0.41 USD.',
    );
    expect(stderr).toMatch(
      /Control: Web shop, .* difference 0\.00 EUR\. Not booked: 1 transaction, 129\.00 USD\.\n/,
    );
    expect(stderr).toMatch(/Control: Japan, .* Journal and report agree\.\n/);
    expect(stdout).toContain(';"left out";"Not booked: 1 transaction, 129.00 USD";');
    const japan = await runRecon(['journal', '--sandbox', '--on', '2026-03-06', ...asked.slice(4)]);
    expect(japan.exitCode).toBe(0);
  });

  it.each(['a pipe', 'a file'])(
    'writes nothing of a journal that is refused in the middle, to %s',
    async (to) => {
      const folder = await temporaryFolder();
      const path = join(folder, 'EXTF_balanced.csv');
      const output = to === 'a file' ? ['--output', path] : [];
      // The last settlements of the scenario are in dinars, with three decimals.
      const { stdout, stderr, exitCode } = await runRecon([
        ...[...journal, '--scenario', 'balanced', '--for', 'datev', ...output],
      ]);
      expect([exitCode, stdout, await readdir(folder)]).toEqual([2, '', []]);
      expect(stderr).toContain('DATEV cannot hold');
    },
  );

  it('with bank statements leaves in transit only what is missing', async () => {
    const { stdout, stderr } = await runRecon([...journal, '--for', 'hledger', '--bank']);
    expect(balancesOf(stdout)).toMatchObject({
      'assets:bank EUR': 145_144_20n,
      'assets:bank JPY': 2_578_885n,
      'assets:payments in transit EUR': 3_059_32n,
      'assets:payments in transit JPY': 0n,
      // The bank states its charge.
      'expenses:bank fees EUR': 1_50n,
      'assets:suspense EUR': -395_18n,
      'assets:suspense JPY': -323_136n,
      'assets:suspense USD': 126_54n,
    });
    expect(stdout).toContain('  0 EUR = 3059.32 EUR\n');
    expect(stderr).toContain('Bank: 35 of 36 pay-outs are on the bank statements.');
    expect(stderr).toContain(
      'On suspense from the bank: overpaid: more than the net pay-out 323,136 JPY; received without a pay-out 312.40 EUR.',
    );
  });

  it('books what is short to suspense if the statement states no charge', async () => {
    const folder = await temporaryFolder();
    await runRecon(['sandbox', '--statements', folder]);
    const asked = [...journal, '--for', 'hledger', '--bank', join(folder, 'month.mt940')];
    const { stdout, stderr } = await runRecon(asked);
    const balances = balancesOf(stdout);
    expect(balances).toMatchObject({
      'assets:bank EUR': 145_144_20n,
      'assets:payments in transit EUR': 3_059_32n,
      'assets:suspense EUR': -393_68n,
      'assets:suspense JPY': -323_136n,
    });
    expect(balances['expenses:bank fees EUR']).toBeUndefined();
    expect(stderr).toContain('underpaid: less than the net pay-out 1.50 EUR');
    expect(stdout).toMatch(
      /^2026-03-12 \* .* Underpaid on the last due day: pay-out of settlement 28f27850-/m,
    );
  });

  it('says that bank charges have no account of their own', async () => {
    const config = join(await temporaryFolder(), 'accounts.toml');
    const { stdout: accounts } = await runRecon(['journal', '--init', '--for', 'hledger']);
    await writeFile(config, accounts.replace(/^bank_fees = .*$/m, ''));
    const asked = [...journal, '--for', 'hledger', '--bank', '--config', config];
    const { stdout, stderr } = await runRecon(asked);
    expect(balancesOf(stdout)['assets:suspense EUR']).toBe(-393_68n);
    expect(stderr).toContain(
      'No account is set for bank_fees: charges of the bank are booked to suspense, 1.50 EUR.',
    );
  });

  it('books two parts of the month to the same sum as the whole', async () => {
    const [first, second] = await Promise.all(
      [
        ['2026-03-01', '2026-03-17'],
        ['2026-03-18', '2026-03-31'],
      ].map(async ([from = '', to = '']) => {
        const asked = [...journal, '--for', 'hledger', '--bank', '--from', from, '--to', to];
        return (await runRecon(asked)).stdout;
      }),
    );
    expect(first).toContain('  0 EUR = 15456.25 EUR\n');
    expect(first).toContain('  0 JPY = 0 JPY\n');
    expect(second).toContain('What was in transit before 2026-03-18 is not known');
    expect(second).not.toContain(' = ');
    const whole = (await runRecon([...journal, '--for', 'hledger', '--bank'])).stdout;
    expect(balancesOf(`${first}${second}`)).toEqual(balancesOf(whole));
  });

  it('names what belongs to closed days, books it only with a register, and ends with 1', async () => {
    const asked = [...small, '--for', 'hledger', '--fail-on', 'none'];
    const open = await runRecon(asked);
    expect(open.exitCode).toBe(0);
    const closed = await runRecon([...asked, '--closed-through', '2026-03-31']);
    expect(closed.exitCode).toBe(1);
    const said = 'Of closed days, until 2026-03-31: 1 entry (';
    expect(closed.stderr).toContain(said);
    expect(closed.stdout).toContain(`; ${said}`);
    expect(closed.stdout.replace(/^; Of closed days.*\n/m, '')).toBe(open.stdout);
  });

  it('books accepted differences to the account of the register, also those of pay-outs', async () => {
    const register = join(await temporaryFolder(), 'accepted.csv');
    const folder = await temporaryFolder();
    await runRecon(['sandbox', '--statements', folder]);
    const statement = join(folder, 'month.mt940');
    const accept = (id: string, ...args: readonly string[]) =>
      runRecon(['accept', id, '--sandbox', '--accepted', register, '--reason', 'known', ...args]);
    const charged = '28f27850-c341-53e3-afa8-486a0cd89739';
    await accept(charged, '--bank', statement, '--difference', '-1.50');
    await accept('be678572-cc4e-5b84-ae52-bdd95f9ee0dd', '--difference', '82.79');
    const text = await readFile(register, 'utf8');
    // The last but three is the account of the books.
    await writeFile(register, text.replace(/,,5184\.91/, ',expenses:bank fees,5184.91'));
    const bank = ['--bank', statement, '--accepted', register];
    const { stdout } = await runRecon([...journal, '--for', 'hledger', ...bank]);
    const balances = balancesOf(stdout);
    expect(balances['expenses:bank fees EUR']).toBe(1_50n);
    expect(balances['expenses:accepted differences EUR']).toBe(-82_79n);
    expect(balances['assets:suspense EUR']).toBe(1n - 312_40n);
    expect(balances['assets:payments in transit EUR']).toBe(3_059_32n);
  });

  it.each(journalFormats)(
    'writes the same bytes each time, whatever the suffix: %s',
    async (format) => {
      const folder = await temporaryFolder();
      const files = ['one.txt', 'two.journal'].map((name) => join(folder, name));
      for (const file of files) {
        await runRecon([...small, '--for', format, '--output', file, '--quiet']);
      }
      const [one, two] = await Promise.all(files.map((file) => readFile(file)));
      expect(one?.equals(two ?? new Uint8Array())).toBe(true);
    },
  );

  it.each(journalFormats)(
    'prints with --init for %s the accounts of the sandbox',
    async (format) => {
      const { stdout: accounts } = await runRecon(['journal', '--init', '--for', format]);
      const config = join(await temporaryFolder(), 'accounts.toml');
      await writeFile(config, accounts);
      const own = await runRecon([...small, '--for', format, '--config', config]);
      const example = await runRecon([...small, '--for', format]);
      expect(own.stdout).toBe(example.stdout);
      expect(example.stderr).toContain('Accounts: an example, since none are set.');
      expect(own.stderr).not.toContain('Accounts');
      const shown = await runRecon(['config', 'show', '--config', config]);
      expect(shown.stdout).toContain('books.in_transit');
    },
  );

  it('refuses a settlement that could not be read, names it, and writes nothing', async () => {
    const id = 'be678572-cc4e-5b84-ae52-bdd95f9ee0dd';
    const folder = await temporaryFolder();
    const { exitCode, stdout, stderr } = await runRecon([
      ...[...journal, '--for', 'csv', '--output', join(folder, 'march.csv')],
      ...['--fault', `wrapper-1010@${id}`],
    ]);
    expect([exitCode, stdout]).toEqual([4, '']);
    expect(stderr).toContain(
      `No journal was written. Not fully read: 1 settlement: ${id} (2026-03-10).`,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('refuses the settlements of an incomplete day, and names them', async () => {
    const out = join(await temporaryFolder(), 'out');
    const day = ['--on', '2026-03-10'];
    await runRecon([
      ...['export', '--sandbox', ...day, '--out', out, '--publish-incomplete', '2026-03-10'],
      ...['--fault', 'wrapper-1010@be678572-cc4e-5b84-ae52-bdd95f9ee0dd'],
    ]);
    const asked = ['journal', '--from-export', out, ...day, '--for', 'csv'];
    const { exitCode, stderr } = await runRecon(asked);
    expect(exitCode).toBe(4);
    expect(stderr).toContain('Settlements of these days: 09b20f19-def7-5ad7-8327-d8fa2d0f7b6b');
    expect(stderr).toContain('Export the incomplete days again');
  });

  it('needs accounts, a format, and an identity', async () => {
    const { env } = await startService('balanced');
    const asked = ['journal', '--month', '2026-03', '--for', 'datev'];
    const none = await runRecon(asked, { env });
    expect([none.exitCode, none.stderr]).toEqual([
      2,
      expect.stringContaining('run: recon journal --init --for datev\n'),
    ]);
    const noFormat = await runRecon(journal);
    expect([noFormat.exitCode, noFormat.stderr]).toEqual([
      2,
      expect.stringContaining('Add one: --for hledger, --for beancount'),
    ]);
    const off = await runRecon([...small, '--for', 'csv', '--identity', 'off']);
    expect([off.exitCode, off.stderr]).toEqual([
      2,
      expect.stringContaining('so fees and tax cannot be booked.'),
    ]);
  });
});

describe('the accounts in a profile', () => {
  it.each([
    ['[profiles.main.books]\nfee = "a"', 'Unknown setting profiles.main.books.fee.', 'fees'],
    ['[profiles.main.books.datev]\nadvisor = 1001\nclient = 1', 'books.datev.adviser must be', ''],
    ['[profiles.main.books.currency.EUR]\nbnk = "a"', 'books.currency.EUR.bnk', 'bank'],
    ['[profiles.main.books.csv.columns]\nx = "{nothing}"', 'books.csv.columns.x may have', ''],
  ])('are refused if %j: %s', async (text, message, meant) => {
    const config = join(await temporaryFolder(), 'accounts.toml');
    await writeFile(config, text);
    const { exitCode, stderr } = await runRecon([...small, '--for', 'csv', '--config', config]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain(meant);
  });

  it('are named if a format cannot have them', async () => {
    const config = join(await temporaryFolder(), 'accounts.toml');
    await writeFile(config, '[profiles.main.books]\nin_transit = "1360"');
    const asked = [...journal, '--for', 'beancount', '--config', config];
    const { exitCode, stderr } = await runRecon(asked);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('The account for in_transit must be a beancount account');
  });
});

test('a settlement that the service returns for other days is booked on its own day', async () => {
  const { stdout } = await runRecon([
    ...journal,
    '--scenario',
    'outside-range',
    '--for',
    'hledger',
  ]);
  expect(stdout).toMatch(/In transit at the end of /);
});

describe('a target without a column for the currency', () => {
  it('is refused with several currencies, and takes the one that is chosen', async () => {
    const asked = ['journal', '--sandbox', '--month', '2026-03', '--for', 'xero'];
    const refused = await runRecon(asked);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain('there are entries in EUR, JPY, USD.');
    expect(refused.stderr).toContain('--currency EUR');
    const { exitCode, stdout, stderr } = await runRecon([...asked, '--currency', 'jpy']);
    expect(exitCode).toBe(1);
    expect(stdout).not.toMatch(/\d\.\d\d[,\r]/);
    expect(stderr).toContain('Control: Japan');
    expect(stderr).not.toContain('Control: Web shop');
    expect(stderr).toContain('Left out by --currency: 28 entries in EUR and 1 entry in USD.');
    const { stderr: wrong } = await runRecon([...asked, '--currency', 'yen!']);
    expect(wrong).toContain('It must be a currency code, such as EUR.');
  });

  it('has a file for each in a folder, and the files have all that the journal has', async () => {
    const folder = await temporaryFolder();
    const asked = ['journal', '--sandbox', '--month', '2026-03'];
    await runRecon([...asked, '--for', 'quickbooks', '--output', folder]);
    const files = (await readdir(folder)).sort();
    expect(files).toEqual(
      ['EUR', 'JPY', 'USD'].map((one) => `journal-2026-03-01-2026-03-31-${one}.csv`),
    );
    const { stdout } = await runRecon([...asked, '--for', 'csv']);
    const whole = parse(stdout, { columns: true }) as Record<string, string>[];
    for (const file of files) {
      const text = await readFile(join(folder, file), 'utf8');
      const lines = parse(text, { columns: true }) as Record<string, string>[];
      const own = whole.filter(({ currency }) => file.includes(`-${currency}.csv`));
      expect(lines.map((one) => [one['AccountName'], one['Debits'], one['Credits']])).toEqual(
        own.map(({ account, debit, credit }) => [account, debit, credit]),
      );
    }
  });

  it('keeps a register in one currency', async () => {
    const folder = await temporaryFolder();
    const register = ['--booked', join(folder, 'booked.csv')];
    const asked = ['journal', '--sandbox', '--month', '2026-03', '--for', 'odoo', ...register];
    const [first, second] = ['1.csv', '2.csv'].map((name) => ['--output', join(folder, name)]);
    const begin = [...asked, ...(first ?? []), '--new-register', '--currency', 'EUR'];
    expect((await runRecon(begin)).exitCode).toBe(1);
    const again = await runRecon([...asked, ...(second ?? []), '--currency', 'JPY']);
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toContain('the currency was EUR, now JPY');
    const same = await runRecon([...asked, ...(second ?? []), '--currency', 'EUR']);
    expect(same.stderr).toContain('Nothing new to book.');
    expect(await readdir(folder)).not.toContain('2.csv');
  });
});

it('warns of a tax key beside an account for the tax', async () => {
  const folder = await temporaryFolder();
  const { stdout } = await runRecon(['journal', '--init', '--for', 'datev', '--profile', 'p']);
  const config = join(folder, 'recon.toml');
  const asked = [...journal, '--for', 'datev', '--config', config, '--profile', 'p'];
  await writeFile(config, `default_profile = "p"\n${stdout}`);
  expect((await runRecon(asked)).stderr).not.toContain('counts twice');
  await writeFile(config, `default_profile = "p"\n${stdout.replace('#tax_keys', 'tax_keys')}`);
  expect((await runRecon(asked)).stderr).toContain('Fees have the tax key 40, and their tax is');
});

it.each(['quickbooks', 'xero', 'netsuite', 'odoo'])(
  'prints a first mapping for %s, with which a journal can be written',
  async (format) => {
    const folder = await temporaryFolder();
    const { stdout } = await runRecon(['journal', '--init', '--for', format, '--profile', 'p']);
    const config = join(folder, 'recon.toml');
    await writeFile(config, `default_profile = "p"\n${stdout}`);
    const asked = [...journal, '--for', format, '--config', config, '--profile', 'p'];
    const { exitCode, stdout: text } = await runRecon([...asked, '--currency', 'EUR']);
    expect(exitCode).toBe(1);
    expect(text.split('\r\n').length).toBeGreaterThan(10);
  },
);

describe('a journal in a folder', () => {
  const asMonth = ['journal', '--sandbox', '--month', '2026-03', '--fail-on', 'none'];

  it('has no files of an earlier journal of the same days, and leaves all others', async () => {
    const folder = await temporaryFolder();
    const asked = [...asMonth, '--for', 'xero', '--output', `${folder}/`];
    const days = 'journal-2026-03-01-2026-03-31';
    const others = ['journal-2026-02-01-2026-02-28-EUR.csv', `${days}-EUR-notes.csv`];
    for (const one of [`${days}-EUR-7.csv`, `${days}.csv`, ...others]) {
      await writeFile(join(folder, one), 'kept');
    }
    await runRecon(asked);
    const own = ['EUR', 'JPY', 'USD'].map((one) => `${days}-${one}.csv`);
    expect((await readdir(folder)).sort()).toEqual([...others, ...own].sort());
    // A currency has the files of its own.
    await runRecon([...asked, '--currency', 'JPY']);
    await runRecon([...asked, '--currency', 'EUR']);
    expect((await readdir(folder)).sort()).toEqual([...others, ...own].sort());
  });

  it('is not advised for a batch, which is one file', async () => {
    const folder = await temporaryFolder();
    const register = ['--booked', join(folder, 'booked.csv'), '--new-register'];
    const output = ['--output', join(folder, '1.csv')];
    const { stderr } = await runRecon([...asMonth, '--for', 'xero', ...register, ...output]);
    expect(stderr).toContain('Choose one, such as --currency EUR, with a register of its own.');
    expect(stderr).not.toContain('FOLDER');
  });
});
