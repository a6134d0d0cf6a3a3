import { spawnSync } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeLake } from '../audit/write-lake.ts';
import { temporaryFolder } from '../cli/temporary.ts';
import { root } from '../support/built-program.ts';

test('an audit says how to get DuckDB if it is missing', async () => {
  const place = await temporaryFolder();
  const folder = await writeLake(join(place, 'no-engine'), { '2026-03-01': {} });
  const installed = join(place, 'installed');
  for (const part of ['bin', 'dist', 'package.json']) {
    await cp(join(root, part), join(installed, part), { recursive: true });
  }
  const program = join(installed, 'bin', 'recon.js');
  const { status, stderr } = spawnSync(process.execPath, [program, 'audit', folder]);
  expect(status).toBe(2);
  expect(String(stderr)).toContain('npm install --global @duckdb/node-api@');
});
