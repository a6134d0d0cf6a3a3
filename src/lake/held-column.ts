import { ByteWriter } from '../base/byte-writer.ts';
import { ReconError } from '../base/errors.ts';
import { type ColumnForm, decimalDigits, type LakeType, type TextBytes, typeOf } from './tables.ts';

type Cells = Readonly<Record<string, unknown>>;

/** An amount that a table cannot hold exactly. */
export class TooLargeError extends ReconError {}

/** A column with the values of some rows, each checked. */
export type HeldColumn = ReturnType<typeof holdColumn>;

/**
 * Begins a column. What is added throws TooLargeError where an amount doesn't fit, and RangeError where
 * a value is of another kind.
 */
export function holdColumn(name: string, form: ColumnForm) {
  const type = typeOf(form);
  const holds = holders[type];
  const isNullable = form.endsWith('?');
  const held = heldAs(name, type);
  return {
    name,
    type,
    /** Adds its value of a row. */
    add: (row: Cells): void => {
      const value = row[name];
      if (value === null ? isNullable : holds(value)) held.add(value as Cell);
      else if (typeof value !== 'bigint') throw new RangeError(`${name} can't hold ${value}`);
      else throw tooLarge(name, value, row);
    },
    /** What it holds, as Parquet has it: valid until more is added. */
    data: () => held.data(),
    /** Forgets it. */
    clear: () => held.clear(),
  };
}

function tooLarge(name: string, value: bigint, row: Cells): TooLargeError {
  const settlement = `Settlement ${row['settlement_id']}`;
  return new TooLargeError(
    'output',
    `${settlement} has an amount that is too large for Parquet tables: ${name} ${value}.`,
  );
}

type Cell = string | number | bigint | boolean | TextBytes | null;

/** Whether a column of each type can hold a value that is not null. */
const holders: Readonly<Record<LakeType, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
  integer: (value) => typeof value === 'number' && value === (value | 0),
  bigint: (value) => isUpTo(mostBigint, value),
  decimal: (value) => isUpTo(mostDecimal, value),
  time: (value) => isUpTo(mostBigint, value),
  boolean: (value) => typeof value === 'boolean',
};

const mostBigint = 2n ** 63n - 1n;
const mostDecimal = 10n ** BigInt(decimalDigits) - 1n;

function isUpTo(most: bigint, value: unknown): boolean {
  return typeof value === 'bigint' && -most <= value && value <= most;
}

/** Texts that are another one in almost every row; the others come again and again. */
export const ownTexts = new Set(['transaction_id', 'charge_id', 'order_id', 'timestamp', 'notes']);

/** Compact, where there are many of another value each: objects would be moved in memory again and again. */
function heldAs(name: string, type: LakeType) {
  if (type === 'decimal') return new HeldDecimals();
  if (type === 'bigint' || type === 'time') return new HeldIntegers();
  return type === 'text' && ownTexts.has(name) ? new HeldTexts() : new HeldValues();
}

/** The values of a column until they are encoded. */
interface Held {
  add(value: Cell): void;
  data(): unknown[] | BigInt64Array;
  clear(): void;
}

class HeldValues implements Held {
  #values: Cell[] = [];

  add(value: Cell): void {
    this.#values.push(value);
  }

  data() {
    return this.#values;
  }

  clear(): void {
    this.#values = [];
  }
}

class HeldIntegers implements Held {
  #values = new BigInt64Array(1);
  #size = 0;
  readonly #nulls = new Set<number>();

  add(value: Cell): void {
    if (this.#size === this.#values.length) this.#makeRoom();
    if (typeof value === 'bigint') this.#values[this.#size] = value;
    else this.#nulls.add(this.#size);
    this.#size += 1;
  }

  data() {
    const values = this.#values.subarray(0, this.#size);
    if (this.#nulls.size === 0) return values;
    return Array.from(values, (value, index) => (this.#nulls.has(index) ? null : value));
  }

  clear(): void {
    this.#size = 0;
    this.#nulls.clear();
  }

  #makeRoom(): void {
    const larger = new BigInt64Array(2 * this.#size);
    larger.set(this.#values);
    this.#values = larger;
  }
}

/** Bytes of a decimal. */
export const decimalLength = 16;

class HeldDecimals implements Held {
  /** Each in two's complement, the highest byte first. */
  readonly #bytes = new ByteWriter(decimalLength);
  readonly #nulls = new Set<number>();

  add(value: Cell): void {
    const at = this.#bytes.length;
    this.#bytes.fill(0, decimalLength);
    if (typeof value !== 'bigint') {
      this.#nulls.add(at);
      return;
    }
    this.#bytes.view.setBigInt64(at, value >> 64n);
    this.#bytes.view.setBigInt64(at + 8, value);
  }

  data() {
    const { written } = this.#bytes;
    return Array.from({ length: written.length / decimalLength }, (_, index) => {
      const at = index * decimalLength;
      return this.#nulls.has(at) ? null : written.subarray(at, at + decimalLength);
    });
  }

  clear(): void {
    this.#bytes.length = 0;
    this.#nulls.clear();
  }
}

class HeldTexts implements Held {
  readonly #bytes = new ByteWriter(1024);
  #ends: number[] = [];

  add(value: Cell): void {
    if (typeof value === 'string') this.#bytes.text(value);
    else if (isBytes(value)) this.#bytes.copy(value.view, value.start, value.end);
    this.#ends.push(this.#bytes.length);
  }

  data() {
    const { written } = this.#bytes;
    return this.#ends.map((end, index) => written.subarray(this.#ends[index - 1] ?? 0, end));
  }

  clear(): void {
    this.#bytes.length = 0;
    this.#ends = [];
  }
}

function isBytes(value: Cell): value is TextBytes {
  return typeof value === 'object' && value !== null;
}
