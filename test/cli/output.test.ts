import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { readReport } from './read-report.ts';
import { temporaryFolder } from './temporary.ts';

const isRoot = process.getuid?.() === 0;
const sandbox = (scenario: string, ...args: string[]) =>
  runRecon(['settlements', '--sandbox', '--scenario', scenario, ...args]);

describe('an output file', () => {
  it.each([
    { name: 'report.csv', format: 'csv' },
    { name: 'report.CSV', format: 'csv' },
    { name: 'report', format: 'csv' },
    { name: 'report.json', format: 'json' },
    { name: 'report.ndjson', format: 'ndjson' },
    { name: 'report.jsonl', format: 'ndjson' },
    { name: 'report.txt', format: 'table' },
  ])('has the format that its suffix implies: $name', async ({ name, format }) => {
    const folder = await temporaryFolder();
    const { stdout, exitCode } = await sandbox('offsetting', '--output', join(folder, name));
    expect([exitCode, stdout]).toEqual([1, '']);
    const expected = await sandbox('offsetting', '--format', format);
    expect(await readFile(join(folder, name), 'utf8')).toBe(expected.stdout);
    expect(await readdir(folder)).toEqual([name]);
  });

  it.each([
    ['settlements', 'offsetting'],
    ['bank', 'month'],
  ])('may be one of several, of one reading: %s', async (command, scenario) => {
    const folder = await temporaryFolder();
    const run = (...names: readonly string[]) => {
      const outputs = names.flatMap((name) => ['--output', join(folder, name)]);
      return runRecon([command, '--sandbox', '--scenario', scenario, ...outputs]);
    };
    const both = await run('month.html', 'month.json');
    expect(both.stderr).toContain(`Written: ${join(folder, 'month.html')}`);
    expect(both.stderr).toContain(`Written: ${join(folder, 'month.json')}`);
    await run('one.html');
    await run('one.json');
    for (const suffix of ['html', 'json']) {
      const texts = ['month', 'one'].map((name) =>
        readFile(join(folder, `${name}.${suffix}`), 'utf8'),
      );
      const [own, alone] = await Promise.all(texts);
      expect(own).toBe(alone);
    }
    expect((await readdir(folder)).sort()).toEqual(
      ['month.html', 'month.json', 'one.html', 'one.json'].sort(),
    );
  });

  it('is the only one of its format, and the only one of a report that is no paper', async () => {
    const folder = await temporaryFolder();
    const two = (command: string, ...names: readonly string[]) =>
      runRecon([
        ...[command, '--sandbox'],
        ...names.flatMap((name) => ['--output', join(folder, name)]),
      ]);
    const same = await two('settlements', 'a.html', 'b.htm');
    expect([same.exitCode, same.stderr]).toEqual([
      2,
      expect.stringContaining('Two outputs have the format html.'),
    ]);
    const single = await two('transactions', 'a.csv', 'b.json');
    expect([single.exitCode, single.stderr]).toEqual([
      2,
      expect.stringContaining('It can be given only once here.'),
    ]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('has the format that is asked for, whatever its suffix', async () => {
    const path = join(await temporaryFolder(), 'report.csv');
    await sandbox('offsetting', '--output', path, '--format', 'json');
    expect(readReport(await readFile(path, 'utf8')).verdict).toBe('out_of_balance');
  });

  it('is not a terminal: a table in it has no colours', async () => {
    const path = join(await temporaryFolder(), 'report.txt');
    await runRecon(['settlements', '--sandbox', '--output', path], { columns: 80 });
    expect(await readFile(path, 'utf8')).not.toContain('\u001b');
  });

  it('is written if the run is incomplete, and the message says so', async () => {
    const path = join(await temporaryFolder(), 'report.json');
    const { exitCode } = await sandbox('malformed', '--output', path);
    expect(exitCode).toBe(4);
    const report = readReport(await readFile(path, 'utf8'));
    expect([report.verdict, report.completeness.complete]).toEqual(['incomplete', false]);
  });

  it('is replaced as a whole, with its permissions', async () => {
    const path = join(await temporaryFolder(), 'report.csv');
    await writeFile(path, 'of yesterday', { mode: 0o640 });
    await sandbox('balanced', '--output', path);
    expect(await readFile(path, 'utf8')).toBe((await sandbox('balanced')).stdout);
    expect((await stat(path)).mode & 0o777).toBe(0o640);
  });

  it('is replaced behind a link', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'real.csv'), 'of yesterday');
    await symlink('real.csv', join(folder, 'link.csv'));
    await sandbox('empty', '--output', join(folder, 'link.csv'));
    expect(await readFile(join(folder, 'real.csv'), 'utf8')).toContain('settlement_date,');
    expect((await readdir(folder)).sort()).toEqual(['link.csv', 'real.csv']);
  });

  it.each([
    { about: 'the headers cannot be read', fault: 'wrapper-1010@headers', format: 'csv' },
    { about: 'the headers cannot be read', fault: 'wrapper-1010@headers', format: 'ndjson' },
    { about: 'access ends in the middle', fault: 'wrapper-1001=on:9', format: 'csv' },
    { about: 'access ends in the middle', fault: 'wrapper-1001=on:9', format: 'ndjson' },
  ])('of the last run is unchanged if $about: $format', async ({ fault, format }) => {
    const folder = await temporaryFolder();
    const path = join(folder, 'report.csv');
    await writeFile(path, 'of yesterday');
    const flags = ['--output', path, '--format', format, '--fault', fault];
    expect((await sandbox('balanced', ...flags)).exitCode).toBeGreaterThanOrEqual(3);
    expect(await readFile(path, 'utf8')).toBe('of yesterday');
    expect(await readdir(folder)).toEqual(['report.csv']);
  });

  it('with the name - is standard output', async () => {
    const { stdout } = await sandbox('balanced', '--output', '-');
    expect(stdout).toBe((await sandbox('balanced')).stdout);
  });
});

describe('an output that cannot be written', () => {
  async function expectUnwritable(path: string, ...says: string[]) {
    for (const format of ['csv', 'ndjson']) {
      const run = await sandbox('refund', '--output', path, '--format', format);
      expect([run.exitCode, run.stdout]).toEqual([5, '']);
      for (const fragment of [path, ...says]) expect(run.stderr).toContain(fragment);
    }
  }

  it('is in a folder that does not exist', async () => {
    await expectUnwritable(
      join(await temporaryFolder(), 'missing', 'report.csv'),
      'The folder does not exist.',
    );
  });

  it('is a folder', async () => {
    const folder = await temporaryFolder();
    await expectUnwritable(folder, 'folder');
    await expectUnwritable(`${folder}/`, 'folder');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is below a file', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'file'), '');
    await expectUnwritable(join(folder, 'file', 'report.csv'), 'The folder does not exist.');
  });

  it('is a full device', async () => {
    await expectUnwritable('/dev/full', 'No space left');
  });

  it.skipIf(isRoot)('is in a folder without write permission', async () => {
    const folder = join(await temporaryFolder(), 'locked');
    await mkdir(folder);
    await chmod(folder, 0o500);
    await expectUnwritable(join(folder, 'report.csv'), 'No permission to write');
  });

  it.skipIf(isRoot)('is a file without write permission', async () => {
    const path = join(await temporaryFolder(), 'report.csv');
    await writeFile(path, 'kept', { mode: 0o400 });
    await expectUnwritable(path, 'No permission to write');
    expect(await readFile(path, 'utf8')).toBe('kept');
  });

  it('is found before any request', async () => {
    const { stderr } = await sandbox('month', '--output', '/nonexistent/x.csv', '--verbose');
    expect(stderr).not.toContain('/oauth/token');
  });
});

describe('standard error', () => {
  const range = 'Settlements from 2026-03-01 to 2026-03-31 (inclusive)\n';

  it('says the range once, and nothing else if the report says the rest', async () => {
    expect((await sandbox('month', '--format', 'table')).stderr).toBe(range);
  });

  it('says what records add up to, which have no place for it', async () => {
    const { stderr } = await sandbox('balanced');
    expect(stderr).toBe(`${range}BALANCED. 9 settlements: all balanced.\n`);
  });

  it('says what a file adds up to that is not on the screen', async () => {
    const path = join(await temporaryFolder(), 'report.txt');
    expect((await sandbox('balanced', '--output', path)).stderr).toContain('BALANCED. 9 ');
  });

  it('says also with --quiet what was found across settlements (exit 1)', async () => {
    const { exitCode, stderr } = await sandbox('shared-transaction', '--quiet');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^OUT OF BALANCE\. .*\n1 transaction listed in more than one settl/);
  });

  it('says also with --quiet which settlement is missing among the records (exit 4)', async () => {
    const { exitCode, stderr } = await sandbox('malformed', '--quiet');
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(
      /^INCOMPLETE\. .*\n1 settlement of the list cannot be read: .*decimalPlaces/,
    );
  });

  it('is empty with --quiet, unless something is wrong', async () => {
    expect((await sandbox('balanced', '--quiet')).stderr).toBe('');
    expect((await sandbox('pending', '--quiet')).stderr).toBe('');
    const failed = await sandbox('month', '--quiet', '--fault', 'wrapper-1010');
    expect(failed.stderr).toContain('1010');
  });

  it('has only the error if JSON is asked for', async () => {
    const { stderr } = await sandbox('month', '--format', 'json', '--fault', 'wrapper-1010');
    expect(JSON.parse(stderr)).toMatchObject({ error: { exitCode: 4 } });
  });

  it('has a line for each request with --verbose, and no secret in it', async () => {
    const faults = ['--fault', 'http-503=on:2', '--fault', 'token-uses=9'];
    const { stderr, exitCode } = await sandbox(
      'balanced',
      '--verbose',
      '--concurrency',
      '1',
      ...faults,
    );
    expect(exitCode).toBe(0);
    const lines = stderr.split('\n');
    expect(lines.filter((line) => line.includes('/oauth/token')).length).toBeGreaterThan(1);
    expect(lines.filter((line) => line.includes('/v1/merchant/settlement')).length).toBeGreaterThan(
      20,
    );
    expect(lines.find((line) => line.includes('HTTP 503'))).toBeDefined();
  });

  it('never has data, and standard output never has messages', async () => {
    const { stdout } = await sandbox('balanced', '--verbose');
    expect(stdout).toBe((await sandbox('balanced', '--quiet')).stdout);
  });
});
