import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { classes, type Result } from './classes.ts';
import { reportOf } from './report.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1-4' },
    class: { type: 'string' },
    failures: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '1' },
  },
});

const [from = 1, to = from] = values.seeds.split('-').map(Number);
const wanted = values.class;
const asked = classes.filter(
  ({ group, name }) => wanted === undefined || wanted === name || wanted === group,
);

/** Every so many seeds, from one on. */
async function resultsOf(first: number, step: number): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let seed = first; seed <= to; seed += step) {
    for (const { run } of asked) results.push(...(await run(seed)));
  }
  return results;
}

async function inThreads(jobs: number): Promise<readonly Result[]> {
  if (jobs === 1) return resultsOf(from, 1);
  const parts = Array.from({ length: jobs }, (_, at) => {
    const workerData = { first: from + at, step: jobs };
    const worker = new Worker(new URL(import.meta.url), {
      workerData,
      argv: process.argv.slice(2),
    });
    return new Promise<readonly Result[]>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  });
  return (await Promise.all(parts)).flat();
}

if (isMainThread) {
  const started = performance.now();
  const results = await inThreads(Number(values.jobs));
  const { lines, missed } = reportOf(results, asked);
  if (values.failures) {
    for (const one of results) {
      if (one.outcome === 'right' || (one.outcome === 'nothing' && one.group === 'none')) continue;
      const how = `${one.outcome}${one.certainty ? `, ${one.certainty}` : ''}`;
      console.log(
        `${one.name}, seed ${one.seed}: ${how}\n  planted ${one.planted}\n  claimed ${one.claimed}`,
      );
    }
  }
  for (const line of lines) console.log(line);
  console.log(`${Math.round((performance.now() - started) / 1000)} s`);
  if (missed.length > 0) process.exitCode = 1;
} else {
  const { first, step } = workerData as { readonly first: number; readonly step: number };
  parentPort?.postMessage(await resultsOf(first, step));
}
