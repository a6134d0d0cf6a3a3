import type { Value } from '../../model/value.ts';
import type { CellKind, Column, Records } from './columns.ts';

/** The version of everything in JSON. */
export const schema = 1;

/** The tone of a text. A renderer may colour it, but the text is complete without colour. */
export type Tone = 'good' | 'bad' | 'unsure' | 'quiet' | 'plain';

/** A report for a screen, the answer first. Any text may come from the service: renderers make views with safe texts of their own type. */
export type View<Text = string, Cell = Value> = readonly Block<Text, Cell>[];

export type Block<Text = string, Cell = Value> =
  | Answer<Text>
  | FactList<Text>
  | Section<Text, Cell>
  | Remarks<Text>;

export type TextBlock = Exclude<Block, Section>;

interface Answer<Text> {
  readonly kind: 'answer';
  readonly label: Text;
  readonly tone: Tone;
  readonly text: Text;
  readonly isOneOfSeveral?: boolean;
}

export interface FactList<Text> {
  readonly kind: 'facts';
  readonly facts: readonly (readonly [label: Text, value: Text])[];
}

/** A table with a title, and remarks under its rows. */
export interface Section<Text = string, Cell = Value> {
  readonly kind: 'section';
  readonly title: Text;
  readonly columns: readonly SectionColumn<Text>[];
  readonly rows: readonly SectionRow<Text, Cell>[];
  readonly note: Text | undefined;
  /** Whether a page shows only its title at first. */
  readonly isFolded?: boolean;
}

export interface SectionColumn<Text = string> {
  readonly title: Text;
  readonly kind: CellKind;
  /** On a narrow screen, columns with the highest number are left out first, together; 1 always stays. */
  readonly priority: number;
  /** Words up to this length are not broken; numbers never are. */
  readonly unbroken: number;
  readonly filters?: boolean;
}

interface SectionRow<Text, Cell> {
  readonly cells: readonly Cell[];
  readonly remarks: readonly Remark<Text>[];
  readonly tone?: Tone | undefined;
  readonly isTotal?: boolean;
}

export interface Remarks<Text = string> {
  readonly kind: 'remarks';
  readonly title: Text;
  readonly remarks: readonly Remark<Text>[];
}

export interface Remark<Text = string> {
  readonly mark: Text;
  readonly tone: Tone;
  readonly text: Text;
}

export interface Views {
  readonly view: () => View;
  /** What a ticket to the provider needs, in Markdown; absent if it is `view`. */
  readonly ticket?: () => View;
  /** The report with charts; absent if it is `view`. */
  readonly page?: () => ReportPage;
  readonly records: () => Records;
  readonly workbook?: () => Workbook;
  readonly document: () => object;
  readonly lines: () => Iterable<object>;
}

/** A list that is written as its rows are read, so its end is known last. */
export interface RowViews<Row, End> {
  readonly columns: readonly Column<Row>[];
  readonly json: {
    /** The query. */
    readonly about: object;
    /** The name of the list in a document, and the type of its lines. */
    readonly list: string;
    readonly type: string;
    readonly row: (row: Row) => object;
    readonly ending: (end: End) => object;
  };
  readonly maxShown: number;
  readonly shown: (rows: readonly Row[]) => View;
  readonly end: (end: End, shown: number) => View;
}

/** A report as a page: the blocks of a view, and charts between them. */
export type ReportPage = readonly (Block | Chart)[];

/**
 * How the rows of a chart's table are drawn. Its first column names the rows; the others are:
 * - `barsAndLine`: two amounts side by side, the first as a bar, the second as a line; then
 *   differences: a row is marked if one is not zero
 * - `signedBars`: differences, each a bar up or down from zero
 * - `waterfall`: an amount that starts at the end of the row above; a total starts at zero
 * - `bars`: an amount or a rate, as a bar from zero
 * - `ladder`: a waterfall from one total to the next, whose bad and unsure rows have a scale of their own beside it
 *
 * A row with a tone has its colour; without one, a difference is coloured as bad.
 */
export type ChartType = 'barsAndLine' | 'signedBars' | 'waterfall' | 'bars' | 'ladder';

/** A picture of a table. */
export interface Chart {
  readonly kind: 'chart';
  readonly type: ChartType;
  readonly text: string;
  readonly unit: string;
  /** Its title is that of the chart. */
  readonly table: Section;
}

/** A report as a workbook. No formula in it comes from data. */
export interface Workbook {
  readonly title: string;
  /** The first sheet, which is read from top to bottom; its tables have five columns at most. */
  readonly summary: readonly (TextBlock | SummaryTable)[];
  readonly tables: readonly TableSheet[];
}

/** A table within the summary. Its formulas say its own cells as if its titles were in row 1. */
export interface SummaryTable {
  readonly kind: 'table';
  readonly table: TableSheet;
  /** Whether a row adds up rows above it. */
  readonly isTotal: (row: number) => boolean;
}

export interface TableSheet {
  /** Unique, at most 31 characters, none of `[]:*?/\`. */
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: readonly (readonly SheetCell[])[];
  /** How many of the last rows sum up the others; none if absent. */
  readonly totals?: number;
  /** Whether paper has its totals only: all that it lists would fill many pages. */
  readonly isUnprinted?: boolean;
}

export interface SheetColumn {
  readonly title: string;
  /** Whether it stays in sight; such columns are the first ones. */
  readonly isKey?: boolean;
  /** Cells with exactly these texts are coloured. */
  readonly tones?: Readonly<Record<string, Tone>>;
  /** Whether its texts are sentences, which are broken into lines. */
  readonly isProse?: boolean;
  /** What may be chosen in it; anything else can be written too. */
  readonly choices?: readonly string[];
  /** Whether it is only for the screen; such columns are the last ones. */
  readonly isUnprinted?: boolean;
}

/** An empty text is an empty cell. */
export type SheetCell = string | NumberCell | DateCell | FormulaCell;

/** Minor units at `scale`, 0 for a count. A `difference` should be zero. */
export interface NumberCell {
  readonly kind: 'amount' | 'difference' | 'count';
  readonly minor: bigint;
  readonly scale: number;
}

interface DateCell {
  readonly kind: 'date';
  /** YYYY-MM-DD, from 1900-03-01 on: spreadsheets disagree on days before that. */
  readonly day: string;
}

interface FormulaCell {
  readonly kind: 'formula';
  /** In the language of spreadsheets, without `=`. */
  readonly formula: string;
  readonly result: NumberCell;
}
