import { describe, expect, test } from 'vitest';
import { faultless } from '../../explain/generator.ts';
import { anyMarketplace } from '../../explain/marketplace.ts';
import { explainWorld, Measure } from '../../explain/measure.ts';
import { anyShop } from '../../explain/shop.ts';

// A few of the seeds that `npm run power` measures, in smaller settlements.
const seeds = (count: number) => Array.from({ length: count }, (_, n) => 70_001 + n);

describe.each([
  ['shops', anyShop],
  ['marketplaces, by which nothing was weighed', anyMarketplace],
] as const)('in %s', (_, tradeOf) => {
  const worlds = { tradeOf, mostRows: 100 };

  test('one cause is found, ranks first, and is right if it is certain', {
    timeout: 60_000,
  }, () => {
    const measure = new Measure(worlds).singles(seeds(3));
    const { injected, found, first } = measure.total();
    expect(injected).toBeGreaterThan(45);
    expect(found).toBe(injected);
    expect(first / injected).toBeGreaterThanOrEqual(0.95);
    expect(measure.deceived).toEqual([]);
  });

  test('two causes are found, rank first, and are right if they are certain', {
    timeout: 60_000,
  }, () => {
    const measure = new Measure(worlds).pairs(seeds(20));
    const { injected, found, first } = measure.total();
    expect(injected).toBeGreaterThan(15);
    expect(found / injected).toBeGreaterThanOrEqual(0.96);
    expect(first / injected).toBeGreaterThanOrEqual(0.9);
    expect(measure.deceived).toEqual([]);
  });

  test('a faultless settlement has no explanation', () => {
    for (const seed of seeds(4)) {
      expect(explainWorld(faultless(seed, worlds)).hypotheses).toEqual([]);
    }
  });
});
