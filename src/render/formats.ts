import type { RowBatch, RowTexts } from '../model/row-batch.ts';
import type { RowViews, View, Views } from '../report/common/view.ts';

export const formats = ['table', 'csv', 'json', 'ndjson'] as const;

/** With the formats that finance sends to others: a workbook, and a page with charts. */
export const handedOnFormats = [...formats, 'xlsx', 'html'] as const;

/** With the format for tickets: explanations for the provider, and bank entries. */
export const ticketFormats = [...handedOnFormats, 'markdown'] as const;

export type Format = (typeof ticketFormats)[number];

/** `rfc`: RFC 4180. `excel` opens in Excel directly, `excel-eu` in Excel with decimal commas. */
export const dialects = ['rfc', 'excel', 'excel-eu'] as const;

export type Dialect = (typeof dialects)[number];

export const papers = ['a4', 'letter'] as const;

export type Paper = (typeof papers)[number];

export interface RenderOptions {
  readonly dialect: Dialect;
  readonly screen: {
    readonly width: number;
    readonly colour: boolean;
    /** Lines of the terminal, infinite if unknown; absent if the output is not a terminal. */
    readonly rows?: number | undefined;
  };
  /** `a4` if absent. */
  readonly paper?: Paper | undefined;
  /** When the report was made, as ISO 8601; absent unless requested, so the same data give the same bytes. */
  readonly madeAt?: string | undefined;
}

export interface ListRenderer {
  readonly report: (views: Views, options: RenderOptions) => Iterable<string>;
  readonly list: <Row, End>(views: RowViews<Row, End>, options: RenderOptions) => RowText<Row, End>;
}

export interface RowText<Row, End> {
  readonly opening: string;
  rows(rows: readonly Row[]): string;
  /** Makes the same text of rows that are still in columns, if it can. */
  readonly batches?: BatchText<Row>;
  closing(end: End): string;
}

export interface BatchText<Row> {
  /** The records of rows of one settlement; `rowAt` puts one of them together. */
  bytes(
    batch: Pick<RowBatch, 'length' | 'figures' | 'kinds'>,
    texts: RowTexts,
    rowAt: (index: number) => Row,
  ): Buffer;
}

/** The first rows as soon as there are enough to read; the remarks at the end. */
export function readableList<Row, End>(
  { maxShown, shown, end: last }: RowViews<Row, End>,
  renderView: (view: View) => string,
): RowText<Row, End> {
  const first: Row[] = [];
  const table = () => (first.length === 0 ? '' : `${renderView(shown(first))}\n`);
  return {
    opening: '',
    rows: (rows) => {
      if (first.length === maxShown) return '';
      first.push(...rows.slice(0, maxShown - first.length));
      return first.length === maxShown ? table() : '';
    },
    closing: (end) =>
      (first.length < maxShown ? table() : '') + renderView(last(end, first.length)),
  };
}
