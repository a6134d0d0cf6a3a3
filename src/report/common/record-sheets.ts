import { maxScale, parseDecimal } from '../../money/money.ts';
import type { CellKind, Records } from './columns.ts';
import { capitalised } from './phrase.ts';
import type { Section, SectionKind, Tone } from './view.ts';
import {
  dateCell,
  mostSheetRows,
  type NumberCell,
  type SheetCell,
  type TableSheet,
} from './workbook.ts';

/** Records as a sheet, a column for each of theirs: `settlement_id` is Settlement id. */
export function recordsSheet(name: string, { columns, rows }: Records): TableSheet {
  return {
    name,
    columns: columns.map(({ key }) => ({ title: titleOf(key) })),
    rows: Array.from(rows, (row) =>
      columns.map(({ kind, key }, index) => cellOf(row[index], kind, key)),
    ),
  };
}

function titleOf(key: string): string {
  return capitalised(key.replaceAll('_', ' ').replace('pay in', 'pay-in'));
}

/** A table of a view as a sheet. One that was cut to the rows of a sheet says so in its last row. */
export function sectionSheet(name: string, { columns, rows, note }: Section): TableSheet {
  const totals = rows.filter(({ isTotal }) => isTotal).length;
  const cut = rows.length - totals === mostSheetRows && note ? [[note]] : [];
  const toned = rows.flatMap(({ cells: [first], tone }) => (first && tone ? [[first, tone]] : []));
  const tones: Readonly<Record<string, Tone>> = Object.fromEntries(toned);
  return {
    name,
    columns: columns.map(({ title }, index) => ({
      title,
      ...(index === 0 && { isKey: true, tones }),
    })),
    rows: rows
      .map(({ cells }) => columns.map(({ kind, title }, at) => cellOf(cells[at], kind, title)))
      .concat(cut),
    totals: totals + cut.length,
  };
}

const kinds = {
  amount: 'amount',
  value: 'amount',
  integer: 'count',
  difference: 'difference',
} as const satisfies Record<Exclude<CellKind | SectionKind, 'text'>, NumberCell['kind']>;

/** Digits as the number that they are, days of a column of days as dates; whatever else there is, as text. */
function cellOf(text = '', kind: CellKind | SectionKind, column: string): SheetCell {
  if (kind === 'text') return /(?:\b|_)(?:day|date)$/i.test(column) ? dateCell(text) : text;
  const scale = text.split('.')[1]?.length ?? 0;
  const minor = scale > maxScale ? undefined : parseDecimal(text, scale);
  return minor === undefined ? text : { kind: kinds[kind], minor, scale };
}
