import { copyFile, link, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { runRecon } from '../support/run-recon.ts';
import { temporaryFolder } from './temporary.ts';

let folder: string;
const at = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = await temporaryFolder();
});

const refused = {
  exitCode: exitCodes.usage,
  stderr: expect.stringContaining('The output would replace a file that this run needs.'),
};

test.each(['--accepted', '--closes', '--booked'])(
  'an output never replaces the register of %s, nor through a link',
  async (flag) => {
    const command = flag === '--booked' ? ['journal', '--for', 'csv'] : ['close'];
    await writeFile(at('kept.csv'), 'what a person keeps');
    await symlink('kept.csv', at('soft.csv'));
    await link(at('kept.csv'), at('hard.csv'));
    for (const name of ['kept.csv', 'soft.csv', 'hard.csv']) {
      const flags = ['--sandbox', flag, at('kept.csv'), '--output', at(name)];
      expect(await runRecon([...command, ...flags])).toMatchObject(refused);
    }
    expect(await readFile(at('kept.csv'), 'utf8')).toBe('what a person keeps');
  },
);

test('an output never replaces the configuration, a statement or an order file', async () => {
  const toml = '[profiles.a]\n';
  await writeFile(at('c.toml'), toml, { mode: 0o600 });
  await copyFile('fixtures/empty.json', at('march.csv'));
  const given = ['--sandbox', '--config', at('c.toml')];
  const csv = ['--output', at('march.csv')];
  const runs = [
    ['settlements', ...given, '--output', at('c.toml'), '--format', 'csv'],
    ['bank', at('march.csv'), ...given, ...csv],
    ['orders', folder, '--sandbox', ...csv],
  ];
  for (const args of runs) expect(await runRecon(args)).toMatchObject(refused);
  expect(await readFile(at('c.toml'), 'utf8')).toBe(toml);
});

test('a list in which something is decided is not replaced, nor a file that is no list', async () => {
  const write = () => runRecon(['close', '--sandbox', '--decisions', at('decisions.csv')]);
  expect((await write()).exitCode).toBe(exitCodes.outOfBalance);
  const empty = await readFile(at('decisions.csv'), 'utf8');
  expect((await write()).exitCode).toBe(exitCodes.outOfBalance);
  for (const text of [
    empty.replace(/,,,,,(?=\r)/, ',accept,as agreed,,,'),
    'what a person keeps',
  ]) {
    await writeFile(at('decisions.csv'), text);
    expect(await write()).toMatchObject({
      exitCode: exitCodes.usage,
      stderr: expect.stringContaining('Name another file'),
    });
    expect(await readFile(at('decisions.csv'), 'utf8')).toBe(text);
  }
});
