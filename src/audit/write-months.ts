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
  writeNew,
} from '../base/folders.ts';
import { digestOfFile } from '../base/hashed-file.ts';
import { groupedBy } from '../base/lists.ts';
import {
  type LakeMonth,
  type LakeMonths,
  monthOfFolder,
  monthsName,
  monthTablePath,
  readMonths,
  writeMonths,
} from '../lake/months.ts';
import { isOfCatalogue, type LakeTable, lakeTableNames, typeOf } from '../lake/tables.ts';
import type { Engine } from './audit.ts';
import { columnsOf, duckDbRows, globOf, sqlDialects, sqlText } from './dialects.ts';
import { connectDuckDb, type DuckDbOptions } from './duckdb.ts';
import type { Lake } from './find-lakes.ts';

interface MonthsOptions extends DuckDbOptions {
  readonly lock: LockOptions;
  /** Called when a month was written. */
  readonly onMonth: (month: string) => void;
}

/** What was done with the months of a lake. */
export interface MonthsWritten {
  readonly written: readonly string[];
  readonly unchanged: number;
  /** Months that the exports no longer have. */
  readonly removed: readonly string[];
  /** Transactions in all months. */
  readonly transactions: number;
  /** Days that several exports have with the same data; they count once. */
  readonly repeatedDays: number;
}

/**
 * Writes the tables of exports to `folder`, one file for each table and month, if the month has changed.
 * Each month is whole, or as before. ReconErrors: `usage` for other contents of the folder, for an export
 * in its place, or for exports that differ in a day; `locked`; `configuration` without DuckDB; `damaged`.
 */
export async function writeMonthLake(
  lakes: readonly Lake[],
  folder: string,
  { lock, onMonth, ...options }: MonthsOptions,
): Promise<MonthsWritten> {
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
    // First: from now on the folder is known as ours.
    if (months.size === 0) await writeMonths(root, months);
    for (const month of await monthsIn(root)) await removeOthers(root, month, months.get(month));
    const removed = [...months.keys()].filter((month) => !found.has(month));
    for (const month of removed) months.delete(month);
    if (removed.length > 0) await writeMonths(root, months);
    const written: string[] = [];
    for (const [month, contents] of found) {
      const version = versionOf(contents);
      const before = months.get(month);
      if (before?.version === version && (await isInPlace(root, before))) continue;
      const write = (ask: Engine['ask']) => writeMonth(root, { month, version, contents, ask });
      months.set(month, await withDuckDb(write));
      await writeMonths(root, months);
      await removeOthers(root, month, months.get(month));
      written.push(month);
      onMonth(month);
    }
    for (const month of removed) await removeOthers(root, month, undefined);
    const transactions = rowsIn(months, 'transactions');
    return { written, unchanged: found.size - written.length, removed, transactions, repeatedDays };
  } finally {
    await removeWhole(join(root, building));
    await release();
  }
}

/** Files that are being written. */
const building = '.building';

interface MonthContents {
  readonly days: LakeMonth['days'];
  readonly files: readonly {
    readonly table: LakeTable;
    readonly day: string;
    readonly path: string;
    readonly bytes: number;
  }[];
}

/** The days and the files of each month, in order. A day that two exports have counts in the first. */
async function contentsOf(lakes: readonly Lake[], ask: Engine['ask']) {
  const queries = lakes.flatMap(({ path, layout, files }, lake) => {
    const of = (files.get('days') ?? []).map((file) => globOf(`${path}/${file}`));
    const rows = duckDbRows(layout, of);
    return of.length > 0
      ? [`SELECT ${lake} AS lake, profile, day, day_version FROM (${rows})`]
      : [];
  });
  const order = 'ORDER BY lake, day, profile, day_version';
  const [answer = []] = await ask([`${queries.join(' UNION ALL ')} ${order}`]);
  const days = answer.map(({ lake, profile, day, day_version }) => ({
    ...{ lake: Number(lake), profile: profile ?? '', day: day ?? '', version: day_version ?? '' },
  }));
  const firsts = new Map<string, (typeof days)[number]>();
  const repeated = new Set<string>();
  for (const one of days) {
    const first = firsts.get(`${one.profile} ${one.day}`) ?? one;
    firsts.set(`${one.profile} ${one.day}`, first);
    if (first.lake === one.lake) continue;
    if (first.version !== one.version) throw conflict(one.day, lakes[first.lake], lakes[one.lake]);
    repeated.add(`${one.lake} ${one.day}`);
  }
  const isFirst = (lake: number, day: string) => !repeated.has(`${lake} ${day}`);
  const files = lakes.flatMap(({ path, files }, lake) =>
    [...files].flatMap(([table, names]) =>
      names.map((name) => ({ table, lake, day: dayIn(name), path: `${path}/${name}` })),
    ),
  );
  const sized = await Promise.all(
    files
      .filter(({ lake, day }) => isFirst(lake, day))
      .map(async ({ lake: _, ...file }) => ({ ...file, bytes: (await fileSize(file.path)) ?? 0 })),
  );
  const ofMonth = groupedBy(
    days.filter(({ lake, day }) => isFirst(lake, day)),
    ({ day }) => day.slice(0, 7),
  );
  const byMonth = [...groupedBy(sized, ({ day }) => day.slice(0, 7))].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const found = new Map<string, MonthContents>(
    byMonth.map(([month, files]) => {
      const own = (ofMonth.get(month) ?? []).map(({ lake: _, ...day }) => day);
      return [month, { days: own, files }];
    }),
  );
  return { found, repeatedDays: repeated.size };
}

function dayIn(file: string): string {
  return /\/day=([^/]*)\//.exec(file)?.[1] ?? '';
}

function conflict(day: string, first: Lake | undefined, other: Lake | undefined): ReconError {
  return new ReconError('usage', `Two exports have different data for ${day}.`, {
    where: [first, other].map((lake) => lake?.name).join(', '),
    hint: 'Use a profile of its own for each export, or name only one of the two.',
  });
}

/** Changes if any day of the month, or what `recon` writes of a day, has changed. */
function versionOf({ days, files }: MonthContents): string {
  const sizes = files.map(({ table, day, bytes }) => [day, table, bytes]);
  return hash('sha256', JSON.stringify([formOfFiles, days, sizes]));
}

/** Raised if the files of months change for the same days. */
const formOfFiles = 1;

async function isInPlace(root: string, { tables }: LakeMonth): Promise<boolean> {
  const sizes = Object.values(tables).map(async ({ file, bytes }) => {
    return (await fileSize(join(root, file))) === bytes;
  });
  return (await Promise.all(sizes)).every(Boolean);
}

interface MonthToWrite {
  readonly month: string;
  readonly version: string;
  readonly contents: MonthContents;
  readonly ask: Engine['ask'];
}

async function writeMonth(root: string, { month, version, contents, ask }: MonthToWrite) {
  const { days, files } = contents;
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
    tables[table] = {
      file,
      rows: Number(answer[0]?.['Count'] ?? 0),
      ...(await digestOfFile(draft)),
    };
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

/** By what rows are sorted, as far as a table has it. */
const sortedBy = [
  'time',
  'settlement_time',
  'profile',
  'settlement_id',
  'transaction_id',
  'code',
  'field',
];

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

function rowsIn(months: LakeMonths, table: LakeTable): number {
  return [...months.values()].reduce((sum, { tables }) => sum + tables[table].rows, 0);
}

/** The months that any table has a folder of. */
async function monthsIn(root: string): Promise<ReadonlySet<string>> {
  const entries = await Promise.all(lakeTableNames.map((table) => listFolder(join(root, table))));
  return new Set(
    entries.flatMap((found) => (found ?? []).flatMap((one) => monthOfFolder(one.name) ?? [])),
  );
}

/** Deletes the files of a month that are not its files, as a run leaves them that was killed. */
async function removeOthers(root: string, month: string, { tables }: Partial<LakeMonth> = {}) {
  const own = new Set(Object.values(tables ?? {}).map(({ file }) => file));
  for (const table of lakeTableNames) {
    const path = `${table}/month=${month}`;
    for (const { name } of (await listFolder(join(root, path))) ?? []) {
      if (!own.has(`${path}/${name}`)) await removeWhole(join(root, path, name));
    }
    await removeEmptyFolder(join(root, path));
  }
}

function refuseInside(root: string, { name, layout }: Lake): void {
  if (layout === 'months') {
    const hint = 'Name the exports that it was written from.';
    throw new ReconError('usage', 'This folder has files of months already.', {
      where: name,
      hint,
    });
  }
  if (root !== resolve(name) && !root.startsWith(`${resolve(name)}${sep}`)) return;
  const hint = 'Name a folder outside the exports with --out.';
  throw new ReconError('usage', 'The lake cannot be in the folder of an export.', {
    where: root,
    hint,
  });
}

/** Only what this command writes may be there: it deletes what does not belong to a month. */
async function refuseForeign(root: string): Promise<void> {
  const entries = (await listFolder(root)) ?? [];
  const isKnown = entries.some(({ name }) => name === monthsName);
  const passing = [building, lockName, monthsName];
  const isOwn = (name: string) => passing.includes(name) || isDraft(name) || isClaim(name);
  for (const { name, isFolder } of entries) {
    if (isOwn(name)) continue;
    const isTable = isFolder && lakeTableNames.some((table) => table === name);
    if (!isKnown || !(isTable || isOfCatalogue(name))) throw foreign(join(root, name));
    if (isTable) await refuseForeignMonths(join(root, name));
  }
}

async function refuseForeignMonths(table: string): Promise<void> {
  for (const { name, isFolder } of (await listFolder(table)) ?? []) {
    if (isFolder && isOfCatalogue(name)) continue;
    if (!isFolder || monthOfFolder(name) === undefined) throw foreign(join(table, name));
    for (const file of (await listFolder(join(table, name))) ?? []) {
      const isOwn = file.isFile && /^[0-9a-f]{64}\.parquet$/.test(file.name);
      if (!isOwn) throw foreign(join(table, name, file.name));
    }
  }
}

function foreign(where: string): ReconError {
  const hint = 'Name an empty or a new folder with --out, or move this away.';
  return new ReconError('usage', 'This folder has other contents than a lake by months.', {
    where,
    hint,
  });
}
