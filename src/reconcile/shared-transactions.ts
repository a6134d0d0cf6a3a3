import { IdTable, idWords, spreadId } from '../base/id-table.ts';
import { append } from '../base/lists.ts';
import { writeUuid } from '../base/uuid.ts';
import { type Entry, entry, SmallestKeys, smallestIds } from './entry.ts';
import type { OwnRows, RowColumns } from './row-columns.ts';

const partBits = 6;
/** An id, and the number of its settlement. */
const entryWords = idWords + 1;
const blockEntries = 1024;

/** Finds transactions in two settlements of a run. Keeps 20 bytes of each row, in parts by id. */
export class SharedTransactions {
  readonly #settlementIds: string[] = [];
  readonly #parts = Array.from({ length: 1 << partBits }, () => new Part());
  /** Ids other than UUIDs, by the UUID of their words. */
  readonly #otherIds = new Map<string, string>();
  /** Rows whose ids are texts of their own: only those of shared ids are read. */
  readonly #own: OwnRows[] = [];

  /** Adds the rows of a settlement; each settlement once. */
  add(settlementId: string, rows: RowColumns): void {
    const { ids } = rows;
    const settlement = this.#settlementIds.push(settlementId) - 1;
    for (let at = 0; at < ids.length; at += idWords) {
      this.#parts[spreadId(ids, at) >>> (32 - partBits)]?.add(ids, at, settlement);
    }
    for (const { row, id } of rows.otherIds()) {
      this.#otherIds.set(writeUuid(ids, row * idWords), id);
    }
    append(this.#own, rows.own);
  }

  /** `shared_transaction`, if there are any. */
  get finding(): Entry | undefined {
    const found = new SmallestKeys<Set<string>>();
    let count = 0;
    // Used for all parts in turn, because they have about the same number of ids.
    const table = new IdTable(2);
    if (this.#own.length > 0) this.#readShared(table);
    for (const part of this.#parts) {
      for (const { words, isSecond, settlements } of part.shared(table)) {
        if (isSecond) count += 1;
        const uuid = writeUuid(words, 0);
        const id = this.#otherIds.get(uuid) ?? uuid;
        const known = found.get(id) ?? new Set();
        for (const number of settlements) known.add(this.#settlementIds[number] ?? '');
        found.set(id, known);
      }
    }
    if (count === 0) return undefined;
    const examples = found.entries().map(([transactionId, settlementIds]) => ({
      transactionId,
      settlementIds: smallestIds(settlementIds),
    }));
    return entry('shared_transaction', count, { examples });
  }

  #readShared(table: IdTable): void {
    const shared = new Set<string>();
    for (const part of this.#parts) {
      for (const { words } of part.shared(table)) shared.add(writeUuid(words, 0));
    }
    if (shared.size === 0) return;
    for (const { ids, length, row } of this.#own) {
      for (let index = 0; index < length; index += 1) {
        const uuid = writeUuid(ids, index * idWords);
        if (shared.has(uuid)) this.#otherIds.set(uuid, row(index).id);
      }
    }
  }
}

class Part {
  readonly #blocks: Int32Array[] = [];
  #size = 0;

  add(words: Int32Array, at: number, settlement: number): void {
    const entry = this.#size % blockEntries;
    if (entry === 0) this.#blocks.push(new Int32Array(blockEntries * entryWords));
    const block = this.#blocks.at(-1);
    if (!block) return;
    for (let word = 0; word < idWords; word += 1) {
      block[entry * entryWords + word] = words[at + word] ?? 0;
    }
    block[entry * entryWords + idWords] = settlement;
    this.#size += 1;
  }

  /** Each listing of an id after its first one. Clears `table`. */
  *shared(table: IdTable) {
    table.clear();
    for (let index = 0; index < this.#size; index += 1) {
      const block = this.#blocks[Math.floor(index / blockEntries)] ?? new Int32Array(entryWords);
      const at = (index % blockEntries) * entryWords;
      const settlement = block[at + idWords] ?? 0;
      const known = table.size;
      const number = table.add(block, at);
      if (number === known) {
        table.set(number, 0, settlement);
        continue;
      }
      const isSecond = table.get(number, 1) === 0;
      table.set(number, 1, 1);
      const words = block.subarray(at, at + idWords);
      yield { words, isSecond, settlements: [table.get(number, 0), settlement] };
    }
  }
}
