import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { contentsOf } from './exports.ts';
import { mountReadOnly } from './mounts.ts';
import { temporaryFolder } from './temporary.ts';

const mid = '1d0f5b3e-7a44-4c19-8e60-2b9f3c8d5a01';
const refund = ['--sandbox', '--scenario', 'refund'];

function exported(out: string, ...flags: readonly string[]) {
  return runRecon(['export', '--from', '2026-03-04', '--to', '2026-03-06', '--out', out, ...flags]);
}

describe('the folder of an export', () => {
  test('is made with the folders above it', async () => {
    const out = join(await temporaryFolder(), 'a', 'b', 'c');
    expect((await exported(out, ...refund)).exitCode).toBe(0);
    expect(Object.keys(contentsOf(out))).toContain('2026-03-04/manifest.json');
  });

  test('can be read by its owner only, unless it was there before', async () => {
    const out = await temporaryFolder();
    chmodSync(out, 0o755);
    expect((await exported(out, ...refund)).exitCode).toBe(0);
    const modes = readdirSync(out, { recursive: true, encoding: 'utf8' }).map((name) => {
      const { mode } = statSync(join(out, name));
      return [name, mode & ~(/\.(csv|json|gz)$/.test(name) ? 0o100640 : 0o040750)];
    });
    expect(modes.filter(([, open]) => open !== 0)).toEqual([]);
    expect(modes.length).toBeGreaterThan(20);
    expect(statSync(out).mode & 0o777).toBe(0o755);
  });

  test('may be reached through a symbolic link', async () => {
    const folder = await temporaryFolder();
    mkdirSync(join(folder, 'real'));
    symlinkSync('real', join(folder, 'out'));
    expect((await exported(join(folder, 'out'), ...refund)).exitCode).toBe(0);
    expect(Object.keys(contentsOf(join(folder, 'real')))).toContain('2026-03-04/manifest.json');
  });

  test.each(['out', 'out/below'])(
    'is refused with 5 if a file is in the way of %s',
    async (name) => {
      const folder = await temporaryFolder();
      writeFileSync(join(folder, 'out'), 'of yesterday');
      const { exitCode, stdout, stderr } = await exported(join(folder, name), ...refund);
      expect([exitCode, stdout]).toEqual([5, '']);
      expect(stderr).toContain(join(folder, name));
      expect(stderr).toMatch(/A file is in the place|The folder does not exist/);
      expect(contentsOf(folder)).toEqual({ out: 'of yesterday' });
    },
  );

  test('is refused with 2 if it has other contents', async () => {
    const out = await temporaryFolder();
    writeFileSync(join(out, 'accounts.xlsx'), 'mine');
    const { exitCode, stdout, stderr } = await exported(out, ...refund);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('not empty');
    expect(stderr).toContain('accounts.xlsx');
    expect(contentsOf(out)).toEqual({ 'accounts.xlsx': 'mine' });
  });

  test('without write permission ends with 5, and can still be verified and read', async (context) => {
    const out = await temporaryFolder();
    expect((await exported(out, ...refund)).exitCode).toBe(0);
    const before = contentsOf(out);
    if (!makeReadOnly(out)) context.skip('a folder can not be made read-only here');
    const { exitCode, stdout, stderr } = await exported(out, ...refund, '--tolerance', '1');
    expect([exitCode, stdout]).toEqual([5, '']);
    expect(stderr).toContain('No permission to write there.');
    expect(contentsOf(out)).toEqual(before);
    expect((await runRecon(['export', '--verify', '--out', out])).exitCode).toBe(0);
    const read = [
      'settlements',
      '--from-export',
      out,
      '--from',
      '2026-03-04',
      '--to',
      '2026-03-06',
    ];
    expect((await runRecon(read)).exitCode).toBe(0);
  });
});

describe('the place of a day', () => {
  /** An export where something stands in the place of the second of three days. */
  async function blockedBy(block: (path: string, elsewhere: string) => void) {
    const folder = await temporaryFolder();
    const [out, elsewhere] = [join(folder, 'out'), join(folder, 'elsewhere')];
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'manifest.json'), '{}');
    const first = ['export', '--on', '2026-03-04', '--out', out, ...refund];
    expect((await runRecon(first)).exitCode).toBe(0);
    block(join(out, '2026-03-05'), elsewhere);
    const before = contentsOf(folder);
    return { folder, out, before };
  }

  const blocks = [
    { what: 'a link to a folder', block: (path: string, to: string) => symlinkSync(to, path) },
    { what: 'a link to nothing', block: (path: string) => symlinkSync('nowhere', path) },
    { what: 'a file', block: (path: string) => writeFileSync(path, 'mine') },
  ];

  test.each(blocks)('is left unchanged, with exit code 5, if it is $what', async ({ block }) => {
    const { folder, out, before } = await blockedBy(block);
    const { exitCode, stdout, stderr } = await exported(out, ...refund);
    expect(exitCode).toBe(5);
    // The day before was done, and is said.
    expect(stdout).toContain('2026-03-04,unchanged,');
    expect(stderr).toContain("A file or link is in the place of this day's folder.");
    expect(stderr).toContain(join(out, '2026-03-05'));
    expect(contentsOf(folder)).toEqual(before);
  });

  test.each(blocks)('is a problem to --verify if it is $what: 4', async ({ block }) => {
    const { folder, out, before } = await blockedBy(block);
    const { exitCode, stdout } = await runRecon(['export', '--verify', '--out', out]);
    expect(exitCode).toBe(4);
    expect(stdout).toContain('problem,2026-03-05,A file or link is in the place');
    expect(contentsOf(folder)).toEqual(before);
  });

  test.each(['.building', '.intents', '.superseded'])(
    'is refused with 5 if %s is a link',
    async (name) => {
      const { folder, out } = await blockedBy(() => {});
      symlinkSync(join(folder, 'elsewhere'), join(out, name));
      const before = contentsOf(folder);
      const { exitCode, stderr } = await exported(out, ...refund);
      expect(exitCode).toBe(5);
      expect(stderr).toContain(join(out, name));
      expect(contentsOf(folder)).toEqual(before);
    },
  );
});

describe('the scope of an export folder', () => {
  test.each([
    {
      what: 'another host',
      flags: ['--sandbox', '--scenario', 'month'],
      says: /the host was sandbox:refund, now sandbox:month/,
    },
    { what: 'another filter', flags: [...refund, '--cid', '8'], says: /--cid was 7, now 8/ },
    {
      what: 'a filter more',
      flags: [...refund, '--cid', '7', '--mid', mid],
      says: /--mid was not set, now 1d0f5b3e/,
    },
    { what: 'no filter', flags: refund, says: /--cid was 7, now not set/ },
    {
      what: 'another profile',
      flags: [...refund, '--cid', '7', '--profile', 'b'],
      says: /the profile was not set, now b/,
    },
  ])('does not change: $what is refused with 2', async ({ flags, says }) => {
    const folder = await temporaryFolder();
    const out = join(folder, 'out');
    expect((await exported(out, ...refund, '--cid', '7')).exitCode).toBe(0);
    const before = contentsOf(out);
    const config = join(folder, 'config.toml');
    writeFileSync(config, '[profiles.a]\n[profiles.b]\n');
    const settings = flags.includes('--profile') ? ['--config', config] : [];
    const { exitCode, stdout, stderr } = await exported(out, ...flags, ...settings);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(says);
    expect(contentsOf(out)).toEqual(before);
  });

  test('is written down', async () => {
    const out = await temporaryFolder();
    await exported(out, ...refund, '--cid', '7');
    expect(JSON.parse(readFileSync(join(out, 'export.json'), 'utf8'))).toEqual({
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      schema: 1,
      profile: null,
      host: 'sandbox:refund',
      filters: { cid: 7 },
    });
  });
});

/** Until the test ends; `false` where that can't be done. */
function makeReadOnly(folder: string): boolean {
  // Root may write in spite of permissions.
  if (process.getuid?.() === 0) return mountReadOnly(folder);
  chmodSync(folder, 0o555);
  onTestFinished(() => chmodSync(folder, 0o755));
  return true;
}
