import {
  type CellStyle,
  type ConditionalRule,
  colToLetter,
  rangeRef,
  type Cell as WritableCell,
  type WriteSheet,
} from 'hucre/xlsx';
import { ReconError } from '../../base/errors.ts';
import { keysOf } from '../../base/lists.ts';
import { grouped } from '../../report/common/phrase.ts';
import type { SheetCell, SheetColumn, TableSheet } from '../../report/common/view.ts';
import { maxSheetRows } from '../../report/common/workbook.ts';
import { inert } from '../inert.ts';
import { wrap } from '../wrap.ts';
import { type CellWriter, headerStyle, rowHeights, ruleStyle, type WrittenCell } from './cells.ts';

const widestText = 50;
const widthOfProse = 42;
const besideText = 3;

interface Layout {
  width: number;
  /** That of its first cell that isn't empty; the others say where they differ. */
  style: CellStyle | undefined;
  isNumeric: boolean;
  hasDifferences: boolean;
}

/** A table with fixed titles, filters, widths and colours. ReconError `usage` for more rows than a sheet has. */
export function writtenTable(sheet: TableSheet, cells: CellWriter): WriteSheet {
  const { name, columns, rows, totals = 0 } = sheet;
  const records = rows.length - totals;
  if (records > maxSheetRows) throw tooManyRows(name, records);
  const layouts = columns.map(firstLayout);
  const heights = new Map<number, number>();
  const special = new Map<string, Partial<WritableCell>>();
  const values = rows.map((row, index) =>
    row.map((cell, column) => {
      const wrapsAt = columns[column]?.isProse ? widthOfProse : undefined;
      const written = cells.written(cell, { wrapsAt, isTotal: index >= records });
      if (written.lines > (heights.get(index + 1) ?? 1)) heights.set(index + 1, written.lines);
      const layout = layouts[column];
      if (layout && cell !== '') adapt(layout, cell, written);
      const isUsual = cell === '' ? index < records : layout?.style === written.style;
      if (!isUsual || written.formula !== undefined || written.richText) {
        special.set(`${index + 1},${column}`, written);
      }
      return written.value;
    }),
  );
  for (const [column, { isNumeric, width }] of layouts.entries()) {
    special.set(`0,${column}`, { style: headerStyle(isNumeric ? 'right' : 'left') });
    const title = wrap(inert(columns[column]?.title ?? ''), width);
    heights.set(0, Math.max(heights.get(0) ?? 1, title.length));
  }
  return {
    name,
    columns: layouts.map(({ width, style }) => ({
      width: width + besideText,
      ...(style && { style }),
    })),
    rows: [columns.map(({ title }) => title), ...values],
    cells: special,
    rowDefs: rowHeights(heights),
    freezePane: { rows: 1, columns: columns.filter(({ isKey }) => isKey).length },
    autoFilter: { range: rangeRef(0, 0, records, columns.length - 1) },
    conditionalRules: colourRules(columns, layouts, rows.length),
  };
}

function firstLayout({ title, isProse }: SheetColumn): Layout {
  // Titles are bold.
  const words = title.split(' ').map((word) => Math.ceil(word.length * 1.15));
  const width = isProse ? widthOfProse : Math.max(...words);
  return { width, style: undefined, isNumeric: false, hasDifferences: false };
}

function adapt(layout: Layout, cell: SheetCell, { style, width }: WrittenCell): void {
  const most = typeof cell === 'string' ? widestText : width;
  layout.width = Math.max(layout.width, Math.min(width, most));
  layout.style ??= style;
  if (typeof cell === 'string' || cell.kind === 'date') return;
  const { kind } = cell.kind === 'formula' ? cell.result : cell;
  layout.isNumeric = true;
  layout.hasDifferences ||= kind === 'difference';
}

function colourRules(
  columns: readonly SheetColumn[],
  layouts: readonly Layout[],
  rows: number,
): ConditionalRule[] {
  if (rows === 0) return [];
  const rules = columns.flatMap(({ tones = {} }, column) => {
    const range = rangeRef(1, column, rows, column);
    const first = `${colToLetter(column)}2`;
    const words = keysOf(tones).flatMap((word) => {
      const style = ruleStyle(tones[word] ?? 'plain');
      return style ? [{ range, formula: `${first}="${word}"`, style }] : [];
    });
    // Text is never 0: an amount too long for a number is coloured too.
    const isOff = `AND(${first}<>"",${first}<>0)`;
    const style = ruleStyle('bad');
    return layouts[column]?.hasDifferences && style
      ? [...words, { range, formula: isOff, style }]
      : words;
  });
  return rules.map((rule, index) => ({ type: 'expression', priority: index + 1, ...rule }));
}

function tooManyRows(sheet: string, rows: number): ReconError {
  const most = `a sheet has ${grouped(maxSheetRows)} at most`;
  return new ReconError('usage', `The sheet ${sheet} would have ${grouped(rows)} rows; ${most}.`, {
    hint: 'Use a shorter range, or a csv file: it has no limit.',
  });
}
