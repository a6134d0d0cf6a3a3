import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { jsonWithDigest } from '../../src/export/layout.ts';
import { type LakeTable, publishedTablePath } from '../../src/lake/tables.ts';
import { queryLake } from '../lake/duckdb.ts';
import { parseCsv } from '../render/parse-csv.ts';
import { runRecon } from '../support/run-recon.ts';
import { contentsOf, withFlipped } from './exports.ts';
import { purchases, scenarioOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

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

function manifestOf(out: string, of = day) {
  return JSON.parse(readFileSync(join(out, of, 'manifest.json'), 'utf8'));
}

describe('recon export --parquet', () => {
  test('writes the data of the CSV files: rows give the computed figures, by rules too', async () => {
    const config = join(await temporaryFolder(), 'config.toml');
    const rules = '{ not_counted = [{ state = "declined" }], tax_in_fees = "moved" }';
    writeFileSync(config, `[profiles.shop]\nparquet = true\nrules = ${rules}\n`);
    const out = join(await temporaryFolder(), 'out');
    const range = ['--from', '2026-03-01', '--to', '2026-03-14', '--profile', 'shop'];
    await runRecon(['export', '--sandbox', '--out', out, ...range, '--config', config]);
    const settlements = await queryLake(
      out,
      `SELECT strftime(s.day, '%Y-%m-%d') AS day, settlement_id, verdict, profile,
         transactions_computed, gross_computed_minor, fees_computed_minor,
         t.n + by_rule_transactions AS n, t.gross + by_rule_gross_minor AS gross,
         t.fees + by_rule_fees_minor AS fees, pay_in_reported,
         pay_in_reported_minor - pay_in_computed_minor - pay_in_difference_minor AS nothing
       FROM settlements AS s LEFT JOIN (
         SELECT settlement_id, count(*) AS n, sum(amount_minor) FILTER (r.currency = s.currency)
           AS gross, sum(r.fees_minor) FILTER (r.currency = s.currency) AS fees
         FROM transactions AS r JOIN settlements AS s USING (settlement_id) GROUP BY ALL
       ) AS t USING (settlement_id) ORDER BY s.day, settlement_id`,
    );
    for (const one of settlements) {
      expect(one).toMatchObject({ profile: 'shop', nothing: '0' });
      expect([one['n'], one['gross'], one['fees']]).toEqual([
        one['transactions_computed'],
        one['gross_computed_minor'],
        one['fees_computed_minor'],
      ]);
    }
    const days = [...new Set(settlements.map((one) => String(one['day'])))];
    const records = days.flatMap((of) =>
      parseCsv(readFileSync(join(out, of, 'settlements.csv'), 'utf8'), ',').slice(1),
    );
    expect(settlements).toHaveLength(records.length);
    const [judged] = await queryLake(
      out,
      'SELECT count(*) AS n, count(DISTINCT rules) AS r FROM days',
    );
    expect(judged).toEqual({ n: '14', r: '1' });
    const versions = await queryLake(
      out,
      `SELECT day FROM (SELECT day, day_version FROM transactions UNION SELECT day, day_version FROM
         settlements UNION SELECT day, day_version FROM days) GROUP BY day HAVING count(*) > 1`,
    );
    expect(versions).toEqual([]);
  });

  test('continues in a folder that has tables, for new days and for those that lost theirs', async () => {
    const out = await anExport('--on', day);
    const { stdout } = await exportedTo(out);
    expect(stdout).toContain(`${day},unchanged`);
    expect(stdout).toContain(`${another},written`);
    const before = contentsOf(out);
    rmSync(join(out, publishedTablePath('settlements', day)));
    cpSync(
      join(out, publishedTablePath('days', day)),
      join(out, publishedTablePath('days', another)),
    );
    const again = await exportedTo(out);
    expect(again.stdout).toContain(`${day},recomputed`);
    expect(again.stdout).toContain(`${another},recomputed`);
    expect(contentsOf(out)).toEqual(before);
  });

  test('writes with --existing the same tables for days that have none, without a request', async () => {
    const out = await anExport();
    const plain = join(await temporaryFolder(), 'plain');
    await exportedTo(plain);
    const { exitCode, stdout } = await exportedTo(plain, '--parquet', '--existing');
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`${day},recomputed`);
    expect(contentsOf(plain)).toEqual(contentsOf(out));
    expect((await exportedTo(plain, '--parquet', '--existing')).stdout).toContain(
      `${day},unchanged`,
    );
  });

  test('adds with --existing a table that the manifest of a day does not name', async () => {
    const out = await anExport('--on', day);
    const before = contentsOf(out);
    const { sha256, tables, ...fields } = manifestOf(out);
    const { days, ...others } = tables;
    const text = jsonWithDigest({ ...fields, tables: others });
    writeFileSync(join(out, day, 'manifest.json'), text);
    rmSync(join(out, publishedTablePath('days', day)));
    const { stdout } = await exportedTo(out, '--parquet', '--existing');
    expect(stdout).toContain(`${day},recomputed`);
    expect(contentsOf(out)).toEqual(before);
  });

  test('refuses a day with an amount beyond 64 bits, names its settlement, and ends with 4', async () => {
    const large = ['purchase', 1000, 25, 5, { decimalPlaces: '18' }] as const;
    const { env } = await startService(
      scenarioOf([
        { date: day, rows: [...purchases(1), large] },
        { date: another, rows: purchases(2) },
      ]),
    );
    const out = join(await temporaryFolder(), 'out');
    const args = ['export', '--out', out, '--from', day, '--to', another];
    const { exitCode, stdout } = await runRecon([...args, '--parquet'], { env });
    expect(exitCode).toBe(4);
    expect(stdout).toMatch(
      new RegExp(
        `${day},incomplete,.*Settlement [-0-9a-f]{36} has an amount .* gross_reported_minor \\d{19,}`,
      ),
    );
    expect(stdout).toContain(`${another},written`);
    expect(readdirSync(out).sort()).toEqual([another, 'export.json', 'lake']);
    // Without tables it is a day like any other.
    const plain = join(await temporaryFolder(), 'plain');
    const exported = ['export', '--out', plain, '--from', day, '--to', another];
    expect((await runRecon(exported, { env })).stdout).not.toContain('incomplete,incomplete');
  });
});

describe('recon export --verify of tables', () => {
  test('finds what has changed, is missing, belongs to another day, or to none, and ends with 4', async () => {
    const out = await anExport();
    expect((await exportedTo(out, '--verify')).exitCode).toBe(0);
    const path = (table: LakeTable, of = day) => join(out, publishedTablePath(table, of));
    const bytes = readFileSync(path('transactions'));
    writeFileSync(path('transactions'), withFlipped(bytes, 999));
    rmSync(path('settlements'));
    cpSync(path('days', another), path('days'));
    writeFileSync(join(out, 'lake', 'days', 'notes.parquet'), '');
    mkdirSync(dirname(path('changes', '2026-03-12')));
    cpSync(path('changes'), path('changes', '2026-03-12'));
    const { exitCode, stdout } = await exportedTo(out, '--verify', '--format', 'json');
    expect(exitCode).toBe(4);
    const other = 'It has changed since it was written, or belongs to another version of the day.';
    const stray = 'It does not belong to any day of the export.';
    expect(JSON.parse(stdout)).toMatchObject({ sound: 1, isSound: false });
    expect(JSON.parse(stdout).problems).toEqual([
      { path: publishedTablePath('transactions', day), message: other },
      { path: publishedTablePath('settlements', day), message: 'The file is missing.' },
      { path: publishedTablePath('days', day), message: other },
      { path: publishedTablePath('changes', '2026-03-12'), message: stray },
      { path: 'lake/days/notes.parquet', message: stray },
    ]);
  });

  test('refuses a folder that has only tables', async () => {
    const out = join(await temporaryFolder(), 'out');
    mkdirSync(join(out, 'lake'), { recursive: true });
    expect((await exportedTo(out, '--parquet')).exitCode).toBe(2);
  });
});
