import Table from 'cli-table3';
import { largestOf } from '../base/lists.ts';
import type {
  Block,
  FactList,
  Remark,
  Section,
  SectionColumn,
  Tone,
  View,
} from '../report/common/view.ts';
import { type ListRenderer, type RenderOptions, readableList } from './formats.ts';
import { type Inert, inert, inertView, isNumeric, shown } from './inert.ts';
import { alignedNumbers, widest, wrap } from './wrap.ts';

/** For a screen: as wide as it is, with or without colour. */
export const table: ListRenderer = {
  report: (views, { screen }) => [renderTable(views.view(), screen)],
  list: (views, { screen }) => readableList(views, (view) => renderTable(view, screen)),
};

/** On a narrower screen, lines are longer than the screen. */
const narrowest = 40;
const gap = 2;
const narrowTable = 88;

const borderless = Object.fromEntries(
  Object.keys(new Table().options.chars).map((place) => [place, '']),
);

function renderTable(view: View, screen: RenderOptions['screen']): string {
  const width = Math.max(screen.width, narrowest);
  const paint = painter(screen.colour);
  const blocks = inertView(view, shown);
  const text = blocks.map((block) => `${blockLines(block, width, paint).join('\n')}\n`).join('\n');
  const [answer] = blocks;
  const isLong = text.split('\n').length > (screen.rows ?? Number.POSITIVE_INFINITY);
  // The first lines of a long report have left the screen.
  if (!isLong || answer?.kind !== 'answer' || answer.isOneOfSeveral) return text;
  return `${text}\n${blockLines(answer, width, paint)[0]}\n`;
}

function blockLines(block: Block<Inert, Inert>, width: number, paint: Paint): readonly string[] {
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
function factLines(facts: FactList<Inert>['facts'], width: number, paint: Paint) {
  const labels = facts.map(([label]) => wrap(label, Math.floor(width / 2) - gap));
  const labelWidth = widest(labels.flat());
  const valueWidth = width - labelWidth - gap;
  const rows = facts.map(([, value], index) => [
    painted(labels[index] ?? [], 'quiet', paint),
    painted(wrap(value, valueWidth), 'plain', paint),
  ]);
  return laidOut(rows, [{ width: labelWidth }, { width: valueWidth }]).flat();
}

function remarkLines({ mark, tone, text }: Remark<Inert>, width: number, paint: Paint) {
  return wrap(text, width - 2 * gap).map(
    (line, index) => `  ${index === 0 ? paint(tone, mark) : ' '} ${line}`,
  );
}

function sectionLines(section: Section<Inert, Inert>, width: number, paint: Paint) {
  const columns = fitColumns(section, width, gap);
  const whole = columns.reduce((sum, column) => sum + column.width + gap, -gap);
  const said = Math.max(whole, Math.min(width, narrowTable));
  const rule = columns.map(({ width }) => painted([inert('─'.repeat(width))], 'quiet', paint));
  const firstTotal = section.rows.findIndex(({ isTotal }) => isTotal);
  const titles = columns.map(({ column, width }) =>
    painted(wrap(column.title, width), 'strong', paint),
  );
  const aligns = columns.map(({ column, width }) => ({ width, isRight: isNumeric(column.kind) }));
  const cells = section.rows.map(({ tone }, row) =>
    columns.map((column) => cellOf(column, row, tone, paint)),
  );
  const [titleLines = [], ruleLines = [], ...rows] = laidOut([titles, rule, ...cells], aligns);
  return [
    ...wrap(section.title, width).map((line) => paint('strong', line)),
    ...titleLines,
    ...ruleLines,
    ...section.rows.flatMap(({ remarks }, row) => [
      ...(row === firstTotal ? ruleLines : []),
      ...(rows[row] ?? []),
      ...remarks.flatMap((remark) => remarkLines(remark, said, paint)),
    ]),
    ...(section.note === undefined ? [] : wrap(section.note, width)),
  ];
}

type Cell = readonly string[];

function painted(lines: readonly Inert[], style: Style, paint: Paint): Cell {
  return lines.map((line) => paint(style, line));
}

/** The time of cli-table3 grows with the square of the lines, so it lays out a few at a time. */
const linesAtOnce = 32;

type Place = Pick<Sized, 'width'> & { readonly isRight?: boolean };

function laidOut(rows: readonly (readonly Cell[])[], columns: readonly Place[]) {
  const options = {
    chars: borderless,
    // Without these, it colours head and border.
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': gap },
    colWidths: columns.map(({ width }) => width + gap),
    colAligns: columns.map(({ isRight }) => (isRight ? ('right' as const) : ('left' as const))),
  };
  const heights = rows.map((cells) => largestOf([0, ...cells.map(({ length }) => length)]));
  const lines = rows.flatMap((cells, row) =>
    Array.from({ length: heights[row] ?? 0 }, (_, at) => cells.map((texts) => texts[at] ?? '')),
  );
  const shown: string[] = [];
  for (let at = 0; at < lines.length; at += linesAtOnce) {
    const table = new Table(options);
    for (const line of lines.slice(at, at + linesAtOnce)) table.push(line);
    for (const line of table.toString().split('\n')) shown.push(line.trimEnd());
  }
  return heights.map((height) => shown.splice(0, height));
}

function cellOf(one: Sized, row: number, tone: Tone | undefined, paint: Paint): Cell {
  const { column, cells, index, width } = one;
  const text = cells[row] ?? inert('');
  const style = (index === 0 && tone) || styleOf(column, text);
  return painted(isNumeric(column.kind) ? [text] : wrap(text, width), style, paint);
}

/** Differences and negative amounts stand out beyond their sign. */
function styleOf({ kind }: SectionColumn<Inert>, text: string): Style {
  if (kind === 'difference') return /[1-9]/.test(text) ? 'bad' : 'quiet';
  return (kind === 'amount' || kind === 'change') && text.startsWith('-') ? 'unsure' : 'plain';
}

interface Sized {
  readonly index: number;
  readonly column: SectionColumn<Inert>;
  /** From top to bottom, as they are shown: widths are measured on them. */
  readonly cells: readonly Inert[];
  readonly width: number;
  readonly least: number;
  /** The width at which no id is broken. */
  readonly whole: number;
  readonly most: number;
}

/** Texts are not wrapped to less if there is room. */
const readable = 12;

const longestId = 36;

/**
 * Chooses the columns that fit on a screen, those of one priority together, the most important first: digits are
 * never cut or wrapped, and an id is whole before a less important column has its place. Wrapped texts get the rest.
 */
function fitColumns(section: Section<Inert, Inert>, width: number, gap: number): readonly Sized[] {
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
  // `room` is negative if the screen is too narrow: then texts become narrower.
  const widened = chosen.map((one) => {
    const { column, width, most } = one;
    const extra = isNumeric(column.kind) ? 0 : Math.max(Math.min(room, most - width), 1 - width);
    room -= extra;
    return { ...one, width: width + extra };
  });
  return widened.sort((a, b) => a.index - b.index);
}

function sizes({ columns, rows }: Section<Inert, Inert>): readonly Sized[] {
  return columns
    .map((column, index) => {
      const texts = rows.map((row) => row.cells[index] ?? inert(''));
      const cells = isNumeric(column.kind) ? alignedNumbers(texts) : texts;
      const title = longestWord([column.title]);
      const most = Math.max(title, widest(cells));
      const word = longestWord(cells);
      const widthWith = (unbroken: number) =>
        isNumeric(column.kind)
          ? most
          : Math.min(most, Math.max(title, Math.min(word, unbroken), readable));
      const least = widthWith(column.unbroken);
      const whole = Math.max(least, widthWith(longestId));
      return { index, column, cells, width: least, least, whole, most };
    })
    .sort((a, b) => a.column.priority - b.column.priority || a.index - b.index);
}

function longestWord(texts: readonly string[]): number {
  return widest(texts.flatMap((text) => text.split(' ')));
}

type Style = Tone | 'strong';

const codes: Readonly<Record<Style, string>> = {
  good: '32',
  bad: '31',
  unsure: '33',
  quiet: '2',
  strong: '1',
  plain: '',
};

/** Styles a line of text. Its codes are all that acts on a screen. */
type Paint = (style: Style, line: Inert) => Inert;

/** Without colour no line is styled. Spaces at the end, which only align, never are. */
export function painter(colour: boolean): Paint {
  return (style, line) => {
    const seen = line.trimEnd();
    if (!colour || codes[style] === '' || seen === '') return line;
    return `\x1b[${codes[style]}m${seen}\x1b[0m${line.slice(seen.length)}` as Inert;
  };
}

export function renderLine(text: string, tone: Tone, colour: boolean): string {
  return `${painter(colour)(tone, shown(text))}\n`;
}
