import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { journalFormats } from '../../src/books/formats.ts';
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
  it('books the month of the sandbox: its totals are those of the report, and a control line says so', async () => {
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
    });
    const control =
      'Control: Stores, 8 settlements: EUR gross 25028.32, fees 476.54, tax 93.37, pay-in 24541.20, difference +82.79. Journal and report agree.';
    expect(stderr).toContain(`\n${control}\n`);
    expect(stdout).toContain(`\n; ${control}\n`);
    expect(stderr).toContain('Not booked: 4 pending settlements (EUR 20859.46 and JPY 326175).');
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
      expect(sums).toEqual({ EUR: 0n, JPY: 0n });
    },
  );

  it('names the rows in another currency that it leaves out, and agrees with the report only where none is', async () => {
    const { stdout, stderr } = await runRecon([
      ...[...journal, '--on', '2026-03-12', '--for', 'hledger'],
    ]);
    const leftOut =
      'Not booked: Web shop, 1 row in another currency than the settlement: gross USD 129.00, fees USD 2.05, tax USD 0.41.';
    for (const text of [stdout, stderr]) {
      expect(text).toContain(leftOut);
      expect(text).toMatch(/Control: Web shop, .* difference 0\.00\.\n/);
      expect(text).toMatch(/Control: Japan, .* Journal and report agree\.\n/);
    }
  });

  it('names them in the head of the batch that books their settlement, and in no other', async () => {
    const folder = await temporaryFolder();
    const batch = async (number: number, ...args: readonly string[]) => {
      const path = join(folder, `${number}.journal`);
      const register = ['--booked', join(folder, 'booked.csv')];
      await runRecon([...journal, '--for', 'hledger', ...register, '--output', path, ...args]);
      return readFile(path, 'utf8');
    };
    const leftOut = /^; Not booked: Web shop, 1 row in another currency .*USD 129\.00/m;
    expect(await batch(1, '--on', '2026-03-12', '--new-register')).toMatch(leftOut);
    expect(await batch(2, '--from', '2026-03-11', '--to', '2026-03-12')).not.toMatch(leftOut);
  });

  it.each(['a pipe', 'a file'])(
    'writes nothing of a journal that is refused half way, to %s',
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

  it('with the statements of the bank, leaves in transit what is missing, different or paid twice', async () => {
    const { stdout, stderr } = await runRecon([...journal, '--for', 'hledger', '--bank']);
    const balances = balancesOf(stdout);
    expect(balances['assets:payments in transit EUR']).toBe(5_184_91n + 3_059_32n);
    expect(balances['assets:payments in transit JPY']).toBe(323_136n);
    expect(stdout).toContain('  0 EUR = 8244.23 EUR\n');
    expect(stderr).toContain('Bank: 35 of 36 pay-outs are on the bank statements.');
  });

  it('books what was accepted where the register says, of a settlement and of its pay-out', async () => {
    const register = join(await temporaryFolder(), 'accepted.csv');
    const accept = (id: string, ...args: readonly string[]) =>
      runRecon(['accept', id, '--sandbox', '--accepted', register, '--reason', 'known', ...args]);
    await accept('28f27850-c341-53e3-afa8-486a0cd89739', '--bank', '--difference', '-1.50');
    await accept('be678572-cc4e-5b84-ae52-bdd95f9ee0dd', '--difference', '82.79');
    const text = await readFile(register, 'utf8');
    // The last but three is the account of the books.
    await writeFile(register, text.replace(/,,5184\.91/, ',expenses:bank fees,5184.91'));
    const asked = [...journal, '--for', 'hledger', '--bank', '--accepted', register];
    const { stdout } = await runRecon(asked);
    const balances = balancesOf(stdout);
    expect(balances['expenses:bank fees EUR']).toBe(1_50n);
    expect(balances['expenses:accepted differences EUR']).toBe(-82_79n);
    expect(balances['assets:suspense EUR']).toBe(1n);
    expect(balances['assets:payments in transit EUR']).toBe(3_059_32n);
  });

  it.each(journalFormats)(
    '%s: writes the same bytes each time, whatever the suffix',
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
    '--init: the accounts that it prints for %s are those of the sandbox',
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

  it('refuses a run of which a settlement could not be read, by name, and writes nothing', async () => {
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

  it('refuses the settlements of an incomplete day, by name', async () => {
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
      expect.stringContaining('run: recon journal --init --for datev.'),
    ]);
    const noFormat = await runRecon(journal);
    expect([noFormat.exitCode, noFormat.stderr]).toEqual([
      2,
      expect.stringContaining('Add one: --for hledger, --for beancount'),
    ]);
    const off = await runRecon([...small, '--for', 'csv', '--identity', 'off']);
    expect([off.exitCode, off.stderr]).toEqual([
      2,
      expect.stringContaining('Without an identity, fees and tax cannot be booked.'),
    ]);
  });
});

describe('the accounts in a profile', () => {
  it.each([
    ['[profiles.main.books]\nfee = "a"', 'Unknown setting profiles.main.books.fee.', 'fees'],
    ['[profiles.main.books.datev]\nadvisor = 1001\nclient = 1', 'books.datev.adviser must be', ''],
    ['[profiles.main.books.currency.EUR]\nbnk = "a"', 'books.currency.EUR.bnk', 'bank'],
    ['[profiles.main.books.csv.columns]\nx = "{nothing}"', 'books.csv.columns.x may have', ''],
  ])('%j: %s', async (text, message, meant) => {
    const config = join(await temporaryFolder(), 'accounts.toml');
    await writeFile(config, text);
    const { exitCode, stderr } = await runRecon([...small, '--for', 'csv', '--config', config]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain(meant);
  });

  it('that a format cannot write are named', async () => {
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
