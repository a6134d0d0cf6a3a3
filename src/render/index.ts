import { csv } from './csv.ts';
import type { Format, ListFormat } from './formats.ts';
import { json, ndjson } from './json.ts';
import { markdown } from './markdown.ts';
import type { ListRenderer, Renderer } from './renderer.ts';
import { table } from './table.ts';

/** The formats of lists, each with what makes text of a report or of a list. */
export const listRenderers: Readonly<Record<ListFormat, ListRenderer>> = {
  table,
  csv,
  json,
  ndjson,
  markdown,
};

/** All formats, each with what makes a file or text of a report; what takes long to load is loaded late. */
export const renderers: Readonly<Record<Format, Renderer>> = {
  ...listRenderers,
  xlsx: {
    report: async function* (views, options) {
      yield* (await import('./xlsx/workbook.ts')).xlsx.report(views, options);
    },
  },
  html: {
    report: async function* (views, options) {
      yield* (await import('./html/page.ts')).html.report(views, options);
    },
  },
};
