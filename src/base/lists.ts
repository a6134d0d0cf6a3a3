// Spreading a list into a call, `push(...list)`, overflows the stack from some 100,000 items on.

/** Adds items at the end of a list of any length. */
export function append<Item>(list: Item[], more: Iterable<Item>): void {
  for (const one of more) list.push(one);
}

/** The largest number; `-Infinity` if there are none. */
export function largestOf(numbers: Iterable<number>): number {
  let largest = -Infinity;
  for (const one of numbers) if (!(one <= largest)) largest = one;
  return largest;
}

/** The smallest number; `Infinity` if there are none. */
export function smallestOf(numbers: Iterable<number>): number {
  let smallest = Infinity;
  for (const one of numbers) if (!(one >= smallest)) smallest = one;
  return smallest;
}

/** A longer array that begins with the same numbers, followed by 0. */
export function grown<Numbers extends Int32Array | Float64Array>(numbers: Numbers, length: number) {
  const kind = numbers.constructor as new (length: number) => Numbers;
  const longer = new kind(length);
  longer.set(numbers);
  return longer;
}

/** The keys of a table, typed, in their order. */
export function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): readonly Key[] {
  const isKey = (name: string): name is Key => Object.hasOwn(table, name);
  return Object.keys(table).filter(isKey);
}

/** Items by their key; keys, and the items of each, keep their order. */
export function groupedBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key) {
  const groups = new Map<Key, Item[]>(items.map((item) => [keyOf(item), []]));
  for (const item of items) groups.get(keyOf(item))?.push(item);
  return groups;
}

export function tableOf<Key extends string, Value>(keys: readonly Key[], of: (key: Key) => Value) {
  return Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<Key, Value>;
}
