import { idWords, putIdWords } from '../base/id-table.ts';
import { currencyForm, isOdd, type Row, timestampForm, uuidForm } from './row.ts';

/** Rows of a settlement in columns, as a source reads them. `row` makes a row on demand. */
export interface RowBatch {
  readonly length: number;
  /** Transaction ids: `idWords` a row, by `putIdWords`. */
  readonly ids: Int32Array;
  readonly chargeIds: Int32Array;
  /** Amount, fees and tax of each row: minor units within ±(2^53 − 1). */
  readonly figures: Float64Array;
  /** By row; one object for all rows of a kind. */
  readonly kinds: readonly RowKind[];
  /** Whether all values have the form of the document (doc 2.8) or are missing, and ids are in lower case. */
  readonly isUsual: boolean;
  /** Whether ids have forms of their own, which are not odd. Then `ids` and `row` can be kept without the rest. */
  readonly hasOwnIds?: boolean;
  /** The places of its texts; only of usual rows. */
  readonly texts?: RowTexts;
  row(index: number): Row;
}

export interface RowTexts {
  readonly page: DataView;
  /** By row, then `textPlace`: the start of each text and, without a fixed length, its end; 0 for none. */
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

export const figurePlace = { amount: 0, fees: 1, tax: 2 } as const;

export const figuresPerRow = 3;

export type RowKind = Pick<
  Row,
  'settlementId' | 'type' | 'paymentType' | 'state' | 'currency' | 'scale'
>;

/** Rows as a batch. Throws RangeError for an amount beyond ±(2^53 − 1). */
export function batchOf(rows: readonly Row[]): RowBatch {
  const { length } = rows;
  const known = new Map<string, RowKind>();
  const ids = new Int32Array(length * idWords);
  const chargeIds = new Int32Array(length * idWords);
  const figures = new Float64Array(length * figuresPerRow);
  let areUsual = true;
  for (const [index, { id, chargeId, orderId, timestamp, amount, fees, tax }] of rows.entries()) {
    const isIdKept = putIdWords(id, ids, index * idWords);
    const isChargeIdKept = putIdWords(chargeId, chargeIds, index * idWords);
    const isOddElsewhere = isOdd(orderId, uuidForm) || isOdd(timestamp, timestampForm);
    areUsual &&= isIdKept && isChargeIdKept && !isOddElsewhere;
    figures.set([amount, fees, tax].map(exactNumber), index * figuresPerRow);
  }
  let last: RowKind | undefined;
  const kinds = rows.map((row) => {
    if (last && isOfKind(last, row)) return last;
    const key = kindKey(row);
    // Parts of a longer text would keep all of it in memory.
    last = known.get(key) ?? (JSON.parse(key) as RowKind);
    known.set(key, last);
    return last;
  });
  const row = (index: number) => {
    const found = rows[index];
    if (!found) throw new RangeError(`No row ${index}`);
    return found;
  };
  const isUsual = areUsual && [...known.values()].every(isUsualKind);
  return { length, ids, chargeIds, figures, kinds, isUsual, row };
}

export function rowsOf(batch: RowBatch): readonly Row[] {
  return Array.from({ length: batch.length }, (_, index) => batch.row(index));
}

export function kindKey(kind: RowKind): string {
  return JSON.stringify(kindOf(kind));
}

function kindOf({ settlementId, type, paymentType, state, currency, scale }: RowKind): RowKind {
  return { settlementId, type, paymentType, state, currency, scale };
}

function isUsualKind({ settlementId, currency }: RowKind): boolean {
  return !isOdd(settlementId, uuidForm) && !isOdd(currency, currencyForm);
}

function isOfKind(kind: RowKind, row: RowKind): boolean {
  return (
    kind.settlementId === row.settlementId &&
    kind.type === row.type &&
    kind.paymentType === row.paymentType &&
    kind.state === row.state &&
    kind.currency === row.currency &&
    kind.scale === row.scale
  );
}

function exactNumber(minor: bigint): number {
  const number = Number(minor);
  if (!Number.isSafeInteger(number)) throw new RangeError(`Beyond 2^53 - 1: ${minor}`);
  return number;
}
