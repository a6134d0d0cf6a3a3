import { csvText } from '../render/csv.ts';
import type { Column } from '../report/common/columns.ts';
import type { DayBuild, DayFile } from './day-build.ts';
import type { ManifestFile } from './manifest.ts';

/** A CSV file of a day, being written: the header row always, then records in batches. */
export class CsvFile<Row> {
  readonly #file: DayFile;
  readonly #columns: readonly Column<Row>[];
  readonly #lines: (rows: readonly (readonly string[])[]) => string;
  #rows = 0;

  private constructor(
    file: DayFile,
    columns: readonly Column<Row>[],
    lines: (rows: readonly (readonly string[])[]) => string,
  ) {
    this.#file = file;
    this.#columns = columns;
    this.#lines = lines;
  }

  /** Creates the file, in the form that programs read. */
  static async create<Row>(
    build: DayBuild,
    name: string,
    columns: readonly Column<Row>[],
  ): Promise<CsvFile<Row>> {
    const { header, lines } = csvText(columns, 'rfc');
    const file = await build.file(name);
    await file.write(header);
    return new CsvFile(file, columns, lines);
  }

  async add(rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    this.#rows += rows.length;
    await this.#file.write(
      this.#lines(rows.map((row) => this.#columns.map((column) => column.value(row)))),
    );
  }

  async close(): Promise<ManifestFile> {
    const { bytes, sha256 } = await this.#file.close();
    return { bytes, rows: this.#rows, sha256 };
  }
}

/** Writes a file whose records are all there. */
export async function writeCsv<Row>(
  build: DayBuild,
  name: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Promise<ManifestFile> {
  const file = await CsvFile.create(build, name, columns);
  await file.add(rows);
  return file.close();
}
