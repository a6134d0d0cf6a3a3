import { join } from 'node:path';
import { notTried } from '../app/read-settlements.ts';
import { SortMemory } from '../base/external-sort.ts';
import { type RowBatch, rowsOf } from '../model/row-batch.ts';
import type { Settlement } from '../model/settlement.ts';
import type { HeaderList, RowsOutcome, Source } from '../model/source.ts';
import { type RecordedRows, RowSpool } from './row-spool.ts';

/** What all settlements under way may hold in memory together. */
const memoryLimit = 32 * 1024 * 1024;

export interface RecordingOptions {
  /** The folder for scratch files; nothing is left in it. */
  readonly scratchFolder: string;
  /** Bytes for all settlements under way together, about. */
  readonly memory?: number;
}

/** A source, its headers known already, that keeps what passes by of each settlement until it is taken. */
export class RecordingSource implements Source {
  readonly #source: Source;
  readonly #listed: HeaderList;
  readonly #folder: string;
  readonly #memory: SortMemory;
  readonly #recorded = new Map<string, RecordedRows>();
  readonly #spools = new Set<RowSpool>();
  #files = 0;

  constructor(
    source: Source,
    listed: HeaderList,
    { scratchFolder, memory = memoryLimit }: RecordingOptions,
  ) {
    this.#source = source;
    this.#listed = listed;
    this.#folder = scratchFolder;
    this.#memory = new SortMemory(memory);
  }

  async headers(): Promise<HeaderList> {
    return this.#listed;
  }

  header(id: string): Promise<HeaderList> {
    return this.#source.header(id);
  }

  async *rows(header: Settlement, priority: number): AsyncGenerator<RowBatch, RowsOutcome, void> {
    const spool = this.#startSpool();
    const reading = this.#source.rows(header, priority);
    let isRecorded = false;
    try {
      let step = await reading.next();
      for (; !step.done; step = await reading.next()) {
        await spool.add(rowsOf(step.value));
        yield step.value;
      }
      const recorded = spool.finish(step.value);
      this.#recorded.set(header.id, { ...recorded, release: () => this.#release(spool) });
      isRecorded = true;
      return step.value;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#recorded.set(header.id, notRead(reason));
      throw error;
    } finally {
      if (!isRecorded) {
        await this.#release(spool);
        // Where the consumer has stopped, nobody else would end it.
        await reading.return(nothing);
      }
    }
  }

  /**
   * What was read of a settlement, once it is decided; the taker releases it. One whose rows were
   * never asked for wasn't tried.
   */
  take(id: string): RecordedRows {
    const recorded = this.#recorded.get(id) ?? notRead(notTried);
    this.#recorded.delete(id);
    return recorded;
  }

  /** Forgets what was not released. */
  async close(): Promise<void> {
    for (const spool of this.#spools) await this.#release(spool);
    this.#recorded.clear();
  }

  async #release(spool: RowSpool): Promise<void> {
    this.#spools.delete(spool);
    await spool.release();
  }

  #startSpool(): RowSpool {
    this.#files += 1;
    const spool = new RowSpool(this.#memory, join(this.#folder, `.rows-${this.#files}.part`));
    this.#spools.add(spool);
    return spool;
  }
}

const nothing: RowsOutcome = { unreadable: [], repeated: [], conflicts: [], corrections: [] };

function notRead(reason: string): RecordedRows {
  return {
    end: { unreadable: [], notRead: reason },
    async *read() {},
    release: async () => {},
  };
}
