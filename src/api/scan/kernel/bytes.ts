// JSON as it stands in bytes (RFC 8259).

const quote = 0x22;
export const comma = 0x2c;
export const closeList = 0x5d;
const backslash = 0x5c;

export function skipSpace(at: i32): i32 {
  while (isSpace(load<u8>(at))) at += 1;
  return at;
}

function isSpace(byte: i32): bool {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The address of the quote that ends a text; 0 if the text is not plain ASCII. */
export function plainEnd(at: i32): i32 {
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
