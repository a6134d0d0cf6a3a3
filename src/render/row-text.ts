import type { View } from '../report/common/view.ts';
import type { RowViews } from '../report/common/views.ts';
import { csvText } from './csv.ts';
import type { Format } from './formats.ts';
import type { RenderOptions } from './index.ts';
import { inertJson } from './inert.ts';
import { ndjsonLine } from './json.ts';
import { renderMarkdown } from './markdown.ts';
import { renderTable } from './table.ts';

/** Makes text of a list while its rows come in. */
export interface RowText<Row, End> {
  /** Before the first row. */
  opening(): string;
  rows(rows: readonly Row[]): string;
  closing(end: End): string;
}

type Maker = <Row, End>(views: RowViews<Row, End>, options: RenderOptions) => RowText<Row, End>;

const makers: Readonly<Record<Format, Maker>> = {
  csv: ({ columns }, { dialect }) => {
    const { header, lines } = csvText(columns, dialect);
    return {
      opening: () => header,
      rows: (rows) => lines(rows.map((row) => columns.map((column) => column.value(row)))),
      closing: () => '',
    };
  },
  json: ({ document }) => documentText(document),
  ndjson: ({ line, lastLine }) => ({
    opening: () => '',
    rows: (rows) => rows.map((row) => ndjsonLine(line(row))).join(''),
    closing: (end) => ndjsonLine(lastLine(end)),
  }),
  table: (views, { screen }) => readableText(views, (view) => renderTable(view, screen)),
  markdown: (views) => readableText(views, renderMarkdown),
};

/** The text of a list in one of the formats. */
export function rowText<Row, End>(
  format: Format,
  views: RowViews<Row, End>,
  options: RenderOptions,
): RowText<Row, End> {
  return makers[format](views, options);
}

/** One document, with a row a line. */
function documentText<Row, End>(document: RowViews<Row, End>['document']): RowText<Row, End> {
  const { opening, list, row, closing } = document;
  const lines = (rows: readonly Row[]) => rows.map((one) => `\n    ${JSON.stringify(row(one))}`);
  let before = '';
  return {
    opening: () => `{${members(opening)},\n  ${JSON.stringify(list)}: [`,
    rows: (rows) => {
      const text = `${before}${inertJson(lines(rows).join(','))}`;
      before = ',';
      return text;
    },
    closing: (end) => `${before === '' ? '' : '\n  '}],${members(closing(end))}\n}\n`,
  };
}

/** The members of an object, as indented JSON without its braces. */
function members(object: object): string {
  return inertJson(JSON.stringify(object, null, 2)).slice(1, -2);
}

/** The first rows as soon as there are enough of them for a screen; what is to be said at the end. */
function readableText<Row, End>(
  { mostShown, shown, end: last }: RowViews<Row, End>,
  renderView: (view: View) => string,
): RowText<Row, End> {
  const first: Row[] = [];
  const table = () => (first.length === 0 ? '' : `${renderView(shown(first))}\n`);
  return {
    opening: () => '',
    rows: (rows) => {
      if (first.length === mostShown) return '';
      first.push(...rows.slice(0, mostShown - first.length));
      return first.length === mostShown ? table() : '';
    },
    closing: (end) =>
      (first.length < mostShown ? table() : '') + renderView(last(end, first.length)),
  };
}
