import { loadModule, type WasmMemory, withRoom } from '../base/web-assembly.ts';
import { type RowBatch, type RowKind, type RowTexts, textPlace } from '../model/row-batch.ts';
import type { Column, RowPart } from '../report/common/columns.ts';
import * as layout from './kernel/layout.ts';
import { recordsKernel } from './kernel-binary.ts';

/** What makes records of fields. */
export interface RecordForm<Row> {
  /** ASCII characters. */
  readonly delimiter: string;
  readonly decimal: string;
  /** The field of a row, as it stands in a record. */
  readonly field: (column: Column<Row>, row: Row) => string;
}

/** The writer of records in WebAssembly, of which `kernel/` is the source. Numbers are addresses. */
interface Kernel {
  readonly memory: WasmMemory;
  setForm(delimiter: number, decimal: number): void;
  /** Writes so many records from `to` on; the end of the last. */
  writeRecords(
    rows: number,
    settlement: number,
    kinds: number,
    figures: number,
    places: number,
    page: number,
    to: number,
  ): number;
}

/** Columns that follow on one another and come from the same part of a row: of ids and figures, one. */
interface Run<Row> {
  readonly part: RowPart;
  readonly columns: readonly Column<Row>[];
}

const forms: Readonly<Record<RowPart, readonly [form: number, place: number]>> = {
  settlement: [layout.partSettlement, 0],
  kind: [layout.partKind, 0],
  id: [layout.partId, textPlace.id],
  chargeId: [layout.partId, textPlace.chargeId],
  orderId: [layout.partId, textPlace.orderId],
  timestamp: [layout.partTimestamp, textPlace.timestamp],
  amount: [layout.partDecimal, 0],
  fees: [layout.partDecimal, 1],
  tax: [layout.partDecimal, 2],
};

/** A service with a new kind in each row must not fill the memory. */
const mostShared = 0x100000;
/** Of a record, all but what it shares and what it copies from the page: figures, ids and delimiters. */
const mostOwnBytes = 512;

/**
 * Writes the records of rows whose texts stand in the bytes of a page. What is the same in many rows is
 * made once, and texts are copied: it gives what all fields one by one would, sooner.
 */
export class RecordBytes<Row> {
  readonly #kernel: Kernel = loadModule(recordsKernel);
  readonly #form: RecordForm<Row>;
  readonly #runs: readonly Run<Row>[];
  /** Where what the rows of a kind have in common is written down. */
  readonly #kinds = new Map<RowKind, number>();
  /** What a kind takes in a record, at most. */
  #longest = 0;
  #free = layout.shared;

  /** `columns`: all of them with their parts. */
  constructor(columns: readonly Column<Row>[], form: RecordForm<Row>) {
    this.#form = form;
    this.#runs = runsOf(columns);
    this.#kernel.setForm(form.delimiter.charCodeAt(0), form.decimal.charCodeAt(0));
    const memory = withRoom(this.#kernel.memory, layout.shared);
    for (const [
      index,
      {
        part,
        columns: [first],
      },
    ] of this.#runs.entries()) {
      const [ofPart, place] = forms[part];
      const isMinor = first?.kind === 'integer' && ofPart === layout.partDecimal;
      const step = layout.parts + layout.partBytes * index;
      memory.writeInt32LE(isMinor ? layout.partInteger : ofPart, step);
      memory.writeInt32LE(place, step + 4);
    }
  }

  /** The records of rows of one settlement; `rowAt` puts one of them together. */
  bytes(batch: RowBatch, { page, places }: RowTexts, rowAt: (index: number) => Row): Buffer {
    if (this.#free > mostShared) this.#forget();
    const kinds = this.#addresses(batch.kinds, rowAt);
    const settlement = this.#free;
    const start = this.#share('settlement', rowAt(0), 0);
    const columns = [kinds, batch.figures, places, page].map(bytesOf);
    const ofColumns = columns.reduce((sum, { length }) => sum + length + layout.overrun, start);
    const perRow = mostOwnBytes + this.#longest + start - settlement;
    // In quotes, notes may become twice as long.
    const most = ofColumns + 2 * page.byteLength + batch.length * perRow;
    const memory = withRoom(this.#kernel.memory, most);
    let to = start;
    const [kindsAt = 0, figuresAt = 0, placesAt = 0, pageAt = 0] = columns.map((bytes) => {
      const at = to;
      memory.set(bytes, at);
      to += bytes.length + layout.overrun;
      return at;
    });
    const { length } = batch;
    const { writeRecords } = this.#kernel;
    const end = writeRecords(length, settlement, kindsAt, figuresAt, placesAt, pageAt, to);
    return Buffer.from(memory.subarray(to, end));
  }

  /** By row, where what its kind shares is written down. */
  #addresses(kinds: readonly RowKind[], rowAt: (index: number) => Row): Int32Array {
    const addresses = new Int32Array(kinds.length);
    let last: RowKind | undefined;
    let address = 0;
    for (const [index, kind] of kinds.entries()) {
      if (kind !== last) address = this.#kinds.get(kind) ?? this.#learn(kind, rowAt(index));
      last = kind;
      addresses[index] = address;
    }
    return addresses;
  }

  #learn(kind: RowKind, row: Row): number {
    const address = this.#free;
    this.#free = this.#share('kind', row, kind.scale);
    this.#longest = Math.max(this.#longest, this.#free - address);
    this.#kinds.set(kind, address);
    return address;
  }

  /** Writes down what all rows have in the fields of a part; the end of it. */
  #share(of: RowPart, row: Row, scale: number): number {
    const { field, delimiter } = this.#form;
    const texts = this.#runs.map(({ part, columns }) =>
      part === of ? columns.map((column) => field(column, row)).join(delimiter) : '',
    );
    let entry = this.#free + layout.sharedTexts;
    let end = entry + 8 * texts.length;
    const memory = withRoom(this.#kernel.memory, end + Buffer.byteLength(texts.join('')));
    memory.writeInt32LE(scale, this.#free);
    for (const text of texts) {
      const length = memory.write(text, end);
      memory.writeInt32LE(end, entry);
      memory.writeInt32LE(length, entry + 4);
      entry += 8;
      end += length;
    }
    return end;
  }

  #forget(): void {
    this.#kinds.clear();
    this.#longest = 0;
    this.#free = layout.shared;
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function runsOf<Row>(columns: readonly Column<Row>[]): readonly Run<Row>[] {
  const runs: { part: RowPart; columns: Column<Row>[] }[] = [];
  for (const column of columns) {
    const { part } = column;
    if (!part) throw new RangeError(`${column.key} comes from no part of a row`);
    const run = runs.at(-1);
    const isShared = part === 'settlement' || part === 'kind';
    if (isShared && run?.part === part) run.columns.push(column);
    else runs.push({ part, columns: [column] });
  }
  return runs;
}
