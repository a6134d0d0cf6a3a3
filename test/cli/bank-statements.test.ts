import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { beforeAll, describe, expect, test } from 'vitest';
import { statementsIn } from '../../src/sandbox/bank/statements.ts';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { runRecon } from '../support/run-recon.ts';
import { readRecords } from './read-report.ts';
import { startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

let written: ReadonlyMap<string, string>;
beforeAll(async () => {
  const statements = statementsIn(await loadScenario('month'));
  written = new Map(statements.map(({ name, text }) => [name, text]));
});

const mapping = `[profiles.shop.bank_csv]
delimiter = ";"
decimal = ","
date_format = "DD.MM.YYYY"
date = "Booking date"
value_date = "Value date"
amount = "Amount"
currency = "Currency"
account = "Account"
name = "Name"
counterparty = "IBAN"
end_to_end_id = "End-to-end ID"
texts = ["Text"]
bank_reference = "Bank reference"
`;

/** A folder with these files, and a configuration beside it. */
async function folderOf(files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = join(await temporaryFolder(), 'bank');
  await mkdir(folder);
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const config = join(folder, '../config.toml');
  await writeFile(config, mapping);
  return { folder, config };
}

const bank = (...args: readonly string[]) => runRecon(['bank', '--sandbox', ...args]);

/** The state of each settlement. */
async function statesIn(args: readonly string[]) {
  const { stdout, exitCode } = await bank(...args);
  expect(exitCode).toBe(0);
  return readRecords(stdout)
    .flatMap(({ settlement_id: id, state }) => (id === '' ? [] : `${id} ${state}`))
    .sort();
}

describe('bank statements', () => {
  test('say the same as camt, MT940, CSV, in an archive and all together', async () => {
    const xml = written.get('month.xml') ?? '';
    const { folder, config } = await folderOf(Object.fromEntries(written));
    await writeFile(join(folder, 'month.zip'), zipSync({ 'a/month.xml': Buffer.from(xml) }));
    const expected = await statesIn([]);
    expect(expected.length).toBeGreaterThan(35);
    const csv = ['month-eur.csv', 'month-jpy.csv'].map((name) => join(folder, name));
    for (const files of [['month.xml'], ['month.mt940'], ['month.zip']]) {
      expect(await statesIn(files.map((name) => join(folder, name)))).toEqual(expected);
    }
    expect(await statesIn([...csv, '--config', config])).toEqual(expected);
    expect(await statesIn([folder, '--config', config])).toEqual(expected);
  });

  test('are those files of a folder that are statements', async () => {
    const { folder } = await folderOf({
      'march.xml': written.get('month.xml') ?? '',
      'notes.txt': 'Call the bank',
      '.hidden.xml': '<broken',
    });
    await mkdir(join(folder, 'older'));
    const { stderr, exitCode } = await bank(folder);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      `Not read, because they are not bank statements: ${join(folder, 'notes.txt')}.`,
    );
    expect(stderr).not.toContain('hidden');
  });

  test('are those of the profile, if none is named', async () => {
    const { folder } = await folderOf({ 'march.xml': written.get('month.xml') ?? '' });
    const { env, clock } = await startService('month');
    const run = (more: Readonly<Record<string, string>> = {}) =>
      runRecon(['bank'], { env: { ...env, ...more }, clock });
    expect((await run({ RECON_STATEMENTS: folder })).stdout).toContain('march.xml:17');
    const { stderr, exitCode } = await run();
    expect(exitCode).toBe(2);
    expect(stderr).toContain('No bank statement given.');
  });

  test.each([
    ['nowhere.xml', 'Bank statement not found.', 'nowhere.xml'],
    ['notes.txt', 'Not a bank statement that recon can read.', 'notes.txt'],
    ['', 'No bank statement found.', ''],
  ])('that are not there are named: %j', async (name, message, place) => {
    const { folder } = await folderOf({ 'notes.txt': 'Call the bank' });
    const { stderr, exitCode } = await bank(join(folder, name));
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain(join(folder, place));
    expect(stderr).toMatch(/try: /);
  });

  test('that are broken are read as far as they can be, and end with 4', async () => {
    const xml = written.get('month.xml') ?? '';
    const { folder } = await folderOf({ 'march.xml': xml.replace('>4197.18<', '>4.197,18<') });
    const { stdout, exitCode } = await bank(folder, '--format', 'table');
    expect(exitCode).toBe(4);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'march.xml:17: Ntry/Amt cannot be read: found 4.197,18, expected an amount such as 12.50',
    );
  });

  test('that were cut before their days are named, and end with 4', async () => {
    const xml = written.get('month.xml') ?? '';
    const cut = xml.slice(0, xml.indexOf('<Stmt>') + '<Stmt>'.length);
    const { folder } = await folderOf({ 'march.xml': cut });
    const { stdout, exitCode } = await bank(folder, '--format', 'table');
    expect(exitCode).toBe(4);
    expect(stdout).toContain('unclosed tag: Stmt');
    expect(stdout).not.toMatch(/Invalid Date| to ;/);
  });
});
