import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LakeDay, rowsOf, settlementOf, writeLake } from '../../audit/write-lake.ts';
import { runRecon } from '../../support/run-recon.ts';

let place = '';
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'recon-months-'));
});
afterAll(() => rm(place, { recursive: true }));

function day(id: string, amount: number, more: Partial<LakeDay> = {}): LakeDay {
  const transactions = rowsOf(id, { [`${id}-1`]: amount });
  return { settlements: [settlementOf(id, transactions)], transactions, ...more };
}

const march = { '2026-03-30': day('s1', 100), '2026-03-31': day('s2', 200) };

async function lake(exports: readonly string[], out: string) {
  return runRecon(['lake', ...exports, '--out', out]);
}

it('recon lake refuses foreign files in its folder, and months as a source', async () => {
  const from = await writeLake(join(place, 'source'), march);
  const out = join(place, 'mixed');
  await lake([from], out);
  expect(await lake([out], join(place, 'again'))).toMatchObject({ exitCode: 2 });
  const stranger = join(out, 'days', 'month=2026-03', 'mine.parquet');
  await writeFile(stranger, '');
  const run = await lake([from], out);
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('mine.parquet');
  const { stdout } = await runRecon(['audit', out, '--json']);
  expect(JSON.parse(stdout).findings).toMatchObject([{ code: 'extra_file' }]);
});

it('an index that cannot be read ends with 4', async () => {
  const from = await writeLake(join(place, 'indexed'), march);
  const out = join(place, 'damaged');
  await lake([from], out);
  await writeFile(join(out, 'months.json'), '{"schema": 2}');
  expect(await lake([from], out)).toMatchObject({ exitCode: 4 });
  expect(await runRecon(['audit', out])).toMatchObject({ exitCode: 4 });
});
