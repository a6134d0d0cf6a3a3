import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { classes, type Result, speed } from './classes.ts';
import { tablesOf, targetsOf } from './report.ts';

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
if (asked.length === 0) throw new Error(`No class or group has the name ${wanted}`);

/** Of every so many seeds, from one on. */
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
    const argv = process.argv.slice(2);
    const worker = new Worker(new URL(import.meta.url), { workerData, argv });
    return new Promise<readonly Result[]>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  });
  return (await Promise.all(parts)).flat();
}

function say({ name, seed, outcome, certainty, planted, claimed }: Result): void {
  console.log(`${name}, seed ${seed}: ${outcome}${certainty ? `, ${certainty}` : ''}`);
  console.log(`  planted ${planted}\n  claimed ${claimed}`);
}

if (isMainThread) {
  const results = await inThreads(Number(values.jobs));
  const failures = results.filter(
    ({ group, outcome }) => outcome !== 'right' && !(outcome === 'nothing' && group === 'none'),
  );
  if (values.failures) failures.forEach(say);
  for (const line of tablesOf(results, asked)) console.log(line);
  const targets = [...targetsOf(results), ...(wanted === undefined ? [await speed()] : [])];
  for (const { text, isMet } of targets) console.log(`${isMet ? 'met   ' : 'MISSED'} ${text}`);
  if (targets.some(({ isMet }) => !isMet)) process.exitCode = 1;
} else {
  const { first, step } = workerData as { readonly first: number; readonly step: number };
  parentPort?.postMessage(await resultsOf(first, step));
}
