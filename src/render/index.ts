import type { RowViews, Views } from '../report/common/view.ts';
import { csv } from './csv.ts';
import type { Format } from './formats.ts';
import { json, ndjson } from './json.ts';
import { markdown } from './markdown.ts';
import type { Renderer, RenderOptions, RowText } from './renderer.ts';
import { table } from './table.ts';

const renderers: Readonly<Record<Format, Renderer>> = { table, csv, json, ndjson, markdown };

/** A report as text, in pieces to be written one after the other. */
export function render(format: Format, views: Views, options: RenderOptions): Iterable<string> {
  return renderers[format].report(views, options);
}

/** Text of a list that is written while its rows come in. */
export function rowText<Row, End>(
  format: Format,
  views: RowViews<Row, End>,
  options: RenderOptions,
): RowText<Row, End> {
  return renderers[format].list(views, options);
}
