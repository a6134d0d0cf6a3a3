import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schemas } from '../schema/index.ts';
import { runRecon } from '../support/run-recon.ts';
import { type LakeDay, rowsOf, settlementOf, writeLake } from './write-lake.ts';

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
const april = { '2026-04-01': day('s3', 300) };

async function lake(exports: readonly string[], out: string) {
  return runRecon(['lake', ...exports, '--out', out]);
}

async function indexOf(out: string) {
  return JSON.parse(await readFile(join(out, 'months.json'), 'utf8'));
}

it('recon lake writes the months that have changed, and names those that the exports no longer have', async () => {
  const both = await writeLake(join(place, "it's [both]"), { ...march, ...april });
  const out = join(place, "it's [a] {lake}?");
  expect(await lake([both], out)).toMatchObject({
    exitCode: 0,
    stdout: '2 months written, 0 unchanged. 3 transactions.\n',
  });
  const index = await indexOf(out);
  expect(new Ajv2020().validate(schemas['months'] ?? {}, index)).toBe(true);
  expect((await lake([both], out)).stdout).toContain('0 months written, 2 unchanged.');
  expect(await indexOf(out)).toEqual(index);

  await writeLake(both, { '2026-04-01': day('s3', 301, { version: 'v2' }) });
  expect((await lake([both], out)).stdout).toContain('1 month written, 1 unchanged.');
  const { months } = await indexOf(out);
  expect(months['2026-03']).toEqual(index.months['2026-03']);
  expect(months['2026-04'].days).toEqual([{ profile: '', day: '2026-04-01', version: 'v2' }]);
  expect(await readdir(join(out, 'transactions', 'month=2026-04'))).toEqual([
    `${months['2026-04'].version}.parquet`,
  ]);

  const first = await writeLake(join(place, 'first'), march);
  expect((await lake([first], out)).stdout).toBe(
    '0 months written, 1 unchanged. Removed, because the exports do not have them: 2026-04. 2 transactions.\n',
  );
  expect(await readdir(join(out, 'days'))).toEqual(['month=2026-03']);
});

it('recon lake writes a month again if its file is missing, and removes what a killed run left', async () => {
  const from = await writeLake(join(place, 'whole'), march);
  const out = join(place, 'torn');
  await lake([from], out);
  const { months } = await indexOf(out);
  const folder = join(out, 'settlements', 'month=2026-03');
  await rm(join(folder, `${months['2026-03'].version}.parquet`));
  await writeFile(join(folder, `${'0'.repeat(64)}.parquet`), 'of an older version');
  await mkdir(join(out, '.building'));
  expect((await lake([from], out)).stdout).toContain('1 month written');
  expect(await indexOf(out)).toEqual({ schema: 1, months });
  expect(await readdir(folder)).toEqual([`${months['2026-03'].version}.parquet`]);
  expect(await readdir(out)).not.toContain('.building');
});

it('recon lake counts a day of two exports once, and refuses exports that differ in the day', async () => {
  const [one, same, other] = await Promise.all([
    writeLake(join(place, 'one'), march),
    writeLake(join(place, 'same'), { '2026-03-31': march['2026-03-31'] }),
    writeLake(join(place, 'other'), { '2026-03-31': day('s2', 201, { version: 'v2' }) }),
  ]);
  const out = join(place, 'once');
  expect((await lake([one, same], out)).stdout).toContain(
    '2 transactions. 1 day with the same data in several exports, counted once.',
  );
  const refused = await lake([one, other], out);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('Two exports have different data for 2026-03-31.');
});

it('the files of recon lake cannot be read by others', async () => {
  const from = await writeLake(join(place, 'private'), march);
  const out = join(place, 'kept');
  await lake([from], out);
  const { months } = await indexOf(out);
  const { file } = months['2026-03'].tables.transactions;
  expect((await stat(join(out, file))).mode & 0o137).toBe(0);
});

it.each<[string, (folder: string, from: string) => Promise<unknown> | string]>([
  ['a folder with other files', (folder) => writeFile(join(folder, 'mine.txt'), '')],
  ['a folder with tables of others', (folder) => mkdir(join(folder, 'transactions'))],
  ['an export', (_, from) => from],
  ['a folder in an export', (_, from) => join(from, 'lake', 'months')],
])('recon lake refuses %s', async (name, fill) => {
  const from = await writeLake(join(place, `from ${name}`), march);
  const folder = join(place, `into ${name}`);
  await mkdir(folder);
  const filled = await fill(folder, from);
  const run = await lake([from], typeof filled === 'string' ? filled : folder);
  expect(run.exitCode).toBe(2);
});

it('recon lake needs --out', async () => {
  const run = await runRecon(['lake', place]);
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('--out');
});
