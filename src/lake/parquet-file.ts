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
  decimal,
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
const rowsPerGroup = 10_000;

/** Starts the Parquet file of a table; `profile` may be empty. Equal rows give equal bytes. Throws TooLargeError. */
export function startParquet<Table extends LakeTable>(
  table: Table,
  profile: string,
  write: (bytes: Uint8Array) => Promise<void>,
  groupSize = rowsPerGroup,
) {
  const ownColumns = Object.entries<ColumnForm>(lakeTables[table]);
  const allColumns = [...Object.entries<ColumnForm>(commonColumns), ...ownColumns];
  const schema = (elementOf: (name: string, form: ColumnForm) => SchemaElement) => [
    { name: 'schema', num_children: allColumns.length },
    ...allColumns.map(([name, form]) => elementOf(name, form)),
  ];
  const columns = ownColumns.map(([name, form]) => bufferColumn(name, form));
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
  const writeGroup = async () => {
    const profiles = constantColumn('profile', profile, rowsInGroup);
    const columnData = [profiles, ...columns.map((column) => column.data())];
    await parquet.write({ columnData, rowGroupSize: rowsInGroup });
    for (const column of columns) column.clear();
    groups.push(rowsInGroup);
    rowsInGroup = 0;
  };
  /** Writes `day_version` at the end of the file, and moves its chunks into the groups of the rows. */
  const addVersions = async (dayVersion: string) => {
    for (const [index, rows] of groups.entries()) {
      const columnData = [constantColumn('day_version', dayVersion, rows)];
      await parquet.write({ columnData, rowGroupSize: rows });
      const [group, versionGroup] = [parquet.row_groups[index], parquet.row_groups.pop()];
      if (!group || !versionGroup) throw new RangeError('a group was not written');
      // It comes second: engines find a group by the offset of its first column, `profile`.
      group.columns.splice(1, 0, ...versionGroup.columns);
      group.total_byte_size += versionGroup.total_byte_size;
      group.total_compressed_size =
        (group.total_compressed_size ?? 0n) + (versionGroup.total_compressed_size ?? 0n);
    }
  };
  return {
    add: async (rows: Iterable<LakeRow<Table>>): Promise<void> => {
      for (const row of rows) {
        for (const column of columns) column.add(row);
        rowsInGroup += 1;
        if (rowsInGroup === groupSize) await writeGroup();
      }
    },
    /** Writes the last group, then `day_version`. Returns the number of rows. */
    close: async (dayVersion: string): Promise<number> => {
      if (rowsInGroup > 0) await writeGroup();
      await addVersions(dayVersion);
      const total = groups.reduce((sum, rows) => sum + rows, 0);
      // Logical types come last: with them, the package converts each value, and writing takes three times as long.
      parquet.schema = schema(logicalElement);
      // The groups of `day_version` have counted their rows again.
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

function constantColumn(name: string, value: string, rows: number): ColumnSource {
  return { name, data: new Array<string>(rows).fill(value), ...types.text.encoding };
}

/** A number that the column of a table cannot hold. */
export class TooLargeError extends ReconError {}

/** A buffer for the values of a column. `add` throws TooLargeError, or RangeError for a value of another type. */
export function bufferColumn(name: string, form: ColumnForm) {
  const { isValid, encoding, newBuffer } = types[typeOf(form)];
  const isNullable = form.endsWith('?');
  const buffer = newBuffer();
  const nulls = new Set<number>();
  let size = 0;
  return {
    add: (row: Readonly<Record<string, unknown>>): void => {
      const value = row[name];
      if (value === null && isNullable) nulls.add(size);
      else if (!isValid(value)) throw refusal(name, value, row);
      // In the place of null: every buffer takes 0n.
      buffer.add((value ?? 0n) as Value);
      size += 1;
    },
    /** The values, for the Parquet writer; valid until the next call of `add` or `clear`. */
    data: (): ColumnSource => ({
      name,
      ...encoding,
      // A getter: the values of one column at a time are made.
      get data() {
        const values = buffer.values();
        if (nulls.size === 0) return values;
        return values.map((value, row) => (nulls.has(row) ? null : value));
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

type Value = string | number | bigint | boolean | TextBytes;

interface ColumnBuffer {
  add(value: Value): void;
  values(): unknown[];
  clear(): void;
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

const decimalLength = 16;

/** Texts, or decimals in two's complement, the highest byte first: small objects would slow garbage collection. */
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

interface ColumnType {
  readonly isValid: (value: unknown) => boolean;
  readonly newBuffer: () => ColumnBuffer;
  /** Fixed: choosing one takes the package twice as long. */
  readonly encoding: Pick<ColumnSource, 'encoding' | 'codec'>;
  /** How values are stored, and what they mean to readers of the file. */
  readonly physical: Pick<SchemaElement, 'type' | 'type_length'>;
  readonly logical?: Partial<SchemaElement>;
}

const dictionary = { encoding: 'RLE_DICTIONARY' } as const;
const plain = { encoding: 'PLAIN' } as const;

const text: ColumnType = {
  isValid: (value) => typeof value === 'string',
  newBuffer: () => new ValueBuffer(),
  encoding: dictionary,
  physical: { type: 'BYTE_ARRAY' },
  logical: { converted_type: 'UTF8', logical_type: { type: 'STRING' } },
};

const uniqueText: ColumnType = {
  ...text,
  isValid: (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
  newBuffer: () => new BytesBuffer(),
  encoding: plain,
};

const bigint: ColumnType = {
  isValid: (value) => isWithin(2n ** 63n - 1n, value),
  newBuffer: () => new ValueBuffer(),
  encoding: plain,
  physical: { type: 'INT64' },
};

const types: Readonly<Record<LakeType, ColumnType>> = {
  text,
  unique_text: uniqueText,
  // Compressing ids takes longer than everything else, and saves a tenth of their bytes.
  id: { ...uniqueText, encoding: { ...plain, codec: 'UNCOMPRESSED' } },
  integer: {
    isValid: (value) => typeof value === 'number' && value === (value | 0),
    newBuffer: () => new ValueBuffer(),
    encoding: dictionary,
    physical: { type: 'INT32' },
  },
  bigint,
  decimal: {
    // Only a guard: the column in minor units comes first.
    isValid: (value) => isWithin(mostDecimal, value),
    newBuffer: () => new BytesBuffer(),
    encoding: plain,
    physical: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: decimalLength },
    logical: {
      converted_type: 'DECIMAL',
      logical_type: { type: 'DECIMAL', ...decimal },
      ...decimal,
    },
  },
  time: {
    ...bigint,
    logical: { logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } },
  },
  boolean: {
    isValid: (value) => typeof value === 'boolean',
    newBuffer: () => new ValueBuffer(),
    encoding: {},
    physical: { type: 'BOOLEAN' },
  },
};

const mostDecimal = 10n ** BigInt(decimal.precision) - 1n;

function isWithin(most: bigint, value: unknown): boolean {
  return typeof value === 'bigint' && -most <= value && value <= most;
}

function physicalElement(name: string, form: ColumnForm): SchemaElement {
  const repetition_type = form.endsWith('?') ? 'OPTIONAL' : 'REQUIRED';
  return { name, ...types[typeOf(form)].physical, repetition_type };
}

function logicalElement(name: string, form: ColumnForm): SchemaElement {
  return { ...physicalElement(name, form), ...types[typeOf(form)].logical };
}
