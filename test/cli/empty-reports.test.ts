import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { temporaryFolder } from './temporary.ts';

const reports = ['settlements', 'explain', 'orders', 'fees', 'bank', 'close'];

test.each(
  reports.flatMap((name) => ['xlsx', 'html', 'csv'].map((suffix) => [name, suffix] as const)),
)('recon %s over a service without settlements writes a file: %s', async (name, suffix) => {
  const path = join(await temporaryFolder(), `report.${suffix}`);
  const args = [name, '--sandbox', '--scenario', 'empty', '--output', path];
  const { stderr, exitCode } = await runRecon(args);
  expect(exitCode, stderr).toBeLessThan(2);
  expect((await readFile(path)).length).toBeGreaterThan(50);
});
