// The values of rows as they stand in the bytes of a page, as long as they have the documented forms.
// A reader returns the place behind the value, or -1 where there is something else.

const colon = 0x3a;
const plus = 0x2b;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const letterT = 0x54;
const letterZ = 0x5a;

/** More digits could be beyond 2^53. */
const mostDigits = 15;

/** Reads a whole number of up to 15 digits, and puts it into `figures`. */
export function readMinorUnits(
  bytes: Uint8Array,
  at: number,
  figures: Float64Array,
  place: number,
): number {
  const from = bytes[at] === minus ? at + 1 : at;
  let to = from;
  let minor = 0;
  for (; isDigit(bytes[to]); to += 1) minor = minor * 10 + ((bytes[to] ?? 0) - zero);
  const digits = to - from;
  if (digits === 0 || digits > mostDigits || (digits > 1 && bytes[from] === zero)) return -1;
  figures[place] = from === at ? minor : 0 - minor;
  return to;
}

/** Reads a date, a time to the second or finer, and its offset, as ISO 8601 has them. */
export function readTimestamp(bytes: Uint8Array, from: number): number {
  const isTime =
    isPair(bytes, from, 0, 99) &&
    isPair(bytes, from + 2, 0, 99) &&
    bytes[from + 4] === minus &&
    isPair(bytes, from + 5, 1, 12) &&
    bytes[from + 7] === minus &&
    isPair(bytes, from + 8, 1, 31) &&
    bytes[from + 10] === letterT &&
    isTimeOfDay(bytes, from + 11) &&
    bytes[from + 16] === colon &&
    isPair(bytes, from + 17, 0, 59);
  if (!isTime) return -1;
  let to = from + 19;
  if (bytes[to] === point && isDigit(bytes[to + 1])) {
    to += 2;
    while (isDigit(bytes[to])) to += 1;
  }
  if (bytes[to] === letterZ) return to + 1;
  const hasOffset = (bytes[to] === plus || bytes[to] === minus) && isTimeOfDay(bytes, to + 1);
  return hasOffset ? to + 6 : -1;
}

/** Hours and minutes. */
function isTimeOfDay(bytes: Uint8Array, at: number): boolean {
  return isPair(bytes, at, 0, 23) && bytes[at + 2] === colon && isPair(bytes, at + 3, 0, 59);
}

/** Whether two digits stand there, for a number from `least` to `most`. */
function isPair(bytes: Uint8Array, at: number, least: number, most: number): boolean {
  const number = 10 * ((bytes[at] ?? 0) - zero) + ((bytes[at + 1] ?? 0) - zero);
  return isDigit(bytes[at]) && isDigit(bytes[at + 1]) && least <= number && number <= most;
}

function isDigit(byte = 0): boolean {
  return zero <= byte && byte <= zero + 9;
}
