import type { Column, ColumnKind, Records } from './columns.ts';
import type { Workbook } from './workbook.ts';

/** The version of everything in JSON. */
export const schema = 1;

/** How a text is meant. A renderer may colour it, and shows it without colour too. */
export type Tone = 'good' | 'bad' | 'unsure' | 'quiet' | 'plain';

/**
 * A report for a screen: blocks from top to bottom, the answer first. Texts of the service may stand
 * in every text of it; who shows a view makes one with texts of another type, which can do no harm.
 */
export type View<Text = string> = readonly Block<Text>[];

export type Block<Text = string> = Answer<Text> | FactList<Text> | Section<Text> | Remarks<Text>;

/** The answer in one sentence, and before it in two words. */
interface Answer<Text> {
  readonly kind: 'answer';
  readonly label: Text;
  readonly tone: Tone;
  readonly text: Text;
  /** Set if it answers for one of several things of a report, not for all of them. */
  readonly isPart?: boolean;
}

/** What the report is about: labels and values. */
interface FactList<Text> {
  readonly kind: 'facts';
  readonly facts: readonly (readonly [label: Text, value: Text])[];
}

/** A table with a title, and under each row what is to be said about it. */
export interface Section<Text = string> {
  readonly kind: 'section';
  readonly title: Text;
  readonly columns: readonly SectionColumn<Text>[];
  readonly rows: readonly SectionRow<Text>[];
  /** What isn't shown, and where it is. */
  readonly note: Text | undefined;
}

export interface SectionColumn<Text = string> {
  readonly title: Text;
  readonly kind: SectionKind;
  /** 1 always stays. On a narrow screen the highest go first, those of one number together. */
  readonly priority: number;
  /** Words of a text up to this length are kept whole. Digits always are. */
  readonly unbroken: number;
  /** Whether a page offers to show only the rows with one of its values. */
  readonly filters?: boolean;
}

/** A `difference` is an amount that should be zero. */
export type SectionKind = ColumnKind | 'difference';

interface SectionRow<Text> {
  readonly cells: readonly Text[];
  readonly remarks: readonly Remark<Text>[];
  /** How the first cell of the row is meant. */
  readonly tone?: Tone | undefined;
  /** Whether it sums up rows above; such rows are the last ones. */
  readonly isTotal?: boolean;
}

export interface Remarks<Text = string> {
  readonly kind: 'remarks';
  readonly title: Text;
  readonly remarks: readonly Remark<Text>[];
}

/** A sentence with a mark before it that says what colour alone mustn't. */
export interface Remark<Text = string> {
  readonly mark: Text;
  readonly tone: Tone;
  readonly text: Text;
}

/** A result in each of the shapes that formats are made from. Made only when asked for. */
export interface Views {
  readonly view: () => View;
  /** The report as the provider may read it, in Markdown; absent where the view itself may go out. */
  readonly forProvider?: () => View;
  /** The report with charts; absent where the view is the page. */
  readonly page?: () => ReportPage;
  readonly records: () => Records;
  /** Absent where no workbook is offered. */
  readonly workbook?: () => Workbook;
  readonly document: () => object;
  readonly lines: () => Iterable<object>;
}

/**
 * A list that is written while its rows come in, in each of the shapes that formats are made from.
 * What is said at the end is known only then.
 */
export interface RowViews<Row, End> {
  readonly columns: readonly Column<Row>[];
  /** JSON: what was asked for, the list by its name, the type of its lines, and how it ended. */
  readonly json: {
    readonly about: object;
    readonly list: string;
    readonly type: string;
    readonly row: (row: Row) => object;
    readonly ending: (end: End) => object;
  };
  /** A screen shows so many rows. */
  readonly mostShown: number;
  readonly shown: (rows: readonly Row[]) => View;
  readonly end: (end: End, shown: number) => View;
}

/** A report as a page: the blocks of a view, and charts between them. */
export type ReportPage = readonly (Block | Chart)[];

/**
 * How the rows of a chart's table are drawn. Its first column names the rows; the others are:
 * - `compared`: two amounts side by side, the first as a bar, the second as a line; then differences,
 *   by which a row is marked where one is not zero
 * - `signed`: differences, each a bar up or down from zero
 * - `waterfall`: an amount that goes on where the row above ended; a total goes back to zero
 * - `lengths`: an amount or a rate, as a bar from zero
 */
export type ChartForm = 'compared' | 'signed' | 'waterfall' | 'lengths';

/** A picture of a table: what is drawn is what the table says, in exact decimal text. */
export interface Chart {
  readonly kind: 'chart';
  readonly form: ChartForm;
  /** What it shows and how to read it, in a sentence or two. */
  readonly text: string;
  /** Of all that is drawn: a currency, or `%`. */
  readonly unit: string;
  /** Its title is that of the chart. */
  readonly table: Section;
}
