import { sqlDialectNames } from '../../../audit/dialects.ts';
import type { CommandSpec } from '../../context.ts';
import { choice, exactValues, parsed, refuse, repeated, someText, upTo } from '../../flag.ts';
import { failOnFlag, officeFlags, profileFlags } from '../../flags.ts';

/** The engines that can run an audit; the SQL can also be printed for `trino`. */
const engineNames = ['duckdb', 'spark'] as const;

const bytesPerUnit: Readonly<Record<string, number>> = { MB: 10 ** 6, GB: 10 ** 9 };

function size(text: string): number {
  const [, number, unit = ''] = /^(\d{1,6}) ?([MG]B)$/i.exec(text) ?? [];
  const bytes = Number(number ?? 0) * (bytesPerUnit[unit.toUpperCase()] ?? 0);
  return bytes < 10 ** 8 ? refuse('It must be 100MB or more, such as 4GB.') : bytes;
}

/** The memory that a process may use by default, in bytes. */
export const usualMemory = 2 * 10 ** 9;

export const duckDbFlags = {
  memory: parsed('--memory <size>', 'memory limit, such as 500MB (default: 2GB)', size),
  threads: parsed('--threads <number>', 'threads for DuckDB (default: one per core)', upTo(256, 1)),
};

const auditFlags = {
  refundTypes: repeated(
    '--refund-types <types>',
    'transaction types of refunds, as the service writes them',
    exactValues,
  ),
  purchaseTypes: repeated(
    '--purchase-types <types>',
    'transaction types of purchases',
    exactValues,
  ),
  silentDays: parsed(
    '--silent-days <days>',
    'days without settlements before an account counts as silent (default: 14)',
    upTo(9_999, 1),
  ),
  engine: choice('--engine <name>', `SQL engine (default: ${engineNames[0]})`, engineNames),
  master: parsed(
    '--master <url>',
    'Spark cluster: spark://HOST:7077, or local[2] for this machine',
    someText,
  ),
  ...duckDbFlags,
  printSql: choice(
    '--print-sql <dialect>',
    'print the SQL of the audit instead of running it',
    sqlDialectNames,
  ),
};

export const auditCommand = {
  name: 'audit',
  summary: 'search all exported days for what only history shows, by SQL',
  examples: [
    'recon audit /var/recon',
    'recon audit spain portugal --refund-types refund --purchase-types purchase',
    'recon audit /var/recon --print-sql spark',
  ],
  argument: {
    name: '<folder...>',
    about: 'exports with Parquet tables (recon export --parquet), or their lake folders',
  },
  own: auditFlags,
  flags: [
    ['Audit:', ...Object.values(auditFlags), failOnFlag('audit')],
    officeFlags(),
    ['Settings:', ...profileFlags],
  ],
} satisfies CommandSpec;
