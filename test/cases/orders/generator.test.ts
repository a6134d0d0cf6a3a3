import { describe, expect, test } from 'vitest';
import { makeMonth } from './month.ts';
import type { Dialect } from './month-maker.ts';
import { judge } from './oracle.ts';

const dialects: readonly Dialect[] = ['shopify', 'plain'];
const seeds = [1, 2, 3, 4, 5];

describe('a made month', () => {
  for (const dialect of dialects) {
    test.each(seeds)(`is what the definitions say: ${dialect}, seed %i`, (seed) => {
      const month = makeMonth(seed, dialect);
      const judged = judge(month);
      expect([...judged.orders.keys()].sort()).toEqual([...month.orders.keys()].sort());
      const wrong = [...month.orders].flatMap(([key, truth]) => {
        const found = judged.orders.get(key);
        const isSame =
          found !== undefined &&
          [truth.state, ...truth.or].includes(found.state) &&
          (truth.refund === undefined || truth.refund === found.refund) &&
          (truth.net === undefined || truth.net === found.net) &&
          (truth.due === undefined || truth.due === found.due);
        return isSame ? [] : [{ key, truth, found }];
      });
      expect(wrong).toEqual([]);
      expect(new Map(judged.strays)).toEqual(new Map(month.strays));
    });
  }

  test.each(seeds)('has each state at least 20 times: seed %i', (seed) => {
    const counts = new Map<string, number>();
    const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const month of dialects.map((dialect) => makeMonth(seed, dialect))) {
      for (const { state, refund } of month.orders.values()) {
        count(state);
        if (refund) count(`refund: ${refund}`);
      }
      for (const state of month.strays.values()) count(`row: ${state}`);
    }
    expect([...counts].filter(([, number]) => number < 20)).toEqual([]);
    expect([...counts.keys()].sort()).toEqual(
      [
        ...['ambiguous', 'amount_differs', 'cancelled', 'cancelled_but_settled', 'conflicting'],
        ...['in_transit', 'missing_in_settlements', 'not_covered', 'nothing_due', 'out_of_scope'],
        ...['other_currency', 'partly_settled', 'pending', 'settled', 'settled_in_parts'],
        ...['settled_twice', 'unpaid_but_settled'],
        ...['none', 'refunded', 'refunded_in_part', 'refund_in_transit', 'refund_missing'].map(
          (name) => `refund: ${name}`,
        ),
        ...['refund_unknown', 'charged_back'].map((name) => `refund: ${name}`),
        ...['unknown_to_shop', 'refund_unknown', 'not_covered'].map((name) => `row: ${name}`),
      ].sort(),
    );
  });
});
