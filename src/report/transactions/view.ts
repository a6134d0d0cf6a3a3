import type { TransactionsRead, TransactionsRequest } from '../../app/read-transactions.ts';
import type { RowFilters, UnmatchedValue } from '../../app/row-filter.ts';
import type { Note, Row } from '../../model/row.ts';
import type { Names, Settlement } from '../../model/settlement.ts';
import {
  accountColumn,
  type CellColumn,
  column,
  facts,
  maxScreenRows,
  section,
} from '../common/blocks.ts';
import { amountOf, type Column, field, type RowPart } from '../common/columns.ts';
import { jsonEntry, jsonObject, jsonRecord, jsonSettlementKey } from '../common/json.ts';
import { reasonsOf, unreadText } from '../common/partial-words.ts';
import { many, wholeRangeText } from '../common/phrase.ts';
import type { RowViews } from '../common/view.ts';

export interface Transaction {
  readonly settlement: Settlement;
  readonly row: Row;
}

/** Which of the merchant's notes are shown: all in one place, or those with certain keys. */
export type NotesShown = 'all' | readonly string[];

export interface TransactionsQuery {
  /** A range of settlements, or a single one. */
  readonly of: TransactionsRequest['of'];
  readonly profile: string | undefined;
  readonly names: Names;
  readonly notes: NotesShown;
  readonly filters: RowFilters;
}

export interface TransactionsEnd {
  readonly read: TransactionsRead;
  readonly listed: number;
  /** Values of the filters that no transaction has. */
  readonly unmatched: readonly UnmatchedValue[];
}

export function transactionsViews(
  query: TransactionsQuery,
): RowViews<Transaction, TransactionsEnd> {
  const { of, names, notes } = query;
  const note = (title: string, texts: (row: Row) => readonly string[]) =>
    column.text<Transaction>(title, ({ row }) => texts(row).join(' | '), { priority: 2 });
  const columns: readonly CellColumn<Transaction>[] = [
    column.text('Settled', ({ settlement }) => settlement.date, { priority: 3 }),
    column.text('Settlement', ({ settlement }) => settlement.id, { priority: 7 }),
    accountColumn(names, ({ settlement }) => settlement.accountingToken, { priority: 6 }),
    column.id('Transaction', ({ row }) => row.id),
    column.text('Type', ({ row }) => row.type, { priority: 4 }),
    column.text('State', ({ row }) => row.state, { priority: 4 }),
    column.text('Currency', ({ row }) => row.currency),
    column.amount('Amount', ({ row }) => amountOf(row.amount, row.scale)),
    column.amount('Fees', ({ row }) => amountOf(row.fees, row.scale), { priority: 5 }),
    column.amount('Tax', ({ row }) => amountOf(row.tax, row.scale), { priority: 5 }),
    ...(notes === 'all'
      ? [note('Notes', (row) => row.notes.map(({ key, value }) => `${key}: ${value}`))]
      : notes.map((key) => note(key, (row) => noteValues(row.notes, key)))),
  ];
  return {
    columns: transactionColumns(names, notes),
    json: {
      about: jsonRecord(jsonQuery(query)),
      list: 'transactions',
      type: 'transaction',
      row: jsonTransaction(names, notes),
      ending: (end) => jsonRecord(jsonEnd(end, names)),
    },
    maxShown: maxScreenRows,
    shown: (rows) => [section('Transactions', rows, columns)],
    end: ({ read, listed }, shown) => {
      const filtered = listed === read.transactions ? '' : ` of ${read.transactions}`;
      const rest = listed > shown ? ` (showing the first ${shown}; --format csv lists all)` : '';
      return [
        facts([
          'range' in of ? ['Range', wholeRangeText(of.range)] : ['Settlement', of.settlement],
          ['Transactions', `${listed}${filtered}${rest}`],
          ['Everything read', completenessText(read)],
        ]),
      ];
    },
  };
}

function completenessText(read: TransactionsRead): string {
  const waiting = read.partial.filter(({ isPending }) => isPending);
  const open = incompleteness(read, waiting);
  return open ? `NO: ${open}` : `yes: ${many(read.settlements, 'settlement')}`;
}

/** Why a reading is incomplete, in short; also settlements that are `waiting` and were not fully read. */
export function incompleteness(read: TransactionsRead, waiting: TransactionsRead['partial'] = []) {
  const unread = read.partial.filter((one) => !one.isPending).length;
  const pendings = waiting.map(({ settlement }) => settlement.id);
  return unreadText({ ...read, unread, pendings });
}

/** A row a transaction. New columns go before those of the notes. */
export function transactionColumns(names: Names, notes: NotesShown) {
  const columns: readonly Column<Transaction>[] = [
    ...part('settlement', [
      field.text('settlement_date', ({ settlement }) => settlement.date),
      field.text('settlement_id', ({ settlement }) => settlement.id),
      ...field.account<Transaction>(names, ({ settlement }) => settlement.accountingToken),
    ]),
    ...part('id', [field.text('transaction_id', ({ row }) => row.id)]),
    ...part('chargeId', [field.text('charge_id', ({ row }) => row.chargeId)]),
    ...part('orderId', [field.text('order_id', ({ row }) => row.orderId)]),
    ...part('timestamp', [field.text('timestamp', ({ row }) => row.timestamp)]),
    ...part('kind', [
      field.text('transaction_type', ({ row }) => row.type),
      field.text('payment_type', ({ row }) => row.paymentType),
      field.text('state', ({ row }) => row.state),
      field.text('currency', ({ row }) => row.currency),
      field.integer('decimal_places', ({ row }) => row.scale),
    ]),
    ...amounts.flatMap((one) =>
      part(one, [field.amount(one, ({ row }) => amountOf(row[one], row.scale))]),
    ),
    ...amounts.flatMap((one) => part(one, [field.integer(`${one}_minor`, ({ row }) => row[one])])),
  ];
  return notes === 'all'
    ? [...columns, field.text<Transaction>('notes', ({ row }) => JSON.stringify(row.notes))]
    : [...columns, ...noteColumns(notes, columns)];
}

const amounts = ['amount', 'fees', 'tax'] as const;

function part(name: RowPart, columns: readonly Column<Transaction>[]) {
  return columns.map((column) => ({ ...column, part: name }));
}

/** A column for each key. Databases often ignore case in names, so a key that is taken gets `note_` before it. */
function noteColumns(keys: readonly string[], others: readonly Column<Transaction>[]) {
  const taken = new Set(others.map((column) => column.key));
  return keys.map((key) => {
    let name = key;
    while (taken.has(name.toLowerCase())) name = `note_${name}`;
    taken.add(name.toLowerCase());
    return field.list<Transaction>(name, ({ row }) => noteValues(row.notes, key));
  });
}

function noteValues(notes: readonly Note[], key: string): readonly string[] {
  return notes.filter((note) => note.key === key).map((note) => note.value);
}

function jsonTransaction(names: Names, notes: NotesShown): (one: Transaction) => object {
  const isShown = ({ key }: Note) => notes === 'all' || notes.includes(key);
  const jsonRow = jsonObject(
    transactionColumns(names, []).filter(
      ({ part, key }) => part !== 'settlement' && !key.endsWith('_minor'),
    ),
  );
  return ({ settlement, row }) => ({
    settlement: jsonRecord(jsonSettlementKey(settlement, names)),
    ...jsonRow({ settlement, row }),
    ...(notes.length > 0 && { notes: row.notes.filter(isShown) }),
  });
}

function jsonEnd({ read, listed, unmatched }: TransactionsEnd, names: Names) {
  const { settlements, transactions, complete, partial, conflicting, findings } = read;
  return {
    completeness: { complete, settlements, transactions },
    listed,
    partial: partial.map((one) => ({
      settlement: jsonSettlementKey(one.settlement, names),
      pending: one.isPending,
      transactions: one.rows,
      reasons: reasonsOf(one),
    })),
    conflicting: conflicting.map(({ settlement, entry }) => ({
      settlement: jsonSettlementKey(settlement, names),
      ...jsonEntry(entry, settlement.scale),
    })),
    findings: findings.map((entry) => jsonEntry(entry, 0)),
    unmatched,
  };
}

function jsonQuery({ of, profile, filters }: TransactionsQuery) {
  const isRange = 'range' in of;
  return {
    range: isRange ? of.range : undefined,
    settlement: isRange ? undefined : { id: of.settlement },
    profile,
    filters: Object.fromEntries(
      Object.entries({ ...(isRange && of.filters), ...filters }).filter(([, values]) => values),
    ),
  };
}
