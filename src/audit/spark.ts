import { join } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { createPrivateFile } from '../base/files.ts';
import { makeFolder, removeWhole } from '../base/folders.ts';
import { isObject, parseJson, plainText } from '../base/json.ts';
import { runProgram } from '../base/run-command.ts';
import { cut } from '../base/texts.ts';
import type { AnswerRow, Engine } from './audit.ts';
import { sqlDialects, viewsOf } from './dialects.ts';
import type { Lake } from './find-lakes.ts';

interface SparkOptions {
  /** Such as spark://HOST:PORT or local[2]; absent for the one in Spark's own configuration. */
  readonly master: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly temporary: string;
  readonly signal: AbortSignal;
  /** Called once if the audit waits until the cluster has room for it. */
  readonly onWaiting: () => void;
}

/** Opens lakes with the user's `spark-sql`. `ask` throws ReconError `network`, `damaged` or `configuration`. */
export function openSpark(lakes: readonly Lake[], options: SparkOptions): Engine {
  return {
    dialect: sqlDialects.spark,
    lakes,
    ask: async (queries) => {
      const folder = join(options.temporary, `recon-audit-${crypto.randomUUID()}`);
      await makeFolder(folder, 0o700);
      try {
        await createPrivateFile(join(folder, scriptName), scriptOf(lakes, queries));
        return answersIn(await runSpark(folder, lakes, options), queries.length);
      } finally {
        await removeWhole(folder);
      }
    },
    close: async () => {},
  };
}

const scriptName = 'audit.sql';

/** The views, then each query; its rows are printed as lines of JSON. */
function scriptOf(lakes: readonly Lake[], queries: readonly string[]): string {
  const asked = queries.map(
    (query, number) =>
      `SELECT to_json(struct(${number} AS query, struct(q.*) AS row)) FROM (\n${query}\n) q`,
  );
  const statements = [...viewsOf(lakes, sqlDialects.spark), ...asked];
  return statements.map((statement) => `${statement};\n`).join('');
}

/** Fixed, so the answers do not depend on the user's configuration. */
const settings: Readonly<Record<string, string>> = {
  'spark.sql.session.timeZone': 'UTC',
  // A sum that is too large is an error, not null.
  'spark.sql.ansi.enabled': 'true',
  'spark.sql.files.ignoreCorruptFiles': 'false',
  'spark.sql.files.ignoreMissingFiles': 'false',
  // A path may contain ${name}.
  'spark.sql.variable.substitute': 'false',
  // Java reads file names in the encoding of the locale.
  'spark.executorEnv.LC_ALL': 'C.UTF-8',
  // No catalogue of tables is needed, and none is left in a folder.
  'spark.sql.catalogImplementation': 'in-memory',
};

async function runSpark(folder: string, lakes: readonly Lake[], options: SparkOptions) {
  const { master, env, signal, onWaiting } = options;
  const program = env['SPARK_HOME'] ? join(env['SPARK_HOME'], 'bin', 'spark-sql') : 'spark-sql';
  const args = [
    ...(master === undefined ? [] : ['--master', master]),
    ...['--name', 'recon audit', '-f', scriptName],
    ...Object.entries(settings).flatMap(([key, value]) => ['--conf', `${key}=${value}`]),
  ];
  const messages: string[] = [];
  let isWaiting = false;
  const onMessage = (line: string) => {
    messages.push(line);
    if (messages.length > 1000) messages.shift();
    if (!isWaiting && line.includes('Initial job has not accepted any resources')) {
      isWaiting = true;
      onWaiting();
    }
  };
  const run = await runProgram(program, args, {
    folder,
    env: { ...withoutOwn(env), LC_ALL: settings['spark.executorEnv.LC_ALL'] },
    signal,
    onMessage,
  });
  if (!run) {
    const hint =
      'Install Apache Spark, and set SPARK_HOME to its folder or add its bin folder to PATH.';
    throw new ReconError('configuration', 'spark-sql not found.', { where: program, hint });
  }
  if (run.ended !== 0) throw failureOf(messages, lakes, options);
  return run.printed;
}

/** Spark does not get the credentials of the service. */
function withoutOwn(env: SparkOptions['env']): SparkOptions['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('RECON_')));
}

function failureOf(messages: readonly string[], lakes: readonly Lake[], options: SparkOptions) {
  const where = lakes.map(({ name }) => name).join(', ');
  if (messages.some((line) => line.includes('All masters are unresponsive'))) {
    const message = 'No connection to the Spark cluster.';
    const hint = 'Check the address, and that the cluster is running.';
    return new ReconError('network', message, { where: options.master, hint });
  }
  const said = messages.filter((line) => line.trim() !== '' && !/^\s/.test(line));
  const reasons = said.filter((line) => /Exception: |^\[[A-Z_.]+\] | ERROR /.test(line));
  const reason = cut(reasons.at(-1) ?? said.slice(-2).join(' '), 500).replace(/\.?$/, '.');
  if (messages.some((line) => /FAILED_READ_FILE|PATH_NOT_FOUND|INVALID_PARTITION/.test(line))) {
    const hint =
      'Run recon export --verify on the export. All machines of a cluster must see it under the same path.';
    return new ReconError('damaged', `The tables cannot be read: ${reason}`, { where, hint });
  }
  const hint = 'Check that spark-sql works in a terminal, with the same --master.';
  return new ReconError('configuration', `Spark failed: ${reason}`, { where, hint });
}

/** The rows of each query in the output of Spark, which may have other lines too. */
function answersIn(printed: string, queries: number): readonly (readonly AnswerRow[])[] {
  const answers: AnswerRow[][] = Array.from({ length: queries }, () => []);
  for (const line of printed.split('\n')) {
    if (!line.includes('{"query":')) continue;
    const value = parseJson(line);
    const [row, answer] = isObject(value) ? [value['row'], answers[Number(value['query'])]] : [];
    if (!isObject(row) || !answer) {
      const hint = 'Run it in a terminal: something else prints to its standard output.';
      throw new ReconError('configuration', 'The output of spark-sql cannot be read.', { hint });
    }
    const cells = Object.entries(row).map(([column, cell]) => [column, cellText(cell)] as const);
    answer.push(Object.fromEntries(cells));
  }
  return answers;
}

function cellText(cell: unknown): string | null {
  if (cell === null) return null;
  return typeof cell === 'string' ? plainText(cell) : String(cell);
}
