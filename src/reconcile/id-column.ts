import type { IdTable } from '../base/id-table.ts';
import { readUuid, uuidWords, writeUuid } from '../base/uuid.ts';

const blockBits = 10;
const blockSize = 1 << blockBits;
const nothing = '';

/**
 * Ids by row, each in 16 bytes where it is a UUID in lower case; any other text is kept as it is. In
 * blocks, as in a `Column`: reading beyond the end is an error.
 */
export class IdColumn {
  readonly #blocks: Int32Array[] = [];
  /** By row, what is no UUID and not empty. */
  readonly #others = new Map<number, string>();
  #size = 0;

  get(index: number): string {
    const block = this.#block(index);
    const at = placeOf(index);
    return isUuid(block, at) ? writeUuid(block, at) : (this.#others.get(index) ?? nothing);
  }

  /** The slot of the id in a table, where it is added if it is new. */
  addTo(table: IdTable, index: number): number {
    const block = this.#block(index);
    const at = placeOf(index);
    return isUuid(block, at) ? table.addWords(block, at) : table.add(this.get(index));
  }

  /** Rows are set in order the first time, in any order afterwards. */
  set(index: number, id: string): void {
    const block = this.#blockFor(index);
    const at = placeOf(index);
    if (readUuid(id, block, at)) return;
    block.fill(0, at, at + uuidWords);
    if (id !== nothing) this.#others.set(index, id);
  }

  /** Sets the id of a row to a UUID whose words are known; four zeros stand for an empty text. */
  setWords(index: number, words: Int32Array, from: number): void {
    const block = this.#blockFor(index);
    const at = placeOf(index);
    for (let word = 0; word < uuidWords; word += 1) block[at + word] = words[from + word] ?? 0;
  }

  /** The block that row `index` is about to be set in. */
  #blockFor(index: number): Int32Array {
    let block = this.#blocks[index >>> blockBits];
    if (block === undefined) {
      block = new Int32Array(blockSize * uuidWords);
      this.#blocks.push(block);
    }
    if (index >= this.#size) this.#size = index + 1;
    else this.#others.delete(index);
    return block;
  }

  #block(index: number): Int32Array {
    const block = this.#blocks[index >>> blockBits];
    if (block === undefined || index >= this.#size) throw new RangeError(`No row ${index}`);
    return block;
  }
}

function placeOf(index: number): number {
  return (index & (blockSize - 1)) * uuidWords;
}

function isUuid(block: Int32Array, at: number): boolean {
  return block[at] !== 0 || block[at + 1] !== 0 || block[at + 2] !== 0 || block[at + 3] !== 0;
}
