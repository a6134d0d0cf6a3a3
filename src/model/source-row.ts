import type { Row } from './row.ts';

/**
 * A row in which every value is of the form that the document shows (doc 2.8), and that isn't put
 * together yet: who only adds up needs neither the texts of its ids nor its notes.
 */
export interface PackedRow {
  /** Holds the UUIDs of transaction and charge, four words each; all 0 for a charge left out. */
  readonly words: Int32Array;
  /** Where they begin. */
  readonly at: number;
  readonly kind: RowKind;
  /** Minor units, whole numbers as JSON has them. */
  readonly amount: number;
  readonly fees: number;
  readonly tax: number;
  /** All of it. */
  whole(): Row;
}

/** What many rows of a settlement have in common: mostly it is the same object for row after row. */
export type RowKind = Pick<
  Row,
  'settlementId' | 'type' | 'paymentType' | 'state' | 'currency' | 'scale'
>;

/** A row as a source hands it on. */
export type SourceRow = Row | PackedRow;

export function isPacked(row: SourceRow): row is PackedRow {
  return 'words' in row;
}

/** A row with all its fields. */
export function wholeRow(row: SourceRow): Row {
  return isPacked(row) ? row.whole() : row;
}
