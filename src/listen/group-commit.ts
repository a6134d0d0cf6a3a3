interface Waiting<Item> {
  readonly item: Item;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** So many items go together at most: what is written at once is bounded. */
const largestGroup = 512;

/**
 * Writes many items at once: what comes in while a group is being written makes the next group, so
 * that one flush serves all who wait.
 */
export class GroupCommit<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void>;
  #waiting: Waiting<Item>[] = [];
  #writing: Promise<void> | undefined;

  constructor(write: (items: readonly Item[]) => Promise<void>) {
    this.#write = write;
  }

  /** Resolves once the item is written; rejects where its group could not be. */
  add(item: Item): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Resolves when nothing is being written any more. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // Whoever comes in the same moment joins the first group.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, largestGroup);
      try {
        await this.#write(group.map(({ item }) => item));
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#writing = undefined;
  }
}
