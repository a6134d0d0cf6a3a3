import type { Block, Section } from './view.ts';

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
