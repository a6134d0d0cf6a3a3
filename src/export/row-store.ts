import { join } from 'node:path';
import { ByteWriter, viewOf } from '../base/byte-writer.ts';
import { createScratchFile } from '../base/files.ts';
import { IdTable, idWords, putIdWords } from '../base/id-table.ts';
import { grown } from '../base/lists.ts';
import { mapped } from '../base/ordered.ts';
import { byText } from '../base/texts.ts';
import { writeUuid } from '../base/uuid.ts';
import type { Row } from '../model/row.ts';
import type { RowBatch } from '../model/row-batch.ts';
import type { Settlement } from '../model/settlement.ts';
import {
  type HeaderList,
  mostSettlements,
  type RowsOutcome,
  type Source,
} from '../model/source.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { PackedRows, packRow } from './packed-rows.ts';
import { type ListedTransaction, readLine, rowLine } from './source-line.ts';

export type SortedRows = PackedRows | readonly ListedTransaction[];

/** A settlement with less than this share of the memory is not spilled. */
const minSpillShare = 1 / 32;

/** The memory that the rows of several settlements share; beyond it, they are spilled to files. */
export class RowMemory {
  bytesInUse = 0;
  readonly #limit: number;
  readonly #free: ByteWriter[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  shouldSpill(bytes: number): boolean {
    return this.bytesInUse > this.#limit && bytes > this.#limit * minSpillShare;
  }

  takeBlock(): ByteWriter {
    return this.#free.pop() ?? new ByteWriter(blockSize + blockSize / 8);
  }

  giveBack(block: ByteWriter): void {
    block.length = 0;
    // A block that has grown for a huge row is not kept.
    const isUsual = block.bytes.length <= 2 * blockSize;
    if (isUsual && this.#free.length * blockSize < this.#limit) this.#free.push(block);
  }
}

const blockSize = 1 << 18;
const batchSize = 500;
const locationInts = 3;

/** Bytes of rows: in memory, or at this offset of the scratch file. */
type Block = ByteWriter | number;

/** The ids and texts of the rows in a `RowColumns`, by the same numbers, in bounded memory. */
export class RowStore {
  bytesInMemory = 0;
  readonly #memory: RowMemory;
  readonly #path: string;
  readonly #blocks: Block[] = [];
  #size = 0;
  #ids = new Int32Array(0);
  #locations = new Int32Array(0);
  /** By number, the ids of rows that are stored as JSON lines, because a value has an unusual form. */
  readonly #jsonRowIds = new Map<number, string>();
  #spilled = 0;
  #scratch: Awaited<ReturnType<typeof createScratchFile>> | undefined;
  #spilling: Promise<void> | undefined;
  #isReleased = false;

  constructor(memory: RowMemory, path: string) {
    this.#memory = memory;
    this.#path = path;
  }

  /** Adds rows, each id once. Does nothing after `release`, when a reader may still be under way. */
  async add(batch: RowBatch): Promise<void> {
    if (this.#isReleased) return;
    const { length, ids, texts } = batch;
    const room = this.#locations.length / locationInts;
    if (this.#size + length > room) {
      const larger = Math.max(2 * room, this.#size + length);
      this.#ids = grown(this.#ids, larger * idWords);
      this.#locations = grown(this.#locations, larger * locationInts);
    }
    this.#ids.set(ids.subarray(0, length * idWords), this.#size * idWords);
    for (let index = 0; index < length; index += 1) {
      const block = this.#openBlock();
      const start = block.length;
      if (!texts || !packRow(batch, texts, index, block)) this.#writeLine(batch.row(index), block);
      const location = this.#size * locationInts;
      this.#locations[location] = this.#blocks.length - 1;
      this.#locations[location + 1] = start;
      this.#locations[location + 2] = block.length;
      this.#use(block.length - start);
      this.#size += 1;
    }
    if (!this.#memory.shouldSpill(this.bytesInMemory)) return;
    this.#spilling = this.#spill();
    await this.#spilling;
  }

  #writeLine(row: Row, block: ByteWriter): void {
    this.#jsonRowIds.set(this.#size, row.id);
    // A line needs some settlement; only its record is read again.
    block.text(rowLine(row.id, row, 1));
  }

  #openBlock(): ByteWriter {
    const last = this.#blocks.at(-1);
    if (typeof last === 'object' && last.length < blockSize) return last;
    const block = this.#memory.takeBlock();
    this.#blocks.push(block);
    return block;
  }

  #use(bytes: number): void {
    this.bytesInMemory += bytes;
    this.#memory.bytesInUse += bytes;
  }

  /** Writes the rows in memory to the scratch file, by id: rows that are read together are together there. */
  async #spill(): Promise<void> {
    const order = this.#order(this.#spilled);
    this.#spilled = this.#size;
    const run = this.#blocks.push(0) - 1;
    this.#scratch ??= await createScratchFile(this.#path);
    this.#blocks[run] = this.#scratch.size;
    const ends = new Int32Array(order.length);
    const out = new ByteWriter(2 * blockSize);
    let written = 0;
    for (const [index, row] of order.entries()) {
      const { block, start, end } = this.#location(row);
      const bytes = this.#blocks[block];
      if (typeof bytes === 'object') out.copy(bytes.view, start, end);
      ends[index] = written + out.length;
      if (out.length < blockSize && index + 1 < order.length) continue;
      await this.#scratch.append(out.written);
      written += out.length;
      out.length = 0;
    }
    for (const [index, row] of order.entries()) {
      this.#locations.set([run, ends[index - 1] ?? 0, ends[index] ?? 0], row * locationInts);
    }
    this.#freeBlocks();
  }

  #freeBlocks(): void {
    for (const [index, block] of this.#blocks.entries()) {
      if (typeof block !== 'object') continue;
      this.#memory.giveBack(block);
      this.#blocks[index] = 0;
    }
    this.#use(-this.bytesInMemory);
  }

  #location(row: number) {
    const at = row * locationInts;
    return {
      block: this.#locations[at] ?? 0,
      start: this.#locations[at + 1] ?? 0,
      end: this.#locations[at + 2] ?? 0,
    };
  }

  #order(first: number): Int32Array {
    const ids = this.#ids;
    const order = Int32Array.from({ length: this.#size - first }, (_, index) => first + index);
    const text = (row: number) => this.#jsonRowIds.get(row) ?? writeUuid(ids, row * idWords);
    if (this.#jsonRowIds.size > 0)
      return order.sort((one, other) => byText(text(one), text(other)));
    return order.sort((one, other) => byWords(ids, one * idWords, other * idWords));
  }

  /** Transactions by id, in batches, each valid until the next. No rows can be added after the first call. */
  async *read(rows: RowColumns, outcome: RowsOutcome): AsyncGenerator<SortedRows, void, void> {
    const overrides = this.#overrides(outcome);
    const block = this.#memory.takeBlock();
    const packed = new PackedRows(rows, batchSize, block);
    const order = this.#order(0);
    const isPacked = (row: number | undefined) =>
      row === undefined || !(overrides.has(row) || this.#jsonRowIds.has(row));
    for (let first = 0; first < order.length; first += batchSize) {
      const some = order.subarray(first, first + batchSize);
      const bytesOf = await this.#load(some);
      const add = (row: number) => {
        const { view, start, end } = bytesOf(row);
        packed.add(row, view, start, end);
      };
      const storedRow = (row: number) => {
        const { view, start, end } = bytesOf(row);
        if (this.#jsonRowIds.has(row)) return rowIn(view, start, end);
        packed.clear();
        packed.add(row, view, start, end);
        return packed.row(0);
      };
      for (let from = 0, to = 1; from < some.length; to += 1) {
        if (to < some.length && isPacked(some[to]) === isPacked(some[from])) continue;
        const part = some.subarray(from, to);
        if (isPacked(some[from])) {
          packed.clear();
          part.forEach(add);
          yield packed;
        } else {
          yield Array.from(part, (row) => {
            const override = overrides.get(row);
            return { listed: 1, others: [], ...override, row: override?.row ?? storedRow(row) };
          });
        }
        from = to;
      }
    }
    this.#memory.giveBack(block);
  }

  #overrides({ corrections, repeated, conflicts }: RowsOutcome) {
    const overrides = new Map<number, Partial<ListedTransaction>>();
    if (corrections.length + repeated.length + conflicts.length === 0) return overrides;
    const table = new IdTable(0, this.#size);
    for (let row = 0; row < this.#size; row += 1) table.add(this.#ids, row * idWords);
    const words = new Int32Array(idWords);
    const override = (id: string, what: Partial<ListedTransaction>) => {
      putIdWords(id, words, 0);
      const row = table.add(words, 0);
      overrides.set(row, { ...overrides.get(row), ...what });
    };
    for (const row of corrections) override(row.id, { row });
    for (const { row, copies } of repeated) override(row.id, { listed: 1 + copies });
    for (const [counts, ...others] of conflicts) if (counts) override(counts.id, { others });
    return overrides;
  }

  /** Reads those of these rows that were spilled, and are side by side there; gives the bytes of each. */
  async #load(rows: Int32Array) {
    const ranges = new Map<number, { from: number; to: number; view: DataView }>();
    for (const row of rows) {
      const { block, start, end } = this.#location(row);
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
      const { block, start, end } = this.#location(row);
      const bytes = this.#blocks[block];
      if (typeof bytes === 'object') return { view: bytes.view, start, end };
      const { from = 0, view = empty } = ranges.get(block) ?? {};
      return { view, start: start - from, end: end - from };
    };
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    // The caller of `add` gets its failure.
    await this.#spilling?.catch(() => {});
    this.#freeBlocks();
    await this.#scratch?.close();
    this.#scratch = undefined;
  }
}

const empty = new DataView(new ArrayBuffer(0));

/** Orders UUIDs by their words: the order of their texts. */
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

/** Copies the rows of each settlement into a `RowStore` while they are read. */
export class Recorder {
  readonly #memory: RowMemory;
  readonly #folder: string;
  readonly #stores = new Map<string, RowStore>();
  readonly #priority: number;
  #files = 0;

  /** `folder` is for scratch files. Rows of a recorder with a lower `priority` are read first. */
  constructor(memory: RowMemory, folder: string, priority: number) {
    this.#memory = memory;
    this.#folder = folder;
    this.#priority = priority;
  }

  recording(source: Source, headers: HeaderList): Source {
    return {
      headers: async () => headers,
      header: (id) => source.header(id),
      rows: (settlement, priority) =>
        this.#record(
          settlement,
          source.rows(settlement, this.#priority * mostSettlements + priority),
        ),
    };
  }

  /** The rows of a settlement, after all were read; undefined if none were asked for. */
  rows(id: string): RowStore | undefined {
    return this.#stores.get(id);
  }

  async release(id: string): Promise<void> {
    await this.#stores.get(id)?.release();
    this.#stores.delete(id);
  }

  async close(): Promise<void> {
    for (const id of this.#stores.keys()) await this.release(id);
  }

  async *#record({ id }: Settlement, reading: ReturnType<Source['rows']>) {
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
      // If the consumer has stopped, nothing else would end it.
      await reading.return(emptyOutcome);
    }
  }
}

const emptyOutcome: RowsOutcome = { unreadable: [], repeated: [], conflicts: [], corrections: [] };
