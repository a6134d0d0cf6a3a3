import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { judge, least, median, print, short } from './figures.ts';
import { built, measure, type Server, timeStart, type Usage, withServer } from './processes.ts';
import type { Conditions } from './server.ts';
import { printStages } from './stages.ts';

const program = join(process.cwd(), 'bin', 'recon.js');

type Command = 'settlements' | 'transactions' | 'export';

/** A process to be measured, under conditions of its own; `folder` is empty. */
interface Run {
  readonly args: (folder: string) => readonly string[];
  readonly conditions?: Partial<Conditions>;
  readonly exitCode?: number;
}

/** What is read, by whom in turn, and what it may cost. */
interface Workload {
  readonly settlements: number;
  /** Of each settlement. */
  readonly rows: number;
  readonly latencyMs?: number;
  readonly recon: Run;
  /** What recon is compared with. */
  readonly other: Run;
  readonly targets: Partial<Record<keyof typeof quantities, number>>;
}

/** What recon used, what the other one used, and how many rows were read. */
type Quantity = (recon: Usage, other: Usage, workload: Workload) => number;

const quantities = {
  'CPU / floor': (recon, floor) => recon.cpuMs / floor.cpuMs,
  'CPU a row beyond other, us': (recon, other, { settlements, rows }) =>
    ((recon.cpuMs - other.cpuMs) * 1e3) / (settlements * rows),
  'CPU a row, us': ({ cpuMs }, _, { settlements, rows }) => (cpuMs * 1e3) / (settlements * rows),
  'wall / floor': (recon, floor) => recon.wallMs / floor.wallMs,
  'wall, s': ({ wallMs }) => wallMs / 1e3,
  'wall beyond other, s': (recon, other) => (recon.wallMs - other.wallMs) / 1e3,
  'peak memory, MB': ({ peakMb }) => peakMb,
  'growth, bytes a row': (recon, few, { settlements, rows, other }) => {
    const moreRows = settlements * (1 - (other.conditions?.share ?? 0)) * rows;
    return ((recon.peakMb - few.peakMb) * 2 ** 20) / moreRows;
  },
  'explanation, CPU ms': (recon, balanced) => recon.cpuMs - balanced.cpuMs,
} satisfies Record<string, Quantity>;

const million = { settlements: 50, rows: 20_000 };
const millions = { settlements: 200, rows: 20_000 };
const manySettlements = { settlements: 200, rows: 500, latencyMs: 20 };
const month = { settlements: 40, rows: 50 };
const thousand = { settlements: 1_000, rows: 50 };
const outOfBalance = { conditions: { imbalance: 12_345 }, exitCode: 1 };
const largeSettlement = { settlements: 1, rows: 100_000, latencyMs: 20 };

const workloads: Readonly<Record<string, Workload>> = {
  settlements: {
    ...million,
    ...against(floor('sum'), 'settlements'),
    targets: { 'CPU / floor': 1.15, 'peak memory, MB': 170 },
  },
  transactions: {
    ...million,
    ...against(floor('csv'), 'transactions'),
    targets: { 'CPU / floor': 1 },
  },
  export: {
    ...million,
    ...against(floor('sum'), 'export'),
    targets: { 'CPU a row, us': 15, 'peak memory, MB': 200 },
  },
  lake: {
    ...million,
    recon: recon('export', '', '--parquet'),
    other: recon('export'),
    targets: { 'CPU a row beyond other, us': 12, 'peak memory, MB': 250 },
  },
  growth: { ...millions, ...againstFew('settlements'), targets: { 'growth, bytes a row': 24 } },
  'growth-export': { ...millions, ...againstFew('export'), targets: { 'growth, bytes a row': 24 } },
  many: {
    ...manySettlements,
    ...against(floor('sum'), 'settlements'),
    targets: { 'wall / floor': 1.1 },
  },
  'many-export': {
    ...manySettlements,
    ...against(floor('sum'), 'export'),
    targets: { 'wall / floor': 1.25 },
  },
  large: {
    ...largeSettlement,
    ...against(floor('sum'), 'settlements'),
    targets: { 'wall / floor': 1.1 },
  },
  'large-export': {
    ...largeSettlement,
    ...against(floor('sum'), 'export'),
    targets: { 'wall / floor': 1.3 },
  },
  // At 5 ms, connections are busy longer than the CPU.
  small: {
    ...{ settlements: 20_000, rows: 50, latencyMs: 5 },
    ...against(floor('sum'), 'settlements'),
    targets: { 'wall / floor': 1.2 },
  },
  'small-proofs': {
    ...{ settlements: 20_000, rows: 50, latencyMs: 5 },
    ...against(floor('proofs'), 'settlements'),
    targets: { 'wall / floor': 1.2 },
  },
  'many-proofs': {
    ...manySettlements,
    ...against(floor('proofs'), 'settlements'),
    targets: { 'wall / floor': 1.1 },
  },
  unbalanced: {
    ...{ settlements: 1, rows: 100_000 },
    recon: { ...recon('settlements'), ...outOfBalance },
    other: recon('settlements'),
    targets: { 'explanation, CPU ms': 100 },
  },
  workbook: {
    ...month,
    recon: recon('settlements', 'recon.xlsx'),
    other: recon('settlements'),
    targets: { 'wall, s': 1 },
  },
  'large-workbook': {
    ...thousand,
    recon: recon('settlements', 'recon.xlsx', '--rows'),
    other: recon('settlements'),
    targets: { 'wall, s': 10, 'peak memory, MB': 600 },
  },
  page: {
    ...month,
    recon: recon('settlements', 'recon.html'),
    other: recon('settlements'),
    targets: { 'wall, s': 1 },
  },
  'large-page': {
    ...thousand,
    recon: recon('settlements', 'recon.html'),
    other: recon('settlements'),
    targets: { 'wall beyond other, s': 2 },
  },
  'unbalanced-page': {
    ...thousand,
    recon: { ...recon('settlements', 'recon.html'), ...outOfBalance },
    other: { ...recon('settlements'), ...outOfBalance },
    targets: { 'wall beyond other, s': 2 },
  },
};

function recon(command: Command, name = 'recon.csv', ...more: readonly string[]): Run {
  const to = (folder: string) =>
    command === 'export' ? ['--out', join(folder, 'days')] : ['--output', join(folder, name)];
  const range = ['--from', '2026-03-01', '--to', '2026-03-31', '--quiet'];
  return { args: (folder) => [program, command, ...range, ...to(folder), ...more] };
}

function floor(mode: 'sum' | 'proofs' | 'csv'): Run {
  return { args: (folder) => [built('floor'), mode, join(folder, 'floor.csv')] };
}

function against(other: Run, command: Command): Pick<Workload, 'recon' | 'other'> {
  return { recon: recon(command), other };
}

/** A quarter of the settlements, all of the same size. */
function againstFew(command: Command): Pick<Workload, 'recon' | 'other'> {
  return { recon: recon(command), other: { ...recon(command), conditions: { share: 1 / 4 } } };
}

/** Measures both of a workload in turn, and prints what they used. */
async function compare(workload: Workload, rounds: number): Promise<void> {
  const { settlements, rows } = workload;
  const usages: Record<'other' | 'recon', (Usage & { readonly requests: number })[]> = {
    other: [],
    recon: [],
  };
  await withServer(settlements, rows, async (server) => {
    for (let round = 0; round < rounds; round += 1) {
      for (const who of ['other', 'recon'] as const) {
        usages[who].push(await use(workload[who], workload, server));
      }
    }
  });
  for (const figure of ['wallMs', 'cpuMs', 'peakMb', 'requests'] as const) {
    const cells = [usages.other, usages.recon].flatMap((all) => {
      const values = all.map((usage) => usage[figure]);
      return [short(least(values)), short(median(values))];
    });
    print(figure, ...cells);
  }
  for (const [name, most] of Object.entries(workload.targets)) {
    const quantity: Quantity = quantities[name as keyof typeof quantities];
    const [best, usual] = [least, median].map((pick) => {
      const of = (all: readonly Usage[]): Usage => ({
        wallMs: pick(all.map(({ wallMs }) => wallMs)),
        cpuMs: pick(all.map(({ cpuMs }) => cpuMs)),
        mainMs: pick(all.map(({ mainMs }) => mainMs)),
        peakMb: pick(all.map(({ peakMb }) => peakMb)),
      });
      return quantity(of(usages.recon), of(usages.other), workload);
    });
    judge(name, best ?? 0, usual ?? 0, most);
  }
}

async function use(run: Run, { latencyMs = 0 }: Workload, server: Server) {
  const folder = await mkdtemp(join(tmpdir(), 'recon-bench-'));
  try {
    await server.reset({ latencyMs, share: 1, imbalance: 0, ...run.conditions });
    const usage = await measure(run.args(folder), server.baseUrl, run.exitCode ?? 0);
    const { requests, answeringMs } = await server.counts();
    const late = answeringMs / requests - latencyMs;
    if (late > 1) print('  answers were late by, ms', short(late));
    return { ...usage, requests };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What it takes to start, against Node itself. */
async function start(rounds: number): Promise<void> {
  const commands = [
    ['-e', '0'],
    [program, '--version'],
    [program, 'settlements', '--help'],
  ];
  const times = commands.map((): number[] => []);
  for (let round = 0; round < 6 * rounds; round += 1) {
    for (const [at, args] of commands.entries()) times[at]?.push(await timeStart(args));
  }
  const [bare = [], version = [], help = []] = times;
  print('node -e 0, ms', short(least(bare)), short(median(bare)));
  const judgeStart = (name: string, all: readonly number[], most: number) =>
    judge(name, least(all) / least(bare), median(all) / median(bare), most);
  judgeStart('--version / node', version, 1.2);
  judgeStart('settlements --help / node', help, 1.4);
}

/** Where the CPU goes, from a profile of one run of each command. */
async function stages({ settlements, rows }: typeof million): Promise<void> {
  await withServer(settlements, rows, async (server) => {
    const run = (command: Command) => async (folder: string) => {
      await server.reset({ latencyMs: 0, share: 1, imbalance: 0 });
      const profiling = ['--cpu-prof', `--cpu-prof-dir=${folder}`];
      return measure([...profiling, ...recon(command).args(folder)], server.baseUrl, 0);
    };
    const runs = {
      settlements: run('settlements'),
      transactions: run('transactions'),
      export: run('export'),
    };
    await printStages(runs, settlements * rows);
  });
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      settlements: { type: 'string' },
      rows: { type: 'string' },
      latency: { type: 'string' },
    },
  });
  const rounds = Number(values.rounds);
  const given = Object.fromEntries(
    Object.entries({
      settlements: values.settlements,
      rows: values.rows,
      latencyMs: values.latency,
    }).flatMap(([name, value]) => (value === undefined ? [] : [[name, Number(value)]])),
  );
  const names = [...Object.keys(workloads), 'start', 'stages'];
  for (const name of positionals.length > 0 ? positionals : names) {
    const workload = workloads[name];
    if (workload) {
      const { settlements, rows, latencyMs = 0 } = { ...workload, ...given };
      console.log(`\n${name}: ${settlements} x ${rows} rows, ${latencyMs} ms`);
      print('', 'other', '', 'recon');
      print('', 'min', 'median', 'min', 'median');
      await compare({ ...workload, ...given }, rounds);
    } else {
      console.log(`\n${name}`);
      if (name === 'start') await start(rounds);
      else if (name === 'stages') await stages({ ...million, ...given });
      else throw new Error(`${name}: there are ${names.join(', ')}.`);
    }
  }
}

await main();
