import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { start } from '../../support/built-program.ts';
import {
  audit,
  copyByMonth,
  exitCodes,
  exportInto,
  lakeArgs,
  layouts,
  monthFile,
  monthIndex,
  tables,
} from './adapter.ts';
import { copyOf, makeBase, newFolder } from './base.ts';
import { faults } from './faults.ts';
import { batches, judgeAtOnce, nameOf } from './judge.ts';
import { contentsOf, Place, query, rowsIn } from './tables.ts';

let folder = '';
const at = (name: string) => join(folder, name);
/** `drift` is two months as exported first, `restated` with the second month changed. */
const exports = { base: 'base', march: 'march', drift: 'drift', restated: 'restated' } as const;
const drifting = ['--sandbox', '--scenario', 'fee-drift'];
const range = (from: string, to: string) => ['--from', `2026-${from}`, '--to', `2026-${to}`];

beforeAll(async () => {
  folder = await newFolder();
  await makeBase(at(exports.base));
  await exportInto(at(exports.march), ['--sandbox', '--month', '2026-03']);
  for (const name of [exports.drift, exports.restated]) {
    await exportInto(at(name), [...drifting, ...range('02-25', '03-04')]);
  }
  await exportInto(at(exports.restated), [
    ...drifting,
    ...range('03-01', '03-04'),
    '--tolerance',
    '1',
  ]);
  await make([exports.base], 'copy');
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function make(names: readonly string[], out: string): Promise<void> {
  const { exitCode, stderr } = await copyByMonth(names.map(at), at(out));
  expect(exitCode, stderr).toBe(exitCodes.made);
}

const all = [...faults.known, ...faults.told, ...faults.own];
const batched = batches(all.filter(({ undetectable }) => !undetectable));

describe('an audit of the monthly copy', () => {
  test('says the same as one of the exports', async () => {
    const { exitCode, report } = await audit([at('copy')]);
    expect(exitCode).toBe(0);
    expect(report).toEqual((await audit([at(exports.base)])).report);
  });

  test('says so of two exports, and of a copy beside another export', async () => {
    await make([exports.base, exports.march], 'two');
    const { report } = await audit([at(exports.base), at(exports.march)]);
    expect((await audit([at('two')])).report).toEqual(report);
    expect((await audit([at('copy'), at(exports.march)])).report).toEqual(report);
  });

  test.each(batched.map((some) => [nameOf(some), some] as const))('finds: %s', (_, some) =>
    judgeAtOnce(some, at('copy'), layouts.monthly),
  );

  const together = batched.filter((some) => some.length > 1);
  test.each(together.slice(0, 3).map((some, n) => [n, some] as const))(
    'faults of an export are not lost in its copy (%i)',
    async (_, some) => {
      const faulty = await copyOf(at(exports.base));
      await new Place(faulty, layouts.daily).change(some.flatMap(({ sql }) => sql));
      const out = `${faulty}-monthly`;
      const made = await copyByMonth([faulty], out);
      if (made.exitCode === exitCodes.made) {
        expect((await audit([out])).report).toEqual((await audit([faulty])).report);
        return;
      }
      // Tables that are not as they were written need not be copied. That is told.
      expect(made.exitCode).toBe(4);
      expect(made.stderr).toMatch(/2026-\d\d-\d\d/);
    },
  );
});

describe('the monthly copy', () => {
  test('has the rows of the exports, in one file a table and month', async () => {
    await make([exports.base, exports.march], 'two');
    for (const table of tables) {
      const [one, other] = [exports.base, exports.march].map((name) =>
        rowsIn(at(name), layouts.daily, table),
      );
      const daily = `(SELECT * FROM ${one} UNION ALL BY NAME SELECT * FROM ${other})`;
      expect(await differing(daily, rowsIn(at('two'), layouts.monthly, table))).toEqual([]);
      const [{ type } = {}] = await query(
        `SELECT typeof(day) AS type FROM ${rowsIn(at('two'), layouts.monthly, table)} LIMIT 1`,
      );
      if (type !== undefined) expect(type).toBe('DATE');
    }
    const files = await filesOf('two');
    expect(files.map(({ table, month }) => `${table} ${month}`)).toEqual(
      [...tables]
        .sort()
        .flatMap((table) => ['01', '02', '03'].map((one) => `${table} 2026-${one}`)),
    );
    const transactions = files.filter(({ table }) => table === 'transactions');
    for (const { path } of transactions) {
      const order = `FROM read_parquet('${at('two')}/${path}') SELECT day, time`;
      expect(await query(order)).toEqual(await query(`FROM (${order}) ORDER BY day, time`));
      const statistics = await query(
        `SELECT path_in_schema AS name, stats_min_value AS least
         FROM parquet_metadata('${at('two')}/${path}') WHERE path_in_schema IN ('day', 'amount_minor')`,
      );
      expect(statistics.every(({ least }) => least !== null)).toBe(true);
    }
  });

  test('has an index with each file, its SHA-256 and the day versions inside', async () => {
    const index = await readFile(join(at('copy'), monthIndex), 'utf8');
    expect(JSON.parse(index)).toBeTypeOf('object');
    const contents = await contentsOf(at('copy'));
    for (const { path } of await filesOf('copy')) {
      expect(index).toContain(basename(path));
      expect(index).toContain(contents[path]);
    }
    const days = await query(`FROM ${rowsIn(at('copy'), layouts.monthly, 'days')}`);
    expect(days).toHaveLength(15);
    for (const { day_version: version } of days) expect(index).toContain(version);
  });

  test('a second run writes nothing, and no run touches the exports', async () => {
    const state = async (name: string) => [await contentsOf(at(name)), await timesOf(name)];
    const before = await Promise.all([state(exports.base), state('copy')]);
    const { exitCode, stdout } = await copyByMonth([at(exports.base)], at('copy'));
    expect(exitCode).toBe(exitCodes.made);
    expect(stdout).toContain('0 months written, 2 unchanged.');
    expect(await Promise.all([state(exports.base), state('copy')])).toEqual(before);
    expect((await stat(at('copy'))).mode & 0o027).toBe(0);
    for (const { path } of await filesOf('copy')) {
      expect((await stat(join(at('copy'), path))).mode & 0o137).toBe(0);
    }
  });

  test('a changed month is replaced; the others stay', async () => {
    await make([exports.drift], 'changing');
    const [before, times] = [await filesOf('changing'), await timesOf('changing')];
    await make([exports.restated], 'changing');
    const [after, timesAfter] = [await filesOf('changing'), await timesOf('changing')];
    for (const [index, { path, month }] of before.entries()) {
      if (month === '2026-03') expect(after[index]?.path).not.toBe(path);
      else expect([after[index]?.path, timesAfter[path]]).toEqual([path, times[path]]);
    }
    await expectRowsOf(exports.restated, 'changing');
  });

  test('can be deleted and made again', async () => {
    const before = await filesOf('copy');
    await rm(at('copy'), { recursive: true });
    await make([exports.base], 'copy');
    expect(await filesOf('copy')).toEqual(before);
    await expectRowsOf(exports.base, 'copy');
  });

  test.each([
    ['a file of somebody', (place: string) => writeFile(join(place, 'notes.txt'), 'mine')],
    ['a folder of somebody', (place: string) => mkdir(join(place, 'transactions'))],
    ['an export', (place: string) => exportInto(place, [...drifting, ...range('02-25', '02-26')])],
  ])('is not written into a folder with %s', async (_, fill) => {
    const place = at('foreign');
    await rm(place, { recursive: true, force: true });
    await mkdir(place);
    await fill(place);
    if (existsSync(join(place, 'transactions'))) {
      await writeFile(join(place, 'transactions', 'x.parquet'), 'mine');
    }
    const before = await contentsOf(place);
    expect(await copyByMonth([at(exports.base)], place)).toMatchObject({
      exitCode: exitCodes.refused,
    });
    expect(await contentsOf(place)).toEqual(before);
  });

  test('of two runs at once, one may find the lock; the copy is whole', async () => {
    const both = [1, 2].map(() => copyByMonth([at(exports.drift)], at('raced')));
    const codes = (await Promise.all(both)).map(({ exitCode }) => exitCode).sort();
    expect(codes[0]).toBe(exitCodes.made);
    expect([exitCodes.made, exitCodes.locked]).toContain(codes[1]);
    await expectRowsOf(exports.drift, 'raced');
  });

  test.each([undefined, exports.drift])(
    'a kill leaves each month whole (before it: %s)',
    async (earlier) => {
      await make([exports.restated], 'undisturbed');
      const expected = await filesOf('undisturbed');
      for (const share of [0.4, 0.6, 0.75, 0.9]) {
        await rm(at('killed'), { recursive: true, force: true });
        if (earlier) await make([earlier], 'killed');
        const before = earlier ? await filesOf('killed') : [];
        await killed(share * (await duration()));
        const left = existsSync(at('killed')) ? await filesOf('killed') : [];
        for (const { table, month } of before) {
          expect(left.some((one) => one.table === table && one.month === month)).toBe(true);
        }
        for (const { table, month, path } of left) {
          const file = `(FROM read_parquet('${at('killed')}/${path}', hive_partitioning = false))`;
          const whole = [exports.drift, exports.restated].map((name) =>
            differing(
              `(FROM ${rowsIn(at(name), layouts.daily, table)}
                WHERE strftime(day, '%Y-%m') = '${month}')`,
              file,
            ),
          );
          expect((await Promise.all(whole)).some((rows) => rows.length === 0)).toBe(true);
        }
        await make([exports.restated], 'killed');
        expect(await filesOf('killed')).toEqual(expected);
      }
    },
  );
});

let measured: number | undefined;

/** Milliseconds that an undisturbed run of the program takes. */
async function duration(): Promise<number> {
  if (measured !== undefined) return measured;
  const began = performance.now();
  await rm(at('timed'), { recursive: true, force: true });
  const { ended, err } = start(lakeArgs([at(exports.restated)], at('timed')));
  expect(await ended, err()).toBe(exitCodes.made);
  measured = performance.now() - began;
  return measured;
}

async function killed(ms: number): Promise<void> {
  const { child, ended } = start(lakeArgs([at(exports.restated)], at('killed')));
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  await ended;
  clearTimeout(timer);
}

/** The files of a copy that readers take, with table and month. Hidden ones are not. */
async function filesOf(name: string) {
  const paths = Object.keys(await contentsOf(at(name)))
    .filter((path) => path.endsWith('.parquet') && !/(^|\/)[._]/.test(path))
    .sort();
  return paths.map((path) => {
    const { table, month } = monthFile.exec(path)?.groups ?? {};
    const known = tables.find((one) => one === table);
    if (known === undefined || month === undefined) throw new Error(`Not of a month: ${path}`);
    return { path, table: known, month };
  });
}

async function timesOf(name: string): Promise<Readonly<Record<string, number>>> {
  const paths = (await readdir(at(name), { recursive: true })).sort();
  const times = paths.map(
    async (path) => [path, (await stat(join(at(name), path))).mtimeMs] as const,
  );
  return Object.fromEntries(await Promise.all(times));
}

async function expectRowsOf(name: string, copy: string): Promise<void> {
  for (const table of tables) {
    const [daily, monthly] = [
      rowsIn(at(name), layouts.daily, table),
      rowsIn(at(copy), layouts.monthly, table),
    ];
    expect(await differing(`(FROM ${daily})`, `(FROM ${monthly})`)).toEqual([]);
  }
}

/** Rows that only one of two tables has, or that one has more often. */
async function differing(one: string, other: string) {
  const names = await query(`DESCRIBE (FROM ${one})`);
  const columns = names.map(({ column_name: name }) => `"${name}"`).join(', ');
  const [left, right] = [one, other].map((rows) => `SELECT ${columns} FROM ${rows}`);
  return query(`(${left} EXCEPT ALL ${right}) UNION ALL (${right} EXCEPT ALL ${left}) LIMIT 10`);
}
