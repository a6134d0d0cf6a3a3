/** The 32-bit words that hold a UUID. */
export const uuidWords = 4;

/** The characters of a UUID. */
export const uuidLength = 36;

/** The byte that two hexadecimal digits in lower case stand for, by their characters; −1 for others. */
const pairs = new Int16Array(1 << 16).fill(-1);
for (let byte = 0; byte < 256; byte += 1) {
  const digits = byte.toString(16).padStart(2, '0');
  pairs[digits.charCodeAt(0) | (digits.charCodeAt(1) << 8)] = byte;
}

const dash = 0x2d;
const characters = new DataView(new ArrayBuffer(uuidLength));

/**
 * Reads a lower-case UUID into four words of `words`, from `at` on. False for any other text, and
 * for the nil UUID, so that four zeros stay free for something else.
 */
export function readUuid(text: string, words: Int32Array, at: number): boolean {
  if (text.length !== uuidLength) return false;
  for (let index = 0; index < uuidLength; index += 1) {
    const code = text.charCodeAt(index);
    characters.setUint8(index, code < 0x80 ? code : 0);
  }
  return readUuidBytes(characters, 0, words, at);
}

/** Reads the UUID whose 36 characters `bytes` has from `from` on, as `readUuid` reads a text. */
export function readUuidBytes(
  bytes: DataView,
  from: number,
  words: Int32Array,
  at: number,
): boolean {
  const hasDashes =
    bytes.getUint8(from + 8) === dash &&
    bytes.getUint8(from + 13) === dash &&
    bytes.getUint8(from + 18) === dash &&
    bytes.getUint8(from + 23) === dash;
  if (!hasDashes) return false;
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

/** Four digits as 16 bits; negative where one is none. */
function quarter(bytes: DataView, at: number): number {
  return (pair(bytes, at) << 8) | pair(bytes, at + 2);
}

function pair(bytes: DataView, at: number): number {
  return pairs[bytes.getUint16(at, true)] ?? -1;
}
