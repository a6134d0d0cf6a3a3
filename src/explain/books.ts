import type { Case } from './case.ts';
import { type Cell, cellsOf, type RowTraits } from './cells.ts';
import {
  type Amounts,
  addAmounts,
  type Delta,
  followed,
  minus,
  noAmounts,
  subtractAmounts,
} from './delta.ts';

/**
 * The two sides that should agree. Undoing a cause gives other books: the header as it should have
 * been, or the rows as the header sees them.
 */
export interface Books {
  readonly subject: Case;
  readonly header: Delta;
  readonly cells: readonly Cell[];
}

export function booksOf(subject: Case): Books {
  const { rows, settlement, scale, header } = subject;
  return { subject, header, cells: cellsOf(rows, settlement.currency, scale) };
}

/** Books with the header as it is without this difference. */
export function withoutDelta(books: Books, delta: Delta): Books {
  return { ...books, header: minus(books.header, delta) };
}

/**
 * How the header sees a cell: its count and amounts in place of what is listed. Nothing where that
 * would be no whole number of minor units.
 */
export type View = (cell: Cell) => {
  readonly count: number;
  readonly amounts: Amounts | undefined;
};

/**
 * Books in which some cells are as the header sees them, and the difference that it makes. Nothing
 * where one of them can't be seen so.
 */
export function seen(books: Books, isMeant: (traits: RowTraits) => boolean, view: View) {
  let count = 0;
  let amounts = noAmounts;
  const cells: Cell[] = [];
  for (const cell of books.cells) {
    if (!isMeant(cell)) {
      cells.push(cell);
      continue;
    }
    const other = view(cell);
    if (other.amounts === undefined) return undefined;
    count += other.count - cell.count;
    amounts = addAmounts(amounts, subtractAmounts(other.amounts, cell.amounts));
    cells.push({ ...cell, count: other.count, amounts: other.amounts });
  }
  return { delta: followed(books.subject.identity, count, amounts), books: { ...books, cells } };
}
