/** The keys of a table, in their order, by their own type, as `Object.keys` doesn't give them. */
export function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): readonly Key[] {
  const isKey = (name: string): name is Key => Object.hasOwn(table, name);
  return Object.keys(table).filter(isKey);
}
