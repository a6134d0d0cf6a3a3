import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contentsOf, holding, inThisProcess, tonight } from '../../cli/exports.ts';
import { shopAt } from '../../cli/shop.ts';

test('the second of two exports into one folder is refused with exit code 75', async () => {
  // A folder becomes an export with its first day.
  const evening = await tonight([1, 2], inThisProcess);
  const out = evening.prepare('out');
  const { first, release } = await holding(evening, () => evening.run(out));
  const { exitCode, stdout, stderr } = await evening.run(out);
  expect([exitCode, stdout]).toEqual([75, '']);
  expect(stderr).toMatch(
    new RegExp(`has been using this folder since \\S+: process ${process.pid} on ${hostname()}\\.`),
  );
  expect(stderr).toContain(`  at:  ${join(out, '.lock')}\n`);
  expect(stderr).toContain('remove this file');
  expect((await evening.run(out, '--verify', '--format', 'json')).stdout).toContain(
    '"isLocked": true',
  );
  release();
  expect(await first).toMatchObject({ exitCode: 1 });
  expect(contentsOf(out)).toEqual(contentsOf(evening.after));
});

test('the lock of another machine is left unchanged, and the export ends with 75 and what to do', async () => {
  const evening = await tonight([1], inThisProcess);
  const out = evening.prepare('out');
  const { first, release } = await holding(evening, () => evening.run(out));
  const lock = JSON.parse(readFileSync(join(out, '.lock'), 'utf8'));
  release();
  await first;
  writeFileSync(join(out, '.lock'), JSON.stringify({ ...lock, host: 'web2' }));
  await evening.shop.becomes(shopAt(1));
  const before = contentsOf(out);
  const { exitCode, stdout, stderr } = await evening.run(out);
  expect([exitCode, stdout]).toEqual([75, '']);
  expect(stderr).toContain(`process ${lock.pid} on web2.`);
  expect(stderr).toContain('remove this file');
  expect(contentsOf(out)).toEqual(before);
});
