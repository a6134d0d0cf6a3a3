import { loadModule, type WasmMemory, withRoom } from '../base/web-assembly.ts';
import {
  figurePlace,
  type RowBatch,
  type RowKind,
  type RowTexts,
  textPlace,
} from '../model/row-batch.ts';
import type { Column, RowPart } from '../report/common/columns.ts';
import * as layout from './kernel/layout.ts';
import { recordsKernel } from './kernel-binary.ts';

type Columns = Pick<RowBatch, 'length' | 'figures' | 'kinds'>;

interface RecordForm<Row> {
  /** An ASCII character, as `decimal`. */
  readonly delimiter: string;
  readonly decimal: string;
  readonly recordEnd: string;
  readonly field: (column: Column<Row>, row: Row) => string;
}

/** The writer of records in WebAssembly, of which `kernel/` is the source. */
interface Kernel {
  readonly memory: WasmMemory;
  /** Writes so many records, out of columns at these addresses, and from `to` on; the end of the last. */
  writeRecords(
    rows: number,
    shapes: number,
    figures: number,
    places: number,
    page: number,
    decimal: number,
    to: number,
  ): number;
}

/** The parts that differ from row to row, and where they are in the columns. */
const values: Readonly<Partial<Record<RowPart, readonly [form: number, place: number]>>> = {
  id: [layout.valueId, textPlace.id],
  chargeId: [layout.valueId, textPlace.chargeId],
  orderId: [layout.valueId, textPlace.orderId],
  timestamp: [layout.valueTimestamp, textPlace.timestamp],
  amount: [layout.valueFigure, figurePlace.amount],
  fees: [layout.valueFigure, figurePlace.fees],
  tax: [layout.valueFigure, figurePlace.tax],
  notes: [layout.valueNotes, textPlace.notes],
};

/** A service with a new kind in each row must not fill the memory. */
const mostShapeBytes = 0x100000;
const mostValueBytes = 512;

/** Writes records of rows in columns: what many rows share is made once, and texts are copied. The result is that of field by field. */
export class RecordBytes<Row> {
  readonly #kernel: Kernel = loadModule(recordsKernel);
  readonly #columns: readonly Column<Row>[];
  readonly #form: RecordForm<Row>;
  #settlement = '';
  /** By kind, the address of the steps for its records in this settlement. */
  readonly #shapes = new Map<RowKind, number>();
  #longestShape = 0;
  #free = layout.start;

  constructor(columns: readonly Column<Row>[], form: RecordForm<Row>) {
    if (columns.some(({ part }) => !part)) throw new RangeError('a column has no part');
    this.#columns = columns;
    this.#form = form;
  }

  /** The records of rows of one settlement; `rowAt` puts one of them together. */
  bytes(batch: Columns, { page, places }: RowTexts, rowAt: (index: number) => Row): Buffer {
    this.#forgetOthers(rowAt(0));
    const shapes = this.#shapesOf(batch.kinds, rowAt);
    const columns = [shapes, batch.figures, places, page].map(bytesOf);
    const sizes = columns.map(({ length }) => length + layout.overrun);
    // In quotes, notes may become twice as long.
    const most = 2 * page.byteLength + batch.length * (this.#longestShape + mostValueBytes);
    const total = sizes.reduce((sum, size) => sum + size, this.#free + most);
    const memory = withRoom(this.#kernel.memory, total);
    let to = this.#free;
    const addresses = columns.map((bytes, index) => {
      const address = to;
      memory.set(bytes, address);
      to += sizes[index] ?? 0;
      return address;
    });
    const [shapesAt = 0, figuresAt = 0, placesAt = 0, pageAt = 0] = addresses;
    const decimal = this.#form.decimal.charCodeAt(0);
    const { writeRecords } = this.#kernel;
    const end = writeRecords(batch.length, shapesAt, figuresAt, placesAt, pageAt, decimal, to);
    return Buffer.from(memory.subarray(to, end));
  }

  #forgetOthers(row: Row): void {
    const ofSettlement = this.#columns.filter(({ part }) => part === 'settlement');
    const settlement = ofSettlement.map((column) => this.#form.field(column, row)).join('\0');
    if (settlement === this.#settlement && this.#free < mostShapeBytes) return;
    this.#settlement = settlement;
    this.#shapes.clear();
    this.#longestShape = 0;
    this.#free = layout.start;
  }

  #shapesOf(kinds: readonly RowKind[], rowAt: (index: number) => Row): Int32Array {
    const shapes = new Int32Array(kinds.length);
    for (const [index, kind] of kinds.entries()) {
      shapes[index] = this.#shapes.get(kind) ?? this.#learn(kind, rowAt(index));
    }
    return shapes;
  }

  /** Writes down the steps for the records of a kind: texts that are always the same, and values behind them. */
  #learn(kind: RowKind, row: Row): number {
    const { delimiter, recordEnd, field } = this.#form;
    const steps: (readonly [before: string, form: number, place: number, decimals: number])[] = [];
    let before = '';
    for (const [index, column] of this.#columns.entries()) {
      if (index > 0) before += delimiter;
      const value = column.part && values[column.part];
      if (!value) before += field(column, row);
      else {
        steps.push([before, ...value, column.kind === 'amount' ? kind.scale : 0]);
        before = '';
      }
    }
    steps.push([before + recordEnd, layout.valueNone, 0, 0]);
    const shape = this.#free;
    let step = shape;
    let text = shape + 4 * layout.stepWords * steps.length;
    const length = Buffer.byteLength(steps.map(([own]) => own).join(''));
    const memory = withRoom(this.#kernel.memory, text + length);
    for (const [own, ...value] of steps) {
      const words = [text, memory.write(own, text), ...value];
      for (const word of words) step = memory.writeInt32LE(word, step);
      text += words[1] ?? 0;
    }
    // Columns of numbers stand at whole words.
    this.#free = 8 * Math.ceil(text / 8);
    this.#longestShape = Math.max(this.#longestShape, length);
    this.#shapes.set(kind, shape);
    return shape;
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
