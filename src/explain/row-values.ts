import { byText } from '../base/texts.ts';
import { figuresPerRow } from '../model/row-batch.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { factorsBy } from '../reconcile/rules.ts';
import type { Case } from './case.ts';
import type { Part } from './cause.ts';

/** Larger amounts are not searched: a thousand of them would not be exact. Minor units. */
const mostAmount = Math.floor(Number.MAX_SAFE_INTEGER / 1000);

/** Which rows are meant, and which of their amounts: the others are 0. */
interface RowsMeant {
  readonly columns: RowColumns;
  readonly part: Part;
  readonly isMeant?: (row: number) => boolean;
}

/**
 * The distinct amounts of rows by the rules, in numbers and without an object a row: each gross with
 * its fees and tax is a *value*, numbered from 0, and knows the rows that have it. Minor units at the
 * scale of the case; in another currency, 0. Rows that need more decimal places are left out; with a part of the
 * amounts, also those that have nothing in the other part, because they are the same in full.
 */
export class RowValues {
  readonly columns: RowColumns;
  readonly part: Part;
  readonly #figures: Float64Array;
  /** One more than the value in this place; 0 where there is none. */
  readonly #table: Int32Array;
  /** How many rows are meant, and their numbers in the columns; absent where all are. */
  readonly rowCount: number;
  readonly #rows: readonly number[] | undefined;
  /** For each of them the place of the next one that is alike. */
  readonly #next: Int32Array;
  readonly #first: Int32Array;
  readonly #counts: Int32Array;
  #size = 0;
  readonly #known = new Map<number, readonly number[]>();
  #byGross: Map<number, number[]> | undefined;

  constructor(
    { settlement, scale, rules }: Pick<Case, 'settlement' | 'scale' | 'rules'>,
    { columns, part, isMeant }: RowsMeant,
  ) {
    this.columns = columns;
    this.part = part;
    this.#rows = isMeant && columns.where(isMeant);
    const room = this.#rows?.length ?? columns.size;
    this.rowCount = room;
    this.#figures = new Float64Array(room * figuresPerRow);
    this.#table = new Int32Array(2 ** Math.ceil(Math.log2(2 * room + 1)));
    this.#next = new Int32Array(room).fill(-1);
    this.#first = new Int32Array(room).fill(-1);
    this.#counts = new Int32Array(room);
    const { figures, kinds, kindNumbers } = columns;
    const shifts = kinds.map((kind) =>
      kind.currency === settlement.currency ? scale - kind.scale : undefined,
    );
    const factors = kinds.map((kind) => factorsBy(rules, kind));
    for (let place = 0; place < room; place++) {
      const row = this.#rowAt(place);
      const kind = kindNumbers[row] ?? 0;
      const shift = shifts[kind];
      const factor = factors[kind];
      // A row that counts for nothing by a rule is not there to be left out, or added.
      if (factor === undefined) continue;
      const at = row * figuresPerRow;
      const gross = shifted(figures[at] ?? 0, shift) * factor.gross;
      const listedTax = shifted(figures[at + 2] ?? 0, shift);
      const fees =
        shifted(figures[at + 1] ?? 0, shift) * factor.fees + listedTax * factor.taxInFees;
      const tax = listedTax * factor.tax;
      if (!isExact(gross) || !isExact(fees) || !isExact(tax)) continue;
      if (part === 'all') this.#add(place, gross, fees, tax);
      else if (gross !== 0 && (fees !== 0 || tax !== 0)) {
        if (part === 'gross') this.#add(place, gross, 0, 0);
        else this.#add(place, 0, fees, tax);
      }
    }
  }

  /** How many values there are. */
  get size(): number {
    return this.#size;
  }

  /** Gross, fees and tax of each value. */
  get figures(): Float64Array {
    return this.#figures;
  }

  /** The value with these amounts; −1 where no row has them. */
  find(gross: number, fees: number, tax: number): number {
    const value = this.#table[this.#placeOf(gross, fees, tax)] ?? 0;
    return value - 1;
  }

  /** The values with this gross. */
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

  /** How many rows have a value. */
  count(value: number): number {
    return this.#counts[value] ?? 0;
  }

  /** The rows that have a value, those with the smallest ids first. */
  rows(value: number): readonly number[] {
    const known = this.#known.get(value);
    if (known) return known;
    const rows: number[] = [];
    for (let place = this.#first[value] ?? -1; place >= 0; place = this.#next[place] ?? -1) {
      rows.push(this.#rowAt(place));
    }
    const ids = new Map(rows.map((row) => [row, this.columns.id(row)]));
    rows.sort((a, b) => byText(ids.get(a) ?? '', ids.get(b) ?? ''));
    this.#known.set(value, rows);
    return rows;
  }

  #rowAt(place: number): number {
    return this.#rows ? (this.#rows[place] ?? 0) : place;
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
    this.#next[place] = this.#first[value] ?? -1;
    this.#first[value] = place;
    this.#counts[value] = (this.#counts[value] ?? 0) + 1;
  }

  /** Where these amounts stand in the table, or would stand. */
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

/** At so many more decimal places; nothing of what is in another currency. */
function shifted(minor: number, by: number | undefined): number {
  if (by === undefined) return 0;
  // The quotient of numbers below 2^53 is whole only where the exact one is.
  return by < 0 ? minor / 10 ** -by : minor * 10 ** by;
}

function isExact(minor: number): boolean {
  return Number.isInteger(minor) && Math.abs(minor) <= mostAmount;
}
