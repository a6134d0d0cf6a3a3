import type { Block, Remark, Section, SectionColumn, View } from '../report/view.ts';
import { alignDecimals } from './decimals.ts';
import { type Inert, inert, shown } from './inert.ts';
import { inertView } from './inert-view.ts';
import { type Fitted, fitColumns } from './layout.ts';
import { type Paint, painter, type Style } from './style.ts';
import { widest, widthOf, wrap } from './wrap.ts';

export interface Screen {
  /** Columns of the terminal. */
  readonly width: number;
  readonly colour: boolean;
}

/** Below this nothing can be laid out; lines are then longer than the screen. */
const narrowest = 40;
const gap = 2;
const between = ' '.repeat(gap);
const nothing = inert('');

/** A view as text for a screen. */
export function renderTable(view: View, screen: Screen): string {
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
    sideBySide(
      [
        { lines: labels[index] ?? [], width: labelWidth, style: 'quiet' },
        { lines: wrap(value, valueWidth), width: valueWidth, style: 'plain' },
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

function sectionLines(raw: Section<Inert>, width: number, paint: Paint): readonly string[] {
  const section = aligned(raw);
  const columns = fitColumns(section, width, gap);
  const whole = columns.reduce((sum, column) => sum + column.width + gap, -gap);
  return [
    ...wrap(section.title, width).map((line) => paint('strong', line)),
    ...sideBySide(
      columns.map(({ column, width }) => ({
        lines: wrap(column.title, width),
        width,
        style: 'strong',
        isRight: column.kind !== 'text',
      })),
      paint,
    ),
    ...sideBySide(
      columns.map(({ width }) => ({ lines: [inert('─'.repeat(width))], width, style: 'quiet' })),
      paint,
    ),
    ...section.rows.flatMap((row) => [
      ...sideBySide(
        columns.map((column) => dataPart(column, row)),
        paint,
      ),
      ...row.remarks.flatMap((remark) => remarkLines(remark, whole, paint)),
    ]),
    ...(section.note === undefined ? [] : wrap(section.note, width)),
  ];
}

/** What stands beside others, in a column of its own. */
interface Part {
  readonly lines: readonly Inert[];
  readonly width: number;
  readonly style: Style;
  readonly isRight?: boolean;
}

function sideBySide(parts: readonly Part[], paint: Paint): readonly string[] {
  const height = Math.max(...parts.map(({ lines }) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    parts
      .map(({ lines, width, style, isRight }) => {
        const line = lines[at] ?? nothing;
        const room = ' '.repeat(Math.max(0, width - widthOf(line)));
        return isRight ? room + paint(style, line) : paint(style, line) + room;
      })
      .join(between)
      .trimEnd(),
  );
}

/** With decimals aligned: what is measured is what is shown. */
function aligned(section: Section<Inert>): Section<Inert> {
  const columns = section.columns.map(({ kind }, index) => {
    const cells = section.rows.map((row) => row.cells[index] ?? nothing);
    return kind === 'text' ? cells : alignDecimals(cells);
  });
  const rows = section.rows.map((row, index) => ({
    ...row,
    cells: columns.map((cells) => cells[index] ?? nothing),
  }));
  return { ...section, rows };
}

function dataPart({ column, index, width }: Fitted, row: Section<Inert>['rows'][number]): Part {
  const text = row.cells[index] ?? nothing;
  const isRight = column.kind !== 'text';
  const style = (index === 0 && row.tone) || styleOf(column, text);
  return { lines: isRight ? [text] : wrap(text, width), width, style, isRight };
}

/** What should be zero and isn't, and what is negative, stands out beyond its sign. */
function styleOf({ kind }: SectionColumn<Inert>, text: string): Style {
  if (kind === 'difference') return /[1-9]/.test(text) ? 'bad' : 'quiet';
  return kind === 'amount' && text.startsWith('-') ? 'unsure' : 'plain';
}
