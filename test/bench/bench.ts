import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { judge, judgeRatio, print } from './figures.ts';
import { built, measure, timeStart, type Usage, withServer } from './processes.ts';

const connections = 8;
const rowsPerPage = 100;
const program = join(process.cwd(), 'bin', 'recon.js');
const range = ['--from', '2026-03-01', '--to', '2026-03-31', '--quiet'];

/** How much is read, where a work isn't about a certain amount. */
interface Size {
  readonly settlements: number;
  readonly rows: number;
  readonly rounds: number;
  /** Of each answer, where a work is about latency. */
  readonly latencyMs: number;
}

const works: Readonly<Record<string, (size: Size, folder: string) => Promise<void>>> = {
  settlements: (size, folder) =>
    againstFloor(size, 1.15, [built('floor'), 'sum'], reconSettlements(folder)),
  transactions: (size, folder) =>
    againstFloor(
      size,
      1,
      [built('floor'), 'csv', join(folder, 'floor.csv')],
      [program, 'transactions', ...range, '--output', join(folder, 'recon.csv')],
    ),
  many: (size, folder) => latency('200 x 500 rows', 200, 500, 1.1, size, folder),
  large: (size, folder) => latency('one of 100,000 rows', 1, 100_000, 1.25, size, folder),
  memory,
  start,
};

function reconSettlements(folder: string): readonly string[] {
  return [program, 'settlements', ...range, '--output', join(folder, 'recon.csv')];
}

/** The same work by the floor and by recon, in turn. */
async function againstFloor(
  { settlements, rows, rounds }: Size,
  most: number,
  floor: readonly string[],
  recon: readonly string[],
): Promise<void> {
  const usages: { readonly floor: Usage; readonly recon: Usage }[] = [];
  await withServer(settlements, rows, async ({ baseUrl }) => {
    for (let round = 0; round < rounds; round += 1) {
      usages.push({ floor: await measure(floor, baseUrl), recon: await measure(recon, baseUrl) });
    }
  });
  for (const who of ['floor', 'recon'] as const) {
    const of = (figure: keyof Usage) => usages.map((usage) => usage[who][figure]);
    print(`${who}: wall`, of('wallMs'), 'ms');
    print(`${who}: CPU`, of('cpuMs'), 'ms');
    print(
      `${who}: CPU a row`,
      of('cpuMs').map((ms) => (ms * 1e6) / (settlements * rows)),
      'ns',
    );
    print(`${who}: peak memory`, of('peakMb'), 'MB');
  }
  const ratio = (figure: keyof Usage) =>
    usages.map((usage) => usage.recon[figure] / usage.floor[figure]);
  print('wall, recon / floor', ratio('wallMs'), '');
  judge('CPU, recon / floor', ratio('cpuMs'), most);
}

/** How well all connections are kept busy when each answer takes its time. */
async function latency(
  name: string,
  settlements: number,
  rows: number,
  most: number,
  { rounds, latencyMs }: Size,
  folder: string,
): Promise<void> {
  const fromFirstRow: number[] = [];
  const whole: number[] = [];
  const counts: number[] = [];
  const latencies: number[] = [];
  const floors: number[] = [];
  const least = (requests: number) => (requests / connections) * latencyMs;
  await withServer(settlements, rows, async (server) => {
    for (let round = 0; round < rounds; round += 1) {
      await server.reset(latencyMs);
      const floor = await measure([built('floor'), 'sum'], server.baseUrl);
      const seenOfFloor = await server.counts();
      floors.push((floor.endedAt - seenOfFloor.firstRowRequestAt) / least(seenOfFloor.rowRequests));
      await server.reset(latencyMs);
      const usage = await measure(reconSettlements(folder), server.baseUrl);
      const seen = await server.counts();
      fromFirstRow.push((usage.endedAt - seen.firstRowRequestAt) / least(seen.rowRequests));
      whole.push(usage.wallMs / least(seen.requests));
      counts.push(seen.rowRequests);
      latencies.push(seen.answeringMs / seen.requests);
    }
  });
  const fewest = settlements * (Math.ceil(rows / rowsPerPage) + 1);
  print(`requests for rows (at least ${fewest})`, counts, 'requests');
  print('latency, as the server kept it', latencies, 'ms');
  print('floor, from its first request', floors, '');
  const isMany = settlements > 1;
  (isMany ? print : judgeBy(most))(`${name}: wall / least`, whole, '');
  (isMany ? judgeBy(most) : print)('  from the first request for rows', fromFirstRow, '');
}

function judgeBy(most: number) {
  return (name: string, values: readonly number[]) => judge(name, values, most);
}

/** Peak memory, and how it grows with the rows; settlements are of the same size. */
async function memory({ settlements, rows, rounds }: Size, folder: string): Promise<void> {
  const few = Math.ceil(settlements / 4);
  const peaks = new Map<number, number[]>();
  for (const count of [few, settlements]) {
    const found: number[] = [];
    await withServer(count, rows, async ({ baseUrl }) => {
      for (let round = 0; round < rounds; round += 1) {
        found.push((await measure(reconSettlements(folder), baseUrl)).peakMb);
      }
    });
    peaks.set(count, found);
    print(`${count * rows} rows: peak memory`, found, 'MB');
  }
  const growth = (peaks.get(settlements) ?? []).map((peak, round) => {
    const less = peaks.get(few)?.[round] ?? 0;
    return ((peak - less) * 1024 * 1024) / ((settlements - few) * rows);
  });
  judge('peak memory, MB', peaks.get(settlements) ?? [], 170);
  judge('growth, bytes a row', growth, 24);
}

/** What it takes to start, against Node itself. */
async function start({ rounds }: Size): Promise<void> {
  const commands = {
    'node -e 0': ['-e', '0'],
    'recon --version': [program, '--version'],
    'recon settlements --help': [program, 'settlements', '--help'],
  };
  const times = new Map<string, number[]>(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round < 6 * rounds; round += 1) {
    for (const [name, args] of Object.entries(commands)) {
      times.get(name)?.push(await timeStart(args));
    }
  }
  const bare = times.get('node -e 0') ?? [];
  for (const [name, found] of times) print(name, found, 'ms');
  const judgeStart = (name: string, most: number) =>
    judgeRatio(`${name} / node`, times.get(name) ?? [], bare, most);
  judgeStart('recon --version', 1.3);
  judgeStart('recon settlements --help', 1.6);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      settlements: { type: 'string', default: '50' },
      rows: { type: 'string', default: '20000' },
      latency: { type: 'string', default: '20' },
    },
  });
  const size = {
    rounds: Number(values.rounds),
    settlements: Number(values.settlements),
    rows: Number(values.rows),
    latencyMs: Number(values.latency),
  };
  const folder = await mkdtemp(join(tmpdir(), 'recon-bench-'));
  try {
    for (const name of positionals.length > 0 ? positionals : Object.keys(works)) {
      const work = works[name];
      if (!work) throw new Error(`${name}: there are ${Object.keys(works).join(', ')}.`);
      console.log(`\n${name.padEnd(38)}     min  median`);
      await work(size, folder);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

await main();
