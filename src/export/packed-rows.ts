import { ByteWriter } from '../base/byte-writer.ts';
import { uuidLength } from '../base/uuid.ts';
import type { Row } from '../model/row.ts';
import {
  figuresPerRow,
  placesPerRow,
  type RowBatch,
  type RowKind,
  type RowTexts,
  textPlace,
} from '../model/row-batch.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import type { OwnField } from './source-line.ts';

// A packed row is what `RowColumns` doesn't keep of it: its three ids, of which a missing one begins with
// 0, the length of its timestamp, the timestamp, and its notes as JSON in printable ASCII.
const chargeIdAt = uuidLength;
const orderIdAt = 2 * uuidLength;
const timestampLengthAt = 3 * uuidLength;
const timestampAt = timestampLengthAt + 1;
const longestTimestamp = 255;

const figurePlace = { amount: 0, fees: 1, tax: 2 };

/** Puts a row of a batch behind `to`, packed; false where its notes have a form that can't be packed. */
export function packRow(batch: RowBatch, texts: RowTexts, index: number, to: ByteWriter): boolean {
  const { page, places } = texts;
  const place = index * placesPerRow;
  const notes = places[place + textPlace.notes] ?? 0;
  const notesEnd = places[place + textPlace.notesEnd] ?? 0;
  const isPlain = notes > 0 && plainNotesEnd(page, notes) === notesEnd;
  const written = isPlain ? '' : JSON.stringify(batch.row(index).notes);
  const timestamp = places[place + textPlace.timestamp] ?? 0;
  const timestampEnd = places[place + textPlace.timestampEnd] ?? 0;
  if (timestampEnd - timestamp > longestTimestamp || !printable.test(written)) return false;
  for (const id of [textPlace.id, textPlace.chargeId, textPlace.orderId]) {
    const from = places[place + id] ?? 0;
    if (from > 0) to.copy(page, from, from + uuidLength);
    else to.fill(0, uuidLength);
  }
  to.byte(timestampEnd - timestamp);
  to.copy(page, timestamp, timestampEnd);
  if (isPlain) to.copy(page, notes, notesEnd);
  else to.text(written);
  return true;
}

const printable = /^[ -~]*$/;

/**
 * Packed rows one after the other, in columns: `RowColumns` gives the rest of each. The notes in `texts`
 * are as `JSON.stringify` writes them, in printable ASCII.
 */
export class PackedRows implements Pick<RowBatch, 'length' | 'figures' | 'kinds'> {
  length = 0;
  readonly figures: Float64Array;
  readonly kinds: RowKind[] = [];
  readonly #rows: Pick<RowColumns, 'figures' | 'kinds' | 'kindNumbers'>;
  readonly #places: Int32Array;
  readonly #bytes: ByteWriter;

  /** For `most` rows at a time, of these. */
  constructor({ figures, kinds, kindNumbers }: RowColumns, most: number) {
    this.#rows = { figures, kinds, kindNumbers };
    this.figures = new Float64Array(most * figuresPerRow);
    this.#places = new Int32Array(most * placesPerRow);
    this.#bytes = new ByteWriter(most * 512);
    this.clear();
  }

  get texts(): RowTexts {
    return { page: this.#bytes.view, places: this.#places };
  }

  /** Begins anew. */
  clear(): void {
    this.length = 0;
    this.kinds.length = 0;
    // A text that is at 0 is none.
    this.#bytes.length = 1;
  }

  /** Adds the row with that number, which is packed in these bytes. */
  add(row: number, packed: DataView, start: number, end: number): void {
    const { figures, kinds, kindNumbers } = this.#rows;
    const kind = kinds[kindNumbers[row] ?? 0];
    if (!kind) throw new RangeError(`No row ${row}`);
    this.kinds.push(kind);
    for (let figure = 0; figure < figuresPerRow; figure += 1) {
      const at = this.length * figuresPerRow + figure;
      this.figures[at] = figures[row * figuresPerRow + figure] ?? 0;
    }
    const places = this.#places;
    const place = this.length * placesPerRow;
    const from = this.#bytes.length;
    const timestampEnd = timestampAt + packed.getUint8(start + timestampLengthAt);
    const hasCharge = packed.getUint8(start + chargeIdAt) > 0;
    const hasOrder = packed.getUint8(start + orderIdAt) > 0;
    places[place + textPlace.id] = from;
    places[place + textPlace.chargeId] = hasCharge ? from + chargeIdAt : 0;
    places[place + textPlace.orderId] = hasOrder ? from + orderIdAt : 0;
    places[place + textPlace.timestamp] = from + timestampAt;
    places[place + textPlace.timestampEnd] = from + timestampEnd;
    places[place + textPlace.notes] = from + timestampEnd;
    places[place + textPlace.notesEnd] = from + (end - start);
    this.#bytes.copy(packed, start, end);
    this.length += 1;
  }

  /** Puts the value of a field behind `to`, as it stands in JSON but for quotes. */
  put(field: OwnField, index: number, to: ByteWriter): void {
    if (field === 'amount' || field === 'fees' || field === 'tax') {
      to.ascii(String(this.figures[index * figuresPerRow + figurePlace[field]]));
      return;
    }
    const place = index * placesPerRow;
    const from = this.#places[place + textPlace[field]] ?? 0;
    const isText = field === 'timestamp' || field === 'notes';
    const end = isText ? this.#places[place + textPlace[`${field}End`]] : from + uuidLength;
    if (from > 0) to.copy(this.#bytes.view, from, end ?? from);
  }

  /** One of them, put together. */
  row(index: number): Row {
    const kind = this.kinds[index];
    if (!kind) throw new RangeError(`No row ${index}`);
    const text = (field: OwnField) => {
      const bytes = new ByteWriter(0);
      this.put(field, index, bytes);
      return bytes.written.toString('latin1');
    };
    return {
      ...kind,
      id: text('id'),
      chargeId: text('chargeId'),
      orderId: text('orderId'),
      timestamp: text('timestamp'),
      amount: BigInt(text('amount')),
      fees: BigInt(text('fees')),
      tax: BigInt(text('tax')),
      notes: JSON.parse(text('notes')),
    };
  }
}

const openingOfNote = codesOf('{"key":"');
const betweenTexts = codesOf('","value":"');
const endOfNote = codesOf('"}');
const [openList = 0, closeList = 0, comma = 0, quote = 0, backslash = 0] = codesOf('[],"\\');
const [space = 0, tilde = 0] = codesOf(' ~');

/** The end of the notes that begin at `at`, where they stand as `PackedRows` has them; else -1. */
function plainNotesEnd(page: DataView, at: number): number {
  if (page.getUint8(at) !== openList) return -1;
  let next = at + 1;
  if (page.getUint8(next) === closeList) return next + 1;
  for (;;) {
    next = textEnd(page, behind(openingOfNote, page, next));
    next = textEnd(page, behind(betweenTexts, page, next));
    next = behind(endOfNote, page, next);
    if (next < 0) return -1;
    const byte = page.getUint8(next);
    next += 1;
    if (byte === closeList) return next;
    if (byte !== comma) return -1;
  }
}

/** The place behind these bytes, if they stand at `at`; else -1. */
function behind(codes: readonly number[], page: DataView, at: number): number {
  if (at < 0) return -1;
  for (let index = 0; index < codes.length; index += 1) {
    if (page.getUint8(at + index) !== codes[index]) return -1;
  }
  return at + codes.length;
}

/** The quote that ends a text in which nothing is escaped; -1 where something is. */
function textEnd(page: DataView, at: number): number {
  if (at < 0) return -1;
  for (let next = at; ; next += 1) {
    const byte = page.getUint8(next);
    if (byte === quote) return next;
    if (byte < space || byte > tilde || byte === backslash) return -1;
  }
}

function codesOf(text: string): readonly number[] {
  return [...Buffer.from(text)];
}
