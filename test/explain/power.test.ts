import { describe, expect, test } from 'vitest';
import { faultless } from './generator.ts';
import { anyMarketplace } from './marketplace.ts';
import { explainWorld, Measure } from './measure.ts';
import { anyShop } from './shop.ts';

// A few of the seeds that `npm run power` measures, in smaller settlements.
const seeds = (count: number) => Array.from({ length: count }, (_, n) => 70_001 + n);

describe.each([
  ['shops', anyShop],
  ['marketplaces, by which nothing was weighed', anyMarketplace],
] as const)('in %s', (_, tradeOf) => {
  const worlds = { tradeOf, mostRows: 100 };

  test('one cause is found and comes first, and who is certain is right', {
    timeout: 60_000,
  }, () => {
    const measure = new Measure(worlds).singles(seeds(4));
    const { injected, found, first } = measure.total();
    expect(injected).toBeGreaterThan(60);
    expect(found / injected).toBeGreaterThanOrEqual(0.85);
    expect(first / injected).toBeGreaterThanOrEqual(0.85);
    expect(measure.deceived.length).toBeLessThanOrEqual(1);
  });

  test('two causes are found, and come first', { timeout: 60_000 }, () => {
    const measure = new Measure(worlds).pairs(seeds(40));
    const { injected, found, first } = measure.total();
    expect(found / injected).toBeGreaterThanOrEqual(0.8);
    expect(first / injected).toBeGreaterThanOrEqual(0.8);
    expect(measure.deceived.length).toBeLessThanOrEqual(1);
  });

  test('a faultless settlement has no explanation', () => {
    for (const seed of seeds(4))
      expect(explainWorld(faultless(seed, worlds)).hypotheses).toEqual([]);
  });
});
