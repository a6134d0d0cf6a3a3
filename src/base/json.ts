/** Whether a JSON value is an object, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The value of a JSON text; undefined where it is none. A number that JavaScript would round to a
 * whole one, as 1000.00000000000001, stays a text, so that nobody takes it for that.
 */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return mayBeRounded.test(text) ? JSON.parse(text.replace(token, unlessRounded)) : value;
  } catch {
    return undefined;
  }
}

/** A number with a fraction or an exponent; perhaps inside a text, which the closer look finds out. */
const mayBeRounded = /(?:"\s*:|[[,])\s*-?\d+[.eE]/;

/** A text or a number. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

function unlessRounded(one: string): string {
  const isRounded = !one.startsWith('"') && Number.isInteger(Number(one)) && !isWhole(one);
  return isRounded ? JSON.stringify(one) : one;
}

/** Whether the digits of a number stand for a whole one. */
function isWhole(number: string): boolean {
  const [, digits = '', decimals = '', exponent = '0'] =
    /^-?(\d+)\.?(\d*)(?:[eE](.+))?$/.exec(number) ?? [];
  const significant = (digits + decimals).replace(/0+$/, '');
  // As many digits as it has behind the point, the exponent has to take away.
  return significant === '' || significant.length - digits.length <= Number(exponent);
}
