import { dayIn, dayOfMoment } from '../base/calendar.ts';
import { type CsvRecord, type CsvSink, csvColumns } from '../base/csv-records.ts';
import { ReconError } from '../base/errors.ts';
import { longestText, type NamedFile } from '../base/text-reader.ts';
import { isUuid } from '../base/uuid.ts';
import { columnNames } from '../mapping/table.ts';
import { tableFile } from '../mapping/table-file.ts';
import type { Orders, OrdersCsv, UnreadableLine } from '../model/orders.ts';
import { atScale, type Decimal, writtenAmount } from '../money/decimal.ts';
import { minorUnitsOf } from '../money/minor-units.ts';
import { magnitude } from '../money/money.ts';
import { methodParts, OrderColumns, type WrittenDocument } from './order-columns.ts';

/**
 * Reads order files by a mapping, without other cells. Throws ReconError `usage` for a file that is no table or
 * lacks its columns, and `configuration` if the mapping fits no line.
 */
export async function readOrders(
  files: readonly NamedFile[],
  reading: LineReading,
): Promise<Orders> {
  const orders = new OrderColumns(reading.mapping.strip_prefix);
  for (const { name, blocks } of files) {
    const reader = tableFile(
      name,
      orderTable(name, orders, reading),
      reading.mapping,
      orderFile,
      (read) => {
        if ('line' in read) {
          const { line, expected } = read;
          orders.addUnreadable({
            place: { file: name, line },
            column: 'sheet',
            expected,
            keys: [],
          });
        } else for (const sheet of read) orders.leftOut.sheets.push(`${name}:${sheet}`);
      },
    );
    for await (const block of blocks()) reader.push(block);
    reader.end();
  }
  if (orders.size === 0) refuseAll(orders);
  refuseWithoutWords(reading.mapping, orders);
  return orders;
}

/** A status says nothing until people say which of its words mean that nothing was paid. */
function refuseWithoutWords(
  { status, unpaid_words, cancelled_words }: OrdersCsv,
  { paidWords }: OrderColumns,
): void {
  if (status === undefined || unpaid_words.length + cancelled_words.length > 0) return;
  const words = paidWords
    .slice(0, mostWordsNamed)
    .map(({ word, lines }) => `${word || 'empty'} (${lines})`);
  if (paidWords.length > words.length) words.push('others');
  const hint = `List those in unpaid_words and cancelled_words of orders_csv; if all mean paid, remove status. Its words: ${words.join(', ')}.`;
  const message = `It is not set which words of ${status} mean unpaid or cancelled.`;
  throw new ReconError('configuration', message, { hint });
}

const mostWordsNamed = 30;

/** Without any order, nobody knows which settlements to read. */
function refuseAll({ unreadable: [first], leftOut }: OrderColumns): void {
  if (first) {
    const { place, column, expected, keys } = first;
    const hint =
      keys.length > 0 ? `Change ${keys.join(', ')} in orders_csv.` : 'Export the orders again.';
    const message = `No order can be read. ${column} must be ${expected}.`;
    const where = `${place.file}:${place.line}`;
    throw new ReconError('configuration', message, { where, hint });
  }
  if (leftOut.lines > 0) {
    const hint = 'Name the words in only as the column writes them.';
    throw new ReconError('configuration', 'All orders are left out by only.', { hint });
  }
}

const orderFile = { is: 'an order file', what: 'the orders', mapping: 'orders_csv' } as const;

/** How many of these texts each column of the files has, besides the references. No other cell is kept. */
export async function columnsWith(
  files: readonly NamedFile[],
  mapping: OrdersCsv,
  texts: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, Set<string>>();
  // What is no file, such as a pipe, can be read only once.
  for (const { name, blocks } of files.filter(({ size }) => size !== undefined)) {
    let names: readonly string[] | undefined;
    const record = ({ cells }: CsvRecord) => {
      if (names === undefined) names = columnNames(mapping.header ? cells : cells.map(() => ''));
      for (const [at, cell] of cells.entries()) {
        const column = names[at];
        if (column === undefined || column === mapping.order || !texts.has(cell)) continue;
        found.set(column, (found.get(column) ?? new Set()).add(cell));
      }
    };
    const table = { record, broken: () => {}, end: () => {} };
    const reader = tableFile(name, table, mapping, orderFile, () => {});
    for await (const block of blocks()) reader.push(block);
    reader.end();
  }
  return new Map([...found].map(([column, own]) => [column, own.size]));
}

function orderTable(file: string, orders: OrderColumns, reading: LineReading): CsvSink {
  const { mapping } = reading;
  let header: readonly string[] | undefined;
  let columns = mapping.header ? undefined : orderColumnsIn(mapping, undefined);
  let isBroken = false;
  const unreadable = (line: number, fault: ColumnFault) =>
    orders.addUnreadable({ place: { file, line }, ...fault });
  const wanted = Object.values(mapping.only);
  return {
    broken: (line: number) => {
      isBroken = true;
      const expected = 'a closing quotation mark, and values of at most 64 kB';
      unreadable(line, { column: 'line', expected, keys: [] });
    },
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
        const expected = 'as many columns as the header has';
        unreadable(line, { column: 'line', expected, keys: ['delimiter'] });
        return;
      }
      const own = columns.of(cells);
      const found = orderLine(own, reading, { file, line });
      if (!found) return;
      const counts = wanted.every((words, at) => words.includes(own.all('only')[at] ?? ''));
      if (!counts) orders.leaveOut('expected' in found ? undefined : found);
      else if ('expected' in found) unreadable(line, found);
      else orders.add(found);
    },
    end: () => {
      if (columns) return;
      const message = isBroken ? 'The header line cannot be read.' : 'The order file is empty.';
      throw refused(file, message, 'Export the orders again.');
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
  const has =
    cells.length === 1
      ? `It has 1 column: ${cells.join()}. Check delimiter in orders_csv.`
      : `Its columns are: ${columnNames(cells).join(', ')}.`;
  const hint = `${has} To see a mapping that fits: recon orders --init FILE.`;
  if (missing.size > 0) {
    const message = `The order file has no column ${named(missing)}, which orders_csv names.`;
    throw refused(file, message, hint);
  }
  if (repeated.size > 0) {
    throw refused(file, `The order file has more than one column ${named(repeated)}.`, hint);
  }
}

/** Why an export cannot be matched with any mapping; undefined for others. */
export function unusableExport(cells: readonly string[]): string | undefined {
  const isAnalytics = cells.includes('Order #') && cells.some((one) => /^n(et|\.) /i.test(one));
  return isAnalytics
    ? 'This is an export of WooCommerce Analytics. Its net sales are not what customers were charged, and it has no currency and no payment method.'
    : undefined;
}

function refused(where: string, message: string, hint: string): ReconError {
  return new ReconError('usage', message, { where, hint });
}

/** The columns of an order file; without a header, they are named by number. */
function orderColumnsIn(mapping: OrdersCsv, header: readonly string[] | undefined) {
  return csvColumns(mapping, header, {
    columns: [
      ...(['order', 'document', 'date', 'paid_at', 'total', 'not_due', 'status'] as const),
      ...(['cancelled_at', 'refunded', 'refund_date', 'kind', 'charge'] as const),
      ...(mapping.methods.length > 0 ? (['method'] as const) : []),
      'only',
    ],
    columnsOrValues: [
      ['currency', /^[A-Z]{3}$/],
      ['account', /\d/],
    ],
  });
}

type Cells = ReturnType<ReturnType<typeof orderColumnsIn>['of']>;
type ColumnFault = Omit<UnreadableLine, 'place'>;

export interface LineReading {
  readonly mapping: OrdersCsv;
  /** The time zone of the shop, if known. */
  readonly timeZone: string | undefined;
  /** Accounting tokens by the names that the user gave them. */
  readonly tokens: ReadonlyMap<string, string>;
}

/** The document of a line; undefined for one without a total, which is an item of an order. */
function orderLine(
  cells: Cells,
  { mapping, timeZone, tokens }: LineReading,
  place: WrittenDocument['place'],
): WrittenDocument | ColumnFault | undefined {
  if (cells.at('total') === '') return undefined;
  const faults: ColumnFault[] = [];
  const fault = (column: string, expected: string, ...keys: ColumnFault['keys']) => {
    faults.push({ column, expected, keys });
  };
  const columnOf = (key: keyof OrdersCsv) => String(mapping[key] ?? key);
  const dayOf = (key: 'date' | 'paid_at' | 'refund_date') => {
    const text = cells.at(key);
    if (text === '' && key !== 'date') return '';
    const { date_format: form, times } = mapping;
    const usualZone = times === 'UTC' ? 'Z' : '';
    const day =
      timeZone === undefined ? dayIn(text, form) : dayOfMoment(text, form, timeZone, usualZone);
    if (day === undefined) fault(columnOf(key), `a date written ${form}`, 'date_format');
    return day ?? '';
  };
  const currency = cells.columnOrValue('currency').toUpperCase();
  if (!/^[A-Z]{3}$/.test(currency))
    fault(mapping.currency, 'a currency code such as EUR', 'currency');
  const scale = minorUnitsOf(currency) ?? 2;
  const amountOf = (text: string, column: string) => {
    const amount = text === '' ? zero : writtenAmount(text, mapping, currency);
    const minor = amount && amount.scale <= scale ? atScale(amount, scale) : undefined;
    if (minor === undefined || magnitude(minor) > mostMinor) {
      const like = scale > 0 ? `1234${mapping.decimal}56, with at most ${scale} decimals` : '1234';
      const hasSign = /\p{Sc}|\b[A-Z]{3}\b/u.test(text);
      const keys = hasSign ? (['currency'] as const) : (['decimal', 'thousands'] as const);
      fault(column, `an amount in ${currency} such as ${like}`, ...keys);
    }
    return minor ?? 0n;
  };
  const [prefix, reference] = referenceIn(cells.at('order'), mapping);
  if (reference === '' || scientific.test(reference)) {
    fault(mapping.order, 'a reference, as the shop shows it', 'order');
  }
  const total = amountOf(cells.at('total'), mapping.total);
  const isRefund = total < 0n || mapping.refund_words.includes(cells.at('kind'));
  const day = dayOf('date');
  const refundDay = dayOf('refund_date');
  const paidDay = dayOf('paid_at') || day;
  const [status, account] = [cells.at('status'), cells.columnOrValue('account')];
  const charge = cells.at('charge');
  // A refund without a method is that of its sale.
  const paidBy = methodsIn(cells.at('method'), isRefund ? 0n : total, mapping.methods);
  const isCancelledWord = mapping.cancelled_words.includes(status);
  const isUnpaid = mapping.unpaid_words.includes(status);
  const isUnnamed = mapping.status !== undefined && !isCancelledWord && !isUnpaid;
  const written: WrittenDocument = {
    paidWord: isUnnamed ? status : undefined,
    account: tokens.get(account) ?? account,
    prefix,
    reference,
    document: cells.at('document'),
    isRefund,
    currency,
    scale,
    day,
    paidDay,
    total: isRefund ? 0n : total,
    notDue: isRefund
      ? 0n
      : mapping.not_due.reduce(
          (sum, column, at) => sum + amountOf(cells.all('not_due')[at] ?? '', column),
          0n,
        ),
    refunded: magnitude(isRefund ? total : amountOf(cells.at('refunded'), columnOf('refunded'))),
    refundDay: refundDay || (isRefund ? day : ''),
    isCancelled: isCancelledWord || cells.at('cancelled_at') !== '',
    isUnpaid,
    isInScope: paidBy !== 'others',
    hasOtherMethods: paidBy === 'both',
    method: paidBy === 'others' ? '' : cells.at('method'),
    // As the service writes its ids; others are as they are.
    chargeId: isUuid(charge.toLowerCase()) ? charge.toLowerCase() : charge,
    place,
  };
  const isLong = [written.document, reference, written.chargeId, account].some(
    ({ length }) => length > longestText,
  );
  if (isLong) fault(mapping.order, 'values of at most 64 kB');
  return faults[0] ?? written;
}

const zero: Decimal = { digits: 0n, scale: 0 };

/** Larger amounts are not exact in columns. */
const mostMinor = BigInt(Number.MAX_SAFE_INTEGER);

/** What spreadsheets make of long numbers: `1.0001E+4`. */
const scientific = /^\d([.,]\d+)?E\+\d+$/i;

function referenceIn(
  written: string,
  { strip_prefix = '', strip_zeros }: OrdersCsv,
): readonly [prefix: string, reference: string] {
  const hasPrefix = strip_prefix !== '' && written.startsWith(strip_prefix);
  const bare = hasPrefix ? written.slice(strip_prefix.length) : written;
  const [zeros = ''] = (strip_zeros && /^0+(?=\d+$)/.exec(bare)) || [];
  return [(hasPrefix ? strip_prefix : '') + zeros, bare.slice(zeros.length)];
}

/** Whether the methods of a cell, such as `A + B`, are those that the service pays. */
function methodsIn(cell: string, total: bigint, methods: readonly string[]) {
  if (methods.length === 0 || methods.includes(cell) || (cell === '' && total === 0n)) return 'own';
  const parts = methodParts(cell).map((part) => methods.includes(part));
  return parts.every(Boolean) ? 'own' : parts.some(Boolean) ? 'both' : 'others';
}
