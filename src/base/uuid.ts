/** The 32-bit words that hold a UUID. */
export const uuidWords = 4;

/** The characters of a UUID. */
export const uuidLength = 36;

/** The value of each hexadecimal digit, lower case, by its character code; −1 for anything else. */
const digits = new Int8Array(256).fill(-1);
for (let value = 0; value < 16; value += 1) digits[value.toString(16).charCodeAt(0)] = value;

const dash = 0x2d;
const characters = new Uint8Array(uuidLength);

/**
 * Reads a lower-case UUID into four words of `words`, from `at` on. False for any other text, and
 * for the nil UUID, so that four zeros stay free for something else.
 */
export function readUuid(text: string, words: Int32Array, at: number): boolean {
  if (text.length !== uuidLength) return false;
  for (let index = 0; index < uuidLength; index += 1) {
    const code = text.charCodeAt(index);
    characters[index] = code < digits.length ? code : 0;
  }
  return readUuidBytes(characters, 0, words, at);
}

/** Reads the UUID whose 36 characters stand in `bytes` from `from` on, as `readUuid` reads a text. */
export function readUuidBytes(
  bytes: Uint8Array,
  from: number,
  words: Int32Array,
  at: number,
): boolean {
  if (!hasDashes(bytes, from)) return false;
  const first = quarter(bytes, from);
  const second = quarter(bytes, from + 4);
  const third = quarter(bytes, from + 9);
  const fourth = quarter(bytes, from + 14);
  const fifth = quarter(bytes, from + 19);
  const sixth = quarter(bytes, from + 24);
  const seventh = quarter(bytes, from + 28);
  const eighth = quarter(bytes, from + 32);
  const all = first | second | third | fourth | fifth | sixth | seventh | eighth;
  if (all <= 0) return false;
  words[at] = (first << 16) | second;
  words[at + 1] = (third << 16) | fourth;
  words[at + 2] = (fifth << 16) | sixth;
  words[at + 3] = (seventh << 16) | eighth;
  return true;
}

const scratch = new Int32Array(uuidWords);

/** Whether a text is a UUID in lower case, and not the nil one. */
export function isUuid(text: string): boolean {
  return readUuid(text, scratch, 0);
}

/** Whether two texts are the same UUID, whose letters may be capital or small. */
export function isSameUuid(one: string, other: string): boolean {
  return one === other || one.toLowerCase() === other.toLowerCase();
}

/** The text of the UUID that `readUuid` put there. */
export function writeUuid(words: Int32Array, at: number): string {
  let hex = '';
  for (let word = 0; word < uuidWords; word += 1) {
    hex += ((words[at + word] ?? 0) >>> 0).toString(16).padStart(8, '0');
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function hasDashes(bytes: Uint8Array, from: number): boolean {
  return (
    bytes[from + 8] === dash &&
    bytes[from + 13] === dash &&
    bytes[from + 18] === dash &&
    bytes[from + 23] === dash
  );
}

/** Four digits as 16 bits; negative where one is none. */
function quarter(bytes: Uint8Array, at: number): number {
  return (
    (digit(bytes, at) << 12) |
    (digit(bytes, at + 1) << 8) |
    (digit(bytes, at + 2) << 4) |
    digit(bytes, at + 3)
  );
}

/** Behind the end there is none, either. */
function digit(bytes: Uint8Array, at: number): number {
  return digits[bytes[at] ?? 0] ?? -1;
}
