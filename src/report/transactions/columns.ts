import type { Note } from '../../model/row.ts';
import { formatMinor } from '../../money/money.ts';
import { amount, type Column, integer, list, text } from '../common/columns.ts';
import type { Names } from '../settlements/report.ts';
import type { NotesShown, Transaction } from './report.ts';

/** A row a transaction. New columns go before those of the notes. */
export function transactionColumns(
  names: Names,
  notes: NotesShown,
): readonly Column<Transaction>[] {
  const columns: readonly Column<Transaction>[] = [
    text('settlement_date', ({ settlement }) => settlement.date),
    text('settlement_id', ({ settlement }) => settlement.id),
    text('accounting_token', ({ settlement }) => settlement.accountingToken),
    text('accounting_name', ({ settlement }) => names.get(settlement.accountingToken) ?? ''),
    text('transaction_id', ({ row }) => row.id),
    text('charge_id', ({ row }) => row.chargeId),
    text('order_id', ({ row }) => row.orderId),
    text('timestamp', ({ row }) => row.timestamp),
    text('transaction_type', ({ row }) => row.type),
    text('payment_type', ({ row }) => row.paymentType),
    text('state', ({ row }) => row.state),
    text('currency', ({ row }) => row.currency),
    integer('decimal_places', ({ row }) => row.scale),
    amount('amount', ({ row }) => formatMinor(row.amount, row.scale)),
    amount('fees', ({ row }) => formatMinor(row.fees, row.scale)),
    amount('tax', ({ row }) => formatMinor(row.tax, row.scale)),
    integer('amount_minor', ({ row }) => row.amount),
    integer('fees_minor', ({ row }) => row.fees),
    integer('tax_minor', ({ row }) => row.tax),
  ];
  return notes === 'all'
    ? [...columns, text('notes', ({ row }) => JSON.stringify(row.notes))]
    : [...columns, ...noteColumns(notes, columns)];
}

/**
 * A column for each key. Whoever reads a table by the names of its columns, in a database often
 * whatever their case, has to find each once: a key that is taken gets `note_` before it.
 */
function noteColumns(
  keys: readonly string[],
  others: readonly Column<Transaction>[],
): readonly Column<Transaction>[] {
  const taken = new Set(others.map((column) => column.key));
  return keys.map((key) => {
    let name = key;
    while (taken.has(name.toLowerCase())) name = `note_${name}`;
    taken.add(name.toLowerCase());
    return list(name, ({ row }) => noteValues(row.notes, key));
  });
}

/** The values of a key, which may be repeated. */
export function noteValues(notes: readonly Note[], key: string): readonly string[] {
  return notes.filter((note) => note.key === key).map((note) => note.value);
}
