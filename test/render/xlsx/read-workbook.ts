import { strFromU8, unzipSync } from 'fflate';
import readSheets from 'read-excel-file/node';

/** A cell as another program reads it. */
export type ReadCell = string | number | boolean | Date | null;

/** The sheets of a workbook by their names, as another program reads them: formulas by their cached values. */
export async function readWorkbook(
  bytes: Uint8Array,
): Promise<ReadonlyMap<string, readonly (readonly ReadCell[])[]>> {
  const sheets = await readSheets(Buffer.from(bytes), { trim: false });
  return new Map(sheets.map(({ sheet, data }) => [sheet, data as ReadCell[][]]));
}

/** The rows of a sheet as records, by the titles of its columns. */
export function recordsOf(rows: readonly (readonly ReadCell[])[] = []) {
  const [titles = [], ...records] = rows;
  return records.map((row) =>
    Object.fromEntries(titles.map((title, column) => [String(title), row[column] ?? null])),
  );
}

/** The parts of the file, by their paths, as the XML that they are. */
export function partsOf(bytes: Uint8Array): ReadonlyMap<string, string> {
  return new Map(Object.entries(unzipSync(bytes)).map(([path, part]) => [path, strFromU8(part)]));
}
