import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { expect, it, test } from 'vitest';
import { readStatements } from '../../../src/bank/read-statements.ts';
import { statementsIn } from '../../../src/sandbox/bank.ts';
import { loadScenario, scenarioNames } from '../../../src/sandbox/scenarios.ts';
import { readRecords } from '../../cli/read-report.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { runRecon } from '../../support/run-recon.ts';

/** The mapping of the CSV files, as the recipes show it. */
const recipes = await readFile('docs/recipes.md', 'utf8');
const [mapping = ''] = /\[profiles\.sandbox\.bank_csv\][^`]*/.exec(recipes) ?? [];

it('the statements of a sandbox month have the same entries in every format', async () => {
  const folder = join(await temporaryFolder(), 'new', 'bank');
  const written = await runRecon(['sandbox', '--statements', folder]);
  expect(written).toMatchObject({ exitCode: 0, stdout: '' });
  const names = ['csv/month-eur.csv', 'csv/month-jpy.csv', 'month.mt940', 'month.xml'];
  const all = await readdir(folder, { recursive: true });
  expect(all.filter((name) => name !== 'csv').sort()).toEqual(names);
  for (const name of names) expect(written.stderr).toContain(`Written: ${join(folder, name)}`);
  const config = join(folder, '..', 'config.toml');
  await writeFile(config, mapping, { mode: 0o600 });
  const told = async (...files: readonly string[]) => {
    const paths = files.map((name) => join(folder, name));
    const words = ['bank', '--sandbox', ...paths, '--config', config];
    const { stdout, exitCode } = await runRecon(words);
    expect(exitCode).toBe(1);
    return readRecords(stdout).map((row) =>
      ['settlement_id', 'state', 'bank_date', 'expected', 'received', 'difference']
        .map((key) => row[key])
        .join(' '),
    );
  };
  const own = await told();
  // Only camt states charges.
  const uncharged = own.map((line) => line.replace(' charged ', ' difference '));
  expect(uncharged.filter((line) => !own.includes(line))).toHaveLength(1);
  expect(own.length).toBeGreaterThan(40);
  expect(await told('month.xml')).toEqual(own);
  expect(await told('month.mt940')).toEqual(uncharged);
  expect(await told('csv/month-eur.csv', 'csv/month-jpy.csv')).toEqual(uncharged);
  const zipped = zipSync({ 'a/month.xml': await readFile(join(folder, 'month.xml')) });
  await writeFile(join(folder, 'month.zip'), zipped);
  expect(await told('month.zip')).toEqual(own);
  expect(await told('csv')).toEqual(uncharged);
  // The same entries in several files count once.
  expect(await told('month.xml', 'month.mt940', 'csv/month-eur.csv', 'csv/month-jpy.csv')).toEqual(
    own,
  );
  expect(await told('')).toEqual(own);
});

test('recon sandbox --statements ends without starting the server', async () => {
  const { exitCode, stderr } = await runRecon(['sandbox', '--statements', 'x', '--port', '0']);
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining('--statements cannot be combined'),
  ]);
});

test.each(scenarioNames)('%s has no finding, and each entry once', async (name) => {
  const [camt, mt940] = statementsIn(await loadScenario(name)).map(({ name: file, text }) => ({
    name: file,
    blocks: async function* () {
      yield Buffer.from(text);
    },
  }));
  const files = [camt, mt940].flatMap((file) => file ?? []);
  const { entries, findings, repeated } = await readStatements(files, undefined);
  expect([findings, repeated]).toEqual([[], entries.length]);
});
