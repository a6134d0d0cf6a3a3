import {
  type ColumnSource,
  ByteWriter as ParquetBytes,
  ParquetWriter,
  type SchemaElement,
} from 'hyparquet-writer';
import { ByteWriter } from '../base/byte-writer.ts';
import { ReconError } from '../base/errors.ts';
import {
  type ColumnForm,
  decimalDigits,
  decimalPlaces,
  type LakeRow,
  type LakeTable,
  type LakeType,
  lakeTables,
  type TextBytes,
  whose,
} from './tables.ts';

/** Rows that are encoded together: few enough for memory, enough for the engines. */
const groupSize = 10_000;

/** An amount that a table cannot hold exactly. */
export class TooLargeError extends ReconError {}

/**
 * A Parquet file of a table, being written: the same rows give the same bytes. Every value is checked
 * before it is encoded: TooLargeError for one that its column cannot hold, RangeError for a wrong one.
 */
export function startParquet<Table extends LakeTable>(
  table: Table,
  profile: string,
  write: (bytes: Uint8Array) => Promise<void>,
) {
  const own = Object.entries<ColumnForm>(lakeTables[table]);
  const forms = [...Object.entries<ColumnForm>(whose), ...own];
  const columns = own.map(([name, form]) => columnOf(name, form));
  const parquet = new ParquetWriter({
    writer: new Sink(write),
    schema: [
      { name: 'schema', num_children: forms.length },
      ...forms.map(([name, form]) => schemaOf(name, form)),
    ],
    codec: 'SNAPPY',
    // No engine reads less for them: the partitions give the day, and ids are in no order.
    statistics: false,
    createdBy: 'recon',
  });
  const groups: number[] = [];
  let held = 0;
  const flush = async () => {
    const sources = columns.map(({ source }) => source);
    // First in the file as in the schema: by where that is, Spark decides which part of a file a group is in.
    const columnData = [sameIn('profile', held, profile), ...sources];
    await parquet.write({ columnData, rowGroupSize: held });
    for (const { clear } of columns) clear();
    groups.push(held);
    held = 0;
  };
  return {
    add: async (rows: Iterable<LakeRow<Table>>): Promise<void> => {
      for (const row of rows) {
        for (const column of columns) column.add(row);
        held += 1;
        if (held === groupSize) await flush();
      }
    },
    /** Writes the rest, and the version of the day: only then it is known. Gives the number of rows. */
    close: async (dayVersion: string): Promise<number> => {
      if (held > 0) await flush();
      const { row_groups: written } = parquet;
      for (const [index, rows] of groups.entries()) {
        await parquet.write({
          columnData: [sameIn('day_version', rows, dayVersion)],
          rowGroupSize: rows,
        });
        const [group, last] = [written[index], written.pop()];
        if (!group || !last) throw new RangeError('a group was not written');
        group.columns.splice(1, 0, ...last.columns);
        group.total_byte_size += last.total_byte_size;
        group.total_compressed_size =
          (group.total_compressed_size ?? 0n) + (last.total_compressed_size ?? 0n);
      }
      // Said before, the package would make the bytes of each value anew, in ten times the time.
      for (const [name, form] of forms) {
        const element = parquet.schema.find((one) => one.name === name);
        if (element) Object.assign(element, meanings[typeOf(form)]);
      }
      parquet.num_rows = BigInt(groups.reduce((sum, rows) => sum + rows, 0));
      await parquet.finish();
      return Number(parquet.num_rows);
    },
  };
}

/** A column that has one text in all rows. */
function sameIn(name: keyof typeof whose, rows: number, text: string): ColumnSource {
  return { name, data: new Array<string>(rows).fill(text), encoding: 'RLE_DICTIONARY' };
}

/** Where the encoded bytes go, after each group of rows. */
class Sink extends ParquetBytes {
  readonly #write: (bytes: Uint8Array) => Promise<void>;

  constructor(write: (bytes: Uint8Array) => Promise<void>) {
    super(1 << 20);
    this.#write = write;
  }

  async flush(): Promise<void> {
    await this.#write(this.getBytes());
    this.index = 0;
  }

  override finish() {
    return this.flush();
  }
}

/** Bytes of a decimal. */
const decimalLength = 16;

/** How Parquet has what a column holds. Ids are texts: Spark refuses Parquet's own UUIDs. */
const types: Readonly<Record<LakeType, Pick<SchemaElement, 'type' | 'type_length'>>> = {
  text: { type: 'BYTE_ARRAY' },
  integer: { type: 'INT32' },
  bigint: { type: 'INT64' },
  decimal: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: decimalLength },
  time: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
};

/** What that means to its readers. */
const meanings: Readonly<Record<LakeType, Partial<SchemaElement>>> = {
  text: { converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  integer: {},
  bigint: {},
  decimal: {
    converted_type: 'DECIMAL',
    logical_type: { type: 'DECIMAL', precision: decimalDigits, scale: decimalPlaces },
    precision: decimalDigits,
    scale: decimalPlaces,
  },
  time: { logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } },
  boolean: {},
};

function schemaOf(name: string, form: ColumnForm): SchemaElement {
  const repetition_type = form.endsWith('?') ? 'OPTIONAL' : 'REQUIRED';
  return { name, ...types[typeOf(form)], repetition_type };
}

function typeOf(form: ColumnForm): LakeType {
  return form.replace('?', '') as LakeType;
}

type Cells = Readonly<Record<string, unknown>>;

/** A column, with the values of the rows that are not yet encoded. */
function columnOf(name: string, form: ColumnForm) {
  const type = typeOf(form);
  const holds = holders[type];
  const isNullable = form.endsWith('?');
  const held = heldAs(name, type);
  return {
    add: (row: Cells): void => {
      const value = row[name];
      if (value === null ? isNullable : holds(value)) held.add(value as Cell);
      else if (typeof value !== 'bigint') throw new RangeError(`${name} can't hold ${value}`);
      else throw tooLarge(name, value, row);
    },
    source: {
      name,
      ...layoutOf(name, type),
      // One column after the other, so that their bytes are not in memory together.
      get data() {
        return held.data();
      },
    } satisfies ColumnSource,
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
const ownTexts = new Set(['transaction_id', 'charge_id', 'order_id', 'timestamp', 'notes']);

/** The package would find out most of that by itself, in twice the time. */
function layoutOf(name: string, type: LakeType): Pick<ColumnSource, 'encoding' | 'codec'> {
  if (type === 'boolean') return {};
  const isRepeated = type === 'integer' || (type === 'text' && !ownTexts.has(name));
  if (isRepeated) return { encoding: 'RLE_DICTIONARY' };
  // To compress an id takes longer than all else, and saves a tenth of its bytes.
  const isId = type === 'text' && name.endsWith('_id');
  return { encoding: 'PLAIN', ...(isId && { codec: 'UNCOMPRESSED' }) };
}

/** Compact, where there are many of another value each: they would be moved in memory again and again. */
function heldAs(name: string, type: LakeType) {
  if (type === 'decimal') return new HeldDecimals();
  if (type === 'bigint' || type === 'time') return new HeldIntegers();
  return type === 'text' && ownTexts.has(name) ? new HeldTexts() : new HeldValues();
}

/** The values of a column until they are encoded. */
interface Held {
  add(value: Cell): void;
  data(): ColumnSource['data'];
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
