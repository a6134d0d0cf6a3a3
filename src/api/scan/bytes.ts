// JSON as it stands in bytes (RFC 8259).

const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const openList = 0x5b;
export const closeList = 0x5d;
const backslash = 0x5c;

/** Bytes that are expected somewhere, compared four at a time. */
export class Literal {
  readonly length: number;
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;

  /** Of ASCII. */
  constructor(text: string) {
    const bytes = Uint8Array.from(text, (one) => one.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    const whole = bytes.length >> 2;
    this.length = bytes.length;
    this.#words = Int32Array.from({ length: whole }, (_, word) => view.getInt32(4 * word, true));
    this.#bytes = bytes.subarray(4 * whole);
  }

  /** Whether these very bytes stand at a place. */
  isAt(view: DataView, at: number): boolean {
    if (at + this.length > view.byteLength) return false;
    const words = this.#words;
    let next = at;
    for (let word = 0; word < words.length; word += 1) {
      if (view.getInt32(next, true) !== words[word]) return false;
      next += 4;
    }
    const bytes = this.#bytes;
    for (let index = 0; index < bytes.length; index += 1) {
      if (view.getUint8(next + index) !== bytes[index]) return false;
    }
    return true;
  }
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

/** The end of a text from `at` on: its quote; −1 where something else than plain ASCII is before it. */
export function plainEnd(bytes: Uint8Array, at: number): number {
  let next = at;
  while (isPlain[bytes[next] ?? 0] === 1) next += 1;
  return bytes[next] === quote ? next : -1;
}

/** Printable ASCII that stands for itself in a text. */
const isPlain = Uint8Array.from({ length: 256 }, (_, byte) =>
  0x20 <= byte && byte < 0x7f && byte !== quote && byte !== backslash ? 1 : 0,
);

/** The place behind the list that opens at `at`, if it is one: its brackets, not its contents, are looked at. */
export function listEnd(bytes: Uint8Array, at: number): number {
  let depth = 0;
  let isText = false;
  for (let next = at; next < bytes.length; next += 1) {
    const byte = bytes[next];
    if (byte === quote) isText = !isText;
    else if (isText) next += byte === backslash ? 1 : 0;
    else if (byte === openList) depth += 1;
    else if (byte === closeList) depth -= 1;
    if (depth === 0) return next + 1;
  }
  return -1;
}
