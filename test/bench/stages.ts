import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { print } from './figures.ts';
import type { Usage } from './processes.ts';

/** What a CPU profile of V8 says, as far as it matters here. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      /** Empty for what is no code of a file. */
      readonly url: string;
      /** From 0. */
      readonly lineNumber: number;
    };
  }[];
  /** The node on top of the stack, sample by sample, and the microseconds since the sample before. */
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The stage of a function: the first of whose beginnings its file, or its name in brackets, has one. */
const stages: readonly (readonly [stage: string, beginnings: readonly string[]])[] = [
  ['garbage', ['(garbage collector)']],
  ['scan and digests', ['src/api/scan', 'wasm:', 'src/api/digest', 'src/api/row-digest']],
  ['walk', ['src/api/walk', 'src/api/read-', 'src/base/id-table', 'src/base/uuid']],
  ['client', ['src/api', 'src/base/ordered']],
  ['undici', ['node_modules/undici']],
  ['columns and checks', ['src/reconcile', 'src/model', 'src/money', 'src/app', 'src/explain']],
  ['csv', ['src/render', 'src/report']],
  ['sort and files', ['src/export', 'src/base']],
  ['Node, system, others', ['']],
];

/** A command that writes a CPU profile to a folder. */
type ProfiledRun = (folder: string) => Promise<Usage>;

/**
 * Runs each command and prints the microseconds a row that its stages take: those of the main thread are
 * its CPU time in the proportion of the samples, since a thread that has to wait for a CPU is sampled
 * too; the rest is what the other threads used.
 */
export async function printStages(
  runs: Readonly<Record<string, ProfiledRun>>,
  rows: number,
): Promise<void> {
  const columns: Readonly<Record<string, number>>[] = [];
  for (const run of Object.values(runs)) {
    const folder = await mkdtemp(join(tmpdir(), 'recon-bench-'));
    try {
      const { cpuMs, mainMs } = await run(folder);
      const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile'));
      const parts = await partsOf(JSON.parse(await readFile(join(folder, file), 'utf8')));
      const microseconds = Object.entries(parts).map(([stage, part]) => [
        stage,
        part * mainMs * 1e3,
      ]);
      columns.push({
        ...Object.fromEntries(microseconds),
        'compile, collect, gzip': (cpuMs - mainMs) * 1e3,
        all: cpuMs * 1e3,
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  print('us of CPU a row', ...Object.keys(runs));
  for (const name of [...stages.map(([stage]) => stage), 'compile, collect, gzip', 'all']) {
    print(name, ...columns.map((column) => ((column[name] ?? 0) / rows).toFixed(2)));
  }
}

/** The part of each stage in the samples in which the main thread wasn't idle. */
async function partsOf({ nodes, samples, timeDeltas }: Profile): Promise<Record<string, number>> {
  const stageOf = new Map<number, string | undefined>();
  for (const { id, callFrame } of nodes) {
    const { url, functionName, lineNumber } = callFrame;
    const origin = url === '' ? functionName : await sourceOf(url, lineNumber);
    const stage = stages.find(([, all]) => all.some((beginning) => origin.startsWith(beginning)));
    if (functionName !== '(idle)') stageOf.set(id, stage?.[0]);
  }
  const parts: Record<string, number> = {};
  let all = 0;
  for (const [at, node] of samples.entries()) {
    const stage = stageOf.get(node);
    if (stage === undefined) continue;
    all += timeDeltas[at] ?? 0;
    parts[stage] = (parts[stage] ?? 0) + (timeDeltas[at] ?? 0);
  }
  return Object.fromEntries(Object.entries(parts).map(([stage, time]) => [stage, time / all]));
}

/** The sources in a built file, by line: esbuild names each in a comment before its code. */
const sourcesByFile = new Map<string, readonly string[]>();

async function sourceOf(url: string, line: number): Promise<string> {
  if (!url.startsWith('file:')) return url;
  const known = sourcesByFile.get(url);
  if (known) return known[line] ?? '';
  let source = '';
  const text = await readFile(fileURLToPath(url), 'utf8');
  const sources = text.split('\n').map((code) => {
    source = /^\/\/ ((?:src|node_modules)\/\S+)$/.exec(code.trim())?.[1] ?? source;
    return source;
  });
  sourcesByFile.set(url, sources);
  return sources[line] ?? '';
}
