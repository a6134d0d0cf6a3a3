import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { classes, type Result, speed } from './classes.ts';
import { isMissed, type RangeResult, rangesOf, rangeTable, rangeTargets } from './ranges.ts';
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
const asksRanges = wanted === undefined || wanted === 'ranges';
if (asked.length === 0 && !asksRanges) throw new Error(`No class or group has the name ${wanted}`);

interface Results {
  readonly results: readonly Result[];
  readonly ranges: readonly RangeResult[];
}

/** Of every so many seeds, from one on. */
async function resultsOf(first: number, step: number): Promise<Results> {
  const results: Result[] = [];
  const ranges: RangeResult[] = [];
  for (let seed = first; seed <= to; seed += step) {
    for (const { run } of asked) results.push(...(await run(seed)));
    if (asksRanges) ranges.push(...(await rangesOf(seed)));
  }
  return { results, ranges };
}

async function inThreads(jobs: number): Promise<Results> {
  if (jobs === 1) return resultsOf(from, 1);
  const parts = Array.from({ length: jobs }, (_, at) => {
    const workerData = { first: from + at, step: jobs };
    const argv = process.argv.slice(2);
    const worker = new Worker(new URL(import.meta.url), { workerData, argv });
    return new Promise<Results>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  });
  const all = await Promise.all(parts);
  return {
    results: all.flatMap(({ results }) => results),
    ranges: all.flatMap(({ ranges }) => ranges),
  };
}

function say({ name, seed, outcome, certainty, planted, claimed }: Result): void {
  console.log(`${name}, seed ${seed}: ${outcome}${certainty ? `, ${certainty}` : ''}`);
  console.log(`  planted ${planted}\n  claimed ${claimed}`);
}

if (isMainThread) {
  const { results, ranges } = await inThreads(Number(values.jobs));
  const failures = results.filter(
    ({ group, outcome }) => outcome !== 'right' && !(outcome === 'nothing' && group === 'none'),
  );
  if (values.failures) {
    failures.forEach(say);
    for (const { kind, name, seed, outcome, planted, claimed } of ranges.filter(isMissed)) {
      console.log(`${kind}: ${name}, seed ${seed}: ${outcome}`);
      console.log(`  planted ${planted}\n  claimed ${claimed}`);
    }
  }
  if (asked.length > 0) for (const line of tablesOf(results, asked)) console.log(line);
  if (asksRanges) for (const line of rangeTable(ranges)) console.log(line);
  const targets = [
    ...(asked.length > 0 ? targetsOf(results) : []),
    ...(asksRanges ? rangeTargets(ranges) : []),
    ...(wanted === undefined ? [await speed()] : []),
  ];
  for (const { text, isMet } of targets) console.log(`${isMet ? 'met   ' : 'MISSED'} ${text}`);
  if (targets.some(({ isMet }) => !isMet)) process.exitCode = 1;
} else {
  const { first, step } = workerData as { readonly first: number; readonly step: number };
  parentPort?.postMessage(await resultsOf(first, step));
}
