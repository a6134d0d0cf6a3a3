import {
  partBytes,
  partDecimal,
  partId,
  partInteger,
  partKind,
  partNotes,
  partSettlement,
  parts,
  partTimestamp,
  sharedTexts,
} from './layout';

const quote = 0x22;
const minus = 0x2d;
const zero = 0x30;
const idLength = 36;

/** What stands between fields, and in decimals. */
let delimiter = 0;
let decimal = 0;

export function setForm(ofDelimiter: i32, ofDecimal: i32): void {
  delimiter = ofDelimiter;
  decimal = ofDecimal;
}

/** Writes the records of rows from `to` on; the end of the last. `kinds` has an address for each row. */
export function writeRecords(
  rows: i32,
  settlement: i32,
  kinds: i32,
  figures: i32,
  places: i32,
  page: i32,
  to: i32,
): i32 {
  let at = to;
  for (let row = 0; row < rows; row += 1) {
    const kind = load<i32>(kinds + 4 * row);
    at = writeRecord(settlement, kind, figures + 24 * row, places + 28 * row, page, at);
  }
  return at;
}

function writeRecord(
  settlement: i32,
  kind: i32,
  figures: i32,
  places: i32,
  page: i32,
  to: i32,
): i32 {
  let at = to;
  let entry = sharedTexts;
  for (let part = parts; load<i32>(part) !== 0; part += partBytes) {
    const place = load<i32>(part, 4);
    switch (load<i32>(part)) {
      case partSettlement:
        at = copyShared(settlement + entry, at);
        break;
      case partKind:
        at = copyShared(kind + entry, at);
        break;
      case partId: {
        const from = load<i32>(places + 4 * place);
        if (from > 0) at = copy(page + from, idLength, at);
        break;
      }
      case partTimestamp: {
        const from = load<i32>(places + 4 * place);
        at = copy(page + from, load<i32>(places + 4 * place, 4) - from, at);
        break;
      }
      case partDecimal:
        at = writeFigure(load<f64>(figures + 8 * place), load<i32>(kind), at);
        break;
      case partInteger:
        at = writeFigure(load<f64>(figures + 8 * place), 0, at);
        break;
      case partNotes: {
        const from = load<i32>(places + 4 * place);
        at = copyQuoted(page + from, page + load<i32>(places + 4 * place, 4), at);
        break;
      }
    }
    store<u8>(at, delimiter);
    at += 1;
    entry += 8;
  }
  // In the place of the last delimiter.
  store<u16>(at - 1, 0x0a0d);
  return at + 1;
}

function copyShared(entry: i32, to: i32): i32 {
  return copy(load<i32>(entry), load<i32>(entry, 4), to);
}

function copy(from: i32, length: i32, to: i32): i32 {
  for (let done = 0; done < length; done += 16) v128.store(to + done, v128.load(from + done));
  return to + length;
}

/** Copies a list of notes as it stands: if there is anything in it, there are quotes. */
function copyQuoted(from: i32, end: i32, to: i32): i32 {
  if (end - from <= 2) {
    store<u16>(to, 0x5d5b);
    return to + 2;
  }
  store<u8>(to, quote);
  let at = to + 1;
  for (let next = from; next < end; next += 1) {
    const byte = load<u8>(next);
    store<u8>(at, byte);
    at += 1;
    if (byte === quote) {
      store<u8>(at, quote);
      at += 1;
    }
  }
  store<u8>(at, quote);
  return at + 1;
}

/** Writes a whole number in decimal places: 5 in two of them is 0.05. */
function writeFigure(figure: f64, decimals: i32, to: i32): i32 {
  let rest = i64(figure);
  let at = to;
  if (rest < 0) {
    store<u8>(at, minus);
    at += 1;
    rest = -rest;
  }
  let digits = 1;
  for (let bound: i64 = 10; bound <= rest; bound *= 10) digits += 1;
  digits = max(digits, decimals + 1);
  const end = at + digits + i32(decimals > 0);
  let place = end;
  for (let digit = 0; digit < digits; digit += 1) {
    if (digit === decimals && digit > 0) {
      place -= 1;
      store<u8>(place, decimal);
    }
    place -= 1;
    const tenth = rest / 10;
    store<u8>(place, zero + i32(rest - 10 * tenth));
    rest = tenth;
  }
  return end;
}
