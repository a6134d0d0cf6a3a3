import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { AuditCode } from '../../src/app/audit-result.ts';
import { print, short } from './figures.ts';
import { type History, writeHistory } from './history.ts';
import { measure } from './processes.ts';

const program = join(process.cwd(), 'bin', 'recon.js');
const types = ['--refund-types', 'refund', '--purchase-types', 'purchase'];

/** Incomplete, since days are missing. */
const expectedExitCode = 4;

/** What the spark-sql of the user needs to be found and to run. */
const sparkEnv = Object.fromEntries(
  ['SPARK_HOME', 'JAVA_HOME', 'SPARK_DRIVER_MEMORY', 'SPARK_LOCAL_DIRS'].map(
    (name) => [name, process.env[name]] as const,
  ),
);

/** Audits a history by the built program, and prints what that took and whether it found all. */
async function audit(title: string, history: History, output: string, args: readonly string[]) {
  const { wallMs, cpuMs, peakMb } = await measure(
    [program, 'audit', ...history.folders, ...types, ...args, '--output', output, '--quiet'],
    '',
    expectedExitCode,
    sparkEnv,
  );
  print(`  ${title}: wall, s`, short(wallMs / 1e3));
  // Spark is a process of its own.
  if (title === 'duckdb') print('    CPU, s', short(cpuMs / 1e3));
  if (title === 'duckdb') print('    peak memory, MB', short(peakMb));
  printFindings(history, JSON.parse(await readFile(output, 'utf8')));
}

/** What is read of a report. */
interface Report {
  readonly findings: readonly { readonly code: AuditCode; readonly count: number }[];
  readonly profiles: readonly { readonly transactions: number }[];
}

/** What was planted and what was found, where they differ. */
function printFindings({ planted, rows }: History, { findings, profiles }: Report): void {
  const found = new Map(findings.map(({ code, count }) => [code, count]));
  const codes = new Set([...Object.keys(planted), ...found.keys()] as AuditCode[]);
  const wrong = [...codes].filter((code) => planted[code] !== found.get(code));
  for (const code of wrong) {
    print(`    ${code}`, `planted ${planted[code]}`, `  found ${found.get(code)}`);
  }
  const all = [...found.values()].reduce((sum, count) => sum + count, 0);
  print('    findings', String(all), wrong.length === 0 ? '  exactly those planted' : '  WRONG');
  const read = profiles.reduce((sum, { transactions }) => sum + transactions, 0);
  if (read !== rows) print('    rows', String(read), '  WRONG');
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', multiple: true, default: ['1000000', '10000000'] },
      memory: { type: 'string', default: '4GB' },
      threads: { type: 'string', default: '2' },
      folder: { type: 'string', default: tmpdir() },
      spark: { type: 'boolean', default: false },
    },
  });
  const { memory, threads } = values;
  for (const rows of values.rows) {
    const folder = await mkdtemp(join(values.folder, 'recon-history-'));
    const output = join(folder, 'audit.json');
    try {
      const started = performance.now();
      const history = await writeHistory(folder, Number(rows));
      print(`${history.rows} rows: written in, s`, short((performance.now() - started) / 1e3));
      await audit('duckdb', history, output, ['--memory', memory, '--threads', threads]);
      const spark = ['--engine', 'spark', '--master', `local[${threads}]`];
      if (values.spark) await audit('spark', history, output, spark);
    } finally {
      await rm(folder, { recursive: true });
    }
  }
}

await main();
