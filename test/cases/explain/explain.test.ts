import { expect, test } from 'vitest';
import { quick } from '../../../src/explain/limits.ts';
import { inject, injections } from '../../explain/generator.ts';
import { explainWorld } from '../../explain/measure.ts';
import { anyShop } from '../../explain/shop.ts';

test('the order of rows and neighbours does not change the explanation', () => {
  for (const [n, injection] of injections.entries()) {
    const world = inject(31 + n, [injection], { tradeOf: anyShop, mostRows: 50 })?.world;
    if (world === undefined) throw new Error(`no world for ${injection.code}`);
    const turned = {
      ...world,
      rows: world.rows.toReversed(),
      neighbours: world.neighbours.map((one) => ({ ...one, rows: one.rows.toReversed() })),
    };
    expect(explainWorld(turned)).toEqual(explainWorld(world));
    expect(explainWorld(turned, quick)).toEqual(explainWorld(world, quick));
  }
});
