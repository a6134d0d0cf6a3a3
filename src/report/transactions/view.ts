import type { TransactionsRead } from '../../app/read-transactions.ts';
import type { Row } from '../../model/row.ts';
import { formatMinor } from '../../money/money.ts';
import {
  accountColumn,
  type CellColumn,
  column,
  facts,
  mostShownRows,
  section,
  uuid,
} from '../common/blocks.ts';
import { many, wholeRangeText } from '../common/phrase.ts';
import type { Block, RowViews } from '../common/view.ts';
import { noteValues, transactionColumns } from './columns.ts';
import { jsonEnd, jsonQuery, jsonTransaction } from './document.ts';
import type { NotesShown, Transaction, TransactionsEnd, TransactionsQuery } from './report.ts';

/** The output of `recon transactions`. */
export function transactionsViews(
  query: TransactionsQuery,
): RowViews<Transaction, TransactionsEnd> {
  const { names, notes } = query;
  return {
    columns: transactionColumns(names, notes),
    json: {
      about: jsonQuery(query),
      list: 'transactions',
      type: 'transaction',
      row: jsonTransaction(names, notes),
      ending: jsonEnd,
    },
    mostShown: mostShownRows,
    shown: (rows) => [section('Transactions', rows, screenColumns(query))],
    end: (end, shown) => [transactionsEnd(query, end, shown)],
  };
}

function screenColumns({ names, notes }: TransactionsQuery): readonly CellColumn<Transaction>[] {
  return [
    column(3, 'Settled', 'text', ({ settlement }) => settlement.date),
    column(7, 'Settlement', 'text', ({ settlement }) => settlement.id),
    accountColumn<Transaction>(names, 6, ({ settlement }) => settlement.accountingToken),
    column(1, 'Transaction', 'text', ({ row }) => row.id, uuid),
    column(4, 'Type', 'text', ({ row }) => row.type),
    column(4, 'State', 'text', ({ row }) => row.state),
    column(1, 'Currency', 'text', ({ row }) => row.currency),
    amountCellColumn(1, 'Amount', (row) => row.amount),
    amountCellColumn(5, 'Fees', (row) => row.fees),
    amountCellColumn(5, 'Tax', (row) => row.tax),
    ...noteColumns(notes),
  ];
}

function amountCellColumn(priority: number, title: string, minor: (row: Row) => bigint) {
  const value = ({ row }: Transaction) => formatMinor(minor(row), row.scale);
  return column(priority, title, 'amount', value);
}

function noteColumns(notes: NotesShown): readonly CellColumn<Transaction>[] {
  const notesColumn = (title: string, texts: (row: Row) => readonly string[]) =>
    column<Transaction>(2, title, 'text', ({ row }) => texts(row).join(' | '));
  return notes === 'all'
    ? [notesColumn('Notes', (row) => row.notes.map(({ key, value }) => `${key}: ${value}`))]
    : notes.map((key) => notesColumn(key, (row) => noteValues(row.notes, key)));
}

/** How many there are, of which so many are `shown`, and whether that is all. */
function transactionsEnd({ of }: TransactionsQuery, end: TransactionsEnd, shown: number): Block {
  const { read, listed } = end;
  const filtered = listed === read.transactions ? '' : ` of ${read.transactions}`;
  const rest = listed > shown ? ` (showing the first ${shown}; --format csv lists all)` : '';
  return facts([
    'range' in of ? ['Range', wholeRangeText(of.range)] : ['Settlement', of.settlement],
    ['Transactions', `${listed}${filtered}${rest}`],
    ['Everything read', completenessText(end)],
  ]);
}

function completenessText({ read }: TransactionsEnd): string {
  const all = many(read.settlements, 'settlement');
  const waiting = read.partial.filter((one) => one.isPending).length;
  const aside = waiting > 0 ? `; ${many(waiting, 'pending settlement')} not fully read` : '';
  return `${read.complete ? `yes: ${all}` : `NO: ${incompleteness(read)}`}${aside}`;
}

/** What makes a reading incomplete, in short. */
export function incompleteness({ partial, settlements, findings }: TransactionsRead): string {
  const unread = partial.filter((one) => !one.isPending).length;
  return [
    ...(unread > 0 ? [`${unread} of ${many(settlements, 'settlement')} not fully read`] : []),
    ...(findings.length > 0 ? ['the list of settlements may be incomplete'] : []),
  ].join('; ');
}
