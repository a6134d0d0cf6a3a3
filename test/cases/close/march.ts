import { readdirSync, renameSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { temporaryFolder } from '../../cli/temporary.ts';
import { type RunResult, runRecon } from '../../support/run-recon.ts';
import { accountLines, type Closed, closedOf } from './adapter.ts';

export const formats = ['camt', 'mt940', 'csv'] as const;
export type Format = (typeof formats)[number];

const suffixes: Readonly<Record<Format, string>> = { camt: '.xml', mt940: '.mt940', csv: '.csv' };

/** How the sandbox's bank writes CSV, by its header line. */
const bankCsv = {
  delimiter: ';',
  decimal: ',',
  date_format: 'DD.MM.YYYY',
  date: 'Booking date',
  value_date: 'Value date',
  amount: 'Amount',
  currency: 'Currency',
  account: 'Account',
  name: 'Name',
  counterparty: 'IBAN',
  end_to_end_id: 'End-to-end ID',
  texts: ['Text'],
  bank_reference: 'Bank reference',
};

/** Ids of pay-outs of the month, by what is the matter with them. */
export const ids = {
  charged: '28f27850-c341-53e3-afa8-486a0cd89739',
  missingRow: 'be678572-cc4e-5b84-ae52-bdd95f9ee0dd',
} as const;

/** The names of its accounting tokens are those of fixtures/month.json. */
export const tokens = {
  web: '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601 EUR',
  stores: '8a61d4e9-52f7-4c03-b1d8-70c9e35fa202 EUR',
  japan: 'c27e9b14-08d3-4f6a-8e52-94b1f7603d03 JPY',
} as const;

/** The sandbox's March: a folder of files, and commands over its statements. */
export interface March {
  /** The folder of bank statements. */
  readonly bank: string;
  file(name: string): string;
  /** Any command, with the settings of the month. */
  run(...args: readonly string[]): Promise<RunResult>;
  /** `recon close` over the statements, in JSON. */
  close(...args: readonly string[]): Promise<Closed>;
}

/** `settings` are lines of the profile, before its tables. */
export async function openMarch(
  format: Format = 'camt',
  settings: readonly string[] = [],
): Promise<March> {
  const folder = await temporaryFolder();
  const [bank, config] = [join(folder, 'bank'), join(folder, 'config.toml')];
  await mkdir(bank);
  await runRecon(['sandbox', '--statements', bank]);
  const names = readdirSync(bank, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((one) => extname(one) !== '')) {
    if (name.endsWith(suffixes[format])) renameSync(join(bank, name), join(bank, basename(name)));
    else rmSync(join(bank, name));
  }
  const csv = Object.entries(bankCsv).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const profile = [
    ...['[profiles.march]', ...settings, '[profiles.march.books]', ...accountLines],
    ...['[profiles.march.bank_csv]', ...csv, ''],
  ];
  await writeFile(config, profile.join('\n'), { mode: 0o600 });
  const run: March['run'] = (...args) => runRecon([...args, '--sandbox', '--config', config]);
  return {
    bank,
    file: (name) => join(folder, name),
    run,
    close: async (...args) => closedOf(await run('close', bank, '--format', 'json', ...args)),
  };
}
