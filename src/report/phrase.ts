/** `1 row`, `2 rows`. */
export function many(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** `a and b`, `a, b and c`. */
export function enumerate(items: readonly string[]): string {
  return items.length < 2
    ? items.join('')
    : `${items.slice(0, -1).join(', ')} and ${items.slice(-1).join('')}`;
}

const namedInFull = 3;

/** The first few of `total` things by name, the rest by number. */
export function firstOf(examples: readonly string[], total: number): string {
  const named = examples.slice(0, namedInFull);
  const rest = total - named.length;
  return enumerate(rest > 0 ? [...named, `${rest} more`] : named);
}

/** The same, where nobody counted the rest. */
export function fewOf(examples: readonly string[]): string {
  const named = examples.slice(0, namedInFull);
  return enumerate(named.length < examples.length ? [...named, 'others'] : named);
}

export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
