import { byText } from '../base/texts.ts';
import type { UnreadableRecord } from '../model/source.ts';

/** The most examples that an entry has. */
export const exampleLimit = 10;

/** The first `exampleLimit` values, sorted by the text of `keyOf`. */
export function smallest<Value>(
  values: Iterable<Value>,
  keyOf: (value: Value) => string,
): readonly Value[] {
  return [...values].sort((a, b) => byText(keyOf(a), keyOf(b))).slice(0, exampleLimit);
}

/** The first `exampleLimit` ids, sorted. */
export function smallestIds(ids: Iterable<string>): readonly string[] {
  return smallest(ids, (id) => id);
}

/** The first `exampleLimit` unreadable records by id; those without an id by their content. */
export function smallestRecords(records: Iterable<UnreadableRecord>): readonly UnreadableRecord[] {
  return smallest(records, ({ record, field, found }) => `${record} ${field} ${found}`);
}

/** A map that keeps only the `exampleLimit` smallest keys, in whatever order they come. */
export class SmallestKeys<Value> {
  readonly #values = new Map<string, Value>();

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    this.#values.set(key, value);
    if (this.#values.size <= exampleLimit) return;
    let largest = key;
    for (const other of this.#values.keys()) {
      if (other > largest) largest = other;
    }
    this.#values.delete(largest);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  /** Sorted by key. */
  entries(): readonly (readonly [key: string, value: Value])[] {
    return [...this.#values].sort(([a], [b]) => byText(a, b));
  }
}
