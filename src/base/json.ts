export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The value of a JSON text, or undefined. A number that JavaScript would round, as 9007199254740993, is
 * kept as a marked text, which `isKeptNumber`, `plainText` and `exactJson` understand.
 */
export function parseJson(text: string): unknown {
  return parse(text, mayBeRounded.test(text) ? unlessRounded : undefined);
}

/** As `parseJson`, but also keeps numbers that JavaScript would write in another way, as 1.50. */
export function parseExact(text: string): unknown {
  return parse(text, unlessChanged);
}

/** Whether a value from `parseJson` is a kept number. */
export function isKeptNumber(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith(mark);
}

/** A text from `parseJson`; of a kept number, the digits. */
export function plainText(text: string): string {
  return isKeptNumber(text) ? text.slice(mark.length) : text;
}

/** The JSON text of a parsed value, with the digits of kept numbers. */
export function exactJson(value: unknown, indent?: number, replace?: Replacer): string {
  return JSON.stringify(value, replace, indent).replace(marked, '$1');
}

/** Replaces the value of a field; undefined leaves it out. */
export type Replacer = (field: string, value: unknown) => unknown;

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

function parse(text: string, rewrite?: (number: string) => string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (!rewrite) return value;
    return JSON.parse(text.replace(token, (one) => (one.startsWith('"') ? one : rewrite(one))));
  } catch {
    return undefined;
  }
}

/** Finds numbers with a fraction, an exponent or many digits, also inside texts. */
const mayBeRounded = /(?:"\s*:|[[,])\s*-?(?:\d+[.eE]|\d{16})/;

function unlessRounded(number: string): string {
  const isExact = Number.isSafeInteger(Number(number)) && isWhole(number);
  return isExact ? number : unlessChanged(number);
}

function isWhole(number: string): boolean {
  const [, digits = '', decimals = '', exponent = '0'] =
    /^-?(\d+)\.?(\d*)(?:[eE](.+))?$/.exec(number) ?? [];
  const written = digits + decimals;
  let significant = written.length;
  // A regular expression would take hours for a million zeros in the middle.
  while (written[significant - 1] === '0') significant -= 1;
  return significant === 0 || significant - digits.length <= Number(exponent);
}

const mark = '\0number ';
const marked = /"\\u0000number (-?\d[\d.eE+-]*)"/g;

function unlessChanged(number: string): string {
  return String(Number(number)) === number ? number : JSON.stringify(mark + number);
}
