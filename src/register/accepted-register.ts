import { isDay } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import {
  type AcceptedBankDifference,
  type AcceptedDifference,
  type AcceptedFigures,
  type AcceptedLine,
  type AcceptedOrder,
  type AcceptedPayout,
  type AcceptedReceipt,
  type DifferenceKey,
  differenceAmount,
  differenceKey,
  orderKey,
  type PayoutDecision,
  payoutDecisions,
} from '../model/accepted-difference.ts';
import { uuidForm } from '../model/row.ts';
import { isSettlementId } from '../model/settlement.ts';
import { type Value, valueText } from '../model/value.ts';
import { parseDecimal } from '../money/money.ts';
import {
  type KeptChange,
  type KeptCsv,
  type KeptRecord,
  unclosedQuote,
  writtenCell,
} from './kept-csv.ts';

interface RegisterColumn {
  readonly key: string;
  readonly kind: 'text' | 'integer' | 'amount';
  readonly value: (line: AcceptedLine) => Value;
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
    columnOf(isPayIn, `transactions_${side}`, 'integer', (line) => line[side].transactions ?? ''),
  ),
  ...amounts.flatMap(([key, measure]) =>
    sides.map((side) =>
      columnOf(isPayIn, `${key}_${side}`, 'amount', (line) => ofLine(line[side][measure], line)),
    ),
  ),
  columnOf(isPayIn, 'pay_in_difference', 'amount', differenceOf),
  columnOf(isPayIn, 'codes', 'text', (line) => line.codes),
];

/** Empty if not stated. */
const ofLine = (minor: bigint | undefined, { scale }: AcceptedLine): Value =>
  minor === undefined ? '' : { minor, scale };

function differenceOf(line: AcceptedLine): Value {
  return ofLine(differenceAmount(line), line);
}

const acceptedBankColumns: readonly RegisterColumn[] = [
  columnOf(isOnBank, 'bank_expected', 'amount', (line) => ofLine(line.expected, line)),
  columnOf(isOnBank, 'bank_received', 'amount', (line) => ofLine(line.received, line)),
  columnOf(isOnBank, 'bank_difference', 'amount', differenceOf),
];

const receiptColumns: readonly RegisterColumn[] = [
  columnOf(isReceipt, 'bank_account', 'text', (line) => line.bankAccount),
  columnOf(isReceipt, 'bank_entry_id', 'text', (line) => line.entryId),
  columnOf(isReceipt, 'bank_date', 'text', (line) => line.bookingDate),
];

const decisionColumns: readonly RegisterColumn[] = [
  columnOf(isDecided, 'bank_decision', 'text', ({ decision }) => decision),
  columnOf(isDecided, 'settled_with', 'text', ({ other }) => other?.settlementId),
  columnOf(isDecided, 'settled_with_date', 'text', ({ other }) => other?.settlementDate),
  columnOf(isDecided, 'settled_with_pay_in', 'amount', (line) =>
    line.other ? ofLine(line.other.payIn, line) : '',
  ),
  columnOf(isDecided, 'confirmed_entries', 'text', ({ confirmed }) => confirmed?.entryIds),
  columnOf(isDecided, 'confirmed_places', 'text', ({ confirmed }) => confirmed?.places),
  columnOf(isDecided, 'confirmed_date', 'text', ({ confirmed }) => confirmed?.bookingDate),
  columnOf(isDecided, 'confirmed_with', 'text', ({ confirmed }) => confirmed?.others),
];

const orderColumns: readonly RegisterColumn[] = [
  columnOf(isOrder, 'order_ref', 'text', (line) => line.orderRef),
  columnOf(isOrder, 'order_date', 'text', (line) => line.orderDate),
  columnOf(isOrder, 'order_account', 'text', (line) => line.accountingToken),
  columnOf(isOrder, 'order_difference', 'amount', differenceOf),
];

const settlementColumns: readonly RegisterColumn[] = [
  columnOf(isOfSettlement, 'settlement_date', 'text', (line) => line.settlementDate),
  columnOf(isOfSettlement, 'settlement_id', 'text', (line) => line.settlementId),
  columnOf(isOfSettlement, 'accounting_token', 'text', (line) => line.accountingToken),
];

/** A register without one of these cannot be read. Others are added once a line needs them. */
const requiredColumns: readonly RegisterColumn[] = [
  ...settlementColumns,
  { key: 'currency', kind: 'text', value: (line) => line.currency },
  { key: 'decimal_places', kind: 'integer', value: (line) => line.scale },
  ...acceptedFigureColumns,
  { key: 'accepted_reason', kind: 'text', value: (line) => line.reason },
  { key: 'accepted_by', kind: 'text', value: (line) => line.by },
  { key: 'accepted_on', kind: 'text', value: (line) => line.on },
  { key: 'accepted_until', kind: 'text', value: (line) => line.until ?? '' },
];

/** The columns of a new register, named as in the settlements report. New ones go to the end. */
export const registerColumns: readonly RegisterColumn[] = [
  ...requiredColumns,
  { key: 'books_account', kind: 'text', value: (line) => line.account },
  ...acceptedBankColumns,
  ...receiptColumns,
  ...decisionColumns,
  ...orderColumns,
];

/** A column that is only filled in lines of the kind `is`. */
function columnOf<Line extends AcceptedLine>(
  is: (line: AcceptedLine) => line is Line,
  key: string,
  kind: RegisterColumn['kind'],
  value: (line: Line) => Value,
): RegisterColumn {
  return { key, kind, value: (line) => (is(line) ? value(line) : '') };
}

function isPayIn(line: AcceptedLine): line is AcceptedDifference {
  return 'reported' in line;
}

function isOnBank(line: AcceptedLine): line is AcceptedBankDifference | AcceptedReceipt {
  return 'received' in line;
}

function isReceipt(line: AcceptedLine): line is AcceptedReceipt {
  return 'entryId' in line;
}

function isDecided(line: AcceptedLine): line is AcceptedPayout {
  return 'decision' in line;
}

function isOrder(line: AcceptedLine): line is AcceptedOrder {
  return 'orderRef' in line;
}

function isOfSettlement(line: AcceptedLine): line is AcceptedDifference | AcceptedBankDifference {
  return 'settlementId' in line;
}

/**
 * Parses a register. A line that is invalid, contradictory or one of several accepts nothing: it is
 * among the `faults`, by its number from 1.
 */
export function parseRegister(csv: KeptCsv) {
  const { columns, brokenAt } = csv;
  if (columns.length === 0) return { lines: [], faults: [] };
  const missing = requiredColumns.map(({ key }) => key).filter((key) => !columns.includes(key));
  if (missing.length > 0) {
    const isOther = missing.length === requiredColumns.length;
    const what = isOther
      ? 'This is not a register of accepted differences: it has none of its columns.'
      : `Missing columns: ${missing.join(', ')}.`;
    const message = `${what} No line can be read.`;
    return { lines: [], faults: [{ line: 1, message }] };
  }
  const twice = registerColumns.find(
    ({ key }) => columns.indexOf(key) !== columns.lastIndexOf(key),
  );
  if (twice) {
    const message = `Two columns are named ${twice.key}. No line can be read.`;
    return { lines: [], faults: [{ line: 1, message }] };
  }
  const faults: { readonly line: number; readonly message: string }[] = [];
  const parsed: { readonly line: number; readonly accepted: AcceptedLine }[] = [];
  for (const record of csv.records.filter(({ isEmpty }) => !isEmpty)) {
    const { line, text } = record;
    const accepted = /^(?:<<<<<<<|=======|>>>>>>>)/.test(text)
      ? 'Two versions of this file were merged, and the conflict is left here. Keep the lines that are right, and remove this one.'
      : parseLine(record, csv.delimiter);
    if (typeof accepted === 'string') faults.push({ line, message: accepted });
    else parsed.push({ line, accepted });
  }
  const lines: AcceptedLine[] = [];
  for (const same of groupedBy(parsed, ({ accepted }) => lineKey(accepted)).values()) {
    const [first, ...others] = same;
    const rival = first && confirming(lines, first.accepted);
    if (rival) {
      const message = `Its bank entry is confirmed for settlement ${differenceKey(rival).id} too. This line does not count.`;
      faults.push({ line: first.line, message });
    } else if (first && others.length === 0) lines.push(first.accepted);
    for (const { line, accepted } of others) {
      const of = isOrder(accepted) ? 'order' : 'settlement';
      const what = isReceipt(accepted) ? 'bank entry' : of;
      const message = `This ${what} is also on line ${first?.line}. Neither line counts.`;
      faults.push({ line, message });
    }
  }
  if (brokenAt !== undefined) {
    const message = `${unclosedQuote} Nothing can be read from here on.`;
    faults.push({ line: brokenAt, message });
  }
  return { lines, faults: faults.sort((one, other) => one.line - other.line) };
}

/** The records of a difference, valid or not. Ids may be in capital letters. */
export function recordsOf({ records }: KeptCsv, { kind, id, account = '' }: DifferenceKey) {
  if (kind === 'order') {
    const cell = (record: KeptRecord, key: string) => writtenCell(record.cells.get(key));
    return records.filter(
      (one) => cell(one, 'order_ref') === id && cell(one, 'order_account') === account,
    );
  }
  const key = id.toLowerCase();
  const column = kind === 'unknown' ? 'bank_entry_id' : 'settlement_id';
  return records.filter(
    (record) => kindOfRecord(record) === kind && record.cells.get(column)?.toLowerCase() === key,
  );
}

function kindOfRecord({ cells }: KeptRecord): DifferenceKey['kind'] {
  const isFilledIn = ({ key }: RegisterColumn) => (cells.get(key) ?? '') !== '';
  const decision = cells.get('bank_decision') ?? '';
  if (isPayoutDecision(decision)) return decision;
  if (orderColumns.some(isFilledIn)) return 'order';
  if (receiptColumns.some(isFilledIn)) return 'unknown';
  return acceptedBankColumns.some(isFilledIn) ? 'bank' : 'pay_in';
}

function lineKey(line: AcceptedLine): string {
  const { kind, id, account } = differenceKey(line);
  // References in small and capital letters are two.
  return kind === 'order' ? `${kind} ${orderKey(account, id)}` : `${kind} ${id.toLowerCase()}`;
}

/** The line of the same difference as in `line`. */
export function sameLine(lines: readonly AcceptedLine[], line: AcceptedLine) {
  return lines.find((one) => lineKey(one) === lineKey(line));
}

/** The line that confirms an entry of `line`, for the same settlement or for another one. */
export function confirming(lines: readonly AcceptedLine[], line: AcceptedLine) {
  const entriesOf = (one: AcceptedLine) => (isDecided(one) && one.confirmed?.entryIds) || [];
  const own = new Set(entriesOf(line));
  return own.size > 0 ? lines.find((one) => entriesOf(one).some((id) => own.has(id))) : undefined;
}

/** Whether two lines differ only in the day of acceptance. */
export function isSameButForItsDay(one: AcceptedLine, other: AcceptedLine): boolean {
  return registerColumns.every(
    ({ key, value }) => key === 'accepted_on' || valueText(value(one)) === valueText(value(other)),
  );
}

const lineWords: Readonly<Record<DifferenceKey['kind'], string>> = {
  pay_in: 'a net pay-out',
  bank: 'a bank difference',
  unknown: 'a bank entry',
  order: 'an order',
  settled_with: 'a decision on a pay-out',
  written_off: 'a decision on a pay-out',
  confirmed: 'a decision on a pay-out',
};

/** A line of a register, or a sentence that says what is wrong with it. */
function parseLine(record: KeptRecord, delimiter: KeptCsv['delimiter']): AcceptedLine | string {
  const { cell, written, checked, count, amount, scale, problems } = cellsOf(record, delimiter);
  const kind = kindOfRecord(record);
  const aDate = 'a date such as 2026-03-05';
  const requireEmpty = (columns: readonly RegisterColumn[]) => {
    for (const { key } of columns) checked(key, /^$/, `empty for ${lineWords[kind]}`);
  };
  const common = {
    currency: checked('currency', /./, 'filled in'),
    scale,
    reason:
      written('accepted_reason') ||
      (kind === 'settled_with' || kind === 'confirmed'
        ? ''
        : checked('accepted_reason', /./, 'filled in')),
    by: written('accepted_by'),
    on: checked('accepted_on', isDay, aDate),
    until:
      checked('accepted_until', (text) => text === '' || isDay(text), `${aDate}, or empty`) ||
      undefined,
    account: written('books_account'),
  };
  const ofSettlement = () => ({
    settlementId: checked('settlement_id', isSettlementId, 'a UUID'),
    settlementDate: checked('settlement_date', isDay, aDate),
    accountingToken: cell('accounting_token'),
  });
  const receipt = () => {
    requireEmpty(settlementColumns);
    return {
      entryId: checked('bank_entry_id', /./, 'filled in'),
      bankAccount: checked('bank_account', /./, 'filled in'),
      bookingDate: checked('bank_date', isDay, aDate),
    };
  };
  if (!isPayoutDecision(kind)) requireEmpty(decisionColumns);
  const decided = (decision: AcceptedPayout['decision']) => {
    checked('accepted_by', /./, 'filled in');
    if (decision === 'written_off') return { decision };
    if (decision === 'confirmed') {
      const entryIds = listIn(checked('confirmed_entries', /./, 'filled in'));
      const bookingDate = checked('confirmed_date', isDay, aDate);
      const [places, others] = [cell('confirmed_places'), cell('confirmed_with')].map(listIn);
      const confirmed = { entryIds, bookingDate, places: places ?? [], others: others ?? [] };
      return { decision, confirmed };
    }
    const settlementId = checked('settled_with', isSettlementId, 'a UUID');
    const settlementDate = checked('settled_with_date', isDay, aDate);
    const payIn = amount('settled_with_pay_in');
    return { decision, other: { settlementId, settlementDate, payIn } };
  };
  if (kind === 'order') {
    requireEmpty([...settlementColumns, ...acceptedFigureColumns, ...acceptedBankColumns]);
    const line = {
      orderRef: written('order_ref') || checked('order_ref', /./, 'filled in'),
      orderDate: checked('order_date', (text) => text === '' || isDay(text), `${aDate}, or empty`),
      accountingToken: cell('order_account'),
      ...common,
      expected: 0n,
      settled: amount('order_difference'),
    };
    return problems[0] ?? line;
  }
  if (kind !== 'pay_in') {
    requireEmpty(acceptedFigureColumns);
    const money = { expected: amount('bank_expected'), received: amount('bank_received') };
    const line =
      kind === 'unknown'
        ? { ...receipt(), ...common, ...money }
        : {
            ...ofSettlement(),
            ...common,
            ...money,
            ...(isPayoutDecision(kind) ? decided(kind) : {}),
          };
    if (problems.length === 0 && amount('bank_difference') !== differenceAmount(line)) {
      problems.push('bank_difference must be bank_received - bank_expected.');
    }
    return problems[0] ?? line;
  }
  // The service states all figures, a file of another provider perhaps not; what rows add up to is known.
  const mayLack = !uuidForm.test(cell('settlement_id'));
  const stated = <Figure>(read: (key: string) => Figure, key: string) =>
    mayLack && key.endsWith('_reported') && cell(key) === '' ? undefined : read(key);
  const figures = (side: (typeof sides)[number]): AcceptedFigures => ({
    transactions: stated(count, `transactions_${side}`),
    gross: stated(amount, `gross_${side}`),
    fees: stated(amount, `fees_${side}`),
    tax: stated(amount, `tax_${side}`),
    payIn: amount(`pay_in_${side}`),
  });
  const line = {
    ...ofSettlement(),
    ...common,
    reported: figures('reported'),
    computed: figures('computed'),
    codes: listIn(cell('codes')),
  };
  if (problems.length === 0 && amount('pay_in_difference') !== differenceAmount(line)) {
    problems.push('pay_in_difference must be pay_in_reported - pay_in_computed.');
  }
  return problems[0] ?? line;
}

function isPayoutDecision(text: string): text is PayoutDecision {
  return payoutDecisions.some((one) => one === text);
}

const listIn = (text: string): readonly string[] => text.split(/ *\| */).filter(Boolean);

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
    written: (key: string) => writtenCell(cells.get(key)),
    count: (key: string) => Number(checked(key, /^\d{1,15}$/, 'a whole number')),
  };
}

export type CsvText = (
  columns: readonly Pick<RegisterColumn, 'key' | 'kind'>[],
  dialect: 'rfc' | 'excel-eu',
) => { readonly header: string; lines(records: readonly (readonly Value[])[]): string };

/** A line of a register, and the records that it replaces; without any, it is added at the end. */
export interface PlacedLine {
  readonly line: AcceptedLine;
  readonly removed: readonly KeptRecord[];
}

/**
 * Puts lines in the place of records, in the columns and the dialect of the file. Adds columns that the
 * lines need, and the header of a new file. Users' own columns keep the first removed value.
 */
export function acceptedChange(
  { columns: keys, delimiter }: KeptCsv,
  placed: readonly PlacedLine[],
  csvText: CsvText,
): KeptChange {
  const isNew = keys.length === 0;
  const unknown = registerColumns.filter(({ key }) => !keys.includes(key));
  const isWider = !isNew && placed.some(({ line }) => unknown.some(({ value }) => value(line)));
  const newColumns = isWider ? unknown.map(({ key }) => key) : [];
  const known = new Map(registerColumns.map((column) => [column.key, column]));
  const columns = isNew ? [...known.keys()] : [...keys, ...newColumns];
  const { header, lines } = csvText(
    columns.map((key) => known.get(key) ?? { key, kind: 'text' }),
    delimiter === ';' ? 'excel-eu' : 'rfc',
  );
  return {
    newColumns,
    replaced: placed.map(({ line, removed }, at) => {
      const cellOf = (key: string) =>
        known.get(key)?.value(line) ?? removed[0]?.cells.get(key) ?? '';
      return { removed, added: (isNew && at === 0 ? header : '') + lines([columns.map(cellOf)]) };
    }),
  };
}
