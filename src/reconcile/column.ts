const blockBits = 10;
const blockSize = 1 << blockBits;

/** How a block of 1,024 values is kept: a typed array or a plain one. */
interface Block<Value> {
  [index: number]: Value;
}

/**
 * Values by row, in blocks of a fixed size: growing copies nothing and wastes at most one block.
 * Reading beyond the end is an error, never an empty value.
 */
export class Column<Value> {
  readonly #blocks: Block<Value>[] = [];
  readonly #newBlock: (size: number) => Block<Value>;

  constructor(newBlock: (size: number) => Block<Value>) {
    this.#newBlock = newBlock;
  }

  get(index: number): Value {
    const value = this.#blocks[index >>> blockBits]?.[index & (blockSize - 1)];
    if (value === undefined) throw new RangeError(`No row ${index}`);
    return value;
  }

  /** Rows are set in order the first time, in any order afterwards. */
  set(index: number, value: Value): void {
    let block = this.#blocks[index >>> blockBits];
    if (block === undefined) {
      block = this.#newBlock(blockSize);
      this.#blocks.push(block);
    }
    block[index & (blockSize - 1)] = value;
  }
}

/** Texts of which few are distinct (types, currencies ...), kept as numbers into a list of them. */
export class CodedColumn {
  readonly #codes = new Column<number>((size) => new Uint32Array(size));
  readonly #values: string[] = [];
  readonly #codeOf = new Map<string, number>();

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
    let code = this.#codeOf.get(value);
    if (code === undefined) {
      code = this.#values.push(value) - 1;
      this.#codeOf.set(value, code);
    }
    this.#codes.set(index, code);
  }
}
