import { byText } from '../base/texts.ts';
import type { UnreadableRecord } from '../model/source.ts';
import type { RowColumns } from './row-columns.ts';

/** How many examples an entry shows at most. */
export const exampleLimit = 10;

/** The smallest of the values, in order, by the text that `keyOf` gives. */
export function smallest<Value>(
  values: Iterable<Value>,
  keyOf: (value: Value) => string,
): readonly Value[] {
  return [...values].sort((a, b) => byText(keyOf(a), keyOf(b))).slice(0, exampleLimit);
}

/** The smallest ids, in order. */
export function smallestIds(ids: Iterable<string>): readonly string[] {
  return smallest(ids, (id) => id);
}

/** The numbers of the rows with the smallest ids, in their order, out of as many as there may be. */
export function smallestRows(rows: RowColumns, among: readonly number[]): readonly number[] {
  const found = new SmallestKeys<number>();
  for (const row of among) found.set(rows.id(row), row);
  return found.entries().map(([, row]) => row);
}

/** Unreadable records by id; where they have none, by what they hold instead of their place. */
export function smallestRecords(records: Iterable<UnreadableRecord>): readonly UnreadableRecord[] {
  return smallest(records, ({ record, field, found }) => `${record} ${field} ${found}`);
}

/**
 * A map that keeps only its smallest keys, for examples out of more rows than can be kept. What it
 * holds in the end doesn't depend on the order in which keys came: a key that belongs to the
 * smallest of all was among the smallest at any time before.
 */
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

  /** By key. */
  entries(): readonly (readonly [key: string, value: Value])[] {
    return [...this.#values].sort(([a], [b]) => byText(a, b));
  }
}
