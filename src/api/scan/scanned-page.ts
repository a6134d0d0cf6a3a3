import { grown } from '../../base/grown.ts';
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

import type { RecordPage } from '../walk/record-page.ts';
import { parseNotes } from './notes-shape.ts';

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
  readonly texts: RowTexts;
  readonly #bytes: Buffer;
  #text: string | undefined;

  /** The first `length` rows of the columns. */
  constructor(columns: ScannedColumns, length: number, bytes: Buffer, page: DataView) {
    this.length = length;
    this.ids = columns.ids.slice(0, length * idWords);
    this.chargeIds = columns.chargeIds.slice(0, length * idWords);
    this.figures = columns.figures.slice(0, length * figuresPerRow);
    this.digests = columns.digests.slice(0, length * 2);
    this.kinds = columns.kinds.slice(0, length);
    this.texts = { page, places: columns.places.slice(0, length * placesPerRow) };
    this.#bytes = bytes;
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
    this.#text ??= this.#bytes.toString('latin1');
    return begin === 0 ? '' : this.#text.slice(begin, end);
  }

  notes(index: number): readonly Note[] {
    const from = this.texts.places[index * placesPerRow + textPlace.notes] ?? 0;
    const to = this.texts.places[index * placesPerRow + textPlace.notesEnd];
    return from === 0 ? [] : (parseNotes(this.#bytes.subarray(from, to)) ?? []);
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
