import Table from 'cli-table3';
import type { Block, Remark, Section, SectionColumn, Tone, View } from '../report/common/view.ts';
import { type Inert, inert, inertView, shown } from './inert.ts';
import { type Fitted, fitColumns } from './layout.ts';
import { type ListRenderer, readableList, type Screen } from './renderer.ts';
import { type Paint, painter, type Style } from './style.ts';
import { widest, wrap } from './wrap.ts';

/** For a screen: as wide as it is, with or without colour. */
export const table: ListRenderer = {
  report: (views, { screen }) => [renderTable(views.view(), screen)],
  list: (views, { screen }) => readableList(views, (view) => renderTable(view, screen)),
};

/** Below this nothing can be laid out; lines are then longer than the screen. */
const narrowest = 40;
const gap = 2;
/** What is said below the rows of a narrower table may be wider than the table. */
const narrowTable = 88;

/** No lines: columns stand apart by a gap. */
const borderless = Object.fromEntries(
  Object.keys(new Table().options.chars).map((place) => [place, '']),
);

/** A view as text for a screen. */
function renderTable(view: View, screen: Screen): string {
  const width = Math.max(screen.width, narrowest);
  const paint = painter(screen.colour);
  const blocks = inertView(view, shown);
  const text = blocks.map((block) => `${blockLines(block, width, paint).join('\n')}\n`).join('\n');
  const [answer] = blocks;
  const isLong = text.split('\n').length > (screen.rows ?? Number.POSITIVE_INFINITY);
  // The first lines of a long report have left the screen.
  if (!isLong || answer?.kind !== 'answer' || answer.isPart) return text;
  return `${text}\n${blockLines(answer, width, paint)[0]}\n`;
}

function blockLines(block: Block<Inert>, width: number, paint: Paint): readonly string[] {
  switch (block.kind) {
    case 'answer':
      return [
        paint('strong', paint(block.tone, block.label)),
        ...wrap(block.text, width).map((line) => paint('strong', line)),
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

/** Values stand in one column; labels take half of the screen at most. */
function factLines(
  facts: readonly (readonly [label: Inert, value: Inert])[],
  width: number,
  paint: Paint,
): readonly string[] {
  const labels = facts.map(([label]) => wrap(label, Math.floor(width / 2) - gap));
  const labelWidth = widest(labels.flat());
  const valueWidth = width - labelWidth - gap;
  const rows = facts.map(([, value], index) => [
    painted(labels[index] ?? [], 'quiet', paint),
    painted(wrap(value, valueWidth), 'plain', paint),
  ]);
  return laidOut(rows, [{ width: labelWidth }, { width: valueWidth }]);
}

function remarkLines({ mark, tone, text }: Remark<Inert>, width: number, paint: Paint) {
  return wrap(text, width - 2 * gap).map(
    (line, index) => `  ${index === 0 ? paint(tone, mark) : ' '} ${line}`,
  );
}

function sectionLines(section: Section<Inert>, width: number, paint: Paint): readonly string[] {
  const columns = fitColumns(section, width, gap);
  const whole = columns.reduce((sum, column) => sum + column.width + gap, -gap);
  const said = Math.max(whole, Math.min(width, narrowTable));
  const rule = columns.map(({ width }) => painted([inert('─'.repeat(width))], 'quiet', paint));
  const firstTotal = section.rows.findIndex(({ isTotal }) => isTotal);
  const titles = columns.map(({ column, width }) =>
    painted(wrap(column.title, width), 'strong', paint),
  );
  const aligns = columns.map(({ column, width }) => ({ width, isRight: column.kind !== 'text' }));
  return [
    ...wrap(section.title, width).map((line) => paint('strong', line)),
    ...laidOut([titles, rule], aligns),
    ...section.rows.flatMap(({ tone, remarks }, row) => [
      ...(row === firstTotal ? laidOut([rule], aligns) : []),
      ...laidOut([columns.map((column) => cellOf(column, row, tone, paint))], aligns),
      ...remarks.flatMap((remark) => remarkLines(remark, said, paint)),
    ]),
    ...(section.note === undefined ? [] : wrap(section.note, width)),
  ];
}

/** The lines of a cell, each styled. */
type Cell = readonly string[];

function painted(lines: readonly Inert[], style: Style, paint: Paint): Cell {
  return lines.map((line) => paint(style, line));
}

function laidOut(
  rows: readonly (readonly Cell[])[],
  columns: readonly { readonly width: number; readonly isRight?: boolean }[],
): readonly string[] {
  const options = {
    chars: borderless,
    // Otherwise it colours head and border whatever it is told.
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': gap },
    colWidths: columns.map(({ width }) => width + gap),
    colAligns: columns.map(({ isRight }) => (isRight ? ('right' as const) : ('left' as const))),
  };
  return rows.flatMap((cells) => {
    const height = Math.max(...cells.map((lines) => lines.length));
    // A table a line: for more lines at once, cli-table3 takes the square of the time.
    return Array.from({ length: height }, (_, at) => {
      const table = new Table(options);
      table.push(cells.map((lines) => lines[at] ?? ''));
      return table.toString().trimEnd();
    });
  });
}

/** A row's cell, where the first of the row may have a tone. */
function cellOf(one: Fitted, row: number, tone: Tone | undefined, paint: Paint): Cell {
  const { column, cells, index, width } = one;
  const text = cells[row] ?? inert('');
  const style = (index === 0 && tone) || styleOf(column, text);
  return painted(column.kind === 'text' ? wrap(text, width) : [text], style, paint);
}

/** What should be zero and isn't, and what is negative, stands out beyond its sign. */
function styleOf({ kind }: SectionColumn<Inert>, text: string): Style {
  if (kind === 'difference') return /[1-9]/.test(text) ? 'bad' : 'quiet';
  return kind === 'amount' && text.startsWith('-') ? 'unsure' : 'plain';
}
