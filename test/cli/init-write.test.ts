import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseProfileFile } from '../../src/config/config-file.ts';
import { runRecon } from '../support/run-recon.ts';
import { startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const bankCsv = 'Buchungstag;Betrag EUR;Verwendungszweck\r\n02.03.2026;1.234,56;SETTLEMENT 1\r\n';
const shopCsv = 'Bestellnummer;Summe EUR;Datum\n1001;4810,35;01.03.2026\n1002;12,00;13.03.2026\n';
const providerCsv =
  'Payout ID,Date,Type,Currency,Net\nPO-1,2026-03-02,sale,EUR,20.00\nPO-1,2026-03-03,payout,EUR,-20.00\n';

/** A configuration file with two profiles of one service, and files of a bank and of a shop. */
async function twoProfiles() {
  const { env } = await startService('month');
  const folder = await temporaryFolder();
  const at = (name: string) => join(folder, name);
  const config = at('config.toml');
  const toml = '# My settings.\n[profiles.main]\n[profiles.shop] # the shop\ntolerance = 0\n';
  await writeFile(config, toml);
  await chmod(config, 0o600);
  await writeFile(at('bank.csv'), bankCsv);
  await writeFile(at('orders.csv'), shopCsv);
  await writeFile(at('provider.csv'), providerCsv);
  const run = (...words: readonly string[]) =>
    runRecon([...words, '--config', config], { env: { ...env, HOME: folder } });
  return {
    at,
    config,
    toml,
    run,
    env: { ...env, HOME: folder },
    text: () => readFile(config, 'utf8'),
  };
}

/** The commands that propose a part of the file, the key, and a file to look at if they need one. */
const inits = [
  ['bank', 'bank_csv', 'bank.csv'],
  ['orders', 'orders_csv', 'orders.csv'],
  ['settlements', 'settlements_csv', 'provider.csv'],
  ['journal', 'books', undefined],
  ['fees', 'agreed_rates', undefined],
] as const;

const march = ['--month', '2026-03'];

describe('--init', () => {
  it.each(inits)('of %s is for the profile in use, and says where it belongs', async (...given) => {
    const [command, key, file] = given;
    const { at, config, toml, run, text } = await twoProfiles();
    const words = [command, '--init', ...(command === 'fees' ? march : [])];
    for (const profile of ['shop', 'main']) {
      const args = [...(file ? [at(file)] : []), '--profile', profile];
      const { exitCode, stdout, stderr } = await run(...words, ...args);
      expect(exitCode).toBe(0);
      expect(stdout).toContain(`[profiles.${profile}.${key}]`);
      expect(stderr).toContain(`at the end of ${config}`);
    }
    expect(await text()).toBe(toml);
  });

  it.each(inits)('of %s is added to the file once, and shows the difference', async (...given) => {
    const [command, key, file] = given;
    const { at, config, toml, run, text } = await twoProfiles();
    const words = [command, '--init', ...(file ? [at(file)] : []), '--write'];
    const args = command === 'fees' ? march : [];
    const unchosen = await run(...words, ...args);
    expect([unchosen.exitCode, unchosen.stderr]).toEqual([
      2,
      expect.stringContaining('No profile chosen: main, shop.'),
    ]);
    const done = await run(...words, ...args, '--profile', 'shop');
    if (command === 'orders') {
      // Which methods the service pays must be decided first.
      expect([done.exitCode, await text()]).toEqual([2, toml]);
      expect(done.stderr).toContain('must name methods');
      expect(done.stderr).toContain('Nothing was changed.');
      return;
    }
    const { exitCode, stdout, stderr } = done;
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining(`to ${config}.`)]);
    const written = await text();
    expect(written.startsWith(`${toml}\n`)).toBe(true);
    const shown = stdout.split('\n').filter((line) => /^\+(?!\+\+)/.test(line));
    expect(shown.map((line) => line.slice(1))).toEqual(
      written
        .slice(toml.length + 1)
        .trimEnd()
        .split('\n'),
    );
    expect((await stat(config)).mode & 0o777).toBe(0o600);
    const again = await run(...words, ...args, '--profile', 'shop');
    expect([again.exitCode, await text()]).toEqual([2, written]);
    expect(again.stderr).toContain(`${key} is there already, in profile shop.`);
    expect(await run(...words, ...args, '--profile', 'main')).toMatchObject({ exitCode: 0 });
  });

  it('writes nothing without a configuration file', async () => {
    const folder = await temporaryFolder();
    const { exitCode, stderr } = await runRecon(['journal', '--init', '--write'], {
      env: { HOME: folder },
    });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('recon config init')]);
  });
});

describe('--init --write at a terminal', () => {
  it('asks for what the order file does not say, and writes it', async () => {
    const { at, config, env } = await twoProfiles();
    const shop =
      'Bestellnummer;Summe;Datum;Wie bezahlt\n1;10,35;01.03.2026;Karte\n2;2,00;13.03.2026;Bar\n';
    await writeFile(at('orders.csv'), shop);
    const words = ['orders', '--init', at('orders.csv'), '--write', '--profile', 'shop'];
    const { exitCode, stderr } = await runRecon([...words, '--config', config], {
      env,
      answers: ['EUR\r', 'Wie bezahlt\r', 'Karte, PayPal\r'],
      columns: 120,
    });
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('currency')]);
    expect(stderr).toContain('The columns of orders.csv: Bestellnummer, Summe, Datum, Wie bezahlt');
    const { profiles } = parseProfileFile(await readFile(config, 'utf8'), config);
    expect(JSON.parse(String(profiles.get('shop')?.orders_csv))).toMatchObject({
      currency: 'EUR',
      method: 'Wie bezahlt',
      methods: ['Karte', 'PayPal'],
    });
  });
});

describe('statements of two banks', () => {
  const other =
    'Date,Amount,Currency,Text\n2026-03-02,12.50,GBP,SETTLEMENT 2\n2026-03-13,-1.00,GBP,Fee\n';
  const first =
    'Buchungstag;Betrag;Währung;Text\n02.03.2026;1234,56;EUR;S 1\n13.03.2026;-1,00;EUR;Fee\n';

  it('in one folder get a table each, which can be read as it is', async () => {
    const { at, config, run } = await twoProfiles();
    await mkdir(at('bank'));
    await writeFile(at('bank/umsatz-03.csv'), first);
    await writeFile(at('bank/umsatz-04.csv'), first.replaceAll('.03.', '.04.'));
    await writeFile(at('bank/export 03.csv'), other);
    const { stdout } = await run('bank', '--init', at('bank'), '--profile', 'shop');
    expect(stdout.match(/^\[.*\]$/gm)).toEqual([
      '[profiles.shop.bank_csv.export]',
      '[profiles.shop.bank_csv.umsatz]',
    ]);
    await writeFile(config, `[profiles.shop]\n${stdout}`);
    const read = await run('bank', '--entries', at('bank'), '--format', 'csv');
    expect([read.exitCode, read.stdout.trim().split('\n')]).toEqual([0, expect.any(Array)]);
    expect(read.stdout.trim().split('\n')).toHaveLength(1 + 6);
  });

  it('get a name where the first bank is in the profile already', async () => {
    const { at, config, run } = await twoProfiles();
    await writeFile(at('umsatz.csv'), first);
    await writeFile(at('export.csv'), other);
    const words = ['bank', '--init', '--write', '--profile', 'shop'];
    expect(await run(...words, at('umsatz.csv'))).toMatchObject({ exitCode: 0 });
    expect(await run(...words, at('export.csv'))).toMatchObject({ exitCode: 0 });
    const text = await readFile(config, 'utf8');
    expect(text.match(/^\[profiles.shop.bank_csv.*\]$/gm)).toEqual([
      '[profiles.shop.bank_csv]',
      '[profiles.shop.bank_csv.export]',
    ]);
    const again = await run(...words, at('export.csv'));
    expect([again.exitCode, await readFile(config, 'utf8')]).toEqual([2, text]);
  });
});

describe('a setting of another profile', () => {
  it.each([
    ['bank_csv', ['bank', 'bank.csv'], 'bank_csv.date = "Buchungstag"'],
    ['orders_csv', ['orders', 'orders.csv'], 'orders_csv.order = "Bestellnummer"'],
    ['books', ['journal', '--for', 'csv'], 'books.bank = "1200"'],
    [
      'agreed_rates',
      ['fees'],
      'agreed_rates = [{ name = "all", currency = "EUR", percent = "1" }]',
    ],
    ['accepted', ['accept', '--list'], 'accepted = "a.csv"'],
    ['closes', ['close', '--list'], 'closes = "c.csv"'],
  ])('is named where %s is missing', async (key, [command = '', ...others], line) => {
    const { at, config, toml, run } = await twoProfiles();
    const full = {
      bank_csv:
        'bank_csv.amount = "Betrag EUR"\nbank_csv.currency = "EUR"\nbank_csv.texts = ["V"]\nbank_csv.date_format = "DD.MM.YYYY"\n',
      orders_csv:
        'orders_csv.methods = []\norders_csv.total = "Summe"\norders_csv.currency = "EUR"\norders_csv.date = "Datum"\norders_csv.date_format = "DD.MM.YYYY"\n',
    };
    await writeFile(config, `${toml}${line}\n${key in full ? full[key as 'bank_csv'] : ''}`);
    const words = others.map((word) => (word.endsWith('.csv') ? at(word) : word));
    const range = command === 'accept' || command === 'close' ? [] : march;
    const { exitCode, stderr } = await run(command, ...words, ...range, '--profile', 'main');
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining(
        `${key} is set in profile shop; this run uses main. Add --profile shop.`,
      ),
    ]);
  });
});
