import { csv } from './csv.ts';
import type { Format, ListFormat } from './formats.ts';
import { json, ndjson } from './json.ts';
import { markdown } from './markdown.ts';
import type { ListRenderer, Renderer } from './renderer.ts';
import { table } from './table.ts';

/** The formats that lists can be written in too. */
export const listRenderers: Readonly<Record<ListFormat, ListRenderer>> = {
  table,
  csv,
  json,
  ndjson,
  markdown,
};

/** All formats. What takes long to load is loaded when it is used. */
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
