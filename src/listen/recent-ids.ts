import { IdTable } from '../base/id-table.ts';

/** So many ids of settlement payloads are remembered, at least; twice as many at most. */
const rememberedIds = 100_000;

/** The ids that came last, in memory that doesn't grow: two generations, the older one forgotten whole. */
export class RecentIds {
  readonly #capacity: number;
  #older = new IdTable(0);
  #newer = new IdTable(0);

  constructor(capacity = rememberedIds) {
    this.#capacity = capacity;
  }

  has(id: string): boolean {
    return this.#newer.find(id) >= 0 || this.#older.find(id) >= 0;
  }

  add(id: string): void {
    if (this.#newer.size >= this.#capacity) {
      this.#older = this.#newer;
      this.#newer = new IdTable(0);
    }
    this.#newer.add(id);
  }
}
