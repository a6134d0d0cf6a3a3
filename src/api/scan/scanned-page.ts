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

type Place = (typeof textPlace)[keyof typeof textPlace];

import { digestWords, type RecordPage } from '../walk/record-page.ts';
import { parseNotes } from './notes-shape.ts';

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
    if (this.#room > 0)
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
    const row = this.row(index);
    return { ...row, notes: row.notes };
  }

  row(index: number): ScannedRow {
    const kind = this.kinds[index];
    if (!kind) throw new RangeError(`No row ${index}`);
    return new ScannedRow(this, index, kind);
  }

  /** The text of the field that stands there; empty where the row hasn't it. */
  text(index: number, from: Place, to?: Place): string {
    const begin = this.texts.places[index * placesPerRow + from] ?? 0;
    const end =
      to === undefined ? begin + uuidLength : this.texts.places[index * placesPerRow + to];
    this.#text ??= this.bytes.toString('latin1');
    return begin === 0 ? '' : this.#text.slice(begin, end);
  }

  notes(index: number): readonly Note[] {
    const from = this.texts.places[index * placesPerRow + textPlace.notes] ?? 0;
    const to = this.texts.places[index * placesPerRow + textPlace.notesEnd];
    return from === 0 ? [] : (parseNotes(this.bytes.subarray(from, to)) ?? []);
  }
}

/** A row of a page. Its notes are read when somebody asks for them: most don't. */
class ScannedRow implements Row {
  readonly id: string;
  readonly chargeId: string;
  readonly orderId: string;
  readonly settlementId: string;
  readonly timestamp: string;
  readonly type: string;
  readonly paymentType: string;
  readonly state: string;
  readonly currency: string;
  readonly scale: number;
  readonly amount: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
  readonly #page: ScannedPage;
  readonly #index: number;

  constructor(page: ScannedPage, index: number, kind: RowKind) {
    const { figures } = page;
    const figure = index * figuresPerRow;
    this.id = page.text(index, textPlace.id);
    this.chargeId = page.text(index, textPlace.chargeId);
    this.orderId = page.text(index, textPlace.orderId);
    this.settlementId = kind.settlementId;
    this.timestamp = page.text(index, textPlace.timestamp, textPlace.timestampEnd);
    this.type = kind.type;
    this.paymentType = kind.paymentType;
    this.state = kind.state;
    this.currency = kind.currency;
    this.scale = kind.scale;
    this.amount = BigInt(figures[figure] ?? 0);
    this.fees = BigInt(figures[figure + 1] ?? 0);
    this.tax = BigInt(figures[figure + 2] ?? 0);
    this.#page = page;
    this.#index = index;
  }

  get notes(): readonly Note[] {
    return this.#page.notes(this.#index);
  }
}
