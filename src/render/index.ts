import type { Views } from '../report/common/views.ts';
import { renderCsv } from './csv.ts';
import type { Dialect, Format } from './formats.ts';
import { renderJson, renderNdjson } from './json.ts';
import { renderMarkdown } from './markdown.ts';
import { renderTable, type Screen } from './table.ts';

/** What formats can be told. Each takes what concerns it. */
export interface RenderOptions {
  readonly dialect: Dialect;
  readonly screen: Screen;
}

type Renderer = (views: Views, options: RenderOptions) => Iterable<string>;

const renderers: Readonly<Record<Format, Renderer>> = {
  table: (views, { screen }) => [renderTable(views.view(), screen)],
  csv: (views, { dialect }) => renderCsv(views.records(), dialect),
  json: (views) => [renderJson(views.document())],
  ndjson: (views) => renderNdjson(views.lines()),
  markdown: (views) => [renderMarkdown((views.forProvider ?? views.view)())],
};

/** A result as text, in pieces to be written one after the other. */
export function render(format: Format, views: Views, options: RenderOptions): Iterable<string> {
  return renderers[format](views, options);
}
