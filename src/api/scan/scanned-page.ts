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

import { digestWords, type RecordPage } from '../walk/record-page.ts';
import { parseNotes } from './notes-shape.ts';

type Place = (typeof textPlace)[keyof typeof textPlace];

const intsPerRow = 2 * idWords + digestWords + placesPerRow;
const bytesPerRow = 8 * figuresPerRow + 4 * intsPerRow;

/** Rows that are found in the bytes of a page, which it keeps as long as somebody may ask for texts. */
export class ScannedPage implements RecordPage<Row>, RowBatch {
  /** Rows found so far; there may be room for more. */
  length = 0;
  ids = new Int32Array(0);
  chargeIds = new Int32Array(0);
  figures = new Float64Array(0);
  digests = new Int32Array(0);
  texts: RowTexts;
  readonly kinds: RowKind[] = [];
  readonly bytes: Buffer;
  #room = 0;
  #text: string | undefined;

  /** `expected`: rows, about. */
  constructor(bytes: Buffer, expected: number) {
    this.bytes = bytes;
    const page = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.texts = { page, places: this.ids };
    this.#makeRoom(expected);
  }

  /** Makes sure that there is room for a row more. */
  prepareRow(): void {
    if (this.length >= this.#room) this.#makeRoom(2 * this.length);
  }

  /** All columns in one piece of memory, which is sooner got than five. */
  #makeRoom(rows: number): void {
    const before = this.#columns();
    const memory = new ArrayBuffer(rows * bytesPerRow);
    let at = 8 * rows * figuresPerRow;
    const ints = (perRow: number) => {
      const column = new Int32Array(memory, at, rows * perRow);
      at += 4 * rows * perRow;
      return column;
    };
    this.figures = new Float64Array(memory, 0, rows * figuresPerRow);
    this.ids = ints(idWords);
    this.chargeIds = ints(idWords);
    this.digests = ints(digestWords);
    this.texts = { page: this.texts.page, places: ints(placesPerRow) };
    for (const [index, column] of this.#columns().entries()) column.set(before[index] ?? []);
    this.#room = rows;
  }

  #columns() {
    return [this.figures, this.ids, this.chargeIds, this.digests, this.texts.places];
  }

  get keys(): Int32Array {
    return this.ids;
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

  /** The text of the field that stands there; empty where the row hasn't it. */
  #slice(index: number, from: Place, to?: Place): string {
    const begin = this.texts.places[index * placesPerRow + from] ?? 0;
    const end =
      to === undefined ? begin + uuidLength : this.texts.places[index * placesPerRow + to];
    this.#text ??= this.bytes.toString('latin1');
    return begin === 0 ? '' : this.#text.slice(begin, end);
  }

  #notes(index: number): readonly Note[] {
    const from = this.texts.places[index * placesPerRow + textPlace.notes] ?? 0;
    const to = this.texts.places[index * placesPerRow + textPlace.notesEnd];
    return from === 0 ? [] : (parseNotes(this.bytes.subarray(from, to)) ?? []);
  }
}
