import * as layout from './layout.ts';

// Callbacks to JavaScript, as `KernelCallbacks` describes them.
declare function learnShape(at: i32): bool;
declare function learnText(field: i32, at: i32): bool;
declare function readNotes(at: i32): i32;

export let rows = 0;
/** The codes of a row's texts, `codeBits` each. */
let kind = 0;
/** The shape of the last row, tried first. */
let lastShape = 0;

/** Reads the list of rows at an offset in the page into the columns: the offset of its end, or 0. */
export function scan(from: i32): i32 {
  rows = 0;
  let at = layout.pageStart + from;
  while (rows < layout.mostRows) {
    at = readRow(skipSpace(at));
    if (at === 0) return 0;
    rows += 1;
    at = skipSpace(at);
    const byte = load<u8>(at);
    if (byte === closeList) return at - layout.pageStart;
    if (byte !== comma) return 0;
    at += 1;
  }
  return 0;
}

export function forget(): void {
  memory.fill(layout.texts, 0, layout.literals - layout.texts);
  lastShape = 0;
}

function readRow(at: i32): i32 {
  let end = lastShape === 0 ? 0 : readAs(lastShape, at);
  let entry = layout.shapes;
  for (; end === 0 && load<i32>(entry) !== 0; entry += 4) {
    lastShape = load<i32>(entry);
    end = readAs(lastShape, at);
  }
  if (end > 0 || !learnShape(at - layout.pageStart)) return end;
  lastShape = load<i32>(entry);
  return readAs(lastShape, at);
}

function readAs(shape: i32, from: i32): i32 {
  clearRow();
  let at = from;
  let step = shape;
  let form = 0;
  while (at > 0 && form !== layout.formRowEnd) {
    at = readLiteral(load<i32>(step), at);
    if (at === 0) return 0;
    form = load<i32>(step, 4);
    at = readValue(form, load<i32>(step, 8), load<i32>(step, 12), at);
    step += layout.stepBytes;
  }
  return at;
}

function clearRow(): void {
  const nothing = i32x4.splat(0);
  for (let id = 0; id < 3; id += 1) v128.store(idAt(id), nothing);
  v128.store(layout.places + layout.placesBytes * rows, nothing);
  v128.store(layout.places + layout.placesBytes * rows, nothing, layout.placesBytes - 16);
  store<i64>(layout.digest, 0);
  kind = 0;
}

/** Reads a value of a form: the address behind it, or 0 if there is something else. */
function readValue(form: i32, column: i32, slot: i32, at: i32): i32 {
  let end = at;
  switch (form) {
    case layout.formId:
      setPlace(column, at);
      end = readId(at, idAt(column));
      break;
    case layout.formAmount:
      end = readMinorUnits(at, layout.figures + 8 * (3 * rows + column));
      break;
    case layout.formTimestamp:
      setPlace(column, at);
      end = readTimestamp(at);
      setPlace(column + 1, end);
      break;
    case layout.formPlainText:
      end = plainEnd(at);
      break;
    case layout.formKnownText:
      return readKnownText(column, at);
    case layout.formOtherNotes:
      end = readNotes(at - layout.pageStart);
      return end > 0 ? end + layout.pageStart : 0;
    case layout.formPlace:
      setPlace(column, at);
      return at;
    default:
      store<i64>(layout.digests + 8 * rows, load<i64>(layout.digest));
      store<i32>(layout.kinds + 4 * rows, kind);
      return at;
  }
  addToDigest(slot, at, end - at);
  return end;
}

function idAt(id: i32): i32 {
  return layout.ids + id * layout.idColumn + 16 * rows;
}

function setPlace(column: i32, at: i32): void {
  store<i32>(layout.places + layout.placesBytes * rows + 4 * column, at - layout.pageStart);
}

function readKnownText(field: i32, at: i32): i32 {
  const known = layout.texts + field * layout.fieldBytes;
  let code = load<i32>(layout.lastTexts + 4 * field);
  let end = code === 0 ? 0 : readLiteral(load<i32>(known + 4 * code), at);
  if (end === 0) {
    code = 0;
    while (end === 0) {
      code += 1;
      if (load<i32>(known + 4 * code) === 0 && !learnText(field, at - layout.pageStart)) return 0;
      end = readLiteral(load<i32>(known + 4 * code), at);
    }
    store<i32>(layout.lastTexts + 4 * field, code);
  }
  kind |= code << (layout.codeBits * field);
  // Without the quote.
  return end - 1;
}

/** The address behind a literal; 0 if there is something else. */
function readLiteral(literal: i32, at: i32): i32 {
  const end = at + load<i32>(literal);
  let block = literal + 16;
  for (; at < end; at += 16) {
    const other = v128.and(v128.xor(v128.load(at), v128.load(block)), v128.load(block, 16));
    if (v128.any_true(other)) return 0;
    block += 32;
  }
  addSum(load<i64>(literal, 8));
  return end;
}

/** Adds a value to the digest, under its slot: the order of values makes no difference. */
export function addToDigest(slot: i32, at: i32, length: i32): void {
  // Not 0, which would stay 0.
  let sum = ((i64(slot) + 1) << 32) ^ i64(length);
  let left = length;
  for (; left >= 8; left -= 8) {
    sum = mix(sum) ^ load<i64>(at);
    at += 8;
  }
  if (left > 0) sum = mix(sum) ^ (load<i64>(at) & ((i64(1) << (8 * left)) - 1));
  addSum(mix(mix(sum)));
}

function addSum(sum: i64): void {
  store<i64>(layout.digest, load<i64>(layout.digest) + sum);
}

/** One to one, with a constant of MurmurHash3. */
function mix(sum: i64): i64 {
  // biome-ignore lint/correctness/noPrecisionLoss: it has 64 bits here
  const product = sum * 0xff51afd7ed558ccd;
  return product ^ (product >>> 32);
}

// JSON as it stands in bytes (RFC 8259).

const quote = 0x22;
const comma = 0x2c;
const closeList = 0x5d;
const backslash = 0x5c;

function skipSpace(at: i32): i32 {
  while (isSpace(load<u8>(at))) at += 1;
  return at;
}

function isSpace(byte: i32): bool {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The address of the quote that ends a text; 0 if the text is not plain ASCII. */
function plainEnd(at: i32): i32 {
  let special = notPlain(at);
  while (special === 0) {
    at += 16;
    special = notPlain(at);
  }
  at += ctz(special);
  return load<u8>(at) === quote ? at : 0;
}

/** A bit for each of sixteen bytes that is not plain in a text. */
function notPlain(at: i32): i32 {
  const bytes = v128.load(at);
  // As signed numbers, all beyond ASCII are negative.
  const isControl = v128.or(
    i8x16.lt_s(bytes, i8x16.splat(0x20)),
    i8x16.eq(bytes, i8x16.splat(0x7f)),
  );
  const isSpecial = v128.or(
    i8x16.eq(bytes, i8x16.splat(i8(quote))),
    i8x16.eq(bytes, i8x16.splat(i8(backslash))),
  );
  return i8x16.bitmask(v128.or(isControl, isSpecial));
}

// The values of rows in the documented forms. A reader returns the address behind the value, or 0.

const dash = 0x2d;
const zero = 0x30;

/** Reads a lower-case UUID as four words, but not the nil one. */
function readId(at: i32, into: i32): i32 {
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
function readMinorUnits(at: i32, into: i32): i32 {
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
function readTimestamp(from: i32): i32 {
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
