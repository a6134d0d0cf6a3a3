import { chmod, cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { runRecon } from '../support/run-recon.ts';
import { startListener } from './listener.ts';
import { scenarioOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

// Files as released versions wrote them. They are read and continued, and never written again here.

const versions = (await readdir('fixtures')).filter((name) => /^\d+\.\d+\.\d+$/.test(name));

let folder: string;
const at = (name: string) => join(folder, name);
const sandbox = ['--sandbox', '--scenario', 'declined-rows'];

const run = (...args: readonly string[]) => runRecon([...args, ...sandbox]);
const ofProfile = (...args: readonly string[]) => run(...args, '--config', at('config.toml'));
const json = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout);
const textAt = (name: string) => readFile(at(name), 'utf8');

describe.each(versions)('the files of version %s', (version) => {
  beforeEach(async () => {
    folder = await temporaryFolder();
    await cp(join('fixtures', version), folder, { recursive: true });
    await chmod(at('config.toml'), 0o600);
    for (const name of ['done', 'tmp']) await mkdir(at(`webhooks/${name}`));
  });

  test('have a configuration that is read', async () => {
    const { stdout, exitCode } = await runRecon(['config', 'show', '--config', at('config.toml')]);
    expect(exitCode).toBe(exitCodes.ok);
    expect(stdout).toContain('accepted.csv');
    expect(stdout).toContain('Europe/Madrid');
  });

  test('have a register of accepted differences that still counts, and is continued', async () => {
    const lines = (await textAt('settlements.csv')).trim().split('\r\n');
    const { stdout } = await ofProfile('settlements');
    const now = stdout.trim().split('\r\n');
    expect(now.map((line, index) => line.slice(0, lines[index]?.length))).toEqual(lines);
    const before = await textAt('accepted.csv');
    const decided = await ofProfile('accept', '--from', at('decisions.csv'));
    expect(decided).toMatchObject({ exitCode: exitCodes.ok });
    expect((await textAt('accepted.csv')).startsWith(before)).toBe(true);
    const { stdout: list } = await ofProfile('accept', '--list');
    expect(list.trim().split('\r\n')).toHaveLength(1 + 4);
  });

  test('have a register of bookings that writes its batch again, and the next one', async () => {
    const journal = (...args: readonly string[]) =>
      ofProfile('journal', '--for', 'hledger', '--bank', ...args);
    expect((await ofProfile('journal', '--batch', '1')).stdout).toBe(await textAt('1.journal'));
    expect((await journal('--output', at('2.journal'))).stderr).toContain('Nothing new to book.');
    await ofProfile('accept', '--from', at('decisions.csv'));
    const { stderr } = await journal('--output', at('2.journal'));
    expect(stderr).toContain('Batch 2: ');
  });

  test('have a register of closes that shows its close, reopens it and closes again', async () => {
    const shown = await ofProfile('close', '--format', 'table');
    expect(shown).toMatchObject({ exitCode: exitCodes.ok });
    expect(shown.stdout).toMatch(/^CLOSED BY FORCE on 2026-11-28 by Anna/);
    expect(shown.stdout).not.toMatch(/Changed since|Cannot be compared/);
    const record = ['--record', '--by', 'Ben', '--force', '--note', 'again'];
    await ofProfile('close', '--reopen', '--by', 'Ben', '--note', 'why');
    expect(await ofProfile('close', ...record)).toMatchObject({ exitCode: exitCodes.ok });
    const { stdout } = await ofProfile('close', '--list');
    expect(
      stdout
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[4]),
    ).toEqual(['reopened', 'reopens 1', 'forced']);
  });

  test('have an export that is intact, and is reported as by then', async () => {
    const verify = ['export', '--verify', '--out', at('export')];
    expect(await runRecon(verify)).toMatchObject({ exitCode: exitCodes.ok });
    const { stdout } = await runRecon(['settlements', '--from-export', at('export'), '--json']);
    expect(JSON.parse(stdout).settlements).toMatchObject([
      { currency: 'JPY' },
      { currency: 'EUR' },
    ]);
    const again = await run('export', '--on', '2026-03-05', '--out', at('export'), '--json');
    expect(json(again).days).toMatchObject([{ state: 'unchanged' }]);
  });

  test('have a night after which nothing is new', async () => {
    const args = ['nightly', '--sandbox', '--out', at('night'), '--since', '2026-03-25', '--json'];
    const { profiles, news } = json(await runRecon(args));
    expect(news).toEqual([]);
    expect(profiles).toMatchObject([{ publishedTo: '2026-03-31', known: { settlements: 1 } }]);
    expect(profiles[0]).not.toHaveProperty('stateDamaged');
  });

  test('have webhooks that are answered', async () => {
    const { env } = await startService(scenarioOf([]));
    const listener = await startListener({ env, journal: at('webhooks') });
    expect(await listener.until(1)).toMatchObject([{ answer: 'not_found' }]);
    await listener.stop();
    expect(await readdir(at('webhooks/new'))).toEqual([]);
  });
});
