/** Whether a JSON value is an object, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The value of a JSON text; undefined where it is none. A number that JavaScript would round, as
 * 1000.00000000000001 or 9007199254740993, is kept by its digits: it is no number there, so that
 * nobody counts with it. `isKeptNumber`, `plainText` and `exactJson` know it.
 */
export function parseJson(text: string): unknown {
  return parse(text, mayBeRounded.test(text) ? unlessRounded : undefined);
}

/**
 * The value of a JSON text, as from `parseJson`; undefined where it is none. Every number is kept that
 * JavaScript would write in another way, as 1.50.
 */
export function parseExact(text: string): unknown {
  return parse(text, unlessChanged);
}

/** Whether a value from `parseJson` stands for a number that was kept. */
export function isKeptNumber(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith(mark);
}

/** A text from `parseJson` as it came: of a number that was kept, the digits. */
export function plainText(text: string): string {
  return isKeptNumber(text) ? text.slice(mark.length) : text;
}

/** The JSON text of a parsed value, every number that was kept with the digits it came with. */
export function exactJson(value: unknown, indent?: number, replace?: Replacer): string {
  return JSON.stringify(value, replace, indent).replace(marked, '$1');
}

/** What stands for the value of a field; undefined leaves it out. */
export type Replacer = (field: string, value: unknown) => unknown;

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

/**
 * A number with a fraction, an exponent or many digits; perhaps inside a text, which the closer look
 * finds out.
 */
const mayBeRounded = /(?:"\s*:|[[,])\s*-?(?:\d+[.eE]|\d{16})/;

function unlessRounded(number: string): string {
  const isExact = Number.isSafeInteger(Number(number)) && isWhole(number);
  return isExact ? number : unlessChanged(number);
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
