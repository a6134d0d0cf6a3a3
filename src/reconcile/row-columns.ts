import { idWords } from '../base/id-table.ts';
import { grown } from '../base/lists.ts';
import { isUuid, writeUuid } from '../base/uuid.ts';
import { currencyForm, isOdd, type Row, timestampForm, uuidForm } from '../model/row.ts';
import {
  batchOf,
  figuresPerRow,
  kindKey,
  type RowBatch,
  type RowKind,
} from '../model/row-batch.ts';
import type { Amounts } from '../model/settlement.ts';
import { exampleLimit, type OddValue, SmallestKeys } from './entry.ts';
import { amountsBy, type Counted, ExactSums } from './sums.ts';

/** The place of each amount among the figures of a row. */
export const figurePlaces = { gross: 0, fees: 1, tax: 2 } as const;

const fewestRows = 100;
/** The service may announce any number of rows. */
const mostExpected = 1_000_000;

/** Rows from the number `from` whose ids are texts of their own. */
export interface OwnRows extends Pick<RowBatch, 'length' | 'ids' | 'row'> {
  readonly from: number;
}

/** The rows of one settlement in columns, numbered from 0; amounts at the scale of their kind. */
export class RowColumns {
  readonly odd = new OddValues();
  #size = 0;
  #room: number;
  #ids: Int32Array;
  #chargeIds: Int32Array;
  #figures: Float64Array;
  #kindsByRow: Int32Array;
  readonly #kinds: RowKind[] = [];
  /** By kind, and by its key. */
  readonly #numberOfKind = new Map<RowKind | string, number>();
  /** Cached until rows change. */
  #sums: readonly Counted[] | undefined;
  /** The ids of rows that have an id other than a UUID. */
  readonly #otherIds = new Map<number, Pick<Row, 'id' | 'chargeId'>>();
  /** Batches whose ids are texts of their own. */
  readonly #own: OwnRows[] = [];
  /** The one that was asked last: mostly the next row is in it too. */
  #lastOwn: OwnRows | undefined;
  /** The odd fields of each row, for `OddValues.forget`. */
  readonly #oddFields = new Map<number, number>();
  readonly #details: Pick<Row, 'timestamp' | 'orderId'>[] | undefined;

  /** `expected`: the announced number of rows. `keepsDetails`: whether timestamps and order ids are kept. */
  constructor(expected = 0, keepsDetails = false) {
    this.#details = keepsDetails ? [] : undefined;
    this.#room = Math.max(fewestRows, Math.min(expected, mostExpected));
    this.#ids = new Int32Array(this.#room * idWords);
    this.#chargeIds = new Int32Array(this.#room * idWords);
    this.#figures = new Float64Array(this.#room * figuresPerRow);
    this.#kindsByRow = new Int32Array(this.#room);
  }

  /** The number of rows. Methods throw RangeError for a row beyond it. */
  get size(): number {
    return this.#size;
  }

  /** All transaction ids, `idWords` words each. */
  get ids(): Int32Array {
    return this.#ids.subarray(0, this.#size * idWords);
  }

  /** Amount, fees and tax of each row: whole minor units within ±(2^53 − 1). */
  get figures(): Float64Array {
    return this.#figures.subarray(0, this.#size * figuresPerRow);
  }

  /** The kind of each row, as an index of `kinds`. */
  get kindNumbers(): Int32Array {
    return this.#kindsByRow.subarray(0, this.#size);
  }

  /** Whether a row has an id other than a UUID. */
  hasOtherId(row: number): boolean {
    return this.#otherIds.has(row) || this.#ownOf(row) !== undefined;
  }

  /** The transaction ids of `#otherIds`. */
  otherIds(): readonly { readonly row: number; readonly id: string }[] {
    return [...this.#otherIds].map(([row, { id }]) => ({ row, id }));
  }

  /** Where rows have ids of any form. */
  get own(): readonly OwnRows[] {
    return this.#own;
  }

  /** The kinds of rows. If rows were replaced, some may have no row left. */
  get kinds(): readonly RowKind[] {
    return this.#kinds;
  }

  /** The number and totals of the rows of each kind, by its number. */
  get sums(): readonly Counted[] {
    this.#sums ??= sumsByKind(this);
    return this.#sums;
  }

  id(row: number): string {
    return this.#otherOf(row)?.id ?? uuidIn(this.#ids, row);
  }

  chargeId(row: number): string {
    return this.#otherOf(row)?.chargeId ?? uuidIn(this.#chargeIds, row);
  }

  /** The ids of a row that has one other than a UUID. */
  #otherOf(row: number): Pick<Row, 'id' | 'chargeId'> | undefined {
    const other = this.#otherIds.get(this.#known(row));
    const own = other ? undefined : this.#ownOf(row);
    return own ? own.row(row - own.from) : other;
  }

  #ownOf(row: number): OwnRows | undefined {
    const isIn = ({ from, length }: OwnRows) => row >= from && row < from + length;
    if (!this.#lastOwn || !isIn(this.#lastOwn)) this.#lastOwn = this.#own.find(isIn);
    return this.#lastOwn;
  }

  amount(row: number): bigint {
    return this.#figure(row, figurePlaces.gross);
  }

  fees(row: number): bigint {
    return this.#figure(row, figurePlaces.fees);
  }

  tax(row: number): bigint {
    return this.#figure(row, figurePlaces.tax);
  }

  amounts(row: number): Amounts {
    return amountsBy((name) => this.#figure(row, figurePlaces[name]));
  }

  /** What `keepsDetails` keeps of a row. Throws RangeError without it. */
  details(row: number): Pick<Row, 'timestamp' | 'orderId'> {
    const details = this.#details?.[this.#known(row)];
    if (!details) throw new RangeError(`No details of row ${row}`);
    return details;
  }

  kind(row: number): RowKind {
    const kind = this.#kinds[this.kindNumber(row)];
    if (!kind) throw new RangeError(`No row ${row}`);
    return kind;
  }

  kindNumber(row: number): number {
    return this.#kindsByRow[this.#known(row)] ?? 0;
  }

  /** Adds rows; each id once. */
  add(batch: RowBatch): void {
    const size = this.#size + batch.length;
    if (size > this.#room) this.#makeRoom(size);
    this.#put(this.#size, batch);
    this.#size = size;
  }

  where(test: (row: number) => boolean): readonly number[] {
    const found: number[] = [];
    for (let row = 0; row < this.#size; row++) if (test(row)) found.push(row);
    return found;
  }

  ofKind(test: (kind: RowKind) => boolean): readonly number[] {
    const passes = this.#kinds.map(test);
    return passes.includes(true) ? this.where((row) => passes[this.kindNumber(row)] === true) : [];
  }

  /** Replaces rows by those with the same ids. Throws RangeError for an unknown id. */
  replace(rows: readonly Row[]): void {
    if (rows.length === 0) return;
    const places = new Map(this.where(() => true).map((row) => [this.id(row), row]));
    for (const one of rows) {
      const row = places.get(one.id);
      if (row === undefined) throw new RangeError(`No row to replace: ${one.id}`);
      this.odd.forget(one.id, this.#oddFields.get(row) ?? 0);
      this.#oddFields.delete(row);
      this.#otherIds.delete(row);
      this.#put(row, batchOf([one]));
    }
  }

  #put(from: number, batch: RowBatch): void {
    this.#sums = undefined;
    this.#ids.set(batch.ids, from * idWords);
    this.#chargeIds.set(batch.chargeIds, from * idWords);
    this.#figures.set(batch.figures, from * figuresPerRow);
    if (batch.hasOwnIds) {
      const { length, ids, row } = batch;
      this.#lastOwn = { from, length, ids, row };
      this.#own.push(this.#lastOwn);
    }
    for (const [index, kind] of batch.kinds.entries()) {
      const number = this.#numberOfKind.get(kind) ?? this.#newNumber(kind);
      this.#kindsByRow[from + index] = number;
      if (this.#details) {
        const { timestamp, orderId } = batch.row(index);
        this.#details[from + index] = { timestamp, orderId };
      }
      if (!batch.isUsual && !batch.hasOwnIds) this.#noteOdd(from + index, batch.row(index));
    }
  }

  #newNumber(kind: RowKind): number {
    const key = kindKey(kind);
    const number = this.#numberOfKind.get(key) ?? this.#kinds.push(kind) - 1;
    this.#numberOfKind.set(key, number).set(kind, number);
    return number;
  }

  #noteOdd(place: number, row: Row): void {
    const { id, chargeId } = row;
    const isOther = !isUuid(id) || (chargeId !== '' && !isUuid(chargeId));
    if (isOther) this.#otherIds.set(place, { id, chargeId });
    this.#oddFields.set(place, this.odd.note(row));
  }

  #figure(row: number, figure: number): bigint {
    return BigInt(this.#figures[this.#known(row) * figuresPerRow + figure] ?? 0);
  }

  #known(row: number): number {
    if (row >= this.#size) throw new RangeError(`No row ${row}`);
    return row;
  }

  #makeRoom(rows: number): void {
    this.#room = Math.max(rows, 2 * this.#room);
    this.#ids = grown(this.#ids, this.#room * idWords);
    this.#chargeIds = grown(this.#chargeIds, this.#room * idWords);
    this.#figures = grown(this.#figures, this.#room * figuresPerRow);
    this.#kindsByRow = grown(this.#kindsByRow, this.#room);
  }
}

function uuidIn(words: Int32Array, row: number): string {
  const at = row * idWords;
  const isEmpty = words.subarray(at, at + idWords).every((word) => word === 0);
  return isEmpty ? '' : writeUuid(words, at);
}

function sumsByKind({ kinds, kindNumbers, figures }: RowColumns): readonly Counted[] {
  const counts = new Float64Array(kinds.length);
  const sums = new ExactSums(kinds.length * figuresPerRow);
  for (let row = 0; row < kindNumbers.length; row += 1) {
    const kind = kindNumbers[row] ?? 0;
    counts[kind] = (counts[kind] ?? 0) + 1;
    for (let figure = 0; figure < figuresPerRow; figure += 1) {
      sums.add(kind * figuresPerRow + figure, figures[row * figuresPerRow + figure] ?? 0);
    }
  }
  return kinds.map((_, kind) => ({
    count: counts[kind] ?? 0,
    ...amountsBy((name) => sums.total(kind * figuresPerRow + figurePlaces[name])),
  }));
}

/** The numbers of the `exampleLimit` rows with the smallest ids, sorted by id. */
export function smallestRows(rows: RowColumns, among: readonly number[]): readonly number[] {
  const { ids } = rows;
  // UUIDs sort as their first words do, so few ids need to be written out.
  const firstWord = (row: number) =>
    rows.hasOtherId(row) ? Infinity : (ids[row * idWords] ?? 0) >>> 0;
  const limit = Float64Array.from(among, firstWord).sort()[exampleLimit - 1] ?? Infinity;
  const found = new SmallestKeys<number>();
  for (const row of among) {
    if (rows.hasOtherId(row) || firstWord(row) <= limit) found.set(rows.id(row), row);
  }
  return found.entries().map(([, row]) => row);
}

const checkedFields = [
  { field: 'chargeId', form: uuidForm, of: 'chargeId' },
  { field: 'currencyCode', form: currencyForm, of: 'currency' },
  { field: 'orderId', form: uuidForm, of: 'orderId' },
  { field: 'settlementId', form: uuidForm, of: 'settlementId' },
  { field: 'timestamp', form: timestampForm, of: 'timestamp' },
  { field: 'transactionId', form: uuidForm, of: 'id' },
] as const;

/** The values of unexpected form in rows. Noted as rows pass, because not all fields are kept. */
class OddValues {
  #count = 0;
  readonly #byField = checkedFields.map((checked) => ({
    ...checked,
    examples: new SmallestKeys<string>(),
  }));

  get count(): number {
    return this.#count;
  }

  /** Of the rows with the smallest ids, by field, then row. */
  get examples(): readonly OddValue[] {
    return this.#byField.flatMap(({ field, examples }) =>
      examples.entries().map(([, value]) => ({ field, value })),
    );
  }

  /** Returns the odd fields as bits, for `forget`. */
  note(row: Row): number {
    let oddFields = 0;
    for (const [bit, { form, of, examples }] of this.#byField.entries()) {
      const value = row[of];
      if (!isOdd(value, form)) continue;
      oddFields |= 1 << bit;
      this.#count += 1;
      examples.set(row.id, value);
    }
    return oddFields;
  }

  /** Removes a row. There may be fewer examples afterwards than possible; the count is exact. */
  forget(id: string, oddFields: number): void {
    this.#byField.forEach(({ examples }, bit) => {
      if ((oddFields & (1 << bit)) === 0) return;
      this.#count -= 1;
      examples.delete(id);
    });
  }
}
