import { isDay } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import {
  type AcceptedBankDifference,
  type AcceptedDifference,
  type AcceptedFigures,
  type AcceptedLine,
  differenceAccepted,
  isBankDifference,
} from '../model/accepted-difference.ts';
import { uuidForm } from '../model/forms.ts';
import { formatMinor, parseDecimal } from '../money/money.ts';
import { type KeptCsv, type KeptRecord, unclosedQuote } from './kept-csv.ts';

interface RegisterColumn {
  readonly key: string;
  readonly kind: 'text' | 'integer' | 'amount';
  readonly value: (line: AcceptedLine) => string;
}

const sides = ['reported', 'computed'] as const;

const amounts = [
  ['gross', 'gross'],
  ['fees', 'fees'],
  ['tax', 'tax'],
  ['pay_in', 'payIn'],
] as const;

const acceptedFigureColumns: readonly RegisterColumn[] = [
  ...sides.map((side) =>
    ofSettlement(`transactions_${side}`, 'integer', (line) => String(line[side].transactions)),
  ),
  ...amounts.flatMap(([key, measure]) =>
    sides.map((side) =>
      ofSettlement(`${key}_${side}`, 'amount', (line) =>
        formatMinor(line[side][measure], line.scale),
      ),
    ),
  ),
  ofSettlement('pay_in_difference', 'amount', (line) =>
    formatMinor(differenceAccepted(line), line.scale),
  ),
  ofSettlement('codes', 'text', (line) => line.codes.join(' | ')),
];

const acceptedBankColumns: readonly RegisterColumn[] = [
  ofBank('bank_expected', (line) => line.expected),
  ofBank('bank_received', (line) => line.received),
  ofBank('bank_difference', differenceAccepted),
];

const firstColumns: readonly RegisterColumn[] = [
  { key: 'settlement_date', kind: 'text', value: (line) => line.settlementDate },
  { key: 'settlement_id', kind: 'text', value: (line) => line.settlementId },
  { key: 'accounting_token', kind: 'text', value: (line) => line.accountingToken },
  { key: 'currency', kind: 'text', value: (line) => line.currency },
  { key: 'decimal_places', kind: 'integer', value: (line) => String(line.scale) },
  ...acceptedFigureColumns,
  { key: 'accepted_reason', kind: 'text', value: (line) => line.reason },
  { key: 'accepted_by', kind: 'text', value: (line) => line.by },
  { key: 'accepted_on', kind: 'text', value: (line) => line.on },
  { key: 'accepted_until', kind: 'text', value: (line) => line.until ?? '' },
];

/** The columns of a new register, named as in the settlements report. New ones go to the end. */
export const registerColumns: readonly RegisterColumn[] = [
  ...firstColumns,
  { key: 'books_account', kind: 'text', value: (line) => line.account },
  ...acceptedBankColumns,
];

function ofSettlement(
  key: string,
  kind: RegisterColumn['kind'],
  value: (line: AcceptedDifference) => string,
): RegisterColumn {
  return { key, kind, value: (line) => (isBankDifference(line) ? '' : value(line)) };
}

function ofBank(key: string, minor: (line: AcceptedBankDifference) => bigint): RegisterColumn {
  const value = (line: AcceptedLine) =>
    isBankDifference(line) ? formatMinor(minor(line), line.scale) : '';
  return { key, kind: 'amount', value };
}

/**
 * Parses a register. A line that is invalid, contradicts itself or is not the only one accepts nothing: it
 * is among the `faults`, by its number from 1.
 */
export function parseRegister(csv: KeptCsv) {
  const { columns, brokenAt } = csv;
  if (columns.length === 0) return { lines: [], faults: [] };
  const missing = firstColumns.map(({ key }) => key).filter((key) => !columns.includes(key));
  if (missing.length > 0) {
    const message = `Missing columns: ${missing.join(', ')}. No line can be read.`;
    return { lines: [], faults: [{ line: 1, message }] };
  }
  const faults: { readonly line: number; readonly message: string }[] = [];
  const parsed: { readonly line: number; readonly accepted: AcceptedLine }[] = [];
  for (const record of csv.records.filter(({ isEmpty }) => !isEmpty)) {
    const accepted = parseLine(record, csv.delimiter);
    const { line } = record;
    if (typeof accepted === 'string') faults.push({ line, message: accepted });
    else parsed.push({ line, accepted });
  }
  const lines: AcceptedLine[] = [];
  for (const same of groupedBy(parsed, ({ accepted }) => lineKey(accepted)).values()) {
    const [first, ...others] = same;
    if (first && others.length === 0) lines.push(first.accepted);
    for (const { line } of others) {
      const message = `This settlement is also on line ${first?.line}. Neither line counts.`;
      faults.push({ line, message });
    }
  }
  if (brokenAt !== undefined) {
    const message = `${unclosedQuote} Nothing can be read from here on.`;
    faults.push({ line: brokenAt, message });
  }
  return { lines, faults: faults.sort((one, other) => one.line - other.line) };
}

/** The lines of a settlement: its own, or those of its bank difference. */
export interface LineKind {
  readonly settlementId: string;
  readonly isBank: boolean;
}

/** The records of these lines, valid or not. Ids may be in capital letters. */
export function recordsOf({ records }: KeptCsv, { settlementId, isBank }: LineKind) {
  const key = settlementId.toLowerCase();
  return records.filter(
    (record) =>
      record.cells.get('settlement_id')?.toLowerCase() === key && isBankRecord(record) === isBank,
  );
}

function isBankRecord({ cells }: KeptRecord): boolean {
  return acceptedBankColumns.some(({ key }) => (cells.get(key) ?? '') !== '');
}

function lineKey(line: AcceptedLine): string {
  return `${line.settlementId.toLowerCase()} ${isBankDifference(line)}`;
}

/** The line of the same settlement, its own or that of the bank as in `line`. */
export function sameLine(lines: readonly AcceptedLine[], line: AcceptedLine) {
  return lines.find((one) => lineKey(one) === lineKey(line));
}

/** Whether two lines differ in nothing but the day of acceptance. */
export function isSameButForItsDay(one: AcceptedLine, other: AcceptedLine): boolean {
  return registerColumns.every(
    ({ key, value }) => key === 'accepted_on' || value(one) === value(other),
  );
}

/** A line of a register, or a sentence that says what is wrong with it. */
function parseLine(record: KeptRecord, delimiter: KeptCsv['delimiter']): AcceptedLine | string {
  const { cell, written, checked, count, amount, scale, problems } = cellsOf(record, delimiter);
  const common = {
    settlementId: checked('settlement_id', uuidForm, 'a UUID'),
    settlementDate: checked('settlement_date', isDay, 'a date such as 2026-03-05'),
    accountingToken: cell('accounting_token'),
    currency: checked('currency', /./, 'filled in'),
    scale,
    reason: written('accepted_reason') || checked('accepted_reason', /./, 'filled in'),
    by: written('accepted_by'),
    on: checked('accepted_on', isDay, 'a date such as 2026-03-05'),
    until:
      checked('accepted_until', (text) => text === '' || isDay(text), 'a date, or empty') ||
      undefined,
    account: written('books_account'),
  };
  if (isBankRecord(record)) {
    for (const { key } of acceptedFigureColumns) checked(key, /^$/, 'empty for a bank difference');
    const line = {
      ...common,
      expected: amount('bank_expected'),
      received: amount('bank_received'),
    };
    if (problems.length === 0 && amount('bank_difference') !== differenceAccepted(line)) {
      problems.push('bank_difference must be bank_received - bank_expected.');
    }
    return problems[0] ?? line;
  }
  const figures = (side: (typeof sides)[number]): AcceptedFigures => ({
    transactions: count(`transactions_${side}`),
    gross: amount(`gross_${side}`),
    fees: amount(`fees_${side}`),
    tax: amount(`tax_${side}`),
    payIn: amount(`pay_in_${side}`),
  });
  const codes = cell('codes').split(/ *\| */);
  const line = {
    ...common,
    reported: figures('reported'),
    computed: figures('computed'),
    codes: codes.filter(Boolean),
  };
  if (problems.length === 0 && amount('pay_in_difference') !== differenceAccepted(line)) {
    problems.push('pay_in_difference must be pay_in_reported - pay_in_computed.');
  }
  return problems[0] ?? line;
}

/** Readers for the cells of a record; what is wrong with the cells that were read is in `problems`. */
function cellsOf({ cells }: KeptRecord, delimiter: KeptCsv['delimiter']) {
  const problems: string[] = [];
  const cell = (key: string) => cells.get(key) ?? '';
  const object = (key: string, what: string) =>
    problems.push(`${key} must be ${what}${cell(key) === '' ? '' : `, not "${cell(key)}"`}.`);
  const checked = (key: string, form: RegExp | ((text: string) => boolean), what: string) => {
    const text = cell(key);
    const isRight = form instanceof RegExp ? form.test(text) : form(text);
    if (!isRight) object(key, what);
    return isRight ? text : '';
  };
  const scale = Number(checked('decimal_places', /^(?:\d|1[0-8])$/, 'a number from 0 to 18'));
  const amount = (key: string) => {
    const text = delimiter === ';' ? cell(key).replace(',', '.') : cell(key);
    const minor = parseDecimal(text, scale);
    const form = `an amount with at most ${scale} decimals and no thousands separators`;
    if (minor === undefined) object(key, form);
    return minor ?? 0n;
  };
  return {
    cell,
    checked,
    scale,
    amount,
    problems,
    /** A text without the apostrophe that keeps a spreadsheet from running it. */
    written: (key: string) => cell(key).replace(/^'(?=[=+\-@])/, ''),
    count: (key: string) => Number(checked(key, /^\d{1,15}$/, 'a whole number')),
  };
}

/** Makes CSV of records: a header row with the keys, and the text of records. */
type CsvText = (
  columns: readonly Pick<RegisterColumn, 'key' | 'kind'>[],
  dialect: 'rfc' | 'excel-eu',
) => { readonly header: string; lines(records: readonly (readonly string[])[]): string };

/**
 * Puts a line in the place of `removed` records, in the columns and the dialect of the file. Adds columns
 * that the line needs, and the header of a new file. Users' own columns keep the first removed value.
 */
export function acceptedChange(
  csv: KeptCsv,
  removed: KeptCsv['records'],
  line: AcceptedLine,
  csvText: CsvText,
) {
  const { columns: keys, delimiter } = csv;
  const isNew = keys.length === 0;
  const unknown = registerColumns.filter(({ key }) => !keys.includes(key));
  const isWider = !isNew && unknown.some(({ value }) => value(line) !== '');
  const newColumns = isWider ? unknown.map(({ key }) => key) : [];
  const known = new Map(registerColumns.map((column) => [column.key, column]));
  const columns = (isNew ? [...known.keys()] : [...keys, ...newColumns]).map(
    (key): RegisterColumn =>
      known.get(key) ?? { key, kind: 'text', value: () => removed[0]?.cells.get(key) ?? '' },
  );
  const { header, lines } = csvText(columns, delimiter === ';' ? 'excel-eu' : 'rfc');
  const record = lines([columns.map(({ value }) => value(line))]);
  return { removed, added: isNew ? header + record : record, newColumns };
}
