import { uuidWords } from '../base/uuid.ts';
import type { Row } from '../model/row.ts';
import { isPacked, type PackedRow, type RowKind, type SourceRow } from '../model/source-row.ts';
import { BigIntColumn, CodedColumn, NumberColumn } from './column.ts';
import { IdColumn } from './id-column.ts';
import { OddValues } from './odd-values.ts';

/**
 * The rows of one settlement, kept compactly until its verdict: a column for each field that the
 * checks and the explanation need. Amounts are as received, beside their scale.
 */
export class RowColumns {
  readonly ids = new IdColumn();
  readonly chargeIds = new IdColumn();
  readonly types = new CodedColumn();
  readonly states = new CodedColumn();
  readonly currencies = new CodedColumn();
  /** The settlement that each row itself says it belongs to. */
  readonly settlementIds = new CodedColumn();
  readonly scales = new NumberColumn();
  readonly amounts = new BigIntColumn();
  readonly fees = new BigIntColumn();
  readonly taxes = new BigIntColumn();
  /** Values of unexpected form in these rows. */
  readonly odd = new OddValues();

  readonly #oddFields = new NumberColumn();
  #size = 0;

  /** How many rows there are; they are numbered from 0. */
  get size(): number {
    return this.#size;
  }

  /** Each id may be added once. Throws RangeError for an amount beyond 64 bits. */
  add(row: SourceRow): void {
    if (isPacked(row)) this.#writePacked(this.#size, row);
    else this.#write(this.#size, row);
    this.#size += 1;
  }

  /** The numbers of the rows that pass the test. */
  where(test: (index: number) => boolean): readonly number[] {
    const found: number[] = [];
    for (let index = 0; index < this.#size; index++) if (test(index)) found.push(index);
    return found;
  }

  /**
   * Puts each row in the place of the one with the same id. The same rows may be given again.
   * Throws RangeError for an id that was never added.
   */
  replace(rows: readonly Row[]): void {
    if (rows.length === 0) return;
    const places = new Map<string, number>();
    for (let index = 0; index < this.#size; index++) places.set(this.ids.get(index), index);
    for (const row of rows) {
      const index = places.get(row.id);
      if (index === undefined) throw new RangeError(`No row to replace: ${row.id}`);
      this.odd.forget(row.id, this.#oddFields.get(index));
      this.#write(index, row);
    }
  }

  #writePacked(index: number, row: PackedRow): void {
    this.#writeAmounts(index, BigInt(row.amount), BigInt(row.fees), BigInt(row.tax));
    this.ids.setWords(index, row.words, row.at);
    this.chargeIds.setWords(index, row.words, row.at + uuidWords);
    this.#writeKind(index, row.kind);
    this.#oddFields.set(index, 0);
  }

  #write(index: number, row: Row): void {
    this.#writeAmounts(index, row.amount, row.fees, row.tax);
    this.#writeKind(index, row);
    this.ids.set(index, row.id);
    this.chargeIds.set(index, row.chargeId);
    this.#oddFields.set(index, this.odd.note(row));
  }

  #writeAmounts(index: number, amount: bigint, fees: bigint, tax: bigint): void {
    this.amounts.set(index, amount);
    this.fees.set(index, fees);
    this.taxes.set(index, tax);
  }

  #writeKind(index: number, { type, state, currency, settlementId, scale }: RowKind): void {
    this.types.set(index, type);
    this.states.set(index, state);
    this.currencies.set(index, currency);
    this.settlementIds.set(index, settlementId);
    this.scales.set(index, scale);
  }
}
