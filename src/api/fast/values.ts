import { readUuidBytes, uuidLength, uuidWords } from '../../base/uuid.ts';

// The values of rows as they stand in the bytes of a page (RFC 8259), as long as they have the documented forms.
// A reader returns the place behind the value, or -1 where there is something else.

export const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const openList = 0x5b;
export const closeList = 0x5d;
export const openObject = 0x7b;
export const closeObject = 0x7d;
const backslash = 0x5c;
const plus = 0x2b;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const letterT = 0x54;
const letterZ = 0x5a;

/** What a byte is inside a text. */
const plain = 0;
const end = 1;
const escaping = 2;
const beyondAscii = 3;
const control = 4;
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === quote) return end;
  if (byte === backslash) return escaping;
  if (byte < 0x20) return control;
  return byte < 0x7f ? plain : beyondAscii;
});

/** More digits could be beyond 2^53. */
const mostDigits = 15;

/** What is read of the values of one row; the next row takes its place. By field. */
export class Values {
  /** Where its text begins and ends, without its quotes; both 0 where the row hasn't it. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** The four words of its UUID. */
  readonly words: Int32Array;
  /** Minor units. */
  readonly minor: number[];
  /** Where each key and each value of the notes begins and ends: the first `noteEnds` numbers. */
  readonly notes: number[] = [];
  noteEnds = 0;
  /** Whether the notes are ASCII without escapes, and can be taken from the bytes as they stand. */
  hasPlainNotes = true;

  constructor(fields: number) {
    this.from = new Int32Array(fields);
    this.to = new Int32Array(fields);
    this.words = new Int32Array(fields * uuidWords);
    this.minor = new Array(fields).fill(0);
  }

  /** As for a row that has no field at all. */
  clear(): void {
    this.from.fill(0);
    this.to.fill(0);
    this.words.fill(0);
    this.noteEnds = 0;
    this.hasPlainNotes = true;
  }
}

/** How the value of a field looks. */
export type Form =
  /** A UUID in small letters. */
  | 'uuid'
  /** A date, a time to the second or finer, and its offset, as ISO 8601 has them. */
  | 'timestamp'
  /** A whole number of up to 15 digits. */
  | 'minorUnits'
  /** A list of objects with a text `key`, then a text `value`. */
  | 'notes';

/** Reads the value of `field` that begins at `at`. */
export function readValue(
  form: Form,
  bytes: Uint8Array,
  at: number,
  field: number,
  values: Values,
): number {
  switch (form) {
    case 'uuid':
      return readUuidText(bytes, at, field, values);
    case 'minorUnits':
      return readMinorUnits(bytes, at, field, values);
    case 'timestamp':
      return readTimestamp(bytes, at, field, values);
    case 'notes':
      return readNotes(bytes, at, field, values);
  }
}

function readUuidText(bytes: Uint8Array, at: number, field: number, values: Values): number {
  const from = at + 1;
  const to = from + uuidLength;
  if (bytes[at] !== quote || bytes[to] !== quote) return -1;
  if (!readUuidBytes(bytes, from, values.words, field * uuidWords)) return -1;
  values.from[field] = from;
  values.to[field] = to;
  return to + 1;
}

function readTimestamp(bytes: Uint8Array, at: number, field: number, values: Values): number {
  const from = at + 1;
  const isTime =
    bytes[at] === quote &&
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
  if (bytes[to] === letterZ) to += 1;
  else if ((bytes[to] === plus || bytes[to] === minus) && isTimeOfDay(bytes, to + 1)) to += 6;
  else return -1;
  if (bytes[to] !== quote) return -1;
  values.from[field] = from;
  values.to[field] = to;
  return to + 1;
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

function readMinorUnits(bytes: Uint8Array, at: number, field: number, values: Values): number {
  const from = bytes[at] === minus ? at + 1 : at;
  let to = from;
  let minor = 0;
  for (; isDigit(bytes[to]); to += 1) minor = minor * 10 + ((bytes[to] ?? 0) - zero);
  const digits = to - from;
  if (digits === 0 || digits > mostDigits || (digits > 1 && bytes[from] === zero)) return -1;
  values.minor[field] = from === at ? minor : -minor;
  return to;
}

function readNotes(bytes: Uint8Array, at: number, field: number, values: Values): number {
  if (bytes[at] !== openList) return -1;
  values.noteEnds = 0;
  values.hasPlainNotes = true;
  let next = skipSpace(bytes, at + 1);
  for (let isFirst = true; bytes[next] !== closeList; isFirst = false) {
    if (!isFirst) {
      if (bytes[next] !== comma) return -1;
      next = skipSpace(bytes, next + 1);
    }
    if (bytes[next] !== openObject) return -1;
    next = readMember(bytes, next, keyName, values);
    if (bytes[next] !== comma) return -1;
    next = readMember(bytes, next, valueName, values);
    if (bytes[next] !== closeObject) return -1;
    next = skipSpace(bytes, next + 1);
  }
  values.from[field] = at;
  values.to[field] = next + 1;
  return next + 1;
}

const keyName = Buffer.from('"key"');
const valueName = Buffer.from('"value"');

/** Reads a note's member of that name, which follows on the byte at `at`, and the space behind it. */
function readMember(bytes: Uint8Array, at: number, name: Uint8Array, values: Values): number {
  let next = skipSpace(bytes, at + 1);
  if (!isAt(bytes, next, name)) return -1;
  next = skipSpace(bytes, next + name.length);
  if (bytes[next] !== colon) return -1;
  next = skipSpace(bytes, next + 1);
  if (bytes[next] !== quote) return -1;
  const from = next + 1;
  for (;;) {
    next = plainEnd(bytes, next + 1);
    const kind = kinds[bytes[next] ?? 0];
    if (kind === end) {
      values.notes[values.noteEnds] = from;
      values.notes[values.noteEnds + 1] = next;
      values.noteEnds += 2;
      return skipSpace(bytes, next + 1);
    }
    if (kind === control) return -1;
    values.hasPlainNotes = false;
    if (kind === escaping) next += 1;
  }
}

/** The place of the next byte that is no printable ASCII, or has a meaning of its own in a text. */
export function plainEnd(bytes: Uint8Array, at: number): number {
  let next = at;
  while (kinds[bytes[next] ?? 0] === plain) next += 1;
  return next;
}

/** Whether these very bytes stand at a place. */
function isAt(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index += 1) {
    if (bytes[at + index] !== expected[index]) return false;
  }
  return true;
}

/** The place of the next byte that is no white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let next = at;
  while (isSpace(bytes[next])) next += 1;
  return next;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDigit(byte = 0): boolean {
  return zero <= byte && byte <= zero + 9;
}
