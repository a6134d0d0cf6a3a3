import { readFileSync } from 'node:fs';
import { copyFile, cp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { layouts, partitionFolder, type Question, type Table, tables } from './adapter.ts';
import { days } from './base.ts';
import type { Place } from './tables.ts';

/** A fault in the tables, and what is right to say of it. */
export interface Fault {
  readonly name: string;
  /** Settlements, rows and days. One of them is named, and nothing else is. */
  readonly about: readonly string[];
  /** Over the tables, which in both layouts have a column `day`. */
  readonly sql: readonly string[];
  /** Changes files. Returns texts of which one names the place. `aside` is another folder. */
  readonly files?: (place: Place, aside: string) => Promise<readonly string[]>;
  /** A second folder beside the first one, made from it. */
  readonly second?: readonly string[];
  readonly question: Question;
  /** A notice changes no exit code by itself. */
  readonly isNotice?: boolean;
  readonly args?: readonly string[];
  /** In words, why no query over the tables can find it. `--verify` finds it. */
  readonly undetectable?: string;
  readonly isMonthly?: boolean;
}

/** The faults of a group in `faults.sql`. */
function written(group: string): readonly Fault[] {
  const text = readFileSync(join(import.meta.dirname, 'faults.sql'), 'utf8');
  const [, own = ''] = text.split(`-- # ${group}\n`);
  const [blocks = ''] = own.split('-- # ');
  return blocks.trim().split('\n\n').map(faultOf);
}

function faultOf(block: string): Fault {
  const [header = '', ...rest] = block.split('\n');
  const [name = '', question, about = '', options = ''] = header
    .replace('-- ', '')
    .split('|')
    .map((part) => part.trim());
  const [first = ''] = rest;
  const undetectable = /^-- undetectable: (.*)/.exec(first)?.[1];
  const statements = rest
    .slice(undetectable ? 1 : 0)
    .join('\n')
    .split(';')
    .filter((one) => one.trim());
  const args = options.split(' ').filter((one) => /^(--|\d)/.test(one));
  const sql = statements.flatMap((one) =>
    one.includes('{table}') ? tables.map((table) => one.replace('{table}', table)) : [one],
  );
  return {
    name,
    about: about.split(' '),
    sql,
    question: (question || 'any') as Question,
    isNotice: options.includes('notice'),
    isMonthly: options.includes('monthly'),
    args,
    ...(undetectable && { undetectable }),
    ...(options.includes('folder') && { files: withoutFolder(about, sql) }),
  };
}

type Change = NonNullable<Fault['files']>;

/** In days, a day without rows is a folder that is not there. */
function withoutFolder(day: string, sql: readonly string[]): Change {
  return async ({ folder, layout }) => {
    if (layout === layouts.monthly) return [];
    for (const table of tables.filter((one) => sql.join().includes(one))) {
      await rm(partitionFolder(folder, layout, table, day), { recursive: true });
    }
    return [];
  };
}

function besides(
  name: string,
  question: Question,
  second: readonly string[],
  isNotice = false,
): Fault {
  return { name, about: days, sql: [], question, second, isNotice };
}

/** What the questions of docs/audit.md say of two folders. */
const twoFolders: readonly Fault[] = [
  besides('two folders differ in a day', 'conflictingDay', [
    "UPDATE days SET day_version = 'other' WHERE day = DATE '2026-01-27'",
  ]),
  besides('two folders have the same days', 'repeatedDay', [], true),
  besides(
    'two profiles have the same settlements',
    'repeatedTransaction',
    tables.map((table) => `UPDATE ${table} SET profile = 'other'`),
  ),
];

const theDay = '2026-02-03';
const ofFile = (name: string, files: Change): Fault => ({
  name,
  about: [],
  sql: [],
  files,
  question: 'any',
});

/** Not from the issue: files. */
const ownFiles: readonly Fault[] = [
  ofFile('an older version is beside the new one', async (place) => {
    const older = await beside(place, 'transactions', 'older.parquet');
    await place.select(older, "* REPLACE ('v0' AS day_version)");
    return [basename(older)];
  }),
  ...['part-1.parquet', '_temporary.parquet'].map((name) =>
    ofFile(`an extra ${name} is beside the right one`, async (place) => {
      await beside(place, 'settlements', name);
      return [name];
    }),
  ),
  ofFile('a file is cut off', (place) =>
    damaged(place, 'transactions', (content) => content.subarray(0, -100)),
  ),
  ofFile('a file is empty', (place) => damaged(place, 'settlements', () => Buffer.alloc(0))),
  ofFile('a file is a symbolic link', (place, aside) =>
    linked(place.file('transactions', theDay), aside),
  ),
  ofFile('a partition is a symbolic link', (place, aside) =>
    linked(dirname(place.file('settlements', theDay)), aside),
  ),
  ofFile('a partition has no day or month for a name', async (place) => {
    const partition = dirname(place.file('transactions', theDay));
    await cp(partition, `${partition} (copy)`, { recursive: true });
    return [`${basename(partition)} (copy)`, theDay.slice(0, 7)];
  }),
  ofFile('amounts are doubles', (place) =>
    rewritten(place, '* REPLACE (CAST(amount_minor AS DOUBLE) AS amount_minor)'),
  ),
  ofFile('a column is missing', (place) => rewritten(place, '* EXCLUDE (fees_minor)')),
];

/** Of the docs, of the issue, and of neither. */
export const faults = {
  known: [...written('known'), ...twoFolders],
  told: written('told'),
  own: [...written('own'), ...ownFiles],
} as const;

async function beside(place: Place, table: Table, name: string): Promise<string> {
  const file = place.file(table, theDay);
  await copyFile(file, join(dirname(file), name));
  return join(dirname(file), name);
}

async function linked(path: string, aside: string): Promise<readonly string[]> {
  await rename(path, join(aside, 'elsewhere'));
  await symlink(join(aside, 'elsewhere'), path);
  return named(path);
}

async function rewritten(place: Place, columns: string): Promise<readonly string[]> {
  const file = place.file('transactions', theDay);
  await place.select(file, columns);
  return [...named(file), theDay.slice(0, 7)];
}

async function damaged(place: Place, table: Table, by: (content: Buffer) => Buffer) {
  const file = place.file(table, theDay);
  const content = by(await readFile(file));
  await rm(file);
  await writeFile(file, content);
  return named(file);
}

/** A file is named by its partition, or by its name if no other file has it. */
function named(path: string): readonly string[] {
  const names = [basename(dirname(path)), basename(path)];
  return names.filter((name) => name.includes('=') || !/^(part-0\.parquet|[a-z]+)$/.test(name));
}
