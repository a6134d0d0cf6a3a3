import type { HttpAnswer } from '../../base/http/transport.ts';
import { idWords } from '../../base/id-table.ts';
import { uuidLength } from '../../base/uuid.ts';
import type { Note, Row } from '../../model/row.ts';
import {
  figuresPerRow,
  placesPerRow,
  type RowBatch,
  type RowKind,
  type RowTexts,
  textPlace,
} from '../../model/row-batch.ts';
import type { OddAnswer } from '../../model/source.ts';
import { readEnvelope } from '../envelope.ts';
import type { RecordPage } from '../walk/walk-records.ts';
import * as layout from './kernel/layout.ts';
import { type Kernel, theKernel } from './kernel.ts';
import { Learned, parseNotes } from './learned.ts';

/** Words of a digest: high and low. */
const digestWords = 2;

/** Reads pages whose rows have the documented forms from their bytes; all others are left to `decodeRow`. */
export class RowScanner {
  readonly #onOdd: (odd: OddAnswer) => void;
  readonly #kernel = theKernel();
  readonly #learned = new Learned(this.#kernel);
  readonly #callbacks: Kernel['callbacks'] = {
    learnShape: (at) => this.#learned.addShape(this.#page, at),
    learnText: (column, at) => this.#learned.addText(column, this.#page, at),
    readNotes: (at) => this.#learned.readNotes(this.#page, at),
  };
  #page: Buffer = Buffer.alloc(0);
  /** The bytes around the records of the last success. */
  #before: Buffer = Buffer.alloc(0);
  #after: Buffer = Buffer.alloc(0);

  /** `onOdd` is called with what is odd in answers whose rows can be read. */
  constructor(onOdd: (odd: OddAnswer) => void) {
    this.#onOdd = onOdd;
  }

  /** The rows of an answer; undefined if any has another form. Throws RequestFailure of a failure. */
  read(answer: HttpAnswer): ScannedPage | undefined {
    const { bytes } = answer;
    const { memory } = this.#kernel;
    const from = findDataArray(bytes);
    if (from < 0 || bytes.length > layout.mostBytes) return undefined;
    this.#learned.prepare(this.#kernel.callbacks !== this.#callbacks);
    this.#kernel.callbacks = this.#callbacks;
    this.#page = bytes;
    memory.set(bytes, layout.pageStart);
    const end = layout.pageStart + bytes.length;
    memory.fill(0, end, end + layout.margin);
    const to = this.#kernel.scan(from);
    if (to === 0) return undefined;
    const isData = this.#isData(answer, from, to);
    return isData ? new ScannedPage(bytes, this.#kernel, this.#learned) : undefined;
  }

  /** Whether the list is the data of the answer: two other lists in its place must be read as data. */
  #isData(answer: HttpAnswer, from: number, to: number): boolean {
    const before = answer.bytes.subarray(0, from);
    const after = answer.bytes.subarray(to);
    if (this.#before.equals(before) && this.#after.equals(after)) return true;
    const odd: OddAnswer[] = [];
    const isData = [1, 2].every((record) => {
      const bytes = Buffer.concat([before, Buffer.from(String(record)), after]);
      const reading = { missingIsEmpty: true, onOdd: (one: OddAnswer) => odd.push(one) };
      const records = readEnvelope({ ...answer, bytes }, reading);
      return records.length === 1 && records[0] === record;
    });
    if (!isData) return false;
    for (const one of odd) this.#onOdd(one);
    this.#before = Buffer.from(before);
    this.#after = Buffer.from(after);
    return true;
  }
}

const listOfData = /^"data"[ \t\r\n]*:[ \t\r\n]*\[/;

/** The offset behind the opening bracket of the first list called data, or -1. */
function findDataArray(bytes: Buffer): number {
  const name = bytes.indexOf('"data"');
  const [found = ''] = listOfData.exec(bytes.toString('latin1', name, name + 64)) ?? [];
  return name < 0 || found === '' ? -1 : name + found.length;
}

type Place = (typeof textPlace)[keyof typeof textPlace];

const intsPerRow = 2 * idWords + digestWords + placesPerRow;
const bytesPerRow = 8 * figuresPerRow + 4 * intsPerRow;

/** The rows of a page in columns. It keeps the bytes of the page for texts. */
export class ScannedPage implements RecordPage<Row>, RowBatch {
  readonly length: number;
  readonly ids: Int32Array;
  readonly chargeIds: Int32Array;
  readonly figures: Float64Array;
  readonly digests: Int32Array;
  readonly kinds: readonly RowKind[];
  readonly isUsual = true;
  readonly texts: RowTexts;
  readonly #bytes: Buffer;
  #text: string | undefined;

  /** Copies the rows that the kernel found last. */
  constructor(bytes: Buffer, { memory: { buffer }, rows }: Kernel, learned: Learned) {
    const length = rows.value;
    // One allocation is faster than five.
    const memory = new ArrayBuffer(length * bytesPerRow);
    let at = 0;
    const ints = (address: number, perRow: number) => {
      const column = new Int32Array(memory, at, length * perRow);
      column.set(new Int32Array(buffer, address, length * perRow));
      at += column.byteLength;
      return column;
    };
    // Copied as integers, and read as numbers of 64 bits.
    ints(layout.figures, 2 * figuresPerRow);
    this.length = length;
    this.figures = new Float64Array(memory, 0, length * figuresPerRow);
    this.ids = ints(layout.ids, idWords);
    this.chargeIds = ints(layout.ids + layout.idColumn, idWords);
    this.digests = ints(layout.digests, digestWords);
    this.kinds = learned.kinds(new Int32Array(buffer, layout.kinds, length));
    const page = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.texts = { page, places: ints(layout.places, placesPerRow) };
    this.#bytes = bytes;
  }

  item(index: number): Row {
    return this.row(index);
  }

  row(index: number): Row {
    const kind = this.kinds[index];
    if (!kind) throw new RangeError(`No row ${index}`);
    const minor = (figure: number) => BigInt(this.figures[index * figuresPerRow + figure] ?? 0);
    return {
      id: this.#slice(index, textPlace.id),
      chargeId: this.#slice(index, textPlace.chargeId),
      orderId: this.#slice(index, textPlace.orderId),
      settlementId: kind.settlementId,
      timestamp: this.#slice(index, textPlace.timestamp, textPlace.timestampEnd),
      type: kind.type,
      paymentType: kind.paymentType,
      state: kind.state,
      currency: kind.currency,
      scale: kind.scale,
      amount: minor(0),
      fees: minor(1),
      tax: minor(2),
      notes: this.#notes(index),
    };
  }

  /** The text of a field; empty if the row has none. */
  #slice(index: number, from: Place, to?: Place): string {
    const begin = this.texts.places[index * placesPerRow + from] ?? 0;
    const end =
      to === undefined ? begin + uuidLength : this.texts.places[index * placesPerRow + to];
    this.#text ??= this.#bytes.toString('latin1');
    return begin === 0 ? '' : this.#text.slice(begin, end);
  }

  #notes(index: number): readonly Note[] {
    const from = this.texts.places[index * placesPerRow + textPlace.notes] ?? 0;
    const to = this.texts.places[index * placesPerRow + textPlace.notesEnd];
    return from === 0 ? [] : (parseNotes(this.#bytes.subarray(from, to)) ?? []);
  }
}
