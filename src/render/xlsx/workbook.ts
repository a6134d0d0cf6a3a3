import {
  type CellStyle,
  type ConditionalRule,
  colToLetter,
  type DataValidation,
  type MergeRange,
  rangeRef,
  type Cell as WritableCell,
  type WriteSheet,
  writeXlsx,
} from 'hucre/xlsx';
import { ReconError } from '../../base/errors.ts';
import { keysOf, largestOf } from '../../base/lists.ts';
import { cut } from '../../base/texts.ts';
import { formatMinor } from '../../money/money.ts';
import { grouped } from '../../report/common/phrase.ts';
import type {
  NumberCell,
  SheetCell,
  SheetColumn,
  SummaryTable,
  TableSheet,
  TextBlock,
  Tone,
  Views,
  Workbook,
} from '../../report/common/view.ts';
import { isExactNumber, maxSheetRows, writeNotes } from '../../report/common/workbook.ts';
import type { RenderOptions } from '../formats.ts';
import { type Inert, inert } from '../inert.ts';
import { widest, wrap } from '../wrap.ts';

/** The time in the properties unless one is asked for: the same data give the same bytes. */
const noTime = '2000-01-01T00:00:00Z';

type Options = Pick<RenderOptions, 'paper' | 'madeAt'>;
type Paper = NonNullable<Options['paper']>;
type PageSetup = NonNullable<WriteSheet['pageSetup']>;

/** The workbook of a report. RangeError for a report that has none. */
export async function renderViews({ workbook }: Views, options: Options) {
  if (!workbook) throw new RangeError('the report has no workbook');
  return renderWorkbook(workbook(), options);
}

/** The bytes of a workbook. Throws ReconError `usage` for one with more rows than a sheet has. */
export async function renderWorkbook(workbook: Workbook, { paper = 'a4', madeAt }: Options) {
  const { title, summary } = workbook;
  // A list without rows has no columns, and a sheet cannot be without one.
  const tables = workbook.tables.filter(({ columns }) => columns.length > 0);
  const cells = new CellWriter();
  const written = tables.map((table) => writtenTable(table, cells, paper));
  // The remarks are known only after writing.
  const blocks = [...summary, ...writeNotes(cells.longAmounts, cells.cutTexts, madeAt)];
  const shownTitle = inert(title);
  const made = new Date(madeAt ?? noTime);
  const footer = `&L${shownTitle.replaceAll('&', '&&')}&RPage &P of &N`;
  const sheets = [writtenSummary(shownTitle, blocks, cells, paper), ...written];
  return writeXlsx({
    defaultFont: font,
    properties: { title: shownTitle, creator: 'recon', created: made, modified: made },
    sheets: sheets.map((sheet) => ({
      ...sheet,
      headerFooter: { oddHeader: '&L&B&A', oddFooter: footer },
      pageSetup: {
        paperSize: paper,
        orientation: 'landscape',
        margins: { left: 0.4, right: 0.4, top: 0.6, bottom: 0.6 },
        ...sheet.pageSetup,
      },
    })),
    namedRanges: tables.flatMap((table, at) =>
      printedRanges(table, written[at]?.pageSetup === onOnePage),
    ),
  });
}

const onOnePage: PageSetup = { fitToPage: true, fitToWidth: 1, fitToHeight: 0 };

/** Of a font of 10 points, it leaves 8. */
const leastScale = 80;

/** Characters across paper in landscape format, and points down it in portrait, without the margins. */
const onPaper = { a4: [141, 755], letter: [132, 705] } as const;

/** As wide as one page, in 7 points at least; or else as many pages as it takes, in 8. */
function setupOf(width: number, paper: Paper): PageSetup {
  return width * 0.7 <= onPaper[paper][0] ? onOnePage : { scale: leastScale };
}

/** The printed area and the titles on each page, by the names that spreadsheets know. */
function printedRanges(
  { name, columns, rows, totals = 0, isUnprinted }: TableSheet,
  isOnOnePage: boolean,
) {
  const place = `'${name.replaceAll("'", "''")}'!`;
  const last = colToLetter(columns.filter(({ isUnprinted }) => !isUnprinted).length - 1);
  // The titles of a page are on it even if they are not in its area.
  const first = isUnprinted && totals > 0 ? rows.length - totals + 2 : 1;
  const range = `${place}$A$${first}:$${last}$${rows.length + 1}`;
  const keys = columns.filter(({ isKey }) => isKey).length;
  const beside = isOnOnePage || keys === 0 ? '' : `${place}$A:$${colToLetter(keys - 1)},`;
  return [
    { name: '_xlnm.Print_Area', scope: name, range },
    { name: '_xlnm.Print_Titles', scope: name, range: `${beside}${place}$1:$1` },
  ];
}

type Line = readonly [label: string, text: string, style?: CellStyle];

/** Texts stand in the second column, or across those of the tables. */
const widths = [22, 90] as const;
const widthsOfTables = [38, 8, 16, 10, 30] as const;
const besideText = 3;

const answerLines = 1.4;

/** The sheet `Summary`: labels on the left, and beside them what there is to say; tables from left to right. */
function writtenSummary(
  title: string,
  blocks: Workbook['summary'],
  cells: CellWriter,
  paper: Paper,
): WriteSheet {
  const hasTables = blocks.some(({ kind }) => kind === 'table');
  const columns = hasTables ? widthsOfTables : widths;
  const wrapsAt = columns.slice(1).reduce((sum, width) => sum + width + besideText, -1);
  const written = new Map<string, WrittenCell>([
    ['0,0', { ...cells.written(title), style: titleStyle }],
  ]);
  const heights = new Map([[0, answerLines]]);
  const merges: MergeRange[] = [];
  const starts: number[] = [];
  let at = 1;
  for (const block of blocks) {
    at += 1;
    starts.push(at);
    if (block.kind === 'table') {
      at = writeTable(block, at, cells, written, heights);
      continue;
    }
    for (const [label, text, style] of linesOf(block)) {
      const said = cells.written(text, { wrapsAt });
      written.set(`${at},0`, { ...cells.written(label), style: bold });
      written.set(`${at},1`, style ? { ...said, style } : said);
      heights.set(at, style ? answerLines : said.lines);
      const place = { startRow: at, startCol: 1, endRow: at, endCol: columns.length - 1 };
      if (hasTables) merges.push(place);
      at += 1;
    }
  }
  return {
    name: 'Summary',
    columns: columns.map((width) => ({ width: width + besideText })),
    cells: written,
    rowDefs: rowHeights(heights),
    ...(merges.length > 0 && { merges }),
    ...(hasTables
      ? {
          pageSetup: { orientation: 'portrait', scale: leastScale },
          rowBreaks: breaksBefore([...starts, at], heights, paper),
        }
      : { pageSetup: onOnePage }),
  };
}

/** The last row of each page: a block that has room on a page is on one. */
function breaksBefore(
  starts: readonly number[],
  heights: ReadonlyMap<number, number>,
  paper: Paper,
): number[] {
  const room = (onPaper[paper][1] * 100) / leastScale;
  const heightFrom = (start: number, end: number) =>
    Array.from({ length: end - start }, (_, at) => heightOf(heights.get(start + at) ?? 1)).reduce(
      (sum, height) => sum + height,
      0,
    );
  let first = 0;
  return starts.flatMap((start, at) => {
    if (start === first || heightFrom(first, starts[at + 1] ?? start) <= room) return [];
    first = start;
    return [start - 1];
  });
}

/** Writes a table from a row on: its name, its titles, its rows. The row below it. */
function writeTable(
  { table: { name, columns, rows }, isTotal }: SummaryTable,
  top: number,
  cells: CellWriter,
  written: Map<string, WrittenCell>,
  heights: Map<number, number>,
): number {
  written.set(`${top},0`, { ...cells.written(name), style: bold });
  for (const [column, { title }] of columns.entries()) {
    const isNumeric = rows.some((row) => typeof row[column] === 'object');
    const style = headerStyle(isNumeric ? 'right' : 'left');
    written.set(`${top + 1},${column}`, { ...cells.written(title), style });
  }
  for (const [index, row] of rows.entries()) {
    for (const [column, cell] of row.entries()) {
      const wrapsAt = columns[column]?.isProse ? widthsOfTables[column] : undefined;
      const one = cells.written(cell, { wrapsAt, isTotal: isTotal(index) });
      if (one.lines > 1) heights.set(top + 2 + index, one.lines);
      const formula = one.formula === undefined ? {} : { formula: movedDown(one.formula, top + 1) };
      written.set(`${top + 2 + index},${column}`, { ...one, ...formula });
    }
  }
  return top + 2 + rows.length;
}

/** A formula of a table whose titles are `rows` further down; what it says of other sheets stays. */
function movedDown(formula: string, rows: number): string {
  const reference = /(?:'[^']*'|\w+)!\$?[A-Z]+\$?\d+(?::\$?[A-Z]+\$?\d+)?|(\$?[A-Z]+)(\d+)\b/g;
  return formula.replace(reference, (whole: string, letters?: string, row?: string) =>
    letters === undefined ? whole : `${letters}${Number(row) + rows}`,
  );
}

function linesOf(block: TextBlock): readonly Line[] {
  switch (block.kind) {
    case 'answer':
      return [
        ['Result', block.label, answerStyle(block.tone)],
        ['', block.text],
      ];
    case 'facts':
      return block.facts;
    case 'remarks':
      return block.remarks.map(({ text }, index) => [index === 0 ? block.title : '', text]);
  }
}

const widestText = 50;
const widestProse = 80;
const leastProse = 22;
/** Widths are in digits; most letters are narrower. */
const lettersADigit = 1.08;
/** Characters across a page that prose fills: A4 at a scale of 84, letter at 78. */
const roomOfProse = (onPaper.a4[0] * 100) / 84;
const widthToFillIn = 12;
const besideCell = 2;

interface Layout {
  width: number;
  /** The style of its first cell that is not empty; cells with another style have their own. */
  style: CellStyle | undefined;
  readonly isProse: boolean;
  readonly isUnprinted: boolean;
  isNumeric: boolean;
  hasDifferences: boolean;
}

/** A table with fixed titles, filters, widths and colours. ReconError `usage` for more rows than a sheet has. */
function writtenTable(sheet: TableSheet, cells: CellWriter, paper: Paper): WriteSheet {
  const { name, columns, rows, totals = 0 } = sheet;
  const records = rows.length - totals;
  if (records > maxSheetRows) {
    const most = `a sheet has ${grouped(maxSheetRows)} at most`;
    const message = `The sheet ${name} would have ${grouped(records)} rows; ${most}.`;
    const hint = 'Use a shorter range, or a csv file: it has no limit.';
    throw new ReconError('usage', message, { hint });
  }
  const layouts = columns.map(firstLayout);
  const heights = new Map<number, number>();
  const special = new Map<string, Partial<WritableCell>>();
  const values = rows.map((row, index) =>
    row.map((cell, column) => {
      const wrapsAt = columns[column]?.isProse ? widestProse : undefined;
      const written = cells.written(cell, { wrapsAt, isTotal: index >= records });
      const layout = layouts[column];
      if (layout && cell !== '') adapt(layout, cell, written);
      const isUsual = cell === '' ? index < records : layout?.style === written.style;
      if (!isUsual || written.formula !== undefined || written.richText) {
        special.set(`${index + 1},${column}`, written);
      }
      return written.value;
    }),
  );
  for (const [column, layout] of layouts.entries()) {
    // A column without a value is there to be filled in.
    if (rows.length > 0 && !layout.style) layout.width = Math.max(layout.width, widthToFillIn);
    const { isNumeric, width } = layout;
    special.set(`0,${column}`, { style: headerStyle(isNumeric ? 'right' : 'left') });
    const title = wrap(inert(columns[column]?.title ?? ''), width + besideCell - 1);
    heights.set(0, Math.max(heights.get(0) ?? 1, title.length));
  }
  narrowProse(layouts, roomOfProse);
  for (const [index, row] of rows.entries()) {
    for (const [column, cell] of row.entries()) {
      if (!columns[column]?.isProse || typeof cell !== 'string') continue;
      const width = Math.floor((layouts[column]?.width ?? 0) * lettersADigit);
      const { length } = wrap(inert(cell), width);
      if (length > (heights.get(index + 1) ?? 1)) heights.set(index + 1, length);
    }
  }
  return {
    name,
    columns: layouts.map(({ width, style }) => ({
      width: width + besideCell,
      ...(style && { style }),
    })),
    rows: [columns.map(({ title }) => title), ...values],
    cells: special,
    rowDefs: rowHeights(heights),
    pageSetup: setupOf(printedWidth(layouts), paper),
    freezePane: { rows: 1, columns: columns.filter(({ isKey }) => isKey).length },
    autoFilter: { range: rangeRef(0, 0, records, columns.length - 1) },
    conditionalRules: colourRules(sheet, layouts),
    dataValidations: columns.flatMap(({ choices = [] }, column) => {
      const range = rangeRef(1, column, records, column);
      return choices.length === 0 || records === 0 ? [] : [choiceOf(choices, range)];
    }),
  };
}

/** A list to choose from, without an alarm where something else is written. */
function choiceOf(choices: readonly string[], range: string): DataValidation {
  return { type: 'list', values: [...choices], allowBlank: true, showErrorMessage: false, range };
}

function firstLayout({
  title,
  isProse = false,
  isUnprinted = false,
  choices = [],
}: SheetColumn): Layout {
  // Titles are bold.
  const words = title.split(' ').map((word) => word.length + 1);
  const width = isProse ? leastProse : largestOf([...words, ...choices.map((one) => one.length)]);
  return { width, style: undefined, isProse, isUnprinted, isNumeric: false, hasDifferences: false };
}

/** Sentences take the room that the other columns of a page leave. */
function narrowProse(layouts: readonly Layout[], room: number): void {
  const prose = layouts.filter(({ isProse }) => isProse);
  const count = prose.filter(({ isUnprinted }) => !isUnprinted).length;
  const left = room - printedWidth(layouts.filter(({ isProse }) => !isProse));
  const most = Math.max(leastProse, Math.floor(left / count) - besideCell);
  for (const layout of prose) layout.width = Math.min(layout.width, most);
}

function printedWidth(layouts: readonly Layout[]): number {
  return layouts.reduce(
    (sum, { width, isUnprinted }) => (isUnprinted ? sum : sum + width + besideCell),
    0,
  );
}

function adapt(layout: Layout, cell: SheetCell, { style, width }: WrittenCell): void {
  const most = layout.isProse ? widestProse : typeof cell === 'string' ? widestText : width;
  layout.width = Math.max(layout.width, Math.min(width, most));
  layout.style ??= style;
  if (typeof cell === 'string' || cell.kind === 'date') return;
  const { kind } = cell.kind === 'formula' ? cell.result : cell;
  layout.isNumeric = true;
  layout.hasDifferences ||= kind === 'difference';
}

function colourRules({ columns, rows: { length: rows } }: TableSheet, layouts: readonly Layout[]) {
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
  return rules.map(
    (rule, index): ConditionalRule => ({ type: 'expression', priority: index + 1, ...rule }),
  );
}

interface WrittenCell
  extends Pick<WritableCell, 'value' | 'formula' | 'formulaResult' | 'richText'> {
  readonly style: CellStyle;
  readonly width: number;
  readonly lines: number;
}

interface CellForm {
  /** Characters at which its text is broken into lines; absent if it stays on one. */
  readonly wrapsAt?: number | undefined;
  readonly isTotal?: boolean;
}

/** A cell holds 32,767 characters, including the mark of a cut text. */
const longestText = 32_766;

/** Writes the cells of one workbook. What a spreadsheet would silently change or drop is written otherwise, and counted. */
class CellWriter {
  /** Amounts that are written as texts, because a spreadsheet would round them. */
  longAmounts = 0;
  cutTexts = 0;
  readonly #styles = new Map<string, CellStyle>();

  written(cell: SheetCell, form: CellForm = {}): WrittenCell {
    if (typeof cell === 'string') return this.#text(cell, form);
    if (cell.kind === 'date') {
      const value = new Date(`${cell.day}T00:00:00Z`);
      const style = this.#style('yyyy-mm-dd', form, 'left');
      return { value, style, width: cell.day.length, lines: 1 };
    }
    if (cell.kind !== 'formula') return this.#number(cell, form);
    const { value, ...written } = this.#number(cell.result, form);
    // A total that is too long for a number cannot be a formula either.
    if (typeof value !== 'number') return { value, ...written };
    return { ...written, value: null, formula: cell.formula, formulaResult: value };
  }

  #number(cell: NumberCell, form: CellForm): WrittenCell {
    const { minor, scale } = cell;
    const digits = formatMinor(minor, scale);
    // Separators are narrow.
    const width = digits.length + Math.floor(digits.length / 6);
    if (isExactNumber(minor)) {
      const style = this.#style(numberFormat(cell), form);
      return { value: Number(digits), style, width, lines: 1 };
    }
    this.longAmounts += 1;
    return { value: digits, style: this.#style('@', form, 'right'), width, lines: 1 };
  }

  #text(text: string, form: CellForm): WrittenCell {
    // A cell of the format `@` stays text, even if it begins like a formula and is edited.
    const style = this.#style('@', form, 'left');
    if (text === '') return { value: null, style, width: 0, lines: 1 };
    const seen = this.#seen(text);
    const shown = form.wrapsAt === undefined ? [seen] : wrap(seen, form.wrapsAt);
    const capitals = seen.replaceAll(/[^A-Z]/g, '').length;
    const size = { width: widest(shown) + Math.ceil(capitals / 4), lines: shown.length };
    const value = readAsIs(seen);
    // The library would make an error of the name of one, but for a text in runs.
    if (value.startsWith('#')) return { value, richText: [{ text: value }], style, ...size };
    return { value, style, ...size };
  }

  #seen(text: string): Inert {
    const seen = inert(text);
    if (seen.length > longestText) this.cutTexts += 1;
    return cut(seen, longestText) as Inert;
  }

  #style(numFmt: string, { wrapsAt, isTotal = false }: CellForm, horizontal?: 'left' | 'right') {
    const key = `${numFmt} ${wrapsAt === undefined} ${isTotal} ${horizontal}`;
    const known = this.#styles.get(key);
    if (known) return known;
    const style: CellStyle = {
      numFmt,
      alignment: {
        vertical: 'top',
        ...(wrapsAt !== undefined && { wrapText: true }),
        ...(horizontal && aligned(horizontal)),
      },
      ...(isTotal && totalStyle),
    };
    this.#styles.set(key, style);
    return style;
  }
}

/** The text as readers of the format get it back: to them `_x0041_` is an A, and U+FFFF no XML. */
function readAsIs(text: string): string {
  return text.replace(/[\ufffe\uffff]/g, '\ufffd').replace(/_x(?=[\dA-Fa-f]{4}_)/g, '_x005F_x');
}

function numberFormat({ kind, scale }: NumberCell): string {
  const digits = scale === 0 ? '#,##0' : `#,##0.${'0'.repeat(scale)}`;
  return kind === 'difference' ? `+${digits};-${digits};${digits}` : digits;
}

/** As wide in every program, because each has it or one of the same measures. */
const font = { name: 'Arial', size: 10 } as const;

const bold: CellStyle = { font: { ...font, bold: true }, alignment: { vertical: 'top' } };

const titleStyle: CellStyle = { font: { ...font, bold: true, size: 14 } };

const totalStyle: CellStyle = { font: { ...font, bold: true }, border: { top: { style: 'thin' } } };

/** Texts are indented to stand apart from a number in the column before. */
function aligned(horizontal: 'left' | 'right'): NonNullable<CellStyle['alignment']> {
  return horizontal === 'left' ? { horizontal, indent: 1 } : { horizontal };
}

function headerStyle(horizontal: 'left' | 'right'): CellStyle {
  return {
    font: { ...font, bold: true },
    fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: 'E7EBF0' } },
    // A gap of white keeps titles apart that fill their columns.
    border: { bottom: { style: 'thin' }, left: { style: 'medium', color: { rgb: 'FFFFFF' } } },
    alignment: { ...aligned(horizontal), vertical: 'bottom', wrapText: true },
  };
}

/** Text and background of a tone, in spreadsheets' usual colours; only deviations have a background. */
const colours: Readonly<Partial<Record<Tone, readonly [text: string, ground?: string]>>> = {
  good: ['006100'],
  bad: ['9C0006', 'FFC7CE'],
  unsure: ['9C5700', 'FFEB9C'],
};

function ruleStyle(tone: Tone): ConditionalRule['style'] {
  const [text, ground] = colours[tone] ?? [];
  if (text === undefined) return undefined;
  const font = { color: { rgb: text } };
  // In a rule, a solid fill is its background.
  return ground === undefined
    ? { font }
    : { font, fill: { type: 'pattern', pattern: 'solid', bgColor: { rgb: ground } } };
}

function answerStyle(tone: Tone): CellStyle {
  const [text] = colours[tone] ?? [];
  return {
    ...bold,
    font: { ...font, bold: true, size: 14, ...(text !== undefined && { color: { rgb: text } }) },
  };
}

/** The heights of rows with more than one line: not every program computes them. */
function rowHeights(lines: ReadonlyMap<number, number>): Map<number, { height: number }> {
  return new Map([...lines].map(([row, count]) => [row, { height: heightOf(count) }]));
}

/** Points of a row: some fonts need more than the usual height. */
function heightOf(lines: number): number {
  return 13 * lines + 2;
}
