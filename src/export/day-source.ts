import { isSameUuid } from '../base/uuid.ts';
import type { Settlement } from '../model/settlement.ts';
import type { ListedTransaction, SectionEnd } from './source-line.ts';
import { SourceReader } from './source-reader.ts';

/**
 * The source of one day, for several who ask at the same time: they are served one after the other,
 * and in one pass through the file where they ask in its order.
 */
export class DaySource {
  readonly settlements: readonly Settlement[];
  readonly conflicts: readonly (readonly Settlement[])[];
  readonly #path: string;
  readonly #places: ReadonlyMap<string, number>;
  #reader: SourceReader | undefined;
  #turn = Promise.resolve();

  private constructor(path: string, reader: SourceReader) {
    const { settlements, conflicts } = reader.headers;
    this.settlements = settlements;
    this.conflicts = conflicts;
    this.#path = path;
    this.#places = new Map(settlements.map(({ id }, index) => [id, index]));
  }

  /** Reads the headers. Throws ReconError `damaged`. */
  static async open(path: string): Promise<DaySource> {
    const reader = await SourceReader.open(path);
    await reader.close();
    return new DaySource(path, reader);
  }

  has(id: string): boolean {
    return this.settlements.some((one) => isSameUuid(one.id, id));
  }

  /** The transactions of a settlement that it has. */
  async *rows(id: string): AsyncGenerator<readonly ListedTransaction[], SectionEnd, void> {
    const index = this.#places.get(id);
    if (index === undefined) throw new RangeError(`no settlement ${id} on that day`);
    const end = await this.#takeTurn();
    try {
      const reader = await this.#readerAt(index);
      const outcome = yield* reader.rows(index);
      // A file that has been read to its end need not stay open.
      if (index === this.settlements.length - 1) await this.close();
      return outcome;
    } finally {
      end();
    }
  }

  /** It may be read again all the same. */
  async close(): Promise<void> {
    const reader = this.#reader;
    this.#reader = undefined;
    await reader?.close();
  }

  /** Resolves when all who asked before are served, to what gives the turn to the next one. */
  async #takeTurn(): Promise<() => void> {
    const before = this.#turn;
    let end = () => {};
    this.#turn = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    return end;
  }

  async #readerAt(index: number): Promise<SourceReader> {
    if (this.#reader && index < this.#reader.begun) await this.close();
    this.#reader ??= await SourceReader.open(this.#path);
    return this.#reader;
  }
}
