import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lakeTableNames, publishedTablePath } from '../../../src/lake/tables.ts';
import { type Contents, contentsOf } from '../../cli/exports.ts';
import { rangeAt, Shop, shopAt } from '../../cli/shop.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { queryLake } from '../../lake/duckdb.ts';
import { parseCsv } from '../../render/parse-csv.ts';
import { runRecon } from '../../support/run-recon.ts';
import { expectValid } from '../../support/valid-json.ts';

const day = '2026-03-10';
const another = '2026-03-11';

/** An export of the sandbox, with tables. */
async function anExport(...flags: readonly string[]): Promise<string> {
  const out = join(await temporaryFolder(), 'out');
  await exportedTo(out, '--parquet', ...flags);
  return out;
}

function exportedTo(out: string, ...flags: readonly string[]) {
  const range = flags.some((flag) => ['--on', '--existing', '--verify'].includes(flag))
    ? []
    : ['--from', day, '--to', another];
  const source = flags.some((flag) => ['--existing', '--verify'].includes(flag))
    ? []
    : ['--sandbox'];
  return runRecon(['export', '--out', out, ...range, ...source, ...flags]);
}

function tablesIn(contents: Contents): Contents {
  return Object.fromEntries(Object.entries(contents).filter(([path]) => path.startsWith('lake/')));
}

/** All but the tables and what manifests say of them. */
function withoutTables(contents: Contents): Contents {
  return Object.fromEntries(
    Object.entries(contents)
      .filter(([path]) => !path.startsWith('lake/'))
      .map(([path, text]) => [
        path,
        text
          .replace(/,\n {2}"tables": \{[^}]*\}(,[^}]*\})*\n {2}\}/, '')
          .replace('"schema": 4', '"schema": 3'),
      ]),
  );
}

function manifestOf(out: string, of = day) {
  return JSON.parse(readFileSync(join(out, of, 'manifest.json'), 'utf8'));
}

describe('recon export --parquet', () => {
  test('writes a file of each table a day only, and changes no other file', async () => {
    const out = await anExport();
    const plain = join(await temporaryFolder(), 'plain');
    await exportedTo(plain);
    const paths = Object.keys(tablesIn(contentsOf(out))).filter((path) => !path.endsWith('/'));
    const wanted = [day, another].flatMap((of) =>
      lakeTableNames.map((one) => publishedTablePath(one, of)),
    );
    expect(paths.sort()).toEqual(wanted.sort());
    expect(manifestOf(plain)).not.toHaveProperty('tables');
    expect(manifestOf(plain).schema).toBe(3);
    expect(manifestOf(out).schema).toBe(4);
    await expectValid('manifest', manifestOf(out));
    expect(withoutTables(contentsOf(out))).toEqual(contentsOf(plain));
  });

  test('writes what a restatement changed, and only the new version of the day', async () => {
    const out = join(await temporaryFolder(), 'out');
    const shop = await Shop.open(shopAt(0));
    const env = { ...shop.env, RECON_PARQUET: 'true' };
    await runRecon(['export', '--out', out, ...rangeAt(0)], { env });
    await shop.becomes(shopAt(1));
    const { stdout } = await runRecon(['export', '--out', out, ...rangeAt(1)], { env });
    expect(stdout).toContain('2026-03-05,restated');
    const csv = parseCsv(readFileSync(join(out, '2026-03-05', 'changes.csv'), 'utf8'), ',');
    const columns = 'settlement_id, change, field, before, after, transaction_id';
    const [changed] = await queryLake(
      out,
      `SELECT count(*) AS n FROM (SELECT ${columns} FROM changes WHERE day = '2026-03-05')`,
    );
    expect(csv.length).toBeGreaterThan(1);
    expect(Number(changed?.['n'])).toBe(csv.length - 1);
    const rows = await queryLake(out, "SELECT 1 FROM transactions WHERE day = '2026-03-05'");
    expect(rows).toHaveLength(6);
    // Computing it again does not unsay it.
    const before = contentsOf(out);
    rmSync(join(out, 'lake'), { recursive: true });
    await runRecon(['export', '--out', out, '--parquet', '--existing']);
    expect(tablesIn(contentsOf(out))).toEqual(tablesIn(before));
  });

  test('is done by recon nightly too', async () => {
    const out = join(await temporaryFolder(), 'out');
    const flags = ['--sandbox', '--scenario', 'pending', '--parquet'];
    await runRecon(['nightly', '--out', out, ...flags]);
    expect((await queryLake(out, 'SELECT verdict FROM days')).length).toBeGreaterThan(0);
  });
});
