/** Whether a JSON value is an object, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const mark = '\0number ';
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
const marked = new RegExp(`"\\\\u0000${mark.slice(1)}([^"]*)"`, 'g');

/** The same, but a number that JavaScript would change is kept by its digits, for `exactJson`. */
export function parseExact(text: string): unknown {
  if (parseJson(text) === undefined) return undefined;
  const keep = (token: string) =>
    token.startsWith('"') || String(Number(token)) === token ? token : JSON.stringify(mark + token);
  return parseJson(text.replace(stringOrNumber, keep));
}

/** The JSON text of a value from `parseExact`, every number with the digits that it came with. */
export function exactJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(marked, '$1');
}
