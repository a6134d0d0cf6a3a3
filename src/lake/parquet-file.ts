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
  commonColumns,
  type LakeRow,
  type LakeTable,
  type LakeType,
  lakeTables,
  type TextBytes,
  typeOf,
} from './tables.ts';

// The package writes groups of rows as they come, and keeps what its footer will say in fields that may be
// changed until `finish`. Two things need that: `day_version` is known only after the last row, and logical
// types may be in the schema only after the values are written. package.json pins its version.

/** Rows that are encoded together: few enough for memory, enough for the engines. */
const groupSize = 10_000;

/** Starts the Parquet file of a table; `profile` may be empty. Equal rows give equal bytes. Throws TooLargeError. */
export function startParquet<Table extends LakeTable>(
  table: Table,
  profile: string,
  write: (bytes: Uint8Array) => Promise<void>,
) {
  const own = Object.entries<ColumnForm>(lakeTables[table]);
  const forms = [...Object.entries<ColumnForm>(commonColumns), ...own];
  const schema = (elementOf: (name: string, form: ColumnForm) => SchemaElement) => [
    { name: 'schema', num_children: forms.length },
    ...forms.map(([name, form]) => elementOf(name, form)),
  ];
  const columns = own.map(([name, form]) => bufferColumn(name, form));
  const parquet = new ParquetWriter({
    writer: new Sink(write),
    schema: schema(physicalElement),
    codec: 'SNAPPY',
    // Statistics would not let engines skip anything: days are partitions, and ids are unordered.
    statistics: false,
    createdBy: 'recon',
  });
  const groups: number[] = [];
  let rowsInGroup = 0;
  const flush = async () => {
    const profiles = constantColumn('profile', profile, rowsInGroup);
    const columnData = [profiles, ...columns.map((column) => column.data())];
    await parquet.write({ columnData, rowGroupSize: rowsInGroup });
    for (const column of columns) column.clear();
    groups.push(rowsInGroup);
    rowsInGroup = 0;
  };
  /** Writes the column as groups of its own at the end of the file, and lists it in the groups of the rows. */
  const addVersions = async (dayVersion: string) => {
    for (const [index, rows] of groups.entries()) {
      const columnData = [constantColumn('day_version', dayVersion, rows)];
      await parquet.write({ columnData, rowGroupSize: rows });
      const [group, versionGroup] = [parquet.row_groups[index], parquet.row_groups.pop()];
      if (!group || !versionGroup) throw new RangeError('a group was not written');
      // It comes second: engines find a group by the offset of its first column, `profile`.
      group.columns.splice(1, 0, ...versionGroup.columns);
      group.total_byte_size += versionGroup.total_byte_size;
    }
  };
  return {
    add: async (rows: Iterable<LakeRow<Table>>): Promise<void> => {
      for (const row of rows) {
        for (const column of columns) column.add(row);
        rowsInGroup += 1;
        if (rowsInGroup === groupSize) await flush();
      }
    },
    /** Writes the last group, then `day_version`. Returns the number of rows. */
    close: async (dayVersion: string): Promise<number> => {
      if (rowsInGroup > 0) await flush();
      await addVersions(dayVersion);
      const total = groups.reduce((sum, rows) => sum + rows, 0);
      // Logical types come last: with them, the package converts each value, in ten times the time.
      parquet.schema = schema(logicalElement);
      parquet.num_rows = BigInt(total);
      await parquet.finish();
      return total;
    },
  };
}

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

function constantColumn(
  name: keyof typeof commonColumns,
  value: string,
  rows: number,
): ColumnSource {
  return { name, data: new Array<string>(rows).fill(value), encoding: 'RLE_DICTIONARY' };
}

/** An amount beyond 64 bits: the tables cannot hold it. */
export class TooLargeError extends ReconError {}

/** A buffer for the values of a column. `add` throws TooLargeError, or RangeError for a value of another type. */
export function bufferColumn(name: string, form: ColumnForm) {
  const type = typeOf(form);
  const isValid = validators[type];
  const isNullable = form.endsWith('?');
  const isUnique = type === 'text' && uniqueTexts.has(name);
  const buffer = bufferFor(type, isUnique);
  const nulls = new Set<number>();
  let size = 0;
  return {
    add: (row: Readonly<Record<string, unknown>>): void => {
      const value = row[name];
      if (value === null && isNullable) nulls.add(size);
      else if (!isValid(value)) throw refusal(name, value, row);
      // Any value will do in the place of null.
      buffer.add((value ?? (type === 'text' ? '' : 0n)) as Value);
      size += 1;
    },
    /** The values, for the Parquet writer; valid until the next `add`. */
    data: (): ColumnSource => ({
      name,
      ...encodingOf(name, type, isUnique),
      // A getter: the bytes of one column at a time are in memory.
      get data() {
        const values = buffer.values();
        if (nulls.size === 0) return values;
        return Array.from<unknown>(values).map((value, row) => (nulls.has(row) ? null : value));
      },
    }),
    clear: () => {
      buffer.clear();
      nulls.clear();
      size = 0;
    },
  };
}

function refusal(name: string, value: unknown, row: Readonly<Record<string, unknown>>): Error {
  if (typeof value !== 'bigint') return new RangeError(`${name} can't hold ${value}`);
  return new TooLargeError(
    'output',
    `Settlement ${row['settlement_id']} has an amount that is too large for Parquet tables: ${name} ${value}.`,
  );
}

/** Text columns with mostly unique values. All others are dictionary-encoded. */
const uniqueTexts = new Set(['transaction_id', 'charge_id', 'order_id', 'timestamp', 'notes']);

/** Given, because the package takes twice as long to choose. */
function encodingOf(name: string, type: LakeType, isUnique: boolean) {
  if (type === 'boolean') return {};
  if (type === 'integer' || (type === 'text' && !isUnique)) return { encoding: 'RLE_DICTIONARY' };
  // Compressing ids takes longer than everything else, and saves a tenth of their bytes.
  const isId = type === 'text' && name.endsWith('_id');
  return { encoding: 'PLAIN', ...(isId && { codec: 'UNCOMPRESSED' }) };
}

type Value = string | number | bigint | boolean | TextBytes;

/** All decimals are DECIMAL(38, 4). */
const decimalPrecision = 38;
const decimalScale = 4;

const validators: Readonly<Record<LakeType, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
  integer: (value) => typeof value === 'number' && value === (value | 0),
  bigint: (value) => isWithin(mostBigint, value),
  decimal: (value) => isWithin(mostDecimal, value),
  time: (value) => isWithin(mostBigint, value),
  boolean: (value) => typeof value === 'boolean',
};

const mostBigint = 2n ** 63n - 1n;
const mostDecimal = 10n ** BigInt(decimalPrecision) - 1n;

function isWithin(most: bigint, value: unknown): boolean {
  return typeof value === 'bigint' && -most <= value && value <= most;
}

interface ColumnBuffer {
  add(value: Value): void;
  values(): unknown[] | BigInt64Array;
  clear(): void;
}

/** Unique values are kept as bytes: many small objects would make garbage collection slow. */
function bufferFor(type: LakeType, isUnique: boolean): ColumnBuffer {
  if (type === 'bigint' || type === 'time') return new IntegerBuffer();
  return type === 'decimal' || isUnique ? new BytesBuffer() : new ValueBuffer();
}

class ValueBuffer implements ColumnBuffer {
  #values: Value[] = [];

  add(value: Value): void {
    this.#values.push(value);
  }

  values() {
    return this.#values;
  }

  clear(): void {
    this.#values = [];
  }
}

class IntegerBuffer implements ColumnBuffer {
  #values = new BigInt64Array(1);
  #size = 0;

  add(value: bigint): void {
    if (this.#size === this.#values.length) {
      const larger = new BigInt64Array(2 * this.#size);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#size] = value;
    this.#size += 1;
  }

  values() {
    return this.#values.subarray(0, this.#size);
  }

  clear(): void {
    this.#size = 0;
  }
}

const decimalLength = 16;

/** Texts, or decimals in two's complement, the highest byte first. */
class BytesBuffer implements ColumnBuffer {
  readonly #bytes = new ByteWriter(1024);
  #ends: number[] = [];

  add(value: string | TextBytes | bigint): void {
    const bytes = this.#bytes;
    if (typeof value === 'string') bytes.text(value);
    else if (typeof value === 'object') bytes.copy(value.view, value.start, value.end);
    else {
      const start = bytes.length;
      bytes.fill(0, decimalLength);
      bytes.view.setBigInt64(start, value >> 64n);
      bytes.view.setBigInt64(start + 8, value);
    }
    this.#ends.push(bytes.length);
  }

  values() {
    const { written } = this.#bytes;
    return this.#ends.map((end, index) => written.subarray(this.#ends[index - 1] ?? 0, end));
  }

  clear(): void {
    this.#bytes.length = 0;
    this.#ends = [];
  }
}

/** A column in the schema, as its values are stored. Ids are texts: Spark refuses Parquet's own UUIDs. */
function physicalElement(name: string, form: ColumnForm): SchemaElement {
  const repetition_type = form.endsWith('?') ? 'OPTIONAL' : 'REQUIRED';
  return { name, ...physicalTypes[typeOf(form)], repetition_type };
}

/** The same, with what the values mean to readers of the file. */
function logicalElement(name: string, form: ColumnForm): SchemaElement {
  return { ...physicalElement(name, form), ...logicalTypes[typeOf(form)] };
}

const physicalTypes: Readonly<Record<LakeType, Pick<SchemaElement, 'type' | 'type_length'>>> = {
  text: { type: 'BYTE_ARRAY' },
  integer: { type: 'INT32' },
  bigint: { type: 'INT64' },
  decimal: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: decimalLength },
  time: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
};

const logicalTypes: Readonly<Partial<Record<LakeType, Partial<SchemaElement>>>> = {
  text: { converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  decimal: {
    converted_type: 'DECIMAL',
    logical_type: { type: 'DECIMAL', precision: decimalPrecision, scale: decimalScale },
    precision: decimalPrecision,
    scale: decimalScale,
  },
  time: { logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } },
};
