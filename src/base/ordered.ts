/** Runs `work` on the items, at most `ahead` at a time. Results and the first failure come in order. */
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

interface LookAhead<Item> {
  readonly ahead: number;
  /** Values that each may have ready. */
  readonly ready: number;
  readonly weigh: (item: Item) => number;
  /** Beyond the next one, items are begun only while the waiting ones weigh less than this. */
  readonly heaviest: number;
}

/**
 * Yields what `open` yields for each item in turn, while the next generators already run ahead. The first
 * failure in order is thrown; a consumer that stops early ends them all, and does not wait.
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

/** Starts a generator, to run `ready` values ahead of its consumer. */
function startAhead<Value>(source: AsyncGenerator<Value, void, void>, ready: number) {
  // A generator queues calls of `next`.
  const fetch = () => {
    const step = source.next();
    // A failure is thrown in its turn; until then it must not count as unhandled.
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

/** Runs a generator to its end, and returns what it returns. */
export async function drained<Value, End>(
  run: AsyncGenerator<Value, End, void>,
  take: (value: Value) => unknown = () => {},
): Promise<End> {
  let step = await run.next();
  for (; !step.done; step = await run.next()) await take(step.value);
  return step.value;
}

/** Maps the values of a generator, and returns what it returns. Never ends the generator early. */
export async function* mapped<Value, Result, End>(
  run: AsyncGenerator<Value, End, void>,
  become: (value: Value) => Result | Promise<Result>,
): AsyncGenerator<Result, End, void> {
  let step = await run.next();
  for (; !step.done; step = await run.next()) yield await become(step.value);
  return step.value;
}
