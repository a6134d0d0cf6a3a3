import {
  type ColumnSource,
  ByteWriter as ParquetBytes,
  ParquetWriter,
  type SchemaElement,
} from 'hyparquet-writer';
import { decimalLength, type HeldColumn, holdColumn, ownTexts } from './held-column.ts';
import {
  type ColumnForm,
  decimalDigits,
  decimalPlaces,
  type LakeRow,
  type LakeTable,
  type LakeType,
  lakeTables,
  typeOf,
  whose,
} from './tables.ts';

/** Rows that are encoded together: few enough for memory, enough for the engines. */
const groupSize = 10_000;

/**
 * A Parquet file of a table, being written, of this profile (empty for none): the same rows give the
 * same bytes. Throws TooLargeError for an amount that its column cannot hold.
 */
export function startParquet<Table extends LakeTable>(
  table: Table,
  profile: string,
  write: (bytes: Uint8Array) => Promise<void>,
) {
  const own = Object.entries<ColumnForm>(lakeTables[table]);
  const forms = [...Object.entries<ColumnForm>(whose), ...own];
  const columns = own.map(([name, form]) => holdColumn(name, form));
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
    const data = [repeated('profile', profile, held), ...columns.map(columnData)];
    await parquet.write({ columnData: data, rowGroupSize: held });
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
        const data = [repeated('day_version', dayVersion, rows)];
        await parquet.write({ columnData: data, rowGroupSize: rows });
        const [group, late] = [written[index], written.pop()];
        if (!group || !late) throw new RangeError('a group was not written');
        // Engines that read a file in parts find a group by its first column: that one stays.
        group.columns.splice(1, 0, ...late.columns);
        group.total_byte_size += late.total_byte_size;
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

/** A column that has the same value in all rows. */
function repeated(name: keyof typeof whose, value: string, rows: number): ColumnSource {
  return { name, data: new Array<string>(rows).fill(value), encoding: 'RLE_DICTIONARY' };
}

function columnData({ name, type, data }: HeldColumn): ColumnSource {
  return {
    name,
    ...layoutOf(name, type),
    // One column after the other, so that their bytes are not in memory together.
    get data() {
      return data();
    },
  };
}

function schemaOf(name: string, form: ColumnForm): SchemaElement {
  const repetition_type = form.endsWith('?') ? 'OPTIONAL' : 'REQUIRED';
  return { name, ...types[typeOf(form)], repetition_type };
}

/** The package would find out most of that by itself, in twice the time. */
function layoutOf(name: string, type: LakeType): Pick<ColumnSource, 'encoding' | 'codec'> {
  if (type === 'boolean') return {};
  const isRepeated = type === 'integer' || (type === 'text' && !ownTexts.has(name));
  if (isRepeated) return { encoding: 'RLE_DICTIONARY' };
  // To compress an id takes longer than all else, and saves a tenth of its bytes.
  const isId = type === 'text' && name.endsWith('_id');
  return { encoding: 'PLAIN', ...(isId && { codec: 'UNCOMPRESSED' }) };
}
