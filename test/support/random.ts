/** A small generator of numbers (mulberry32): the same seed gives the same numbers everywhere. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
    // Neighbouring seeds start alike: the first numbers are thrown away.
    for (let n = 0; n < 8; n++) this.#next();
  }

  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number {
    return min + (this.#next() % (max - min + 1));
  }

  /** True in so many of a hundred cases. */
  chance(percent: number): boolean {
    return this.int(1, 100) <= percent;
  }

  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.int(0, values.length - 1)];
    if (value === undefined) throw new RangeError('Nothing to pick from');
    return value;
  }

  /** So many different ones, in random order. */
  sample<Value>(values: readonly Value[], count: number): readonly Value[] {
    return this.shuffled(values).slice(0, count);
  }

  shuffled<Value>(values: readonly Value[]): readonly Value[] {
    const keyed = values.map((value) => ({ value, key: this.#next() }));
    return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
}
