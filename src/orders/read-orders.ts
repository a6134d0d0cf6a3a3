import { type CsvRecord, csvReader } from '../base/csv-records.ts';
import { ReconError } from '../base/errors.ts';
import { decoded, type NamedFile, type Reader } from '../base/text-reader.ts';
import type { Orders } from '../model/orders.ts';
import { columnNames, unusableExport } from './header.ts';
import { OrderColumns } from './order-columns.ts';
import { type LineReading, orderColumnsIn, orderLine } from './order-line.ts';

/**
 * Reads order files by a mapping; cells outside it are dropped. Throws ReconError `usage` for a file that
 * does not have its columns.
 */
export async function readOrders(
  files: readonly NamedFile[],
  reading: LineReading,
): Promise<Orders> {
  const orders = new OrderColumns(reading.mapping.strip_prefix);
  for (const { name, blocks } of files) {
    const reader = fileReader(name, orders, reading);
    for await (const block of blocks()) reader.push(block);
    reader.end();
  }
  return orders;
}

/** Byte order marks have no more bytes. */
const markBytes = 4;

function fileReader(where: string, orders: OrderColumns, reading: LineReading): Reader<Uint8Array> {
  let held: Uint8Array = Buffer.alloc(0);
  let chosen: Reader<Uint8Array> | undefined;
  const choose = () => {
    const text = csvReader(reading.mapping, orderTable(where, orders, reading));
    chosen = decoded(text, held, reading.mapping.encoding);
    if (chosen) chosen.push(held);
    else
      throw refused(where, 'The encoding in orders_csv is unknown.', 'Set UTF-8 or windows-1252.');
    return chosen;
  };
  return {
    push: (bytes) => {
      if (chosen) return chosen.push(bytes);
      held = Buffer.concat([held, bytes]);
      if (held.length >= markBytes) choose();
    },
    end: () => (chosen ?? choose()).end(),
  };
}

/** Adds the documents of a file to the orders. */
function orderTable(file: string, orders: OrderColumns, reading: LineReading) {
  const { mapping } = reading;
  let header: readonly string[] | undefined;
  let columns = mapping.header ? undefined : orderColumnsIn(mapping, undefined);
  const unreadable = (line: number, column: string, expected: string) =>
    orders.addUnreadable({ place: { file, line }, column, expected });
  return {
    broken: (line: number) =>
      unreadable(line, 'line', 'a closing quotation mark, and values of at most 64 kB'),
    record: ({ cells, line }: CsvRecord) => {
      if (!columns) {
        header = cells;
        columns = orderColumnsIn(mapping, header);
        refuseHeader(file, cells, columns);
        return;
      }
      const isHeaderAgain = header?.every((name, at) => name === cells[at]);
      const isBlank = cells.every((cell) => cell === '');
      if (isHeaderAgain || isBlank) return;
      const isWide = header && cells.slice(header.length).some((cell) => cell !== '');
      if (isWide || cells.length < columns.width) {
        unreadable(line, 'line', 'as many columns as the header has');
        return;
      }
      const found = orderLine(columns.of(cells), reading, { file, line });
      if (!found) return;
      if ('expected' in found) unreadable(line, found.column, found.expected);
      else orders.add(found);
    },
    end: () => {
      if (!columns) throw refused(file, 'The order file is empty.', 'Export the orders again.');
    },
  };
}

function refuseHeader(
  file: string,
  cells: readonly string[],
  { missing, repeated }: ReturnType<typeof orderColumnsIn>,
): void {
  const unusable = unusableExport(cells);
  if (unusable !== undefined) {
    const hint = 'Export the orders with a plug-in that writes their totals, such as WebToffee.';
    throw refused(file, unusable, hint);
  }
  const named = (columns: ReadonlySet<string>) => [...columns].join(', ');
  const hint = `Its columns are: ${columnNames(cells).join(', ')}. To see a mapping that fits, use --init.`;
  if (missing.size > 0) {
    const message = `The order file has no column ${named(missing)}, which orders_csv names.`;
    throw refused(file, message, hint);
  }
  if (repeated.size > 0) {
    throw refused(file, `The order file has more than one column ${named(repeated)}.`, hint);
  }
}

function refused(where: string, message: string, hint: string): ReconError {
  return new ReconError('usage', message, { where, hint });
}
