import { exactJson, type Replacer } from '../base/json.ts';
import { type RowViews, schema } from '../report/common/view.ts';
import type { ListRenderer, RowText } from './formats.ts';
import { inertJson } from './inert.ts';

/** One indented document. */
export const json: ListRenderer = {
  report: (views) => renderJson(views.document()),
  list: (views) => documentText(views.json),
};

/** One object per line, written as soon as it is known; the last one is the summary. */
export const ndjson: ListRenderer = {
  report: (views) => renderNdjson(views.lines()),
  list: ({ json: { about, type, row, ending } }) => ({
    opening: '',
    rows: (rows) => rows.map((one) => ndjsonLine({ type, schema, ...row(one) })).join(''),
    closing: (end) => ndjsonLine({ type: 'summary', schema, ...about, ...ending(end) }),
  }),
};
/** A document as indented JSON, in pieces: a text cannot have the million items that a list in it may have. */
export function* renderJson(document: object): Generator<string> {
  let before = '{';
  for (const [key, value] of Object.entries(document)) {
    if (value === undefined) continue;
    yield `${before}\n  ${inertJson(JSON.stringify(key))}: `;
    yield* isList(value) ? renderList(value) : [indented(value, '  ')];
    before = ',';
  }
  yield '\n}\n';
}

function* renderList(list: Iterable<unknown>): Generator<string> {
  let before = '[';
  for (const item of list) {
    yield `${before}\n    ${indented(item, '    ')}`;
    before = ',';
  }
  yield before === '[' ? '[]' : '\n  ]';
}

function isList(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/** A value whose further lines begin with `margin`: texts in JSON have no line breaks. */
function indented(value: unknown, margin: string): string {
  return inertJson(JSON.stringify(value, null, 2)).replaceAll('\n', `\n${margin}`);
}

/** One object as one line. */
export function ndjsonLine(value: object): string {
  return `${inertJson(JSON.stringify(value))}\n`;
}

/** Objects as JSON, a line each. */
export function* renderNdjson(values: Iterable<object>): Generator<string> {
  for (const value of values) yield ndjsonLine(value);
}

/** A document of the service as JSON, with the digits that it came with; on one line, or indented. */
export function renderRaw(document: unknown, isLine: boolean, replace: Replacer): string {
  return `${inertJson(exactJson(document, isLine ? undefined : 2, replace))}\n`;
}

function documentText<Row, End>(asked: RowViews<Row, End>['json']): RowText<Row, End> {
  const { about, list, row, ending } = asked;
  const lines = (rows: readonly Row[]) => rows.map((one) => `\n    ${JSON.stringify(row(one))}`);
  let before = '';
  return {
    opening: `{${members({ schema, ...about })},\n  ${JSON.stringify(list)}: [`,
    rows: (rows) => {
      const text = `${before}${inertJson(lines(rows).join(','))}`;
      before = ',';
      return text;
    },
    closing: (end) => `${before === '' ? '' : '\n  '}],${members(ending(end))}\n}\n`,
  };
}

function members(object: object): string {
  return inertJson(JSON.stringify(object, null, 2)).slice(1, -2);
}
