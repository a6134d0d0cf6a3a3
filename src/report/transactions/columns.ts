import type { Note } from '../../model/row.ts';
import { formatMinor } from '../../money/money.ts';
import {
  amountColumn,
  type Column,
  integerColumn,
  listColumn,
  type RowPart,
  textColumn,
} from '../common/columns.ts';
import type { Names } from '../common/report.ts';
import type { NotesShown, Transaction } from './report.ts';

/** A row a transaction. New columns go before those of the notes. */
export function transactionColumns(
  names: Names,
  notes: NotesShown,
): readonly Column<Transaction>[] {
  const columns: readonly Column<Transaction>[] = [
    ...of('settlement', [
      textColumn('settlement_date', ({ settlement }) => settlement.date),
      textColumn('settlement_id', ({ settlement }) => settlement.id),
      textColumn('accounting_token', ({ settlement }) => settlement.accountingToken),
      textColumn(
        'accounting_name',
        ({ settlement }) => names.get(settlement.accountingToken) ?? '',
      ),
    ]),
    ...of('id', [textColumn('transaction_id', ({ row }) => row.id)]),
    ...of('chargeId', [textColumn('charge_id', ({ row }) => row.chargeId)]),
    ...of('orderId', [textColumn('order_id', ({ row }) => row.orderId)]),
    ...of('timestamp', [textColumn('timestamp', ({ row }) => row.timestamp)]),
    ...of('kind', [
      textColumn('transaction_type', ({ row }) => row.type),
      textColumn('payment_type', ({ row }) => row.paymentType),
      textColumn('state', ({ row }) => row.state),
      textColumn('currency', ({ row }) => row.currency),
      integerColumn('decimal_places', ({ row }) => row.scale),
    ]),
    ...of('amount', [amountColumn('amount', ({ row }) => formatMinor(row.amount, row.scale))]),
    ...of('fees', [amountColumn('fees', ({ row }) => formatMinor(row.fees, row.scale))]),
    ...of('tax', [amountColumn('tax', ({ row }) => formatMinor(row.tax, row.scale))]),
    ...of('amount', [integerColumn('amount_minor', ({ row }) => row.amount)]),
    ...of('fees', [integerColumn('fees_minor', ({ row }) => row.fees)]),
    ...of('tax', [integerColumn('tax_minor', ({ row }) => row.tax)]),
  ];
  return notes === 'all'
    ? [...columns, textColumn('notes', ({ row }) => JSON.stringify(row.notes))]
    : [...columns, ...noteColumns(notes, columns)];
}

/** Columns that depend on this part of a transaction alone. */
function of(
  part: RowPart,
  columns: readonly Column<Transaction>[],
): readonly Column<Transaction>[] {
  return columns.map((column) => ({ ...column, part }));
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
    return listColumn(name, ({ row }) => noteValues(row.notes, key));
  });
}

/** The values of a key, which may be repeated. */
export function noteValues(notes: readonly Note[], key: string): readonly string[] {
  return notes.filter((note) => note.key === key).map((note) => note.value);
}
