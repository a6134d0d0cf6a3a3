import { grown } from '../../base/grown.ts';
import { idWords } from '../../base/id-table.ts';
import { uuidLength } from '../../base/uuid.ts';
import type { Row } from '../../model/row.ts';
import { figuresPerRow, type RowBatch, type RowKind } from '../../model/row-batch.ts';
import type { RecordPage } from '../walk/record-page.ts';
import { parseNotes } from './notes-shape.ts';

/** Where the texts of a row begin, and where those without a fixed length end; 0 where it has none. */
export const place = {
  id: 0,
  chargeId: 1,
  orderId: 2,
  timestamp: 3,
  timestampEnd: 4,
  notes: 5,
  notesEnd: 6,
} as const;
export const placesPerRow = 7;

/** Columns that are filled row by row, and used again for one page after the other. */
export class ScannedColumns {
  ids = new Int32Array(0);
  chargeIds = new Int32Array(0);
  figures = new Float64Array(0);
  digests = new Int32Array(0);
  places = new Int32Array(0);
  readonly kinds: RowKind[] = [];
  #room = 0;

  /** Makes room for one row more than there are. */
  makeRoom(rows: number): void {
    if (rows < this.#room) return;
    this.#room = 2 * rows + 100;
    this.ids = grown(this.ids, this.#room * idWords);
    this.chargeIds = grown(this.chargeIds, this.#room * idWords);
    this.figures = grown(this.figures, this.#room * figuresPerRow);
    this.digests = grown(this.digests, this.#room * 2);
    this.places = grown(this.places, this.#room * placesPerRow);
  }
}

/** Rows that were found in the bytes of a page, which it keeps as long as somebody may ask for texts. */
export class ScannedPage implements RecordPage<Row>, RowBatch {
  readonly length: number;
  readonly ids: Int32Array;
  readonly chargeIds: Int32Array;
  readonly figures: Float64Array;
  readonly digests: Int32Array;
  readonly kinds: readonly RowKind[];
  readonly isAsDocumented = true;
  readonly #places: Int32Array;
  readonly #bytes: Buffer;
  #text: string | undefined;

  /** The first `length` rows of the columns. */
  constructor(columns: ScannedColumns, length: number, bytes: Buffer) {
    this.length = length;
    this.ids = columns.ids.slice(0, length * idWords);
    this.chargeIds = columns.chargeIds.slice(0, length * idWords);
    this.figures = columns.figures.slice(0, length * figuresPerRow);
    this.digests = columns.digests.slice(0, length * 2);
    this.kinds = columns.kinds.slice(0, length);
    this.#places = columns.places.slice(0, length * placesPerRow);
    this.#bytes = bytes;
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
    const { settlementId, type, paymentType, state, currency, scale } = kind;
    const minor = (figure: number) => BigInt(this.figures[index * figuresPerRow + figure] ?? 0);
    return {
      id: this.#uuid(index, place.id),
      chargeId: this.#uuid(index, place.chargeId),
      orderId: this.#uuid(index, place.orderId),
      settlementId,
      timestamp: this.#slice(
        this.#place(index, place.timestamp),
        this.#place(index, place.timestampEnd),
      ),
      type,
      paymentType,
      state,
      currency,
      scale,
      amount: minor(0),
      fees: minor(1),
      tax: minor(2),
      notes: this.#notes(index),
    };
  }

  #notes(index: number): Row['notes'] {
    const from = this.#place(index, place.notes);
    if (from === 0) return [];
    return parseNotes(this.#bytes.subarray(from, this.#place(index, place.notesEnd))) ?? [];
  }

  #uuid(index: number, at: number): string {
    const from = this.#place(index, at);
    return from === 0 ? '' : this.#slice(from, from + uuidLength);
  }

  #slice(from: number, to: number): string {
    this.#text ??= this.#bytes.toString('latin1');
    return this.#text.slice(from, to);
  }

  #place(index: number, at: number): number {
    return this.#places[index * placesPerRow + at] ?? 0;
  }
}
