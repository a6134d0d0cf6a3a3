import type { Names } from './report.ts';
import { type CellColumn, cellColumn } from './sections.ts';

/** Whose money it is: the name that the user gave, or the token where there is none. */
export function accountColumn<Row>(
  names: Names,
  priority: number,
  token: (row: Row) => string,
): CellColumn<Row> {
  return cellColumn(priority, 'Account', 'text', (row) => names.get(token(row)) ?? token(row));
}
