import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './cli/temporary.ts';

/** The units that docs/nightly.md tells to install. */
const units = 'docs/systemd';

test('systemd accepts the units', async (context) => {
  if (spawnSync('systemd-analyze', ['--version']).error) {
    const reason = 'systemd-analyze is not installed: nothing checks docs/systemd here';
    console.warn(reason);
    context.skip(reason);
  }
  const folder = await temporaryFolder();
  const copies = readdirSync(units).map((name) => {
    // Programs have to exist, and recon is not installed on the machine that runs the tests.
    const text = readFileSync(join(units, name), 'utf8');
    writeFileSync(join(folder, name), text.replace('/usr/local/bin/recon', process.execPath));
    return join(folder, name);
  });
  expect(copies.length).toBeGreaterThanOrEqual(3);
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...copies], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
});
