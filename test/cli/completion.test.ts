import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultNamesOf, sandboxFaults } from '../../src/sandbox/faults.ts';
import { scenarioNames } from '../../src/sandbox/scenarios.ts';
import { runRecon } from '../support/run-recon.ts';

let home: string;
let config: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'recon-completion-'));
  config = join(home, 'config.toml');
  await writeFile(
    config,
    '[profiles.spain]\n[profiles.sweden]\n[profiles."x y"]\n[profiles.italy]\n',
  );
});
afterAll(() => rm(home, { recursive: true }));

/** The words that fit, without what is said beside them. */
async function complete(...words: readonly string[]): Promise<readonly string[]> {
  const env = { RECON_CONFIG: config };
  const { exitCode, stdout, stderr } = await runRecon(['complete', '--', ...words], { env });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replace(/\t.*/, ''));
}

describe('the completions', () => {
  test('are the commands for the first word', async () => {
    const words = await complete('');
    expect(words).toEqual(expect.arrayContaining(['settlements', 'sandbox', 'config', 'help']));
    expect(words).not.toContain('complete');
    expect(await complete('set')).toEqual(['settlements']);
    expect(await complete('config', '')).toEqual(['path', 'show', 'init', 'help']);
    expect(await complete('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  test('are the options of the named command', async () => {
    expect(await complete('settlements', '--fo')).toEqual(['--format']);
    expect(await complete('settlements', '--format', 'json', '')).toContain('--only');
    expect(await complete('config', 'path', '--')).toEqual(['--config', '--help']);
    expect(await complete('--v')).toEqual(['--version']);
  });

  test.each([
    [
      ['settlements', '--format', ''],
      ['table', 'csv', 'json', 'ndjson', 'xlsx', 'html'],
    ],
    [['settlements', '--format', 'c'], ['csv']],
    [['settlements', '--all-p'], ['--all-profiles']],
    [['settlements', '--identity', 'gross-t'], ['gross-tax']],
    [
      ['transactions', '--no'],
      ['--no-color', '--note', '--notes'],
    ],
    [['settlements', '--js'], ['--json']],
    [['settlements', '-q'], ['-q']],
    [['vers'], ['version']],
    [
      ['settlements', '--month', ''],
      ['this', 'last'],
    ],
    [['help', 'sett'], ['settlements']],
    [
      ['help', 'settlements', '--'],
      ['--all', '--help'],
    ],
    [['transactions', '--state', ''], []],
    [['transactions', '--on', 'y'], ['yesterday']],
    [['settlements', '--to', 'y'], ['yesterday']],
    [
      ['charge', '--charge-auth', ''],
      ['v2', 'v1'],
    ],
    [['charge', '--settlements', '--on', 't'], ['today']],
    [
      ['doctor', '--d'],
      ['--days', '--dialect'],
    ],
    [
      ['explain', '--charge'],
      ['--charges', '--charge-auth'],
    ],
    [
      ['settlements', '--profile', 's'],
      ['spain', 'sweden'],
    ],
    [
      ['config', 'show', '--profile', ''],
      ['spain', 'sweden', 'italy'],
    ],
    [['settlements', '--output', ''], [':files']],
    [['settlements', '--mid', ''], []],
    [['settlements', '--nonsense', '--format', 't'], ['table']],
  ])('for %j are %j', async (words, expected) => {
    expect(await complete(...words)).toEqual(expected);
  });

  test('are the scenarios and the faults of the sandbox', async () => {
    expect(await complete('settlements', '--scenario', '')).toEqual(scenarioNames);
    expect(await complete('sandbox', '--fault', '')).toEqual(
      faultNamesOf(sandboxFaults).map(({ name }) => name),
    );
  });

  test('are empty if the configuration is missing or malformed, without an error', async () => {
    expect(await complete('settlements', '--config', '/none', '--profile', '')).toEqual([]);
    const broken = join(home, 'broken.toml');
    await writeFile(broken, 'x');
    expect(await complete('settlements', '--config', broken, '--profile', '')).toEqual([]);
  });
});

describe('recon completion', () => {
  const hasShell = (shell: string) => !spawnSync(shell, ['-c', 'exit 0']).error;
  const scriptFor = async (shell: string) => (await runRecon(['completion', shell])).stdout;

  test('accepts the shells that it knows', async () => {
    const { exitCode, stderr } = await runRecon(['completion', 'tcsh']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('bash, zsh, fish');
  });

  test.each(['bash', 'zsh', 'fish'])('prints a script that %s accepts', async (shell) => {
    const script = await scriptFor(shell);
    expect(script).toContain('recon complete --');
    if (!hasShell(shell)) return;
    // From a file: fish 3.6 can't read a socket, which a standard input from Node is.
    const path = join(home, `recon.${shell}`);
    await writeFile(path, script);
    const checked = spawnSync(shell, ['-n', path], { encoding: 'utf8' });
    expect(checked).toMatchObject({ status: 0, stderr: '' });
  });
});
