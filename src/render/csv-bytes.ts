import { uuidLength } from '../base/uuid.ts';
import {
  figuresPerRow,
  placesPerRow,
  type RowBatch,
  type RowKind,
  type RowTexts,
  textPlace,
} from '../model/row-batch.ts';
import type { Column, RowPart } from '../report/common/columns.ts';

/** What makes records of fields. */
export interface RecordForm<Row> {
  /** ASCII characters. */
  readonly delimiter: string;
  readonly decimal: string;
  readonly recordEnd: string;
  /** The field of a row, as it stands in a record. */
  readonly field: (column: Column<Row>, row: Row) => string;
}

type BatchColumns = Pick<RowBatch, 'length' | 'figures' | 'kinds'>;

/** Columns that follow on one another and come from the same part of a row: of ids and figures, one. */
interface Run<Row> {
  readonly part: RowPart;
  readonly columns: readonly Column<Row>[];
  readonly isDecimal: boolean;
}

/** A service with a new kind in each row must not fill the memory. */
const mostKinds = 1_000;
const figurePlace = { amount: 0, fees: 1, tax: 2 };
const zero = '0'.charCodeAt(0);
const minus = '-'.charCodeAt(0);
const quote = '"'.charCodeAt(0);
const emptyList = Buffer.from('[]');

/**
 * Writes the records of rows whose texts stand in the bytes of a page. What is the same in many rows is
 * made once, and texts are copied: it gives what all fields one by one would, sooner.
 */
export class RecordBytes<Row> {
  readonly #form: RecordForm<Row>;
  readonly #runs: readonly Run<Row>[];
  readonly #delimiter: number;
  readonly #decimal: number;
  readonly #recordEnd: Buffer;
  /** By kind, what stands in the place of each run of its columns. */
  readonly #kinds = new Map<RowKind, readonly Buffer[]>();
  #isAscii = true;
  #bytes = Buffer.alloc(0);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  /** `columns`: all of them with their parts. */
  constructor(columns: readonly Column<Row>[], form: RecordForm<Row>) {
    this.#form = form;
    this.#delimiter = form.delimiter.charCodeAt(0);
    this.#decimal = form.decimal.charCodeAt(0);
    this.#recordEnd = Buffer.from(form.recordEnd);
    this.#runs = runsOf(columns);
  }

  /** The records of rows of one settlement; `rowAt` puts one of them together. */
  text(batch: BatchColumns, texts: RowTexts, rowAt: (index: number) => Row): string {
    const settlement = this.#shared('settlement', rowAt(0));
    this.#at = 0;
    for (let index = 0; index < batch.length; index += 1) {
      const kind = batch.kinds[index];
      if (!kind) throw new RangeError(`No row ${index}`);
      const known = this.#kinds.get(kind) ?? this.#learn(kind, rowAt(index));
      this.#record(batch, texts, index, kind.scale, settlement, known);
    }
    return this.#bytes.toString(this.#isAscii ? 'latin1' : 'utf8', 0, this.#at);
  }

  #record(
    { figures }: BatchColumns,
    { page, places }: RowTexts,
    index: number,
    scale: number,
    settlement: readonly Buffer[],
    kind: readonly Buffer[],
  ): void {
    const place = index * placesPerRow;
    for (let number = 0; number < this.#runs.length; number += 1) {
      const run = this.#runs[number];
      if (!run) continue;
      const { part, isDecimal } = run;
      if (number > 0) this.#put(this.#delimiter);
      if (part === 'settlement') this.#copyAll(settlement[number]);
      else if (part === 'kind') this.#copyAll(kind[number]);
      else if (part === 'amount' || part === 'fees' || part === 'tax') {
        const figure = figures[index * figuresPerRow + figurePlace[part]] ?? 0;
        this.#digits(String(figure), isDecimal ? scale : 0);
      } else if (part === 'notes') {
        const from = places[place + textPlace.notes] ?? 0;
        this.#quoted(page, from, places[place + textPlace.notesEnd] ?? 0);
      } else {
        const from = places[place + textPlace[part]] ?? 0;
        const isTime = part === 'timestamp';
        const to = isTime ? (places[place + textPlace.timestampEnd] ?? 0) : from + uuidLength;
        if (from > 0) this.#copy(page, from, to);
      }
    }
    this.#copyAll(this.#recordEnd);
  }

  #learn(kind: RowKind, row: Row): readonly Buffer[] {
    if (this.#kinds.size >= mostKinds) this.#kinds.clear();
    const shared = this.#shared('kind', row);
    this.#kinds.set(kind, shared);
    return shared;
  }

  /** By run, the fields that come from a part that many rows share. */
  #shared(of: RowPart, row: Row): readonly Buffer[] {
    const { field, delimiter } = this.#form;
    return this.#runs.map(({ part, columns }) => {
      if (part !== of) return Buffer.alloc(0);
      const text = columns.map((column) => field(column, row)).join(delimiter);
      const bytes = Buffer.from(text);
      this.#isAscii &&= bytes.length === text.length;
      return bytes;
    });
  }

  /** A whole number in decimal places: "5" in two of them is 0.05. */
  #digits(text: string, decimals: number): void {
    this.#makeRoom(text.length + decimals + 2);
    const isNegative = text.charCodeAt(0) === minus;
    if (isNegative) this.#put(minus);
    const first = isNegative ? 1 : 0;
    const point = text.length - decimals;
    if (point <= first) this.#put(zero);
    for (let at = Math.min(first, point); at < text.length; at += 1) {
      if (at === point) this.#put(this.#decimal);
      this.#put(at < first ? zero : text.charCodeAt(at));
    }
  }

  #put(byte: number): void {
    this.#makeRoom(1);
    this.#bytes[this.#at] = byte;
    this.#at += 1;
  }

  #copyAll(bytes: Buffer | undefined): void {
    if (!bytes) return;
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  #copy(page: DataView, from: number, to: number): void {
    this.#makeRoom(to - from);
    const view = this.#view;
    let at = this.#at;
    let next = from;
    for (; next + 4 <= to; next += 4) {
      view.setInt32(at, page.getInt32(next));
      at += 4;
    }
    for (; next < to; next += 1) {
      view.setUint8(at, page.getUint8(next));
      at += 1;
    }
    this.#at = at;
  }

  /** A list as JSON: if there is something in it, there are quotes. */
  #quoted(page: DataView, from: number, to: number): void {
    if (to - from <= emptyList.length) {
      this.#copyAll(emptyList);
      return;
    }
    this.#makeRoom(2 * (to - from) + 2);
    const view = this.#view;
    let at = this.#at;
    view.setUint8(at, quote);
    at += 1;
    for (let next = from; next < to; next += 1) {
      const byte = page.getUint8(next);
      if (byte === quote) {
        view.setUint8(at, quote);
        at += 1;
      }
      view.setUint8(at, byte);
      at += 1;
    }
    view.setUint8(at, quote);
    this.#at = at + 1;
  }

  #makeRoom(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.alloc(2 * (this.#at + bytes));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer, larger.byteOffset, larger.length);
  }
}

function runsOf<Row>(columns: readonly Column<Row>[]): readonly Run<Row>[] {
  const runs: { part: RowPart; columns: Column<Row>[]; isDecimal: boolean }[] = [];
  for (const column of columns) {
    const { part } = column;
    if (!part) throw new RangeError(`${column.key} comes from no part of a row`);
    const run = runs.at(-1);
    const isShared = part === 'settlement' || part === 'kind';
    if (isShared && run?.part === part) run.columns.push(column);
    else runs.push({ part, columns: [column], isDecimal: column.kind === 'amount' });
  }
  return runs;
}
