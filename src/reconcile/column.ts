const blockBits = 10;
const blockSize = 1 << blockBits;

/** Values by row. Rows are set in order the first time, in any order afterwards. */
interface Column<Value> {
  /** Throws RangeError beyond the end of the last block of 1,024 rows. */
  get(index: number): Value;
  set(index: number, value: Value): void;
}

// In blocks of a fixed size: growing copies nothing and wastes at most one block. Each kind of block
// has a class of its own: code that writes into arrays of several kinds is many times as slow.

/** Whole numbers of 64 bits. */
export class BigIntColumn implements Column<bigint> {
  readonly #blocks: BigInt64Array[] = [];

  get(index: number): bigint {
    return found(this.#blocks[index >>> blockBits]?.[index & (blockSize - 1)], index);
  }

  /** Throws RangeError for a number beyond 64 bits, which an array would cut silently. */
  set(index: number, value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) throw new RangeError(`Beyond 64 bits: ${value}`);
    let block = this.#blocks[index >>> blockBits];
    if (block === undefined) {
      block = new BigInt64Array(blockSize);
      this.#blocks.push(block);
    }
    block[index & (blockSize - 1)] = value;
  }
}

/** Whole numbers from 0 to below 2^32. */
export class NumberColumn implements Column<number> {
  readonly #blocks: Uint32Array[] = [];

  get(index: number): number {
    return found(this.#blocks[index >>> blockBits]?.[index & (blockSize - 1)], index);
  }

  set(index: number, value: number): void {
    let block = this.#blocks[index >>> blockBits];
    if (block === undefined) {
      block = new Uint32Array(blockSize);
      this.#blocks.push(block);
    }
    block[index & (blockSize - 1)] = value;
  }
}

function found<Value>(value: Value | undefined, index: number): Value {
  if (value === undefined) throw new RangeError(`No row ${index}`);
  return value;
}

/** Texts of which few are distinct (types, currencies ...), kept as numbers into a list of them. */
export class CodedColumn implements Column<string> {
  readonly #codes = new NumberColumn();
  readonly #values: string[] = [];
  readonly #codeOf = new Map<string, number>();
  /** Mostly the next one is the same. */
  #last = { value: '', code: -1 };

  /** The distinct values by code; where rows were replaced, maybe one that no row has any more. */
  get values(): readonly string[] {
    return this.#values;
  }

  get(index: number): string {
    const value = this.#values[this.#codes.get(index)];
    if (value === undefined) throw new RangeError(`No row ${index}`);
    return value;
  }

  /** The value's place in `values`. */
  code(index: number): number {
    return this.#codes.get(index);
  }

  set(index: number, value: string): void {
    if (this.#last.code < 0 || this.#last.value !== value) {
      this.#last = { value, code: this.#codeOf.get(value) ?? this.#newCode(value) };
    }
    this.#codes.set(index, this.#last.code);
  }

  #newCode(value: string): number {
    const code = this.#values.push(value) - 1;
    this.#codeOf.set(value, code);
    return code;
  }
}
