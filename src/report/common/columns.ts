import type { Row } from '../../model/row.ts';
import type { RowKind } from '../../model/row-batch.ts';
import type { Measure } from '../../reconcile/entry.ts';
import type { Names } from './report.ts';

/**
 * What a cell holds. `amount` and `integer` are digits made by this tool, which a renderer may
 * align, colour or give a decimal comma; `text` may come from anyone.
 */
export type ColumnKind = 'text' | 'amount' | 'integer';

/** In records, a `value` may also be any of them, from one row to the next. */
export type CellKind = ColumnKind | 'value';

/** A column of records that others script against: its key never changes. */
export interface Column<Row> {
  readonly key: string;
  readonly kind: CellKind;
  readonly value: (row: Row) => string;
  /** All that it depends on, of a transaction; absent where it may depend on everything. */
  readonly part?: RowPart;
}

/**
 * A part of a transaction: what it shares with many others, or a text or figure of its own. Notes
 * are JSON in printable ASCII: so the rows must have them already.
 */
export type RowPart = 'settlement' | 'kind' | Exclude<keyof Row, keyof RowKind>;

/** Records ready to be written, row by row. */
export interface Records {
  readonly columns: readonly { readonly key: string; readonly kind: CellKind }[];
  readonly rows: Iterable<readonly string[]>;
}

/** Applies columns to rows, one row at a time. */
export function records<Row>(columns: readonly Column<Row>[], rows: Iterable<Row>): Records {
  function* cells() {
    for (const row of rows) yield columns.map((column) => column.value(row));
  }
  return { columns, rows: { [Symbol.iterator]: cells } };
}

/** Columns of records, by what their cells hold. */
export const field = {
  text: columnOf('text'),
  amount: columnOf('amount'),
  /** An amount or a text. */
  value: columnOf('value'),

  /** A count, or minor units; empty where there is none. */
  integer: <Row>(key: string, value: (row: Row) => number | bigint | undefined): Column<Row> => ({
    key,
    kind: 'integer',
    value: (row) => String(value(row) ?? ''),
  }),

  /** Several texts in one cell. */
  list: <Row>(key: string, value: (row: Row) => readonly string[]): Column<Row> =>
    field.text(key, (row) => value(row).join(' | ')),

  /** Whose money it is: the accounting token, and the name that the user gave it. */
  account: <Row>(names: Names, token: (row: Row) => string): readonly Column<Row>[] => [
    field.text('accounting_token', token),
    field.text('accounting_name', (row) => names.get(token(row)) ?? ''),
  ],
};

function columnOf(kind: CellKind) {
  return <Row>(key: string, value: (row: Row) => string): Column<Row> => ({ key, kind, value });
}

/** How the columns of an amount begin. */
export function measureKey(measure: Measure): string {
  return measure === 'payIn' ? 'pay_in' : measure;
}
