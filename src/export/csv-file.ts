import { csvText } from '../render/csv.ts';
import type { Column } from '../report/common/columns.ts';
import type { DayBuild } from './day-build.ts';
import type { ManifestFile } from './manifest.ts';

/** A CSV file of a day, being written. */
export interface CsvFile<Row> {
  /** Writes records, in the order of the calls. */
  add(records: readonly Row[]): Promise<void>;
  /** Ends the file. */
  close(): Promise<ManifestFile>;
}

/** Begins a CSV file of a day in the form that programs read: the header row always. */
export async function startCsv<Row>(
  build: DayBuild,
  name: string,
  columns: readonly Column<Row>[],
): Promise<CsvFile<Row>> {
  const { header, lines } = csvText(columns, 'rfc');
  const file = await build.file(name);
  await file.write(header);
  let rows = 0;
  return {
    add: async (records) => {
      if (records.length === 0) return;
      rows += records.length;
      await file.write(lines(records.map((one) => columns.map((column) => column.value(one)))));
    },
    close: async () => ({ rows, ...(await file.close()) }),
  };
}

/** Writes a CSV file of a day whose records are all there. */
export async function writeCsv<Row>(
  build: DayBuild,
  name: string,
  columns: readonly Column<Row>[],
  records: readonly Row[],
): Promise<ManifestFile> {
  const file = await startCsv(build, name, columns);
  await file.add(records);
  return file.close();
}
