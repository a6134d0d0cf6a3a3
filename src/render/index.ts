import { csv } from './csv.ts';
import type { Format } from './formats.ts';
import { json, ndjson } from './json.ts';
import { markdown } from './markdown.ts';
import type { Renderer } from './renderer.ts';
import { table } from './table.ts';

/** All formats, each with what makes text of a report or of a list. */
export const renderers: Readonly<Record<Format, Renderer>> = { table, csv, json, ndjson, markdown };
