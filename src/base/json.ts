/** Whether a JSON value is an object, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The value of a JSON text; undefined where it is none. A number that JavaScript would round to a
 * whole one, as 1000.00000000000001, stays a text, so that nobody takes it for that.
 */
export function parseJson(text: string): unknown {
  return parse(text, mayBeRounded.test(text) ? unlessRounded : undefined);
}

/** The same, but every number that JavaScript would change is kept by its digits, for `exactJson`. */
export function parseExact(text: string): unknown {
  return parse(text, unlessChanged);
}

/** The JSON text of a value from `parseExact`, every number with the digits that it came with. */
export function exactJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(marked, '$1');
}

/** A text or a number. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** The value of a JSON text whose numbers are first rewritten, where there is something to rewrite. */
function parse(text: string, rewrite?: (number: string) => string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (!rewrite) return value;
    return JSON.parse(text.replace(token, (one) => (one.startsWith('"') ? one : rewrite(one))));
  } catch {
    return undefined;
  }
}

/** A number with a fraction or an exponent; perhaps inside a text, which the closer look finds out. */
const mayBeRounded = /(?:"\s*:|[[,])\s*-?\d+[.eE]/;

function unlessRounded(number: string): string {
  const isRounded = Number.isInteger(Number(number)) && !isWhole(number);
  return isRounded ? JSON.stringify(number) : number;
}

/** Whether the digits of a number stand for a whole one. */
function isWhole(number: string): boolean {
  const [, digits = '', decimals = '', exponent = '0'] =
    /^-?(\d+)\.?(\d*)(?:[eE](.+))?$/.exec(number) ?? [];
  const written = digits + decimals;
  let significant = written.length;
  // A pattern for the zeros at the end takes hours for a million zeros in the middle.
  while (written[significant - 1] === '0') significant -= 1;
  // As many digits as it has behind the point, the exponent has to take away.
  return significant === 0 || significant - digits.length <= Number(exponent);
}

const mark = '\0number ';
/** A number that was kept, as it stands in JSON. */
const marked = /"\\u0000number (-?\d[\d.eE+-]*)"/g;

function unlessChanged(number: string): string {
  return String(Number(number)) === number ? number : JSON.stringify(mark + number);
}
