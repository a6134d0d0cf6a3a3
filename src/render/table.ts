import Table from 'cli-table3';
import type { Block, Remark, Section, SectionColumn, View } from '../report/view.ts';
import { alignDecimals } from './decimals.ts';
import { inert } from './inert.ts';
import { type Fitted, fitColumns } from './layout.ts';
import { type Paint, painter, type Style } from './style.ts';
import { wrap } from './wrap.ts';

export interface Screen {
  /** Columns of the terminal. */
  readonly width: number;
  readonly colour: boolean;
}

/** Below this nothing can be laid out; lines are then longer than the screen. */
const narrowest = 40;
const gap = 2;

/** No more of a text is shown: a screen can't show it, and to lay it out would take for ever. */
const longestText = 10_000;

/** No lines. A gap is the column's padding and this, because a spanning cell reckons with 1. */
const borderless = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' ',
};

/** A view as text for a screen. */
export function renderTable(view: View, screen: Screen): string {
  const width = Math.max(screen.width, narrowest);
  const paint = painter(screen.colour);
  return view.map((block) => `${blockLines(block, width, paint).join('\n')}\n`).join('\n');
}

function blockLines(block: Block, width: number, paint: Paint): readonly string[] {
  switch (block.kind) {
    case 'answer':
      return [
        paint('strong', paint(block.tone, block.label)),
        ...wrap(shown(block.text), width).map((line) => paint('strong', line)),
      ];
    case 'facts':
      return factLines(block.facts, width, paint);
    case 'section':
      return sectionLines(block, width, paint);
    case 'remarks':
      return [
        paint('strong', block.title),
        ...block.remarks.flatMap((remark) => remarkLines(remark, width, paint)),
      ];
  }
}

function factLines(
  facts: readonly (readonly [label: string, value: string])[],
  width: number,
  paint: Paint,
): readonly string[] {
  const indent = Math.max(...facts.map(([label]) => label.length)) + gap;
  return facts.flatMap(([label, value]) =>
    wrap(shown(value), width - indent).map(
      (line, index) => paint('quiet', (index === 0 ? label : '').padEnd(indent)) + line,
    ),
  );
}

function remarkLines({ mark, tone, text }: Remark, width: number, paint: Paint) {
  return wrap(shown(text), width - 2 * gap).map(
    (line, index) => `  ${index === 0 ? paint(tone, mark) : ' '} ${line}`,
  );
}

function sectionLines(raw: Section, width: number, paint: Paint): readonly string[] {
  const section = prepared(raw);
  const columns = fitColumns(section, width, gap);
  const table = new Table({
    chars: borderless,
    // Otherwise it colours head and border whatever it is told.
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': gap - 1 },
    colWidths: columns.map((column) => column.width + gap - 1),
    colAligns: columns.map(({ column }) => (column.kind === 'text' ? 'left' : 'right')),
  });
  table.push(
    ...lineByLine(
      columns.map(({ column, width }) => cell(wrap(column.title, width), 'strong', paint)),
    ),
    columns.map(({ width }) => paint('quiet', '─'.repeat(width))),
  );
  const whole = columns.reduce((sum, column) => sum + column.width + gap, -gap);
  for (const row of section.rows) {
    table.push(...lineByLine(columns.map((column) => dataCell(column, row, paint))));
    const remarks = row.remarks.flatMap((remark) => remarkLines(remark, whole, paint));
    table.push(...remarks.map((content) => [{ content, colSpan: columns.length }]));
  }
  return [
    ...wrap(section.title, width).map((line) => paint('strong', line)),
    ...table
      .toString()
      .split('\n')
      .map((line) => line.trimEnd()),
    ...(section.note === undefined ? [] : wrap(section.note, width)),
  ];
}

/**
 * The rows of the table that a row of cells with several lines takes. With lines inside a cell,
 * cli-table3 needs minutes for a text of a thousand characters.
 */
function lineByLine(cells: readonly (readonly string[])[]): string[][] {
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) => cells.map((lines) => lines[at] ?? ''));
}

/** A text as a screen shows it. */
function shown(text: string): string {
  return inert(text.length > longestText ? `${text.slice(0, longestText)}…` : text);
}

/** With texts inert and decimals aligned: what is measured is what is shown. */
function prepared(section: Section): Section {
  const columns = section.columns.map(({ kind }, index) => {
    const cells = section.rows.map((row) => shown(row.cells[index] ?? ''));
    return kind === 'text' ? cells : alignDecimals(cells);
  });
  const rows = section.rows.map((row, index) => ({
    ...row,
    cells: columns.map((cells) => cells[index] ?? ''),
  }));
  return { ...section, title: shown(section.title), rows };
}

function dataCell({ column, index, width }: Fitted, row: Section['rows'][number], paint: Paint) {
  const text = row.cells[index] ?? '';
  const style = (index === 0 && row.tone) || styleOf(column, text);
  return cell(column.kind === 'text' ? wrap(text, width) : [text], style, paint);
}

function cell(lines: readonly string[], style: Style, paint: Paint): readonly string[] {
  return lines.map((line) => paint(style, line));
}

/** What should be zero and isn't, and what is negative, stands out beyond its sign. */
function styleOf({ kind }: SectionColumn, text: string): Style {
  if (kind === 'difference') return /[1-9]/.test(text) ? 'bad' : 'quiet';
  return kind === 'amount' && text.startsWith('-') ? 'unsure' : 'plain';
}
