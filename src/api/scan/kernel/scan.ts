import { closeList, comma, plainEnd, skipSpace } from './bytes.ts';
import * as layout from './layout';
import { readId, readMinorUnits, readTimestamp } from './values.ts';

// Callbacks to JavaScript, as `KernelCallbacks` describes them.
declare function learnShape(at: i32): bool;
declare function learnText(field: i32, at: i32): bool;
declare function readNotes(at: i32): i32;

export let rows = 0;
/** The codes of a row's texts, a few bits each. */
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
