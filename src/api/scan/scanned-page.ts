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
import * as layout from './kernel/layout.ts';
import type { Kernel } from './kernel.ts';
import type { Learned } from './learned.ts';
import { parseNotes } from './notes.ts';

type Place = (typeof textPlace)[keyof typeof textPlace];

const intsPerRow = 2 * idWords + digestWords + placesPerRow;
const bytesPerRow = 8 * figuresPerRow + 4 * intsPerRow;

/** Rows that are found in the bytes of a page, which it keeps as long as somebody may ask for texts. */
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

  /** The rows that a kernel found last. */
  constructor(bytes: Buffer, { memory: { buffer }, rows }: Kernel, learned: Learned) {
    const length = rows.value;
    // All columns in one piece of memory, which is sooner got than five.
    const memory = new ArrayBuffer(length * bytesPerRow);
    let at = 0;
    const ints = (address: number, perRow: number) => {
      const column = new Int32Array(memory, at, length * perRow);
      column.set(new Int32Array(buffer, address, length * perRow));
      at += column.byteLength;
      return column;
    };
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
    this.#text ??= this.#bytes.toString('latin1');
    return begin === 0 ? '' : this.#text.slice(begin, end);
  }

  #notes(index: number): readonly Note[] {
    const from = this.texts.places[index * placesPerRow + textPlace.notes] ?? 0;
    const to = this.texts.places[index * placesPerRow + textPlace.notesEnd];
    return from === 0 ? [] : (parseNotes(this.#bytes.subarray(from, to)) ?? []);
  }
}
