import { join } from 'node:path';
import { mapped } from '../base/ordered.ts';
import type { RowBatch } from '../model/row-batch.ts';
import type { Settlement } from '../model/settlement.ts';
import {
  type HeaderList,
  mostSettlements,
  type RowsOutcome,
  type Source,
} from '../model/source.ts';
import { type RowMemory, RowStore } from './row-store.ts';

/** Keeps the rows that pass by of each settlement until they are taken. */
export class Recorder {
  readonly #memory: RowMemory;
  readonly #folder: string;
  readonly #stores = new Map<string, RowStore>();
  readonly #place: number;
  #files = 0;

  /**
   * `folder`: for scratch files; nothing is left in it. `place`: of these settlements among others that
   * are read at the same time.
   */
  constructor(memory: RowMemory, folder: string, place = 0) {
    this.#memory = memory;
    this.#folder = folder;
    this.#place = place;
  }

  /** The same source, its headers known already. */
  recording(source: Source, headers: HeaderList): Source {
    return {
      headers: async () => headers,
      header: (id) => source.header(id),
      rows: (settlement, priority) =>
        this.#record(settlement, source.rows(settlement, this.#place * mostSettlements + priority)),
    };
  }

  /** The rows of a settlement, once they have all passed by; undefined where none were asked for. */
  rows(id: string): RowStore | undefined {
    return this.#stores.get(id);
  }

  /** Forgets them. */
  async release(id: string): Promise<void> {
    await this.#stores.get(id)?.release();
    this.#stores.delete(id);
  }

  /** Forgets all that is left. */
  async close(): Promise<void> {
    for (const id of this.#stores.keys()) await this.release(id);
  }

  async *#record(
    { id }: Settlement,
    reading: ReturnType<Source['rows']>,
  ): AsyncGenerator<RowBatch, RowsOutcome, void> {
    this.#files += 1;
    const path = join(this.#folder, `.rows-${this.#files}.part`);
    const store = new RowStore(this.#memory, path);
    this.#stores.set(id, store);
    try {
      return yield* mapped(reading, async (batch) => {
        await store.add(batch);
        return batch;
      });
    } finally {
      // Where the consumer has stopped, nobody else would end it.
      await reading.return(nothing);
    }
  }
}

const nothing: RowsOutcome = { unreadable: [], repeated: [], conflicts: [], corrections: [] };
