import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { readRecords } from './read-report.ts';
import { temporaryFolder } from './temporary.ts';

/** The mapping of the CSV files, as a profile would have it. */
const mapping = {
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

it('writes the statements of a month, and every format tells the same', async () => {
  const folder = join(await temporaryFolder(), 'new', 'bank');
  const written = await runRecon(['sandbox', '--statements', folder]);
  expect(written).toMatchObject({ exitCode: 0, stdout: '' });
  const names = ['month-eur.csv', 'month-jpy.csv', 'month.mt940', 'month.xml'];
  expect((await readdir(folder)).sort()).toEqual(names);
  for (const name of names) expect(written.stderr).toContain(`Written: ${join(folder, name)}`);
  const env = { RECON_BANK_CSV: JSON.stringify(mapping) };
  const told = async (...files: readonly string[]) => {
    const paths = files.map((name) => join(folder, name));
    const { stdout } = await runRecon(['bank', '--sandbox', ...paths], { env });
    return readRecords(stdout).map((row) =>
      ['settlement_id', 'state', 'bank_date', 'expected', 'received', 'difference']
        .map((key) => row[key])
        .join(' '),
    );
  };
  const own = await told();
  expect(own.length).toBeGreaterThan(40);
  expect(await told('month.xml')).toEqual(own);
  expect(await told('month.mt940')).toEqual(own);
  expect(await told('month-eur.csv', 'month-jpy.csv')).toEqual(own);
  // The same entries in several files count once.
  expect(await told('month.xml', 'month.mt940', 'month-eur.csv', 'month-jpy.csv')).toEqual(own);
});

test('--statements ends, and serves nothing', async () => {
  const { exitCode, stderr } = await runRecon(['sandbox', '--statements', 'x', '--port', '0']);
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining('--statements cannot be combined'),
  ]);
});
