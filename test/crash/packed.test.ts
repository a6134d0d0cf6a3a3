import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { mountReadOnly } from '../cli/mounts.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { root } from '../support/built-program.ts';

const run = promisify(execFile);

/** What container images and machines get: nothing else is there, no network, and nothing may be written. */
test('the package installs offline, and runs read-only as another user', async () => {
  const folder = await temporaryFolder();
  chmodSync(folder, 0o755);
  const [prefix, out] = [join(folder, 'prefix'), join(folder, 'out')];
  const npm = (...args: readonly string[]) =>
    run('npm', [...args, '--ignore-scripts', '--cache', join(folder, 'cache')], { cwd: root });

  // The program is built before the first test.
  await npm('pack', '--pack-destination', folder);
  const [packed = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  await npm('install', '--global', '--offline', '--prefix', prefix, join(folder, packed));
  const installed = join(prefix, 'lib', 'node_modules', 'recon');
  expect(readdirSync(installed).sort()).toEqual([
    ...['LICENSE', 'README.md', 'bin', 'dist', 'package.json'],
  ]);
  for (const file of ['THIRD-PARTY-LICENSES.txt', 'bom.cdx.json']) {
    expect(existsSync(join(installed, 'dist', file))).toBe(true);
  }

  mkdirSync(out);
  chmodSync(out, 0o777);
  const isRoot = process.getuid?.() === 0;
  if (!mountReadOnly(prefix)) {
    await run('chmod', ['-R', 'a-w', prefix]);
    onTestFinished(async () => void (await run('chmod', ['-R', 'u+w', prefix])));
  }
  const recon = async (...args: readonly string[]) => {
    const { stdout } = await run(join(prefix, 'bin', 'recon'), args, {
      cwd: prefix,
      // Nobody's home and temporary files: whatever is written there fails.
      env: { PATH: process.env['PATH'], HOME: prefix, TMPDIR: prefix },
      ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
    });
    return stdout;
  };
  const range = ['--sandbox', '--month', '2026-03', '--fail-on', 'none'];
  expect(await recon('settlements', ...range)).toContain('2026-03-10');
  expect(await recon('export', ...range, '--out', out)).toContain('2026-03-31,written');
  expect(await recon('export', '--verify', '--out', out, '--format', 'table')).toContain('INTACT');
});
