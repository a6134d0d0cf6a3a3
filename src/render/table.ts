import Table from 'cli-table3';
import type { Block, Remark, Section, SectionColumn, Tone, View } from '../report/common/view.ts';
import { type Inert, inert, inertView, shown } from './inert.ts';
import { type ListRenderer, readableList, type Screen } from './renderer.ts';
import { type Paint, painter, type Style } from './style.ts';
import { alignedNumbers, widest, wrap } from './wrap.ts';

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

/** A column that is shown. */
interface Fitted {
  /** Its place in the section. */
  readonly index: number;
  readonly column: SectionColumn<Inert>;
  /** From top to bottom, numbers as people read them: what is measured is what is shown. */
  readonly cells: readonly Inert[];
  readonly width: number;
}

/** Texts are not wrapped to less than this, as long as there is room. */
const readable = 12;

interface Sized extends Fitted {
  readonly least: number;
  /** Where no id is broken. */
  readonly whole: number;
  readonly most: number;
}

/** A longer word than an id may be broken to make room. */
const longestId = 36;

/**
 * Chooses the columns of a section for a screen of `width` columns. Digits are never cut or
 * wrapped, so what doesn't fit is left out: columns of one priority stand or go together, the most
 * important ones first, and an id is whole before a less important column has its place. The room
 * that remains goes to texts that would be wrapped.
 */
function fitColumns(section: Section<Inert>, width: number, gap: number): readonly Fitted[] {
  const sized = sizes(section);
  const chosen: Sized[] = [];
  let room = width + gap;
  for (const priority of new Set(sized.map(({ column }) => column.priority))) {
    const level = sized.filter(({ column }) => column.priority === priority);
    const needed = (size: 'least' | 'whole') =>
      level.reduce((sum, one) => sum + one[size] + gap, 0);
    const size = needed('whole') <= room ? 'whole' : 'least';
    if (needed(size) > room && priority > 1) continue;
    chosen.push(...level.map((one) => ({ ...one, width: one[size] })));
    room -= needed(size);
  }
  // `room` is less than nothing where the screen is too narrow: then texts give way.
  const widened = chosen.map((one) => {
    const { column, width, most } = one;
    const extra = column.kind === 'text' ? Math.max(Math.min(room, most - width), 1 - width) : 0;
    room -= extra;
    return { ...one, width: width + extra };
  });
  return widened.sort((a, b) => a.index - b.index);
}

/** By priority, then from left to right. */
function sizes({ columns, rows }: Section<Inert>): readonly Sized[] {
  return columns
    .map((column, index) => {
      const texts = rows.map((row) => row.cells[index] ?? inert(''));
      const cells = column.kind === 'text' ? texts : alignedNumbers(texts);
      const title = longestWord([column.title]);
      const most = Math.max(title, widest(cells));
      const word = longestWord(cells);
      const widthWith = (unbroken: number) =>
        column.kind === 'text'
          ? Math.min(most, Math.max(title, Math.min(word, unbroken), readable))
          : most;
      const least = widthWith(column.unbroken);
      const whole = Math.max(least, widthWith(longestId));
      return { index, column, cells, width: least, least, whole, most };
    })
    .sort((a, b) => a.column.priority - b.column.priority || a.index - b.index);
}

function longestWord(texts: readonly string[]): number {
  return widest(texts.flatMap((text) => text.split(' ')));
}
