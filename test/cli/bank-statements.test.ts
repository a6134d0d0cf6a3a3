import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { camtStatement } from '../../src/sandbox/bank/statements.ts';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { runRecon } from '../support/run-recon.ts';
import { startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const { text: xml } = camtStatement(await loadScenario('month'));

/** A folder with these files. */
async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(await temporaryFolder(), 'bank');
  await mkdir(folder);
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

const bank = (...args: readonly string[]) => runRecon(['bank', '--sandbox', ...args]);

describe('bank statements', () => {
  test('are those files of a folder that are statements', async () => {
    const folder = await folderOf({
      'march.xml': xml,
      'notes.txt': 'Call the bank',
      '.hidden.xml': '<broken',
    });
    await mkdir(join(folder, 'older'));
    const { stderr, exitCode } = await bank(folder, '--fail-on', 'none');
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      `Not read, because they are not bank statements: ${join(folder, 'notes.txt')}.`,
    );
    expect(stderr).not.toContain('hidden');
  });

  test('are those of the profile, if none is named', async () => {
    const folder = await folderOf({ 'march.xml': xml });
    const { env, clock } = await startService('month');
    const run = (more: Readonly<Record<string, string>> = {}) =>
      runRecon(['bank'], { env: { ...env, ...more }, clock });
    expect((await run({ RECON_STATEMENTS: folder })).stdout).toContain('march.xml:17');
    const gone = await run({ RECON_STATEMENTS: join(folder, 'gone.xml') });
    expect(gone.stderr).toContain('Bank statement not found.');
    const { stderr, exitCode } = await run();
    expect(exitCode).toBe(2);
    expect(stderr).toContain('No bank statement given.');
  });

  test.each([
    ['nowhere.xml', 'Bank statement not found.', 'nowhere.xml'],
    ['notes.txt', 'Not a bank statement that recon can read.', 'notes.txt'],
    ['', 'No bank statement found.', ''],
  ])('that are not there are named: %j', async (name, message, place) => {
    const folder = await folderOf({ 'notes.txt': 'Call the bank' });
    const { stderr, exitCode } = await bank(join(folder, name));
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain(join(folder, place));
    expect(stderr).toMatch(/try: /);
  });

  test('that are broken are read as far as they can be, and end with 4', async () => {
    const folder = await folderOf({ 'march.xml': xml.replace('>4197.18<', '>4.197,18<') });
    const { stdout, exitCode } = await bank(folder, '--format', 'table');
    expect(exitCode).toBe(4);
    const text = stdout.replace(/\s+/g, ' ');
    expect(text).toContain(
      'march.xml:17: Ntry/Amt cannot be read: found 4.197,18, expected an amount such as 12.50',
    );
    // The suggested command reads the same statements.
    expect(text).toContain(` --bank ${folder} --difference -1.50 `);
  });

  test('that were cut before their days are named, and end with 4', async () => {
    const cut = xml.slice(0, xml.indexOf('<Stmt>') + '<Stmt>'.length);
    const folder = await folderOf({ 'march.xml': cut });
    const { stdout, exitCode } = await bank(folder, '--format', 'table');
    expect(exitCode).toBe(4);
    expect(stdout).toContain('unclosed tag: Stmt');
    expect(stdout).not.toMatch(/Invalid Date| to ;/);
  });
});
