import { ByteWriter, viewOf } from '../base/byte-writer.ts';
import { createScratchFile, type ScratchFile } from '../base/files.ts';
import { grown } from '../base/grown.ts';
import { IdTable, idWords, putIdWords } from '../base/id-table.ts';
import { byText } from '../base/texts.ts';
import { writeUuid } from '../base/uuid.ts';
import type { Row } from '../model/row.ts';
import type { RowBatch } from '../model/row-batch.ts';
import type { RowsOutcome } from '../model/source.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { PackedRows, packRow } from './packed-rows.ts';
import { type ListedTransaction, readLine, rowLine } from './source-line.ts';

/** Some transactions of a settlement, in the order of their ids. */
export type SortedRows = PackedRows | readonly ListedTransaction[];

/** The memory that the rows of several settlements share; beyond it, they are set aside in files. */
export class RowMemory {
  readonly #limit: number;
  readonly #stores = new Set<RowStore>();
  #relief: Promise<void> | undefined;

  /** `limit`: bytes, about. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  join(store: RowStore): void {
    this.#stores.add(store);
  }

  leave(store: RowStore): void {
    this.#stores.delete(store);
  }

  /** Resolves when no more is held than may be, but for what is being read: those who hold most write it out. */
  async settle(): Promise<void> {
    if (this.#relief === undefined && !this.#isExceeded()) return;
    this.#relief ??= this.#relieve().finally(() => {
      this.#relief = undefined;
    });
    await this.#relief;
  }

  async #relieve(): Promise<void> {
    while (this.#isExceeded()) {
      const [most] = [...this.#stores]
        .filter((one) => one.canSpill)
        .sort((one, other) => other.held - one.held);
      if (!most) return;
      await most.spill();
    }
  }

  #isExceeded(): boolean {
    let held = 0;
    for (const store of this.#stores) held += store.held;
    return held > this.#limit;
  }
}

const blockSize = 1 << 18;
const batchSize = 500;
/** Of each row: its block, where it begins and where it ends there. */
const placeInts = 3;

/** Bytes of rows: in memory, or from there on in the scratch file. */
type Block = ByteWriter | number;

/**
 * What `RowColumns` doesn't keep of a settlement's rows: their texts, as they come and in bounded
 * memory, to be read in the order of the transaction ids. The rows have the same numbers there.
 */
export class RowStore {
  /** Bytes in memory. */
  held = 0;
  readonly #memory: RowMemory;
  readonly #path: string;
  readonly #blocks: Block[] = [];
  #size = 0;
  #ids = new Int32Array(0);
  #places = new Int32Array(0);
  /** Rows that are kept as their lines, because a value has another form: the id by number. */
  readonly #lines = new Map<number, string>();
  /** How many rows were set aside, and are being. */
  #aside = 0;
  #isRead = false;
  #scratch: ScratchFile | undefined;
  #spilling = Promise.resolve();

  /** `path`: of the scratch file, should one be needed. */
  constructor(memory: RowMemory, path: string) {
    this.#memory = memory;
    this.#path = path;
    memory.join(this);
  }

  /** Adds rows, each id once. */
  async add(batch: RowBatch): Promise<void> {
    const { length, ids, texts } = batch;
    const room = this.#places.length / placeInts;
    if (this.#size + length > room) {
      const larger = Math.max(2 * room, this.#size + length);
      this.#ids = grown(this.#ids, larger * idWords);
      this.#places = grown(this.#places, larger * placeInts);
    }
    this.#ids.set(ids.subarray(0, length * idWords), this.#size * idWords);
    for (let index = 0; index < length; index += 1) {
      const block = this.#openBlock();
      const start = block.length;
      if (!texts || !packRow(batch, texts, index, block)) this.#writeLine(batch.row(index), block);
      const place = this.#size * placeInts;
      this.#places[place] = this.#blocks.length - 1;
      this.#places[place + 1] = start;
      this.#places[place + 2] = block.length;
      this.held += block.length - start;
      this.#size += 1;
    }
    await this.#memory.settle();
  }

  #writeLine(row: Row, block: ByteWriter): void {
    this.#lines.set(this.#size, row.id);
    block.text(rowLine(row.id, row, 1));
  }

  #openBlock(): ByteWriter {
    const last = this.#blocks.at(-1);
    if (typeof last === 'object' && last.length < blockSize) return last;
    const block = new ByteWriter(blockSize + blockSize / 8);
    this.#blocks.push(block);
    return block;
  }

  get canSpill(): boolean {
    return this.held > 0 && !this.#isRead;
  }

  /** Writes what is held to the scratch file. */
  spill(): Promise<void> {
    this.#spilling = this.#writeRun();
    return this.#spilling;
  }

  /** In the order of the ids: so what is read together stands together. */
  async #writeRun(): Promise<void> {
    const { held: before } = this;
    const order = this.#order(this.#aside);
    this.#aside = this.#size;
    const run = this.#blocks.push(0) - 1;
    this.#scratch ??= await createScratchFile(this.#path);
    this.#blocks[run] = this.#scratch.size;
    const ends = new Int32Array(order.length);
    const out = new ByteWriter(2 * blockSize);
    let written = 0;
    for (const [index, row] of order.entries()) {
      const { block, start, end } = this.#place(row);
      const held = this.#blocks[block];
      if (typeof held === 'object') out.copy(held.view, start, end);
      ends[index] = written + out.length;
      if (out.length < blockSize && index + 1 < order.length) continue;
      await this.#scratch.append(out.written);
      written += out.length;
      out.length = 0;
    }
    for (const [index, row] of order.entries()) {
      this.#places.set([run, ends[index - 1] ?? 0, ends[index] ?? 0], row * placeInts);
    }
    for (let block = 0; block < run; block += 1) {
      if (typeof this.#blocks[block] === 'object') this.#blocks[block] = 0;
    }
    this.held -= before;
  }

  #place(row: number): { readonly block: number; readonly start: number; readonly end: number } {
    const place = row * placeInts;
    const [block = 0, start = 0, end = 0] = this.#places.subarray(place, place + placeInts);
    return { block, start, end };
  }

  /** The numbers of the rows from `first` on, by id. */
  #order(first: number): Int32Array {
    const ids = this.#ids;
    const order = Int32Array.from({ length: this.#size - first }, (_, index) => first + index);
    const text = (row: number) => this.#lines.get(row) ?? writeUuid(ids, row * idWords);
    if (this.#lines.size > 0) return order.sort((one, other) => byText(text(one), text(other)));
    return order.sort((one, other) => byWords(ids, one * idWords, other * idWords));
  }

  /**
   * All transactions by id, in batches, each valid until the next is asked for; may be called
   * repeatedly, and nothing may be added any more. `rows` has the same rows, and `outcome` is what was
   * said of them in the end.
   */
  async *read(rows: RowColumns, outcome: RowsOutcome): AsyncGenerator<SortedRows, void, void> {
    this.#isRead = true;
    await this.#spilling;
    const retold = this.#retold(outcome);
    const packed = new PackedRows(rows, batchSize);
    const order = this.#order(0);
    const isListed = (row: number | undefined) =>
      row !== undefined && (retold.has(row) || this.#lines.has(row));
    for (let first = 0; first < order.length; first += batchSize) {
      const some = order.subarray(first, first + batchSize);
      const bytesOf = await this.#load(some);
      const add = (row: number) => {
        const { view, start, end } = bytesOf(row);
        packed.add(row, view, start, end);
      };
      const standing = (row: number) => {
        const { view, start, end } = bytesOf(row);
        if (this.#lines.has(row)) return rowIn(view, start, end);
        packed.clear();
        packed.add(row, view, start, end);
        return packed.row(0);
      };
      for (let from = 0, to = 1; from < some.length; to += 1) {
        if (to < some.length && isListed(some[to]) === isListed(some[from])) continue;
        const part = some.subarray(from, to);
        if (isListed(some[from])) {
          yield Array.from(part, (row) => {
            const told = retold.get(row);
            return { listed: 1, others: [], ...told, row: told?.row ?? standing(row) };
          });
        } else {
          packed.clear();
          part.forEach(add);
          yield packed;
        }
        from = to;
      }
    }
  }

  /** What the outcome says otherwise of rows that were handed on before, by number. */
  #retold({ corrections, repeated, conflicts }: RowsOutcome) {
    const retold = new Map<number, Partial<ListedTransaction>>();
    if (corrections.length + repeated.length + conflicts.length === 0) return retold;
    const table = new IdTable(0, this.#size);
    for (let row = 0; row < this.#size; row += 1) table.add(this.#ids, row * idWords);
    const words = new Int32Array(idWords);
    const tell = (id: string, what: Partial<ListedTransaction>) => {
      putIdWords(id, words, 0);
      const row = table.add(words, 0);
      retold.set(row, { ...retold.get(row), ...what });
    };
    for (const row of corrections) tell(row.id, { row });
    for (const { row, copies } of repeated) tell(row.id, { listed: 1 + copies });
    for (const [counts, ...others] of conflicts) if (counts) tell(counts.id, { others });
    return retold;
  }

  /** Reads what was set aside of these rows, which stand side by side; gives the bytes of each. */
  async #load(rows: Int32Array) {
    const ranges = new Map<number, { from: number; to: number; view: DataView }>();
    for (const row of rows) {
      const { block, start, end } = this.#place(row);
      if (typeof this.#blocks[block] === 'object') continue;
      const { from = start, to = end } = ranges.get(block) ?? {};
      ranges.set(block, { from: Math.min(from, start), to: Math.max(to, end), view: empty });
    }
    for (const [block, range] of ranges) {
      const begin = Number(this.#blocks[block]) + range.from;
      const bytes = await this.#scratch?.read(begin, range.to - range.from);
      if (bytes) range.view = viewOf(bytes);
    }
    return (row: number) => {
      const { block, start, end } = this.#place(row);
      const held = this.#blocks[block];
      if (typeof held === 'object') return { view: held.view, start, end };
      const { from = 0, view = empty } = ranges.get(block) ?? {};
      return { view, start: start - from, end: end - from };
    };
  }

  /** Forgets all of it. */
  async release(): Promise<void> {
    this.#memory.leave(this);
    // Whoever asked for it hears of its failure.
    await this.#spilling.catch(() => {});
    this.#blocks.length = 0;
    this.held = 0;
    await this.#scratch?.close();
    this.#scratch = undefined;
  }
}

const empty = new DataView(new ArrayBuffer(0));

/** Orders UUIDs by their words, as their texts are ordered. */
function byWords(ids: Int32Array, one: number, other: number): number {
  for (let word = 0; word < idWords; word += 1) {
    const difference = ((ids[one + word] ?? 0) >>> 0) - ((ids[other + word] ?? 0) >>> 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function rowIn({ buffer, byteOffset }: DataView, start: number, end: number): Row {
  const text = Buffer.from(buffer, byteOffset + start, end - start).toString();
  const line = readLine(text);
  if (!('type' in line) || line.type !== 'row') throw new RangeError(`no row: ${text}`);
  return line.record;
}
