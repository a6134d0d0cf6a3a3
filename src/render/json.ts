import { exactJson } from '../base/json.ts';
import { inertJson } from './inert.ts';

/** A document as indented JSON. */
export function renderJson(document: object): string {
  return `${inertJson(JSON.stringify(document, null, 2))}\n`;
}

/** One object as one line, so that it can be written as soon as it is known. */
export function ndjsonLine(value: object): string {
  return `${inertJson(JSON.stringify(value))}\n`;
}

/** Objects as JSON, a line each. */
export function* renderNdjson(values: Iterable<object>): Generator<string> {
  for (const value of values) yield ndjsonLine(value);
}

/** A document of the service as JSON, with the digits that it came with; on one line, or indented. */
export function renderRaw(document: unknown, isLine: boolean): string {
  return `${inertJson(exactJson(document, isLine ? undefined : 2))}\n`;
}
