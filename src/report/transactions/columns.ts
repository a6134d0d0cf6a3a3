import type { Note } from '../../model/row.ts';
import { formatMinor } from '../../money/money.ts';
import { type Column, field, type RowPart } from '../common/columns.ts';
import type { Names } from '../common/report.ts';
import type { NotesShown, Transaction } from './view.ts';

/** A row a transaction. New columns go before those of the notes. */
export function transactionColumns(names: Names, notes: NotesShown) {
  const columns: readonly Column<Transaction>[] = [
    ...of('settlement', [
      field.text('settlement_date', ({ settlement }) => settlement.date),
      field.text('settlement_id', ({ settlement }) => settlement.id),
      ...field.account<Transaction>(names, ({ settlement }) => settlement.accountingToken),
    ]),
    ...of('id', [field.text('transaction_id', ({ row }) => row.id)]),
    ...of('chargeId', [field.text('charge_id', ({ row }) => row.chargeId)]),
    ...of('orderId', [field.text('order_id', ({ row }) => row.orderId)]),
    ...of('timestamp', [field.text('timestamp', ({ row }) => row.timestamp)]),
    ...of('kind', [
      field.text('transaction_type', ({ row }) => row.type),
      field.text('payment_type', ({ row }) => row.paymentType),
      field.text('state', ({ row }) => row.state),
      field.text('currency', ({ row }) => row.currency),
      field.integer('decimal_places', ({ row }) => row.scale),
    ]),
    ...of('amount', [field.amount('amount', ({ row }) => formatMinor(row.amount, row.scale))]),
    ...of('fees', [field.amount('fees', ({ row }) => formatMinor(row.fees, row.scale))]),
    ...of('tax', [field.amount('tax', ({ row }) => formatMinor(row.tax, row.scale))]),
    ...of('amount', [field.integer('amount_minor', ({ row }) => row.amount)]),
    ...of('fees', [field.integer('fees_minor', ({ row }) => row.fees)]),
    ...of('tax', [field.integer('tax_minor', ({ row }) => row.tax)]),
  ];
  return notes === 'all'
    ? [...columns, field.text<Transaction>('notes', ({ row }) => JSON.stringify(row.notes))]
    : [...columns, ...noteColumns(notes, columns)];
}

/** Columns that depend on this part of a transaction alone. */
function of(part: RowPart, columns: readonly Column<Transaction>[]) {
  return columns.map((column) => ({ ...column, part }));
}

/**
 * A column for each key. Whoever reads a table by the names of its columns, in a database often
 * whatever their case, has to find each once: a key that is taken gets `note_` before it.
 */
function noteColumns(keys: readonly string[], others: readonly Column<Transaction>[]) {
  const taken = new Set(others.map((column) => column.key));
  return keys.map((key) => {
    let name = key;
    while (taken.has(name.toLowerCase())) name = `note_${name}`;
    taken.add(name.toLowerCase());
    return field.list<Transaction>(name, ({ row }) => noteValues(row.notes, key));
  });
}

/** The values of a key, which may be repeated. */
export function noteValues(notes: readonly Note[], key: string): readonly string[] {
  return notes.filter((note) => note.key === key).map((note) => note.value);
}
