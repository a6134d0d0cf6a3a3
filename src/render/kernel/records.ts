import * as layout from './layout.ts';

const quote = 0x22;
const minus = 0x2d;
const zero = 0x30;
const idLength = 36;

/** Writes the records of rows from `to` on; the end of the last. `shapes`: by row, the address of its steps. */
export function writeRecords(
  rows: i32,
  shapes: i32,
  figures: i32,
  places: i32,
  page: i32,
  decimal: i32,
  to: i32,
): i32 {
  let at = to;
  for (let row = 0; row < rows; row += 1) {
    const figuresOfRow = figures + 24 * row;
    const placesOfRow = places + 28 * row;
    let step = load<i32>(shapes + 4 * row);
    let form = 0;
    while (form !== layout.valueNone) {
      at = copy(load<i32>(step), load<i32>(step, 4), at);
      form = load<i32>(step, 8);
      const column = 4 * load<i32>(step, 12);
      if (form === layout.valueFigure) {
        at = writeFigure(load<f64>(figuresOfRow + 2 * column), load<i32>(step, 16), decimal, at);
      } else if (form !== layout.valueNone) {
        const begin = load<i32>(placesOfRow + column);
        const end = load<i32>(placesOfRow + column, 4);
        if (form === layout.valueNotes) at = copyQuoted(page + begin, page + end, at);
        else if (form === layout.valueTimestamp) at = copy(page + begin, end - begin, at);
        else if (begin > 0) at = copy(page + begin, idLength, at);
      }
      step += 4 * layout.stepWords;
    }
  }
  return at;
}

function copy(from: i32, length: i32, to: i32): i32 {
  for (let done = 0; done < length; done += 16) v128.store(to + done, v128.load(from + done));
  return to + length;
}

/** Copies a list of notes; in quotes unless it is empty. */
function copyQuoted(from: i32, end: i32, to: i32): i32 {
  if (end - from <= 2) {
    store<u16>(to, 0x5d5b);
    return to + 2;
  }
  store<u8>(to, quote);
  let at = to + 1;
  for (let next = from; next < end; next += 1) {
    const byte = load<u8>(next);
    if (byte === quote) {
      store<u8>(at, quote);
      at += 1;
    }
    store<u8>(at, byte);
    at += 1;
  }
  store<u8>(at, quote);
  return at + 1;
}

function writeFigure(figure: f64, decimals: i32, decimal: i32, to: i32): i32 {
  let rest = i64(figure);
  let begin = to;
  if (rest < 0) {
    store<u8>(begin, minus);
    begin += 1;
    rest = -rest;
  }
  let digits = 1;
  for (let bound: i64 = 10; bound <= rest; bound *= 10) digits += 1;
  digits = max(digits, decimals + 1);
  const end = begin + digits + i32(decimals > 0);
  let at = end;
  for (let digit = 0; digit < digits; digit += 1) {
    if (digit === decimals && digit > 0) {
      at -= 1;
      store<u8>(at, decimal);
    }
    at -= 1;
    store<u8>(at, zero + i32(rest % 10));
    rest /= 10;
  }
  return end;
}
