import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chainOrdered, mapOrdered } from '../../src/base/ordered.ts';

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

test('at most `ahead` run at once', async () => {
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

describe('generators in a chain', () => {
  const light = { ahead: 3, ready: 2, weigh: () => 1, heaviest: 100 };

  /** Counts what is asked of generators of so many values each. */
  class Lists {
    readonly began: number[] = [];
    readonly ended: number[] = [];
    /** Values that were produced, by generator. */
    readonly produced: number[] = [];

    async *open(length: number, index: number): AsyncGenerator<string, void, void> {
      this.began.push(index);
      this.produced[index] = 0;
      try {
        for (let at = 0; at < length; at += 1) {
          await new Promise(setImmediate);
          this.produced[index] = at + 1;
          yield `${index}.${at}`;
        }
      } finally {
        this.ended.push(index);
      }
    }
  }

  async function settled(): Promise<void> {
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  }

  test('give their values one generator after the other, whichever is ready first', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.nat(4), { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 3 }),
        fc.nat(6),
        async (scheduler, lengths, ahead, ready, heaviest) => {
          const step = scheduler.scheduleFunction(async (value: string) => value);
          const open = async function* (length: number, index: number) {
            for (let at = 0; at < length; at += 1) yield await step(`${index}.${at}`);
          };
          const values: string[] = [];
          const reading = (async () => {
            const lookAhead = { ahead, ready, weigh: (length: number) => length, heaviest };
            for await (const value of chainOrdered(lengths, lookAhead, open)) values.push(value);
          })();
          await scheduler.waitFor(reading);
          const expected = lengths.flatMap((length, index) =>
            Array.from({ length }, (_, at) => `${index}.${at}`),
          );
          expect(values).toEqual(expected);
        },
      ),
    );
  });

  test('run at the same time, up to their limit', async () => {
    const lists = new Lists();
    const chain = chainOrdered([100, 100, 100, 100], light, (length, index) =>
      lists.open(length, index),
    );
    expect((await chain.next()).value).toBe('0.0');
    await settled();
    expect(lists.began).toEqual([0, 1, 2]);
    expect(lists.produced).toEqual([3, 2, 2]);
    await chain.return();
  });

  test('are started only while those that wait are light, except the next one', async () => {
    const lists = new Lists();
    const lookAhead = { ahead: 9, ready: 1, weigh: (length: number) => length, heaviest: 10 };
    const chain = chainOrdered([5, 50, 4, 4, 4], lookAhead, (length, index) =>
      lists.open(length, index),
    );
    for (let step = 0; step < 5; step += 1) await chain.next();
    await settled();
    expect(lists.began).toEqual([0, 1]);
    expect((await chain.next()).value).toBe('1.0');
    await settled();
    expect(lists.began).toEqual([0, 1, 2, 3, 4]);
    await chain.return();
  });

  test('end if the consumer stops early, and the consumer does not wait for them', async () => {
    const lists = new Lists();
    const open = async function* (length: number, index: number) {
      yield* lists.open(length, index);
      // Hangs, as a request can.
      await new Promise(() => {});
    };
    const seen: string[] = [];
    for await (const value of chainOrdered([1, 0, 3, 3], { ...light, ahead: 4 }, open)) {
      seen.push(value);
      break;
    }
    expect(seen).toEqual(['0.0']);
    await settled();
    expect(lists.ended).toContain(3);
    expect(lists.produced[3]).toBeLessThan(3);
  });

  test('fail at their turn, after the values before', async () => {
    const open = async function* (item: number) {
      yield item;
      if (item === 2) throw new Error('two');
    };
    const seen: number[] = [];
    const reading = (async () => {
      for await (const item of chainOrdered([1, 2, 3], light, open)) seen.push(item);
    })();
    await expect(reading).rejects.toThrow('two');
    expect(seen).toEqual([1, 2]);
  });
});
