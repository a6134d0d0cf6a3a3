import { faultless } from './generator.ts';
import { explainWorld, type Score, scorePairs, scoreSingles, total } from './measure.ts';

/** Prints how well causes are found: `--seeds N` cases of each, from seed `--from` on. */
function main(argv: readonly string[]): void {
  const option = (name: string, fallback: number) => {
    const at = argv.indexOf(name);
    return at < 0 ? fallback : Number(argv[at + 1]);
  };
  const from = option('--from', 1);
  const seeds = Array.from({ length: option('--seeds', 100) }, (_, n) => from + n);
  const singles = scoreSingles(seeds);
  print('one cause', singles);
  const pairs = scorePairs(seeds.flatMap((seed) => [seed, seed + 1_000_000, seed + 2_000_000]));
  print('two causes', argv.includes('--pairs') ? pairs : new Map([['all', total(pairs)]]));
  const accused = seeds.filter((seed) => explainWorld(faultless(seed)).hypotheses.length > 0);
  console.log(`faultless: ${seeds.length}, explained: ${accused.length}`);
  if (argv.includes('--missed')) {
    for (const [code, { missed, outranked }] of [...singles, ...pairs]) {
      if (missed.length) console.log(`${code}: missed ${missed.join(' ')}`);
      if (outranked.length) console.log(`${code}: not first ${outranked.join(' ')}`);
    }
  }
}

function print(title: string, scores: ReadonlyMap<string, Score>): void {
  const width = 45;
  const cells = (values: readonly (string | number)[]) =>
    values.map((value) => String(value).padStart(9)).join('');
  console.log(`${title.padEnd(width)}${cells(['injected', 'found', 'first'])}`);
  for (const [name, { injected, found, first }] of [...scores, ['total', total(scores)] as const]) {
    console.log(`${name.padEnd(width)}${cells([injected, found, first])}`);
  }
}

main(process.argv.slice(2));
