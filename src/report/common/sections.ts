import type { Remark, Section, SectionColumn, SectionKind } from './view.ts';

/** A screen has room for so many rows of a list; files have room for all. */
export const mostShownRows = 50;

/** The length of most ids. Half of one still reads well on two lines. */
export const uuid = 36;

/** A column of a section, and where its cells come from. */
export interface CellColumn<Row> extends SectionColumn {
  readonly value: (row: Row) => string;
}

export function cellColumn<Row>(
  priority: number,
  title: string,
  kind: SectionKind,
  value: (row: Row) => string,
  unbroken = uuid / 2,
): CellColumn<Row> {
  return { title, kind, priority, unbroken, value };
}

/** A section of rows: columns that say nothing are left out, and a long list is cut. */
export function section<Row>(
  title: string,
  columns: readonly CellColumn<Row>[],
  rows: readonly Row[],
  remarks: (row: Row) => readonly Remark[] = () => [],
): Section {
  const telling = columns.filter((column) => rows.some((row) => tells(column, row)));
  const cut = rows.length - mostShownRows;
  return {
    kind: 'section',
    title,
    columns: telling.map(({ value: _, ...column }) => column),
    rows: rows.slice(0, mostShownRows).map((row) => ({
      cells: telling.map((column) => column.value(row)),
      remarks: remarks(row),
    })),
    note: cut > 0 ? `... and ${cut} more: --format csv lists them all` : undefined,
  };
}

function tells<Row>(column: CellColumn<Row>, row: Row): boolean {
  const cell = column.value(row);
  return cell !== '' && !(column.kind === 'integer' && cell === '0');
}
