/** Sums of more items fit too easily by chance. */
const mostItems = 10;

/** With at most one set per so many minor units of the amount, few sums fit by chance. */
const chance = 100n;

/** More are never tried: some tens of milliseconds. */
const mostSums = 50_000n;

/**
 * Finds sets of 2 to 10 of the items that come to exactly a target: none, the only one, or the first two of
 * several. None is sought if one may fit by chance, because there are many sets for the amount.
 */
export function exactSums<Item>(
  items: readonly Item[],
  amountOfItem: (item: Item) => bigint,
): (target: bigint, minorUnits: bigint) => readonly (readonly Item[])[] {
  const sets = setsOf(items.length);
  let known: ReadonlyMap<bigint, readonly (readonly Item[])[]> | undefined;
  return (target, minorUnits) => {
    if (target === 0n || sets > mostSums || sets * chance > minorUnits) return [];
    known ??= allSums(items, amountOfItem);
    return known.get(target) ?? [];
  };
}

function allSums<Item>(items: readonly Item[], amountOfItem: (item: Item) => bigint) {
  const found = new Map<bigint, Item[][]>();
  const values = items.map(amountOfItem);
  const extend = (chosen: readonly Item[], sum: bigint, from: number): void => {
    const alike = found.get(sum) ?? [];
    if (chosen.length > 1 && alike.length < 2) found.set(sum, [...alike, [...chosen]]);
    if (chosen.length === mostItems) return;
    for (let at = from; at < items.length; at += 1) {
      const item = items[at];
      if (item !== undefined) extend([...chosen, item], sum + (values[at] ?? 0n), at + 1);
    }
  };
  extend([], 0n, 0);
  return found;
}

/** How many sets of 2 to 10 there are. */
function setsOf(items: number): bigint {
  let sets = 0n;
  let ofThisSize = BigInt(items);
  for (let size = 2; size <= Math.min(items, mostItems); size += 1) {
    ofThisSize = (ofThisSize * BigInt(items - size + 1)) / BigInt(size);
    sets += ofThisSize;
  }
  return sets;
}
