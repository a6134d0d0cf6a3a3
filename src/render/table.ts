import type { Block, Remark, Section, SectionColumn, Tone, View } from '../report/common/view.ts';
import { type Inert, inert, inertView, shown } from './inert.ts';
import { type Fitted, fitColumns } from './layout.ts';
import { type ListRenderer, readableList, type Screen } from './renderer.ts';
import { type Paint, painter, type Style } from './style.ts';
import { widest, widthOf, wrap } from './wrap.ts';

/** For a screen: as wide as it is, with or without colour. */
export const table: ListRenderer = {
  report: (views, { screen }) => [renderTable(views.view(), screen)],
  list: (views, { screen }) => readableList(views, (view) => renderTable(view, screen)),
};

/** Below this nothing can be laid out; lines are then longer than the screen. */
const narrowest = 40;
/** Columns stand apart by so much; there are no lines between them. */
const gap = 2;

/** A view as text for a screen. */
function renderTable(view: View, screen: Screen): string {
  const width = Math.max(screen.width, narrowest);
  const paint = painter(screen.colour);
  return inertView(view, shown)
    .map((block) => `${blockLines(block, width, paint).join('\n')}\n`)
    .join('\n');
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
  return facts.flatMap(([, value], index) =>
    rowLines(
      [
        { lines: labels[index] ?? [], style: 'quiet', width: labelWidth },
        { lines: wrap(value, valueWidth), style: 'plain', width: valueWidth },
      ],
      paint,
    ),
  );
}

function remarkLines({ mark, tone, text }: Remark<Inert>, width: number, paint: Paint) {
  return wrap(text, width - 2 * gap).map(
    (line, index) => `  ${index === 0 ? paint(tone, mark) : ' '} ${line}`,
  );
}

function sectionLines(section: Section<Inert>, width: number, paint: Paint): readonly string[] {
  const columns = fitColumns(section, width, gap);
  const whole = columns.reduce((sum, column) => sum + column.width + gap, -gap);
  const lined = (cells: readonly Cell[]) => rowLines(cells, paint);
  const rule = lined(columns.map((one) => cellOf(one, [inert('─'.repeat(one.width))], 'quiet')));
  const titles = columns.map((one) => cellOf(one, wrap(one.column.title, one.width), 'strong'));
  const firstTotal = section.rows.findIndex(({ isTotal }) => isTotal);
  return [
    ...wrap(section.title, width).map((line) => paint('strong', line)),
    ...lined(titles),
    ...rule,
    ...section.rows.flatMap(({ tone, remarks }, row) => [
      ...(row === firstTotal ? rule : []),
      ...lined(columns.map((one) => cellAt(one, row, tone))),
      ...remarks.flatMap((remark) => remarkLines(remark, whole, paint)),
    ]),
    ...(section.note === undefined ? [] : wrap(section.note, width)),
  ];
}

/** A cell of a row: its lines are no wider than the column that they stand in. */
interface Cell {
  readonly lines: readonly Inert[];
  readonly style: Style;
  readonly width: number;
  readonly isRight?: boolean;
}

/** Cells beside each other, as many lines as the highest has. */
function rowLines(cells: readonly Cell[], paint: Paint): readonly string[] {
  const height = Math.max(...cells.map(({ lines }) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    cells
      .map(({ lines, style, width, isRight }) => {
        const line = lines[at] ?? inert('');
        const room = ' '.repeat(Math.max(0, width - widthOf(line)));
        return isRight ? room + paint(style, line) : paint(style, line) + room;
      })
      .join(' '.repeat(gap))
      .trimEnd(),
  );
}

function cellOf({ column, width }: Fitted, lines: readonly Inert[], style: Style): Cell {
  return { lines, style, width, isRight: column.kind !== 'text' };
}

/** What a row says in a column; the first one of the row may have a tone. */
function cellAt(one: Fitted, row: number, tone: Tone | undefined): Cell {
  const { column, cells, index, width } = one;
  const text = cells[row] ?? inert('');
  const style = (index === 0 && tone) || styleOf(column, text);
  return cellOf(one, column.kind === 'text' ? wrap(text, width) : [text], style);
}

/** What should be zero and isn't, and what is negative, stands out beyond its sign. */
function styleOf({ kind }: SectionColumn<Inert>, text: string): Style {
  if (kind === 'difference') return /[1-9]/.test(text) ? 'bad' : 'quiet';
  return kind === 'amount' && text.startsWith('-') ? 'unsure' : 'plain';
}
