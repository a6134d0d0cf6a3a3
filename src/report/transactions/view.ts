import type { TransactionsRead, TransactionsRequest } from '../../app/read-transactions.ts';
import type { RowFilters, UnmatchedValue } from '../../app/row-filter.ts';
import type { Row } from '../../model/row.ts';
import type { Settlement } from '../../model/settlement.ts';
import { formatMinor } from '../../money/money.ts';
import { accountColumn, column, facts, mostShownRows, section, uuid } from '../common/blocks.ts';
import { many, present, wholeRangeText } from '../common/phrase.ts';
import type { Names } from '../common/report.ts';
import type { RowViews } from '../common/view.ts';
import { noteValues, transactionColumns } from './columns.ts';
import { jsonEnd, jsonQuery, jsonTransaction } from './document.ts';

/** A row, and the settlement that lists it. */
export interface Transaction {
  readonly settlement: Settlement;
  readonly row: Row;
}

/** Which of the merchant's notes are shown: all in one place, or those with certain keys. */
export type NotesShown = 'all' | readonly string[];

/** What `recon transactions` was asked for. */
export interface TransactionsQuery {
  /** A range of settlements, or a single one. */
  readonly of: TransactionsRequest['of'];
  readonly profile: string | undefined;
  readonly names: Names;
  readonly notes: NotesShown;
  readonly filters: RowFilters;
}

/** How it ended. */
export interface TransactionsEnd {
  readonly read: TransactionsRead;
  /** Transactions that passed the filters. */
  readonly listed: number;
  /** Values of the filters that no transaction has. */
  readonly unmatched: readonly UnmatchedValue[];
}

/** The output of `recon transactions`. */
export function transactionsViews(
  query: TransactionsQuery,
): RowViews<Transaction, TransactionsEnd> {
  const { of, names, notes } = query;
  const amount = (priority: number, title: string, minor: (row: Row) => bigint) =>
    column<Transaction>(priority, title, 'amount', ({ row }) => formatMinor(minor(row), row.scale));
  const note = (title: string, texts: (row: Row) => readonly string[]) =>
    column<Transaction>(2, title, 'text', ({ row }) => texts(row).join(' | '));
  const columns = [
    column<Transaction>(3, 'Settled', 'text', ({ settlement }) => settlement.date),
    column<Transaction>(7, 'Settlement', 'text', ({ settlement }) => settlement.id),
    accountColumn<Transaction>(names, 6, ({ settlement }) => settlement.accountingToken),
    column<Transaction>(1, 'Transaction', 'text', ({ row }) => row.id, uuid),
    column<Transaction>(4, 'Type', 'text', ({ row }) => row.type),
    column<Transaction>(4, 'State', 'text', ({ row }) => row.state),
    column<Transaction>(1, 'Currency', 'text', ({ row }) => row.currency),
    amount(1, 'Amount', (row) => row.amount),
    amount(5, 'Fees', (row) => row.fees),
    amount(5, 'Tax', (row) => row.tax),
    ...(notes === 'all'
      ? [note('Notes', (row) => row.notes.map(({ key, value }) => `${key}: ${value}`))]
      : notes.map((key) => note(key, (row) => noteValues(row.notes, key)))),
  ];
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
  const all = many(read.settlements, 'settlement');
  const waiting = read.partial.filter((one) => one.isPending).length;
  const aside = waiting > 0 ? `; ${many(waiting, 'pending settlement')} not fully read` : '';
  return `${read.complete ? `yes: ${all}` : `NO: ${incompleteness(read)}`}${aside}`;
}

/** What makes a reading incomplete, in short. */
export function incompleteness({ partial, settlements, findings }: TransactionsRead): string {
  const unread = partial.filter((one) => !one.isPending).length;
  return present(
    unread > 0 && `${unread} of ${many(settlements, 'settlement')} not fully read`,
    findings.some(({ weight }) => weight === 'incomplete') &&
      'the list of settlements may be incomplete',
  ).join('; ');
}
