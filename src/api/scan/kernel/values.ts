// The values of rows in the documented forms. A reader returns the address behind the value, or 0.

const dash = 0x2d;
const zero = 0x30;

/** Reads a lower-case UUID other than the nil one, as four words. */
export function readId(at: i32, into: i32): i32 {
  const first = v128.load(at);
  const second = v128.load(at, 16);
  const last = v128.load(at, 20);
  // biome-ignore format: the places of digits
  const high = v128.shuffle<u8>(first, second, 0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17);
  // biome-ignore format: the places of digits
  const low = v128.shuffle<u8>(second, last, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 28, 29, 30, 31);
  const isUuid =
    load<u8>(at, 8) === dash &&
    load<u8>(at, 13) === dash &&
    load<u8>(at, 18) === dash &&
    load<u8>(at, 23) === dash &&
    i8x16.all_true(v128.and(isHexadecimal(high), isHexadecimal(low)));
  if (!isUuid) return 0;
  const bytes = i8x16.narrow_i16x8_u(pairs(high), pairs(low));
  // biome-ignore format: four words of four bytes
  const words = v128.shuffle<u8>(bytes, bytes, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
  v128.store(into, words);
  return v128.any_true(words) ? at + 36 : 0;
}

function isHexadecimal(digits: v128): v128 {
  return v128.or(areWithin(digits, 0x30, 10), areWithin(digits, 0x61, 6));
}

function areWithin(bytes: v128, from: i8, count: i8): v128 {
  return i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(from)), i8x16.splat(count));
}

/** The bytes of pairs of hexadecimal digits, in words of sixteen bits. */
function pairs(digits: v128): v128 {
  const letters = i8x16.sub(digits, i8x16.splat(0x57));
  const values = v128.bitselect(
    letters,
    v128.and(digits, i8x16.splat(0x0f)),
    areWithin(digits, 0x61, 6),
  );
  const both = v128.or(i16x8.shl(values, 4), i16x8.shr_u(values, 8));
  return v128.and(both, i16x8.splat(0xff));
}

/** More digits could be beyond 2^53. */
const mostDigits = 15;

/** Reads a whole number of up to 15 digits. */
export function readMinorUnits(at: i32, into: i32): i32 {
  const from = load<u8>(at) === dash ? at + 1 : at;
  let to = from;
  let minor: i64 = 0;
  for (; isDigit(to); to += 1) minor = minor * 10 + (load<u8>(to) - zero);
  const digits = to - from;
  if (digits === 0 || digits > mostDigits || (digits > 1 && load<u8>(from) === zero)) return 0;
  store<f64>(into, f64(from === at ? minor : -minor));
  // -0 has another text than 0.
  return minor === 0 && from > at ? 0 : to;
}

/** Reads an ISO 8601 date, time to the second or finer, and offset. */
export function readTimestamp(from: i32): i32 {
  const isTime =
    isPair(from, 0, 99) &&
    isPair(from + 2, 0, 99) &&
    load<u8>(from, 4) === dash &&
    isPair(from + 5, 1, 12) &&
    load<u8>(from, 7) === dash &&
    isPair(from + 8, 1, 31) &&
    load<u8>(from, 10) === 0x54 &&
    isTimeOfDay(from + 11) &&
    load<u8>(from, 16) === 0x3a &&
    isPair(from + 17, 0, 59);
  if (!isTime) return 0;
  let to = from + 19;
  if (load<u8>(to) === 0x2e && isDigit(to + 1)) {
    to += 2;
    while (isDigit(to)) to += 1;
  }
  const sign = load<u8>(to);
  if (sign === 0x5a) return to + 1;
  return (sign === 0x2b || sign === dash) && isTimeOfDay(to + 1) ? to + 6 : 0;
}

function isTimeOfDay(at: i32): bool {
  return isPair(at, 0, 23) && load<u8>(at, 2) === 0x3a && isPair(at + 3, 0, 59);
}

/** Whether two digits make a number from `least` to `most`. */
function isPair(at: i32, least: i32, most: i32): bool {
  const number = 10 * (i32(load<u8>(at)) - zero) + (i32(load<u8>(at, 1)) - zero);
  return isDigit(at) && isDigit(at + 1) && least <= number && number <= most;
}

function isDigit(at: i32): bool {
  return u32(load<u8>(at)) - zero < 10;
}
