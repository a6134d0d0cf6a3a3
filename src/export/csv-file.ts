import type { Settlement } from '../model/settlement.ts';
import { csvText, recordBytes } from '../render/csv.ts';
import type { Column } from '../report/common/columns.ts';
import type { Names } from '../report/common/report.ts';
import { transactionColumns } from '../report/transactions/view.ts';
import type { DayBuild } from './day-build.ts';
import type { ManifestFile } from './manifest.ts';
import type { SortedRows } from './row-store.ts';

/** A CSV file of a day, being written in the form that programs read: the header row always. */
export async function startCsv<Row>(
  build: DayBuild,
  name: string,
  columns: readonly Column<Row>[],
) {
  const { header, lines } = csvText(columns, 'rfc');
  const file = await build.file(name);
  await file.write(header);
  let rows = 0;
  return {
    /** Writes records, in the order of the calls. */
    add: async (records: readonly Row[]) => {
      rows += records.length;
      await file.write(lines(records.map((one) => columns.map((column) => column.value(one)))));
    },
    /** The same for so many records that are made already. */
    addBytes: async (bytes: Uint8Array, records: number) => {
      rows += records;
      await file.write(bytes);
    },
    close: async (): Promise<ManifestFile> => ({ rows, ...(await file.close()) }),
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

/** The CSV file of a day's transactions, settlement after settlement. */
export async function startTransactions(build: DayBuild, names: Names) {
  // The columns but for that of the notes have their parts.
  const columns = transactionColumns(names, 'all').map((one) => ({
    part: 'notes' as const,
    ...one,
  }));
  const records = recordBytes(columns, 'rfc');
  const { add, addBytes, close } = await startCsv(build, 'transactions.csv', columns);
  return {
    add: (settlement: Settlement, rows: SortedRows) => {
      if (!('texts' in rows)) return add(rows.map(({ row }) => ({ settlement, row })));
      const rowAt = (index: number) => ({ settlement, row: rows.row(index) });
      return addBytes(records.bytes(rows, rows.texts, rowAt), rows.length);
    },
    close,
  };
}
