import { idWords, putIdWords } from '../base/id-table.ts';
import type { Row } from './row.ts';

/** Rows of a settlement as a source hands them on, in columns: one is put together where it is asked for. */
export interface RowBatch {
  readonly length: number;
  /** Transaction ids: `idWords` a row, as `putIdWords` has them. */
  readonly ids: Int32Array;
  readonly chargeIds: Int32Array;
  /** Amount, fees and tax of each row, one after the other: whole minor units within ±(2^53 − 1). */
  readonly figures: Float64Array;
  /** By row: the same object for rows of the same kind. */
  readonly kinds: readonly RowKind[];
  /** Where its texts stand, if all values have the form that the document shows (doc 2.8), ids as UUIDs. */
  readonly texts?: RowTexts;
  row(index: number): Row;
}

/** The texts of rows as they stand in a page, in ASCII. */
export interface RowTexts {
  readonly page: DataView;
  /** By row, then `textPlace`: where a text begins, and where one without a fixed length ends; 0 for none. */
  readonly places: Int32Array;
}

export const textPlace = {
  id: 0,
  chargeId: 1,
  orderId: 2,
  timestamp: 3,
  timestampEnd: 4,
  notes: 5,
  notesEnd: 6,
} as const;

export const placesPerRow = 7;

export const figuresPerRow = 3;

/** What many rows of a settlement have in common. */
export type RowKind = Pick<
  Row,
  'settlementId' | 'type' | 'paymentType' | 'state' | 'currency' | 'scale'
>;

/** Rows that were put together already. Throws RangeError for an amount beyond ±(2^53 − 1). */
export function batchOf(rows: readonly Row[]): RowBatch {
  const { length } = rows;
  const known = new Map<string, RowKind>();
  const ids = new Int32Array(length * idWords);
  const chargeIds = new Int32Array(length * idWords);
  const figures = new Float64Array(length * figuresPerRow);
  for (const [index, { id, chargeId, amount, fees, tax }] of rows.entries()) {
    putIdWords(id, ids, index * idWords);
    putIdWords(chargeId, chargeIds, index * idWords);
    figures.set([amount, fees, tax].map(exactNumber), index * figuresPerRow);
  }
  const kinds = rows.map((row) => {
    const kind = kindOf(row);
    const key = kindKey(kind);
    const same = known.get(key) ?? kind;
    known.set(key, same);
    return same;
  });
  const row = (index: number) => {
    const found = rows[index];
    if (!found) throw new RangeError(`No row ${index}`);
    return found;
  };
  return { length, ids, chargeIds, figures, kinds, row };
}

/** All rows of a batch, put together. */
export function rowsOf(batch: RowBatch): readonly Row[] {
  return Array.from({ length: batch.length }, (_, index) => batch.row(index));
}

/** The same text for the same kind. */
export function kindKey(kind: RowKind): string {
  return JSON.stringify(kindOf(kind));
}

function kindOf({ settlementId, type, paymentType, state, currency, scale }: RowKind): RowKind {
  return { settlementId, type, paymentType, state, currency, scale };
}

function exactNumber(minor: bigint): number {
  const number = Number(minor);
  if (!Number.isSafeInteger(number)) throw new RangeError(`Beyond 2^53 - 1: ${minor}`);
  return number;
}
