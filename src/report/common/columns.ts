import type { Row } from '../../model/row.ts';
import type { RowKind } from '../../model/row-batch.ts';
import type { Names } from '../../model/settlement.ts';
import type { Value } from '../../model/value.ts';
import type { Amount } from '../../money/money.ts';
import type { Measure } from '../../reconcile/entry.ts';

/**
 * How a cell is aligned, coloured and written:
 * - `text`: may come from anyone; a `day` is one that spreadsheets get as a date
 * - `amount`; a `change` is one with its sign, a `difference` one that should be zero as well
 * - `integer`: a count, or minor units
 * - `value`: any of these, row by row
 */
export type CellKind = 'text' | 'day' | 'amount' | 'change' | 'difference' | 'integer' | 'value';

/** An amount as a value; undefined without minor units. */
export function amountOf(minor: bigint | undefined, scale: number): Amount | undefined {
  return minor === undefined ? undefined : { minor, scale };
}

/** A record whose amounts are minor units at one scale. */
type Scaled = { readonly scale: number } | { readonly decimalPlaces: number };

/** An amount of a record: whole, or minor units at the record's own scale. */
export type RowFigure<Row> = Amount | (Row extends Scaled ? bigint : never) | undefined;

/** A figure as an amount. */
export function figureOf<Row>(row: Row, figure: RowFigure<Row>): Amount | undefined {
  return typeof figure === 'bigint' ? figureAt(row, figure) : figure;
}

/** Minor units at the own scale of a record, as an amount. */
export function figureAt(record: unknown, minor: bigint): Amount {
  const { scale, decimalPlaces = 0 } = record as { scale?: number; decimalPlaces?: number };
  return { minor, scale: scale ?? decimalPlaces };
}

/** A column of CSV records. Scripts rely on its key, which never changes. */
export interface Column<Row> {
  readonly key: string;
  readonly kind: CellKind;
  readonly value: (row: Row) => Value;
  /** The part of a transaction that alone decides the value, if any. */
  readonly part?: RowPart;
}

/** A part of a transaction. Notes are JSON in printable ASCII, as in row columns. */
export type RowPart = 'settlement' | 'kind' | Exclude<keyof Row, keyof RowKind>;

/** Records ready to be written, row by row. */
export interface Records {
  readonly columns: readonly { readonly key: string; readonly kind: CellKind }[];
  readonly rows: Iterable<readonly Value[]>;
}

/** Applies columns to rows, one row at a time. */
export function records<Row>(columns: readonly Column<Row>[], rows: Iterable<Row>): Records {
  function* cells() {
    for (const row of rows) yield columns.map((column) => column.value(row));
  }
  return { columns, rows: { [Symbol.iterator]: cells } };
}

/** Columns of records, by the kind of their values. */
export const field = {
  text: columnOf('text'),
  list: columnOf('text'),
  day: columnOf('day'),
  amount: <Row>(key: string, figure: (row: Row) => RowFigure<Row>): Column<Row> => ({
    key,
    kind: 'amount',
    value: (row) => figureOf(row, figure(row)),
  }),
  integer: columnOf('integer'),
  value: columnOf('value'),

  /** The accounting token, and the name that the user gave it. */
  account: <Row>(names: Names, token: (row: Row) => string): readonly Column<Row>[] => [
    field.text('accounting_token', (row) => token(row) || undefined),
    field.text('accounting_name', (row) => names.get(token(row))),
  ],
};

function columnOf(kind: CellKind) {
  return <Row>(key: string, value: (row: Row) => Value): Column<Row> => ({ key, kind, value });
}

/** How the keys of an amount's columns begin. */
export function measureKey(measure: Measure): string {
  return measure === 'payIn' ? 'pay_in' : measure;
}
