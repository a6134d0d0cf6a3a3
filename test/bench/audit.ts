import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { AuditCode } from '../../src/report/audit/report.ts';
import { print, short } from './figures.ts';
import { type History, writeHistory } from './history.ts';
import { measure } from './processes.ts';

const program = join(process.cwd(), 'bin', 'recon.js');

/** Incomplete, since days are missing. */
const expectedExitCode = 4;

/** Writes a history, audits it by the built program, and prints what that took and whether it found all. */
async function bench(rows: number, place: string, args: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(place, 'recon-history-'));
  try {
    const started = performance.now();
    const history = await writeHistory(folder, rows);
    print(`${history.rows} rows`);
    print('  written in, s', short((performance.now() - started) / 1e3));
    const output = join(folder, 'audit.json');
    const types = ['--refund-types', 'refund', '--purchase-types', 'purchase'];
    const usage = await measure(
      [program, 'audit', ...history.folders, ...types, ...args, '--output', output, '--quiet'],
      '',
      expectedExitCode,
    );
    print('  wall, s', short(usage.wallMs / 1e3));
    print('  CPU, s', short(usage.cpuMs / 1e3));
    print('  peak memory, MB', short(usage.peakMb));
    printFindings(history, JSON.parse(await readFile(output, 'utf8')));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What is read of a report. */
interface Report {
  readonly findings: readonly { readonly code: AuditCode; readonly count: number }[];
  readonly totals: readonly { readonly transactions: number }[];
}

/** What was planted and what was found, where they differ. */
function printFindings({ planted }: History, { findings }: Report): void {
  const found = new Map(findings.map(({ code, count }) => [code, count]));
  const codes = new Set([...Object.keys(planted), ...found.keys()] as AuditCode[]);
  const wrong = [...codes].filter((code) => planted[code] !== found.get(code));
  for (const code of wrong)
    print(`  ${code}`, `planted ${planted[code]}`, `  found ${found.get(code)}`);
  const all = [...found.values()].reduce((sum, count) => sum + count, 0);
  print('  findings', String(all), wrong.length === 0 ? '  exactly those planted' : '  WRONG');
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', multiple: true, default: ['1000000', '10000000'] },
      memory: { type: 'string', default: '4GB' },
      threads: { type: 'string', default: '2' },
      folder: { type: 'string', default: tmpdir() },
    },
  });
  const { rows, memory, threads, folder } = values;
  for (const one of rows) {
    await bench(Number(one), folder, ['--memory', memory, '--threads', threads]);
  }
}

await main();
