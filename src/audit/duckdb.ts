import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ReconError } from '../base/errors.ts';
import { makeFolder, removeWhole } from '../base/folders.ts';
import { typeOf } from '../lake/tables.ts';
import type { AnswerRow, Engine } from './audit.ts';
import { columnsOf, globOf, relationName, sqlDialects, sqlText, viewsOf } from './dialects.ts';
import { type Lake, verifyHint } from './find-lakes.ts';

export interface DuckDbOptions {
  /** Bytes of memory that the process may use. The rest goes to temporary files. */
  readonly memory: number;
  readonly threads: number | undefined;
  readonly temporary: string;
  readonly signal: AbortSignal;
}

/** The share of the memory for what DuckDB counts: not the footers of files, and not Node. */
const countedShare = 0.75;

/** The same while it also writes: it does not count groups of rows on their way to a file. */
const countedShareOfWriter = 0.5;

/** While the hashes of ids are grouped, at most. */
const bytesPerId = 64;

/** Opens lakes with DuckDB for an audit. ReconErrors as `connectDuckDb`. */
export async function openDuckDb(lakes: readonly Lake[], options: DuckDbOptions): Promise<Engine> {
  const { ask, close } = await connectDuckDb(lakes, options);
  try {
    await ask(viewsOf(lakes, sqlDialects.duckdb));
    await requireTypes(lakes, ask);
  } catch (error) {
    await close();
    throw error;
  }
  const idsAtOnce = Math.ceil((options.memory * countedShare) / bytesPerId);
  return { dialect: sqlDialects.duckdb, lakes, idsAtOnce, ask, close };
}

/** With columns of several types, DuckDB would compare amounts as doubles. */
async function requireTypes(lakes: readonly Lake[], ask: Engine['ask']): Promise<void> {
  const [columns = []] = await ask([
    "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE table_name LIKE 'lake_%'",
  ]);
  const found = new Map(
    columns.map((one) => [`${one['table_name']} ${one['column_name']}`, one['data_type']]),
  );
  const declared = lakes.flatMap(({ path, files }, index) =>
    [...files].flatMap(([table, names]) =>
      columnsOf(table).map(([column, form]) => {
        const type = sqlDialects.duckdb.types[typeOf(form)].replace(', ', ',');
        return { path, names, column, type, name: `${relationName(table, index + 1)} ${column}` };
      }),
    ),
  );
  const odd = declared.find(({ name, type }) => (found.get(name) ?? type) !== type);
  if (!odd) return;
  const list = odd.names.map((name) => sqlText(globOf(`${odd.path}/${name}`)));
  const [[answer] = []] = await ask([
    `SELECT min(file_name) AS file FROM parquet_schema([${list.join(', ')}])
     WHERE name = '${odd.column}' AND duckdb_type <> '${odd.type}'`,
  ]);
  const message = `A table has another type in the column ${odd.column}.`;
  const where = answer?.['file'] ?? odd.path;
  throw new ReconError('damaged', message, { where, hint: verifyHint });
}

/**
 * DuckDB, without network and extensions, confined to lakes and a folder that it may write to. ReconError `configuration`
 * if it is not installed; `ask` throws `damaged` if a table cannot be read.
 */
export async function connectDuckDb(
  lakes: readonly Lake[],
  { memory, threads, temporary, signal }: DuckDbOptions,
  folder?: string,
): Promise<Pick<Engine, 'ask' | 'close'>> {
  const { DuckDBInstance } = await import('@duckdb/node-api').catch((error: unknown) => {
    throw new ReconError('configuration', 'DuckDB is not installed.', { hint, reason: error });
  });
  const share = folder === undefined ? countedShare : countedShareOfWriter;
  const spill = join(temporary, `recon-audit-${crypto.randomUUID()}`);
  await makeFolder(spill, 0o700);
  let close = () => removeWhole(spill);
  try {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: `${Math.floor(memory * share)}B`,
      ...(threads === undefined ? {} : { threads: String(threads) }),
      temp_directory: spill,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      preserve_insertion_order: 'false',
    });
    const connection = await instance.connect();
    const interrupt = () => connection.interrupt();
    signal.addEventListener('abort', interrupt);
    close = async () => {
      signal.removeEventListener('abort', interrupt);
      connection.closeSync();
      instance.closeSync();
      await removeWhole(spill);
    };
    const ask = async (queries: readonly string[]) => {
      const answers: AnswerRow[][] = [];
      for (const query of queries) answers.push(await answer(connection, query, lakes, signal));
      return answers;
    };
    // Otherwise each query would read the footers of all files.
    const setting = 'SET parquet_metadata_cache = true';
    const paths = [...lakes.map(({ path }) => path), ...(folder === undefined ? [] : [folder])];
    await ask([setting, "SET TimeZone = 'UTC'", ...confined(paths, spill)]);
    return { ask, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const hint =
  'Install it with: npm install --global @duckdb/node-api@1.5.6-r.1. ' +
  'For a container, build the image with --build-arg AUDIT=1. ' +
  'Or run the queries of recon audit --print-sql in another engine.';

/** Confines it to folders and its own temporary one. */
function confined(paths: readonly string[], spill: string): readonly string[] {
  // Each path plain and as escaped in queries: DuckDB compares both.
  const folders = [...paths.flatMap((path) => [path, globOf(path)]), spill].map(
    (path) => `'${`${path}/`.replaceAll("'", "''")}'`,
  );
  return [
    `SET allowed_directories = [${folders.join(', ')}]`,
    'SET enable_external_access = false',
    'SET lock_configuration = true',
  ];
}

async function answer(
  connection: DuckDBConnection,
  query: string,
  lakes: readonly Lake[],
  signal: AbortSignal,
): Promise<AnswerRow[]> {
  signal.throwIfAborted();
  try {
    const reader = await connection.runAndReadAll(query);
    return reader.getRowObjectsJson().map((row) => {
      const cells = Object.entries(row).map(
        ([column, value]) => [column, value === null ? null : String(value)] as const,
      );
      return Object.fromEntries(cells);
    });
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error instanceof Error ? error.message : String(error), lakes, error);
  }
}

function failureOf(message: string, lakes: readonly Lake[], reason: unknown): unknown {
  const [said = ''] = message.split('\n');
  if (/^Out of Memory|could not write|no space left/i.test(said)) {
    const needs = 'The audit needs more memory or disk space.';
    const hint = 'Allow more memory, for example --memory 8GB, or free space for temporary files.';
    return new ReconError('configuration', needs, { hint, reason });
  }
  const isOfFiles = /^(IO|Permission|Invalid|Conversion|TProtocol|Serialization|Binder)/i.test(
    said,
  );
  if (!isOfFiles) return reason;
  const why = `The tables cannot be read: ${said.replace(/^[\w ]+ Error: |\.$/g, '')}.`;
  const where = lakes.map(({ name }) => name).join(', ');
  return new ReconError('damaged', why, { where, hint: verifyHint, reason });
}
