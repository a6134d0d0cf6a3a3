import type { Views } from '../report/common/view.ts';
import { csv } from './csv.ts';
import type { Format, ListRenderer, RenderOptions } from './formats.ts';
import { json, ndjson } from './json.ts';
import { markdown } from './markdown.ts';
import { table } from './table.ts';

interface Renderer {
  readonly report: (
    views: Views,
    options: RenderOptions,
  ) => Iterable<string> | AsyncIterable<string | Uint8Array>;
}

export type ListFormat = Exclude<Format, 'xlsx' | 'html'>;

export const listRenderers: Readonly<Record<ListFormat, ListRenderer>> = {
  table,
  csv,
  json,
  ndjson,
  markdown,
};

/** All formats. Large modules are loaded on first use. */
export const renderers: Readonly<Record<Format, Renderer>> = {
  ...listRenderers,
  xlsx: {
    report: async function* (views, options) {
      yield await (await import('./xlsx/workbook.ts')).renderViews(views, options);
    },
  },
  html: {
    report: async function* (views, options) {
      yield (await import('./html/page.ts')).renderPage(views, options);
    },
  },
};
