import { describe, expect, test } from 'vitest';
import { Random } from '../../support/random.ts';
import { faults } from './faults.ts';
import { forms } from './forms.ts';
import { compared, misread, openDesk } from './judge.ts';
import { seeds } from './seeds.ts';
import { truthOf } from './truth.ts';

describe.each(forms)('a month in $name', ({ country, write, name }) => {
  const begin = (seed: number) => {
    const random = new Random(seed * 100 + forms.findIndex((form) => form.name === name));
    const truth = truthOf(random, country);
    return { random, truth, written: write(truth, random) };
  };

  test.each(seeds)('bank %i: entries, sums, balances and pay-outs are right', async (seed) => {
    const { truth, written } = begin(seed);
    const { run } = await openDesk(truth);
    const told = compared(await run(written), truth, written);
    expect(told.length > 0 ? [written.how, ...told, ...(written.settings ?? [])] : []).toEqual([]);
  });

  // Twenty runs each: of three banks, two will do.
  test.each(seeds.filter((_, at) => at % 3 !== 2))(
    'bank %i: with one fault, it is told, and nothing is misread',
    async (seed) => {
      const { random, truth, written } = begin(seed);
      const { run } = await openDesk(truth);
      const told: string[] = [];
      for (const { name: fault, plant } of faults) {
        const planted = plant(written, random);
        if (!planted) continue;
        const wrong = misread(await run(written, planted.bytes), truth, written, planted);
        if (wrong.length > 0) told.push(`${fault}: ${wrong.slice(0, 4).join(' | ')}`);
      }
      expect(told.length > 0 ? [written.how, ...told, ...(written.settings ?? [])] : []).toEqual(
        [],
      );
    },
  );
});
