import { idHash, idHashIn } from './event-name.ts';

/** So many ids are remembered, at least; twice as many at most. */
const rememberedIds = 100_000;

/** The ids of events that came last, in memory that doesn't grow: two generations, the older one forgotten whole. */
export class RecentIds {
  readonly #capacity: number;
  #older = new Set<string>();
  #newer = new Set<string>();

  constructor(capacity = rememberedIds) {
    this.#capacity = capacity;
  }

  has(payloadId: string): boolean {
    return this.#hasHash(idHash(payloadId));
  }

  /** Remembers the id that an event has, if it has one. */
  addOf(eventName: string): void {
    const hash = idHashIn(eventName);
    if (hash === undefined || this.#hasHash(hash)) return;
    if (this.#newer.size >= this.#capacity) {
      this.#older = this.#newer;
      this.#newer = new Set<string>();
    }
    this.#newer.add(hash);
  }

  #hasHash(hash: string): boolean {
    return this.#newer.has(hash) || this.#older.has(hash);
  }
}
