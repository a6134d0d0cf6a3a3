import { ByteWriter, viewOf } from '../base/byte-writer.ts';
import { uuidLength } from '../base/uuid.ts';
import type { Row } from '../model/row.ts';
import {
  figurePlace,
  figuresPerRow,
  placesPerRow,
  type RowBatch,
  type RowKind,
  type RowTexts,
  textPlace,
} from '../model/row-batch.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import type { PerRowField } from './source-line.ts';

// A packed row is what `RowColumns` does not keep of it: its three ids (a missing one is zero bytes), the
// length of its timestamp, the timestamp, and its notes as JSON in printable ASCII.
const chargeIdAt = uuidLength;
const orderIdAt = 2 * uuidLength;
const timestampLengthAt = 3 * uuidLength;
const timestampAt = timestampLengthAt + 1;
const longestTimestamp = 255;

/** Appends a row of a batch to `to`, packed; false if a text has a form that cannot be packed. */
export function packRow(batch: RowBatch, texts: RowTexts, index: number, to: ByteWriter): boolean {
  const { page, places } = texts;
  const place = index * placesPerRow;
  const timestamp = places[place + textPlace.timestamp] ?? 0;
  const timestampEnd = places[place + textPlace.timestampEnd] ?? 0;
  const from = places[place + textPlace.notes] ?? 0;
  const length = (places[place + textPlace.notesEnd] ?? 0) - from;
  let notes = '[]';
  if (from > 0) notes = Buffer.from(page.buffer, page.byteOffset + from, length).toString('latin1');
  if (!plainNotes.test(notes)) notes = JSON.stringify(batch.row(index).notes);
  if (timestampEnd - timestamp > longestTimestamp || !printable.test(notes)) return false;
  for (const id of [textPlace.id, textPlace.chargeId, textPlace.orderId]) {
    const start = places[place + id] ?? 0;
    if (start > 0) to.copy(page, start, start + uuidLength);
    else to.fill(0, uuidLength);
  }
  to.byte(timestampEnd - timestamp);
  to.copy(page, timestamp, timestampEnd);
  to.text(notes);
  return true;
}

const printable = /^[ -~]*$/;
/** Notes as `JSON.stringify` writes them, if nothing in them is escaped. */
const plainNotes = /^\[(?:\{"key":"[ !#-[\]-~]*","value":"[ !#-[\]-~]*"\}(?:,(?=\{)|(?=\])))*\]$/;

/** A batch of packed rows, with the rest of each from `RowColumns`. Notes in `texts` are JSON in printable ASCII. */
export class PackedRows implements Pick<RowBatch, 'length' | 'figures' | 'kinds'> {
  length = 0;
  readonly figures: Float64Array;
  readonly kinds: RowKind[] = [];
  readonly #rows: Pick<RowColumns, 'figures' | 'kinds' | 'kindNumbers'>;
  readonly #places: Int32Array;
  readonly #bytes: ByteWriter;

  /** For at most `most` of these rows at a time; `bytes` is for their texts. */
  constructor({ figures, kinds, kindNumbers }: RowColumns, most: number, bytes: ByteWriter) {
    this.#rows = { figures, kinds, kindNumbers };
    this.figures = new Float64Array(most * figuresPerRow);
    this.#places = new Int32Array(most * placesPerRow);
    this.#bytes = bytes;
    this.clear();
  }

  get texts(): RowTexts {
    return { page: viewOf(this.#bytes.written), places: this.#places };
  }

  clear(): void {
    this.length = 0;
    this.kinds.length = 0;
    // Place 0 means no text.
    this.#bytes.length = 1;
  }

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

  /** Appends the value of a field to `to`, as JSON without quotes. */
  put(field: PerRowField, index: number, to: ByteWriter): void {
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

  row(index: number): Row {
    const kind = this.kinds[index];
    if (!kind) throw new RangeError(`No row ${index}`);
    const text = (field: PerRowField) => {
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
