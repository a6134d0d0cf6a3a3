import { grown } from '../base/grown.ts';
import { idWords } from '../base/id-table.ts';
import { isUuid, writeUuid } from '../base/uuid.ts';
import type { Row } from '../model/row.ts';
import {
  batchOf,
  figuresPerRow,
  kindKey,
  type RowBatch,
  type RowKind,
} from '../model/row-batch.ts';
import { OddValues } from './odd-values.ts';
import type { Counted } from './rules.ts';
import { sumsByKind } from './sums.ts';

const fewestRows = 100;
/** Room is made at once for what is announced, but what a service announces may be anything. */
const mostExpected = 1_000_000;

/**
 * The rows of one settlement, kept compactly until its verdict: what the checks and the explanation
 * need of each, by its number. Amounts are as received, beside their scale.
 */
export class RowColumns {
  /** Values of unexpected form in these rows. */
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
  /** Until rows change. */
  #sums: readonly Counted[] | undefined;
  /** The ids of rows of which one is no UUID. */
  readonly #otherIds = new Map<number, Pick<Row, 'id' | 'chargeId'>>();
  /** By row, what `OddValues` has to know to forget it. */
  readonly #oddFields = new Map<number, number>();

  /** `expected`: rows, where a number is announced. */
  constructor(expected = 0) {
    this.#room = Math.max(fewestRows, Math.min(expected, mostExpected));
    this.#ids = new Int32Array(this.#room * idWords);
    this.#chargeIds = new Int32Array(this.#room * idWords);
    this.#figures = new Float64Array(this.#room * figuresPerRow);
    this.#kindsByRow = new Int32Array(this.#room);
  }

  /** How many rows there are; they are numbered from 0. Who asks for another one gets a RangeError. */
  get size(): number {
    return this.#size;
  }

  /** The words of all transaction ids, `idWords` each. */
  get ids(): Int32Array {
    return this.#ids.subarray(0, this.#size * idWords);
  }

  /** Amount, fees and tax of each row: whole minor units within ±(2^53 − 1). */
  get figures(): Float64Array {
    return this.#figures.subarray(0, this.#size * figuresPerRow);
  }

  /** The kind of each row, by its place in `kinds`. */
  get kindNumbers(): Int32Array {
    return this.#kindsByRow.subarray(0, this.#size);
  }

  /** The transaction ids that are no UUIDs. */
  otherIds(): readonly { readonly row: number; readonly id: string }[] {
    return [...this.#otherIds].map(([row, { id }]) => ({ row, id }));
  }

  /** What rows have in common; where some were replaced, maybe of no row any more. */
  get kinds(): readonly RowKind[] {
    return this.#kinds;
  }

  /** What the rows of each kind come to, by its number. */
  get sums(): readonly Counted[] {
    this.#sums ??= sumsByKind(this);
    return this.#sums;
  }

  id(row: number): string {
    return this.#otherIds.get(this.#known(row))?.id ?? uuidIn(this.#ids, row);
  }

  chargeId(row: number): string {
    return this.#otherIds.get(this.#known(row))?.chargeId ?? uuidIn(this.#chargeIds, row);
  }

  amount(row: number): bigint {
    return this.#figure(row, 0);
  }

  fees(row: number): bigint {
    return this.#figure(row, 1);
  }

  tax(row: number): bigint {
    return this.#figure(row, 2);
  }

  kind(row: number): RowKind {
    const kind = this.#kinds[this.kindNumber(row)];
    if (!kind) throw new RangeError(`No row ${row}`);
    return kind;
  }

  kindNumber(row: number): number {
    return this.#kindsByRow[this.#known(row)] ?? 0;
  }

  /** Each id may be added once. */
  add(batch: RowBatch): void {
    const size = this.#size + batch.length;
    if (size > this.#room) this.#makeRoom(size);
    this.#put(this.#size, batch);
    this.#size = size;
  }

  /** The numbers of the rows that pass the test. */
  where(test: (row: number) => boolean): readonly number[] {
    const found: number[] = [];
    for (let row = 0; row < this.#size; row++) if (test(row)) found.push(row);
    return found;
  }

  /** The numbers of the rows of which the kind passes the test. */
  ofKind(test: (kind: RowKind) => boolean): readonly number[] {
    const passes = this.#kinds.map(test);
    return passes.includes(true) ? this.where((row) => passes[this.kindNumber(row)] === true) : [];
  }

  /**
   * Puts each row in the place of the one with the same id. The same rows may be given again.
   * Throws RangeError for an id that was never added.
   */
  replace(rows: readonly Row[]): void {
    if (rows.length === 0) return;
    const places = new Map(this.where(() => true).map((row) => [this.id(row), row]));
    for (const one of rows) {
      const row = places.get(one.id);
      if (row === undefined) throw new RangeError(`No row to replace: ${one.id}`);
      this.odd.forget(one.id, this.#oddFields.get(row) ?? 0);
      this.#put(row, batchOf([one]));
    }
  }

  #put(from: number, batch: RowBatch): void {
    this.#sums = undefined;
    this.#ids.set(batch.ids, from * idWords);
    this.#chargeIds.set(batch.chargeIds, from * idWords);
    this.#figures.set(batch.figures, from * figuresPerRow);
    for (const [index, kind] of batch.kinds.entries()) {
      const number = this.#numberOfKind.get(kind) ?? this.#newNumber(kind);
      this.#kindsByRow[from + index] = number;
      if (!batch.texts) this.#noteOdd(from + index, batch.row(index));
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
    if (isUuid(id) && (isUuid(chargeId) || chargeId === '')) this.#otherIds.delete(place);
    else this.#otherIds.set(place, { id, chargeId });
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

/** The UUID of a row; empty where there is none. */
function uuidIn(words: Int32Array, row: number): string {
  const at = row * idWords;
  const isEmpty = words.subarray(at, at + idWords).every((word) => word === 0);
  return isEmpty ? '' : writeUuid(words, at);
}
