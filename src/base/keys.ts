/** The keys of a table, in their order, by their own type, as `Object.keys` doesn't give them. */
export function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): readonly Key[] {
  const isKey = (name: string): name is Key => Object.hasOwn(table, name);
  return Object.keys(table).filter(isKey);
}

/** Things by their key; keys, and the things of each, in the order in which they come. */
export function groupedBy<Thing, Key>(
  things: readonly Thing[],
  keyOf: (thing: Thing) => Key,
): ReadonlyMap<Key, readonly Thing[]> {
  const groups = new Map<Key, Thing[]>(things.map((thing) => [keyOf(thing), []]));
  for (const thing of things) groups.get(keyOf(thing))?.push(thing);
  return groups;
}

/** A table with a value for each of these keys. */
export function tableOf<Key extends string, Value>(
  keys: readonly Key[],
  value: (key: Key) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<Key, Value>;
}
