import { quick, thorough } from '../../src/explain/limits.ts';
import { faultless } from './generator.ts';
import { anyMarketplace } from './marketplace.ts';
import { explainWorld, Measure } from './measure.ts';
import { anyShop } from './shop.ts';

/**
 * Prints how well causes are found: `--seeds N` cases of each, from seed `--from` on, in settlements
 * of up to `--rows N`; `--held-out`: in a trade by which nothing was weighed; `--quick`: as for a
 * settlement of a run; `--pairs`, `--missed`: each of them.
 */
function main(argv: readonly string[]): void {
  const option = (name: string, fallback: number) => {
    const at = argv.indexOf(name);
    return at < 0 ? fallback : Number(argv[at + 1]);
  };
  const has = (name: string) => argv.includes(name);
  const from = option('--from', 1);
  const seeds = Array.from({ length: option('--seeds', 100) }, (_, n) => from + n);
  const tradeOf = has('--held-out') ? anyMarketplace : anyShop;
  const worlds = { tradeOf, mostRows: option('--rows', 20_000) };
  const effort = has('--quick') ? quick : thorough;
  const singles = new Measure(worlds, effort).singles(seeds);
  print('one cause', singles, true, has('--missed'));
  const many = seeds.flatMap((seed) => [0, 1, 2, 3].map((n) => seed + n * 1_000_000));
  print('two causes', new Measure(worlds, effort).pairs(many), has('--pairs'), has('--missed'));
  const accused = seeds.filter((seed) => explainWorld(faultless(seed, worlds)).hypotheses.length);
  console.log(`faultless: ${seeds.length}, explained: ${accused.length}`);
}

function print(title: string, measure: Measure, isEach: boolean, isMissed: boolean): void {
  const width = 45;
  const line = (name: string, values: readonly (string | number)[]) =>
    console.log(`${name.padEnd(width)}${values.map((one) => String(one).padStart(9)).join('')}`);
  line(title, ['injected', 'found', 'first']);
  for (const [name, { injected, found, first }] of isEach ? measure.scores : []) {
    line(name, [injected, found, first]);
  }
  const { injected, found, first } = measure.total();
  line('total', [injected, found, first]);
  const percent = (part: number) => `${((100 * part) / injected).toFixed(1)} %`;
  line('', ['', percent(found), percent(first)]);
  for (const [name, { given, right }] of Object.entries(measure.trust)) {
    line(`  ${name}: given, right`, [given, right]);
  }
  const times = measure.times.toSorted((a, b) => a - b);
  const at = (part: number) =>
    `${Math.round(times[Math.floor(part * (times.length - 1))] ?? 0)} ms`;
  line('  median, 95 %, most', [at(0.5), at(0.95), at(1)]);
  if (!isMissed) return;
  for (const [name, { missed, outranked }] of measure.scores) {
    if (missed.length) console.log(`${name}: missed ${missed.join(' ')}`);
    if (outranked.length) console.log(`${name}: not first ${outranked.join(' ')}`);
  }
  if (measure.deceived.length) console.log(`certain and wrong: ${measure.deceived.join('; ')}`);
}

main(process.argv.slice(2));
