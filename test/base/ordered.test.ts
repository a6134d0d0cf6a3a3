import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mapOrdered } from '../../src/base/ordered.ts';

test('results come in the order of the items, whatever the order of completion', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.nat(), { maxLength: 20 }),
      fc.integer({ min: 1, max: 5 }),
      async (scheduler, items, ahead) => {
        const double = scheduler.scheduleFunction(async (item: number) => item * 2);
        const results: number[] = [];
        const reading = (async () => {
          for await (const result of mapOrdered(items, ahead, double)) results.push(result);
        })();
        await scheduler.waitFor(reading);
        expect(results).toEqual(items.map((item) => item * 2));
      },
    ),
  );
});

test('no more than `ahead` run at once', async () => {
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
  };
  for await (const _ of mapOrdered(Array(20).keys(), 3, work));
  expect(most).toBe(3);
});

test('a failure is thrown at its turn, after the results before it', async () => {
  const seen: number[] = [];
  const work = async (item: number) => {
    if (item === 2) throw new Error('two');
    return item;
  };
  const reading = (async () => {
    for await (const item of mapOrdered([0, 1, 2, 3], 4, work)) seen.push(item);
  })();
  await expect(reading).rejects.toThrow('two');
  expect(seen).toEqual([0, 1]);
});
