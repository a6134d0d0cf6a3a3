import { byText } from '../base/texts.ts';
import { figuresPerRow } from '../model/row-batch.ts';
import type { Settlement } from '../model/settlement.ts';
import { type IdentityName, payInOf } from '../reconcile/identity.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { factorsBy, type Rules } from '../reconcile/rules.ts';
import type { Part } from './cause.ts';

/** In minor units. Larger amounts are not searched: the sum of a thousand would not be exact. */
const mostAmount = Math.floor(Number.MAX_SAFE_INTEGER / 1000);

interface ValuedBy {
  readonly settlement: Pick<Settlement, 'currency'>;
  readonly scale: number;
  readonly rules: Rules;
  /** Set if the share in the pay-in is the only amount of a row. */
  readonly payInBy?: IdentityName | undefined;
}

/**
 * The distinct amounts of rows by the rules, as numbers, without an object per row. Each gross with its
 * fees and tax is a *value*, numbered from 0, with the rows that have it. Minor units at the scale of the
 * case; 0 for rows in another currency. Rows that need more decimal places are left out.
 */
export class RowValues {
  readonly columns: RowColumns;
  readonly part: Part;
  readonly #how: ValuedBy;
  /** The numbers of the rows; if absent, all rows. */
  readonly #some: readonly number[] | undefined;
  readonly #figures: Float64Array;
  readonly #table: Int32Array;
  /** By value: its last row, plus 1. By row: the row before with the same value, plus 1. Else 0. */
  readonly #last: Int32Array;
  readonly #before: Int32Array;
  readonly #counts: Int32Array;
  #size = 0;
  readonly #known = new Map<number, readonly number[]>();
  #byGross: Map<number, number[]> | undefined;

  /**
   * The values of all rows in these columns, or of some by their numbers. With a `part`, the other amounts
   * are 0, and rows whose other amounts are all 0 are left out.
   */
  constructor(how: ValuedBy, columns: RowColumns, some?: readonly number[], part: Part = 'all') {
    const size = some?.length ?? columns.size;
    this.columns = columns;
    this.part = part;
    this.#how = how;
    this.#some = some;
    this.#figures = new Float64Array(size * figuresPerRow);
    this.#table = new Int32Array(2 ** Math.ceil(Math.log2(2 * size + 1)));
    this.#last = new Int32Array(size);
    this.#before = new Int32Array(size);
    this.#counts = new Int32Array(size);
    this.#addAll(size);
  }

  #addAll(size: number): void {
    const { settlement, scale, rules, payInBy } = this.#how;
    const { figures, kinds, kindNumbers } = this.columns;
    const shifts = kinds.map((kind) =>
      kind.currency === settlement.currency ? scale - kind.scale : undefined,
    );
    const factors = kinds.map((kind) => factorsBy(rules, kind));
    const ofFees = payInBy === undefined ? 0 : Number(payInOf(payInBy, 0n, 1n, 0n));
    const ofTax = payInBy === undefined ? 0 : Number(payInOf(payInBy, 0n, 0n, 1n));
    for (let place = 0; place < size; place++) {
      const row = this.#rowAt(place);
      const kind = kindNumbers[row] ?? 0;
      const shift = shifts[kind];
      const factor = factors[kind];
      // A row that does not count by a rule can be neither left out nor added.
      if (factor === undefined) continue;
      const at = row * figuresPerRow;
      const gross = shifted(figures[at] ?? 0, shift) * factor.gross;
      const listedTax = shifted(figures[at + 2] ?? 0, shift);
      const fees =
        shifted(figures[at + 1] ?? 0, shift) * factor.fees + listedTax * factor.taxInFees;
      const tax = listedTax * factor.tax;
      if (!isExact(gross) || !isExact(fees) || !isExact(tax)) continue;
      if (payInBy !== undefined) {
        if (this.part === 'all') this.#add(place, gross + fees * ofFees + tax * ofTax, 0, 0);
      } else if (this.part === 'all') this.#add(place, gross, fees, tax);
      else if (gross === 0 || (fees === 0 && tax === 0)) continue;
      else if (this.part === 'gross') this.#add(place, gross, 0, 0);
      else this.#add(place, 0, fees, tax);
    }
  }

  /** The same rows, with a part of their amounts. */
  only(part: Part): RowValues {
    return part === this.part ? this : new RowValues(this.#how, this.columns, this.#some, part);
  }

  #rowAt(place: number): number {
    return this.#some?.[place] ?? place;
  }

  get size(): number {
    return this.#size;
  }

  get figures(): Float64Array {
    return this.#figures;
  }

  /** The value with these amounts; −1 if no row has them. */
  find(gross: number, fees: number, tax: number): number {
    const value = this.#table[this.#placeOf(gross, fees, tax)] ?? 0;
    return value - 1;
  }

  withGross(gross: number): readonly number[] {
    if (this.#byGross === undefined) {
      this.#byGross = new Map();
      for (let value = 0; value < this.#size; value++) {
        const own = this.#figures[value * figuresPerRow] ?? 0;
        const same = this.#byGross.get(own);
        if (same) same.push(value);
        else this.#byGross.set(own, [value]);
      }
    }
    return this.#byGross.get(gross) ?? [];
  }

  count(value: number): number {
    return this.#counts[value] ?? 0;
  }

  /** The rows that have a value, the smallest ids first. */
  rows(value: number): readonly number[] {
    const known = this.#known.get(value);
    if (known) return known;
    const rows: number[] = [];
    for (let next = this.#last[value] ?? 0; next > 0; next = this.#before[next - 1] ?? 0) {
      rows.push(this.#rowAt(next - 1));
    }
    const ids = new Map(rows.map((row) => [row, this.columns.id(row)]));
    rows.sort((a, b) => byText(ids.get(a) ?? '', ids.get(b) ?? ''));
    this.#known.set(value, rows);
    return rows;
  }

  #add(place: number, gross: number, fees: number, tax: number): void {
    const at = this.#placeOf(gross, fees, tax);
    let value = (this.#table[at] ?? 0) - 1;
    if (value < 0) {
      value = this.#size++;
      this.#table[at] = value + 1;
      this.#figures[value * figuresPerRow] = gross;
      this.#figures[value * figuresPerRow + 1] = fees;
      this.#figures[value * figuresPerRow + 2] = tax;
    }
    this.#before[place] = this.#last[value] ?? 0;
    this.#last[value] = place + 1;
    this.#counts[value] = (this.#counts[value] ?? 0) + 1;
  }

  /** The place of these amounts in the table, or a free one. */
  #placeOf(gross: number, fees: number, tax: number): number {
    const table = this.#table;
    const last = table.length - 1;
    let hash = Math.imul(gross, 0x9e3779b1) ^ Math.imul(fees, 0x85ebca6b);
    hash = Math.imul(hash ^ Math.imul(tax, 0xc2b2ae35) ^ (hash >>> 15), 0x2c1b3c6d);
    for (let place = (hash ^ (hash >>> 13)) & last; ; place = (place + 1) & last) {
      const at = ((table[place] ?? 0) - 1) * figuresPerRow;
      if (at < 0) return place;
      const figures = this.#figures;
      if (figures[at] === gross && figures[at + 1] === fees && figures[at + 2] === tax) {
        return place;
      }
    }
  }
}

/** With so many more decimal places; 0 in another currency. */
function shifted(minor: number, by: number | undefined): number {
  if (by === undefined) return 0;
  // Below 2^53 a quotient is whole only if the exact one is.
  return by < 0 ? minor / 10 ** -by : minor * 10 ** by;
}

function isExact(minor: number): boolean {
  return Number.isInteger(minor) && Math.abs(minor) <= mostAmount;
}
