import { magnitude, maxScale, parseDecimal } from '../../money/money.ts';
import { facts, listed } from './blocks.ts';
import type { CellKind, Records } from './columns.ts';
import { capitalised, many, present } from './phrase.ts';
import type { Block, Section, SectionKind, Tone } from './view.ts';

/** A report as a workbook, in plain values: no formula in it comes from data. */
export interface Workbook {
  /** What it is, in a line. */
  readonly title: string;
  /** The first sheet, which is read from top to bottom. */
  readonly summary: readonly TextBlock[];
  readonly tables: readonly TableSheet[];
}

/** A block that is no table. */
export type TextBlock = Exclude<Block, Section>;

/** A sheet with a row of titles, and under it a row a record. */
export interface TableSheet {
  /** At most 31 characters, none of `[]:*?/\`, no other sheet's name. */
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: readonly (readonly SheetCell[])[];
  /** How many of the last rows sum up the others; none where it is absent. */
  readonly totals?: number;
}

export interface SheetColumn {
  /** No other column of the sheet has it. */
  readonly title: string;
  /** Set where it says what a row is about, and stays in sight; such columns are the first ones. */
  readonly isKey?: boolean;
  /** Words that are coloured, wherever a cell is just that. */
  readonly tones?: Readonly<Record<string, Tone>>;
  /** Whether its texts are sentences, to be broken into lines. */
  readonly isProse?: boolean;
  /** Set where it is only for the screen; such columns are the last ones. */
  readonly isUnprinted?: boolean;
}

/** A text is itself; an empty one is an empty cell. */
export type SheetCell = string | NumberCell | DateCell | FormulaCell;

/** Minor units at `scale`, 0 for a count. A `difference` is one that should be zero. */
export interface NumberCell {
  readonly kind: 'amount' | 'difference' | 'count';
  readonly minor: bigint;
  readonly scale: number;
}

interface DateCell {
  readonly kind: 'date';
  /** YYYY-MM-DD, from 1900-03-01 on: before that, spreadsheets disagree. */
  readonly day: string;
}

interface FormulaCell {
  readonly kind: 'formula';
  /** In the language of spreadsheets, without `=`. */
  readonly formula: string;
  /** What it comes to, exactly. */
  readonly result: NumberCell;
}

/** A sheet has no more rows; CSV files do. */
export const mostSheetRows = 50_000;

/** Spreadsheets keep 15 digits of a number: a longer one has to be a text. */
export function isExactNumber(minor: bigint): boolean {
  return magnitude(minor) < 10n ** 15n;
}

/**
 * Whether a spreadsheet that adds up these minor units of one scale in floating point, and rounds the
 * sum to that scale, gets the exact sum: each addition is off by 2^-53 of the sum at most.
 */
export function addsUpExactly(amounts: readonly bigint[]): boolean {
  const sum = amounts.reduce((total, minor) => total + magnitude(minor), 0n);
  return amounts.every(isExactNumber) && sum * BigInt(amounts.length) < 2n ** 51n;
}

/** An amount, or an empty cell. */
export function amountCell(minor: bigint | undefined, scale: number): SheetCell {
  return minor === undefined ? '' : { kind: 'amount', minor, scale };
}

/** A day as a date; whatever else there is, as the text that it is. */
export function dateCell(text: string): SheetCell {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && text >= '1900-03-01';
  return isDay && !Number.isNaN(Date.parse(text)) ? { kind: 'date', day: text } : text;
}

/** A column of a sheet, and where its cells come from. */
export interface TableColumn<Row> extends SheetColumn {
  readonly cell: (row: Row) => SheetCell;
}

/** A sheet of rows. */
export function tableSheet<Row>(
  name: string,
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
): TableSheet {
  return {
    name,
    columns: columns.map(({ cell: _, ...column }) => column),
    rows: rows.map((row) => columns.map((column) => column.cell(row))),
  };
}

/** The letters of a column in formulas. RangeError for a title that the sheet doesn't have. */
export function columnLetters(columns: readonly SheetColumn[], title: string): string {
  const index = columns.findIndex((column) => column.title === title);
  if (index < 0) throw new RangeError(`No column ${title}`);
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : `${String.fromCharCode(64 + Math.floor(index / 26))}${last}`;
}

/** The cells of a column below its title, in formulas on any sheet: `Settlements!$C$2:$C$41`. */
export function columnRange(
  { name, columns }: Pick<TableSheet, 'name' | 'columns'>,
  title: string,
  rows: number,
): string {
  const letters = columnLetters(columns, title);
  return `${name}!$${letters}$2:$${letters}$${rows + 1}`;
}

/** What a view says in words, without its tables. */
export function textBlocks(view: readonly Block[]): readonly TextBlock[] {
  return view.flatMap((block) => (block.kind === 'section' ? [] : [block]));
}

/** What only the one who writes a workbook knows of it. */
export interface Writing {
  /** Amounts that are written as texts. */
  readonly longAmounts: number;
  /** Texts that were cut. */
  readonly cutTexts: number;
  /** ISO 8601; absent where nobody asks for it. */
  readonly madeAt: string | undefined;
}

/** What is said of the writing, at the end of the summary. */
export function blocksOfWriting({ longAmounts, cutTexts, madeAt }: Writing): readonly TextBlock[] {
  const amounts = many(longAmounts, 'amount has', 'amounts have');
  const texts = many(cutTexts, 'text is', 'texts are');
  const notes = present(
    longAmounts > 0 &&
      `${amounts} more than 15 digits and ${longAmounts === 1 ? 'is' : 'are'} written as text, ` +
        'because a spreadsheet would round such a number.',
    cutTexts > 0 && `${texts} longer than a cell and cut; --format json has the whole text.`,
  );
  return textBlocks([...listed('About this workbook', notes), facts([['Created', madeAt]])]);
}

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
