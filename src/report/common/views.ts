import type { Column, Records } from './columns.ts';
import type { View } from './view.ts';

/** A result in each of the shapes that formats are made from. Made only when asked for. */
export interface Views {
  readonly view: () => View;
  /** The report as the provider may read it, in Markdown; absent where the view itself may go out. */
  readonly forProvider?: () => View;
  readonly records: () => Records;
  readonly document: () => object;
  readonly lines: () => Iterable<object>;
}

/**
 * A list that is written while its rows come in, in each of the shapes that formats are made from.
 * What is said at the end is known only then.
 */
export interface RowViews<Row, End> {
  readonly columns: readonly Column<Row>[];
  /** JSON: what was asked for, the list by its name, the type of its lines, and how it ended. */
  readonly json: {
    readonly about: object;
    readonly list: string;
    readonly type: string;
    readonly row: (row: Row) => object;
    readonly ending: (end: End) => object;
  };
  /** A screen shows so many rows. */
  readonly mostShown: number;
  readonly shown: (rows: readonly Row[]) => View;
  readonly end: (end: End, shown: number) => View;
}
