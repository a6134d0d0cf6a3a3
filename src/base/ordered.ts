/**
 * Runs `work` over the items, at most `ahead` at a time, and yields the results in the items'
 * order. The first failure in that order is thrown; a consumer that stops early starts no more work.
 */
export function mapOrdered<Item, Result>(
  items: Iterable<Item>,
  ahead: number,
  work: (item: Item, index: number) => Promise<Result>,
): AsyncGenerator<Result, void, void> {
  const alike = { ahead, ready: 1, weigh: () => 0, heaviest: 1 };
  return chainOrdered(items, alike, async function* (item, index) {
    yield await work(item, index);
  });
}

/** How far generators may run ahead of the consumer of the first one. */
export interface LookAhead<Item> {
  /** Generators under way at the same time. */
  readonly ahead: number;
  /** Values that each may have ready. */
  readonly ready: number;
  /** How heavy an item is. */
  readonly weigh: (item: Item) => number;
  /** Beyond the next one, items are begun only while all that wait weigh less than this. */
  readonly heaviest: number;
}

/**
 * Yields what `open` gives for each of the items, one after the other, while the generators of the
 * next ones are already under way. None runs far ahead: a slow consumer slows them all. The first
 * failure in the items' order is thrown; a consumer that stops early ends them all, and doesn't wait.
 */
export async function* chainOrdered<Item, Value>(
  items: Iterable<Item>,
  { ahead, ready, weigh, heaviest }: LookAhead<Item>,
  open: (item: Item, index: number) => AsyncGenerator<Value, void, void>,
): AsyncGenerator<Value, void, void> {
  const upcoming = items[Symbol.iterator]();
  const running: (ReturnType<typeof startAhead<Value>> & { readonly weight: number })[] = [];
  let index = 0;
  let waiting = 0;
  const begin = (): boolean => {
    const next = upcoming.next();
    if (next.done) return false;
    const weight = weigh(next.value);
    if (running.length > 0) waiting += weight;
    running.push({ ...startAhead(open(next.value, index), ready), weight });
    index += 1;
    return true;
  };
  const mayBegin = () =>
    running.length < ahead && (running.length < 2 || waiting < heaviest) && begin();
  try {
    for (;;) {
      while (mayBegin());
      const head = running[0];
      if (!head) return;
      yield* head.values;
      running.shift();
      waiting -= running[0]?.weight ?? 0;
    }
  } finally {
    for (const { abandon } of running) abandon();
  }
}

/** Starts a generator: what `values` yields is what it yields, `ready` values ahead of its consumer. */
function startAhead<Value>(source: AsyncGenerator<Value, void, void>, ready: number) {
  // A generator keeps a line of those who ask: each gets its value when it is there.
  const fetch = () => {
    const step = source.next();
    // A failure is reported when its turn comes; until then it is no unhandled rejection.
    step.catch(() => {});
    return step;
  };
  const steps = Array.from({ length: ready }, fetch);
  async function* values() {
    for (;;) {
      steps.push(fetch());
      const step = await steps.shift();
      if (!step || step.done) return;
      yield step.value;
    }
  }
  return { values: values(), abandon: () => void source.return().catch(() => {}) };
}

/** Goes through a generator to its end; gives what it returns. */
export async function drained<Value, End>(
  run: AsyncGenerator<Value, End, void>,
  take: (value: Value) => unknown = () => {},
): Promise<End> {
  let step = await run.next();
  for (; !step.done; step = await run.next()) await take(step.value);
  return step.value;
}

/** Yields what becomes of each value, and returns what the generator does. It doesn't end the generator. */
export async function* mapped<Value, Result, End>(
  run: AsyncGenerator<Value, End, void>,
  become: (value: Value) => Result | Promise<Result>,
): AsyncGenerator<Result, End, void> {
  let step = await run.next();
  for (; !step.done; step = await run.next()) yield await become(step.value);
  return step.value;
}
