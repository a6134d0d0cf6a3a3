/**
 * Runs `work` over the items, at most `ahead` at a time, and yields the results in the items'
 * order. The first failure in that order is thrown; a consumer that stops early starts no more work.
 */
export async function* mapOrdered<Item, Result>(
  items: Iterable<Item>,
  ahead: number,
  work: (item: Item, index: number) => Promise<Result>,
): AsyncGenerator<Result, void, void> {
  const running: Promise<Result>[] = [];
  let index = 0;
  for (const item of items) {
    const result = work(item, index);
    // A failure is reported when its turn comes; until then it is no unhandled rejection.
    result.catch(() => {});
    running.push(result);
    index += 1;
    if (running.length >= ahead) yield await head(running);
  }
  while (running.length > 0) yield await head(running);
}

async function head<Result>(running: Promise<Result>[]): Promise<Result> {
  const [first] = running;
  if (!first) throw new RangeError('nothing is running');
  const result = await first;
  running.shift();
  return result;
}
