// A list that is spread into a call, `push(...list)`, overflows the stack from some 100,000 things on.

/** Adds things at the end of a list, however many they are. */
export function append<Thing>(list: Thing[], more: Iterable<Thing>): void {
  for (const one of more) list.push(one);
}

/** The largest of numbers, however many they are; `-Infinity` of none. */
export function largestOf(numbers: Iterable<number>): number {
  let largest = -Infinity;
  for (const one of numbers) if (!(one <= largest)) largest = one;
  return largest;
}

/** The smallest of numbers, however many they are; `Infinity` of none. */
export function smallestOf(numbers: Iterable<number>): number {
  let smallest = Infinity;
  for (const one of numbers) if (!(one >= smallest)) smallest = one;
  return smallest;
}
