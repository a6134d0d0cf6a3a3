import { inertJson } from './inert.ts';

/** One object as one line, so that it can be written as soon as it is known. */
export function ndjsonLine(value: object): string {
  return `${inertJson(JSON.stringify(value))}\n`;
}

/** Objects as JSON, a line each. */
export function* renderNdjson(values: Iterable<object>): Generator<string> {
  for (const value of values) yield ndjsonLine(value);
}
