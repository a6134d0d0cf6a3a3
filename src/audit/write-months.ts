import { hash } from 'node:crypto';
import { dirname, join, resolve, sep } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { fileSize } from '../base/files.ts';
import { isClaim, type LockOptions, lockName, takeLock } from '../base/folder-lock.ts';
import {
  flushFolder,
  isDraft,
  listFolder,
  makeFolder,
  moveFolder,
  removeEmptyFolder,
  removeWhole,
  replaceWhole,
  writeNew,
} from '../base/folders.ts';
import { digestOfFile } from '../base/hashed-file.ts';
import { byText } from '../base/texts.ts';
import { isOfCatalogue, type LakeTable, lakeTableNames, typeOf } from '../lake/tables.ts';
import type { Engine } from './audit.ts';
import { columnsOf, duckDbRows, globOf, sqlDialects, sqlText } from './dialects.ts';
import { connectDuckDb, type DuckDbOptions } from './duckdb.ts';
import { filesIn, type Lake, type LakeMonths, monthsName, readMonths } from './find-lakes.ts';

interface MonthsOptions extends DuckDbOptions {
  readonly lock: LockOptions;
  readonly onMonth: (month: string) => void;
}

/**
 * Writes the tables of exports to `folder`, one file for each table and month, if the month has changed.
 * Each month is whole, or as before. ReconErrors: `usage` for other contents of the folder, for an export
 * in its place, or for exports that differ in a day; `locked`; `configuration` without DuckDB; `damaged`.
 * `removed` are months that no export has any more; `repeatedDays` are in several exports, and count once.
 */
export async function writeMonthLake(
  lakes: readonly Lake[],
  folder: string,
  { lock, onMonth, ...options }: MonthsOptions,
) {
  const root = resolve(folder);
  for (const lake of lakes) refuseInside(root, lake);
  await refuseForeign(root);
  // A connection for each step: it holds memory until it is closed.
  const withDuckDb = async <Result>(work: (ask: Engine['ask']) => Promise<Result>) => {
    const { ask, close } = await connectDuckDb(lakes, options, root);
    return work(ask).finally(close);
  };
  const { found, repeatedDays } = await withDuckDb((ask) => contentsOf(lakes, ask));
  await makeFolder(root);
  const release = await takeLock(root, lock);
  try {
    const months = new Map(await readMonths(root));
    const removed = [...months.keys()].filter((month) => !found.has(month));
    for (const month of removed) months.delete(month);
    // First, because it marks the folder as written by this command.
    if (months.size === 0 || removed.length > 0) await writeMonths(root, months);
    await removeOthers(root, months);
    let written = 0;
    for (const [month, contents] of found) {
      const version = versionOf(contents);
      const before = months.get(month);
      if (before?.version === version && (await isInPlace(root, before))) continue;
      const write = (ask: Engine['ask']) => writeMonth(root, month, { ...contents, version }, ask);
      months.set(month, await withDuckDb(write));
      await writeMonths(root, months);
      if (before?.version !== version) await removeFiles(root, before);
      written += 1;
      onMonth(month);
    }
    let transactions = 0;
    for (const { tables } of months.values()) transactions += tables.transactions.rows;
    return { written, unchanged: found.size - written, removed, transactions, repeatedDays };
  } finally {
    await removeWhole(join(root, building));
    await release();
  }
}

const building = '.building';

type LakeMonth = NonNullable<ReturnType<LakeMonths['get']>>;

interface MonthContents {
  readonly days: LakeMonth['days'][number][];
  readonly files: {
    readonly table: LakeTable;
    readonly day: string;
    readonly path: string;
    readonly bytes: number;
  }[];
}

/** The days and the files of each month, in order. A day that two exports have counts in the first. */
async function contentsOf(lakes: readonly Lake[], ask: Engine['ask']) {
  const queries = lakes.map(({ path, layout, files }, lake) => {
    const paths = (files.get('days') ?? []).map((one) => globOf(`${path}/${one}`));
    const rows = duckDbRows(layout, paths);
    return `SELECT ${lake} AS lake, profile, day, day_version AS version FROM (${rows})`;
  });
  const [days = []] = await ask([`${queries.join(' UNION ALL ')} ORDER BY ALL`]);
  const months = new Map<string, MonthContents>();
  const monthOf = (day: string) => {
    const month = months.get(day.slice(0, 7)) ?? { days: [], files: [] };
    months.set(day.slice(0, 7), month);
    return month;
  };
  const firsts = new Map<string, { readonly lake: number; readonly version: string }>();
  const repeated = new Set<string>();
  for (const row of days) {
    const lake = Number(row['lake']);
    const [profile = '', day = '', version = ''] = ['profile', 'day', 'version'].map(
      (column) => row[column] ?? '',
    );
    const first = firsts.get(`${profile} ${day}`) ?? { lake, version };
    firsts.set(`${profile} ${day}`, first);
    if (first.lake === lake) monthOf(day).days.push({ profile, day, version });
    else if (first.version !== version) throw conflict(day, lakes[first.lake], lakes[lake]);
    else repeated.add(`${lake} ${day}`);
  }
  for (const [lake, { path: folder, files }] of lakes.entries()) {
    for (const [table, names] of files) {
      for (const name of names) {
        const [day, path] = [dayIn(name), `${folder}/${name}`];
        if (repeated.has(`${lake} ${day}`)) continue;
        monthOf(day).files.push({ table, day, path, bytes: (await fileSize(path)) ?? 0 });
      }
    }
  }
  const found = new Map([...months].sort(([one], [other]) => byText(one, other)));
  return { found, repeatedDays: repeated.size };
}

function dayIn(file: string): string {
  return /\/day=([^/]*)\//.exec(file)?.[1] ?? '';
}

function conflict(day: string, first: Lake | undefined, other: Lake | undefined): ReconError {
  const where = [first, other].map((lake) => lake?.name).join(', ');
  const hint = 'Use a profile of its own for each export, or name only one of the two.';
  return new ReconError('usage', `Two exports have different data for ${day}.`, { where, hint });
}

/** Changes if any day of the month, or what `recon` writes of a day, has changed. */
function versionOf({ days, files }: MonthContents): string {
  const sizes = files.map(({ table, day, bytes }) => [day, table, bytes]);
  return hash('sha256', JSON.stringify([formOfFiles, days, sizes]));
}

/** Raised if the files of months change for the same days. */
const formOfFiles = 1;

async function isInPlace(root: string, { tables }: LakeMonth): Promise<boolean> {
  for (const { file, bytes } of Object.values(tables)) {
    if ((await fileSize(join(root, file))) !== bytes) return false;
  }
  return true;
}

async function writeMonth(
  root: string,
  month: string,
  { version, days, files }: MonthContents & Pick<LakeMonth, 'version'>,
  ask: Engine['ask'],
) {
  const tables: Partial<Record<LakeTable, LakeMonth['tables'][LakeTable]>> = {};
  const draftOf = (table: LakeTable) => join(root, building, `${table}.parquet`);
  await removeWhole(join(root, building));
  await makeFolder(join(root, building));
  for (const table of lakeTableNames) {
    const sources = files.filter((one) => one.table === table).map(({ path }) => path);
    const draft = draftOf(table);
    // Made first, for its permissions.
    await writeNew(draft, '');
    const [answer = []] = await ask([copyOf(table, sources, draft)]);
    await flushFolder(draft);
    const file = monthTablePath(table, month, version);
    const rows = Number(answer[0]?.['Count'] ?? 0);
    tables[table] = { file, rows, ...(await digestOfFile(draft)) };
  }
  for (const table of lakeTableNames) {
    const place = join(root, monthTablePath(table, month, version));
    await makeFolder(dirname(place));
    await moveFolder(draftOf(table), place);
    await flushFolder(dirname(place));
  }
  return { version, days, tables: tables as LakeMonth['tables'] };
}

const rowsInGroup = 1_000_000;

/** The columns by which rows are sorted, if a table has them. */
const sortedBy = 'time settlement_time profile settlement_id transaction_id code field'.split(' ');

function copyOf(table: LakeTable, files: readonly string[], to: string): string {
  const { types } = sqlDialects.duckdb;
  const columns = columnsOf(table).map(([name, form]) => [name, types[typeOf(form)]] as const);
  const all = [...columns, ['day', 'DATE'] as const];
  // Columns that days were written without come from here.
  const none = all.map(([name, type]) => `CAST(NULL AS ${type}) AS ${name}`).join(', ');
  const rows =
    files.length > 0 ? ` UNION ALL BY NAME (${duckDbRows('days', files.map(globOf))})` : '';
  const order = ['day', ...sortedBy.filter((one) => all.some(([name]) => name === one))];
  return (
    `COPY (SELECT ${all.map(([name]) => name).join(', ')} ` +
    `FROM (SELECT ${none} WHERE FALSE${rows}) ORDER BY ${order.join(', ')}) TO ${sqlText(to)} ` +
    `(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rowsInGroup}, USE_TMP_FILE false)`
  );
}

/** Deletes files that the index does not name: killed runs leave them. */
async function removeOthers(root: string, months: LakeMonths): Promise<void> {
  const all = [...months.values()].flatMap(({ tables }) => Object.values(tables));
  const own = new Set(all.map(({ file }) => file));
  for (const table of lakeTableNames) {
    for (const file of await filesIn(root, table)) {
      if (!own.has(file)) await removeFile(join(root, file));
    }
  }
}

async function removeFiles(root: string, { tables }: Partial<LakeMonth> = {}): Promise<void> {
  for (const { file } of Object.values(tables ?? {})) await removeFile(join(root, file));
}

async function removeFile(path: string): Promise<void> {
  await removeWhole(path);
  await removeEmptyFolder(dirname(path));
}

function refuseInside(root: string, { name, layout }: Lake): void {
  if (layout === 'months') {
    const message = 'This folder has files of months already.';
    const hint = 'Name the exports that it was written from.';
    throw new ReconError('usage', message, { where: name, hint });
  }
  if (root !== resolve(name) && !root.startsWith(`${resolve(name)}${sep}`)) return;
  const message = 'The lake cannot be in the folder of an export.';
  const hint = 'Name a folder outside the exports with --out.';
  throw new ReconError('usage', message, { where: root, hint });
}

/** Only what this command writes may be there: it deletes what does not belong to a month. */
async function refuseForeign(root: string): Promise<void> {
  const entries = ((await listFolder(root)) ?? []).map(({ name }) => name);
  const tables = entries.includes(monthsName) ? lakeTableNames : [];
  const isOwn = (name: string) =>
    [building, lockName, monthsName, ...tables].includes(name) ||
    [isDraft, isClaim, isOfCatalogue].some((is) => is(name));
  const foreign = entries.filter((name) => !isOwn(name));
  for (const table of tables) {
    for (const file of await filesIn(root, table)) if (!isMonthFile(file)) foreign.push(file);
  }
  const [first] = foreign;
  if (first === undefined) return;
  const message = 'This folder has other contents than a lake by months.';
  const hint = 'Name an empty or a new folder with --out, or move this away.';
  throw new ReconError('usage', message, { where: join(root, first), hint });
}

/** Replaces the index at once. */
async function writeMonths(folder: string, months: LakeMonths): Promise<void> {
  const sorted = [...months].sort(([one], [other]) => byText(one, other));
  const index = { schema: 1, months: Object.fromEntries(sorted) };
  await replaceWhole(join(folder, monthsName), `${JSON.stringify(index, null, 2)}\n`);
}

/** The file of a table in a version of a month, in the folder of the lake. */
function monthTablePath(table: LakeTable, month: string, version: string): string {
  return [table, `month=${month}`, `${version}.parquet`].join('/');
}

/** Whether a path in the folder of the lake is that of a table's file of a month. */
function isMonthFile(path: string): boolean {
  return /^[a-z]+\/month=\d{4}-\d\d\/[0-9a-f]{64}\.parquet$/.test(path);
}
