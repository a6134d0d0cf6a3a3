/** The 32-bit words that hold a UUID. */
export const uuidWords = 4;

/** The value of each hexadecimal digit, lower case, by its character code; −1 for anything else. */
const digits = new Int8Array(128).fill(-1);
for (let value = 0; value < 16; value += 1) digits[value.toString(16).charCodeAt(0)] = value;

const dash = 45;

/**
 * Reads a lower-case UUID into four words of `words`, from `at` on. False for any other text, and
 * for the nil UUID, so that four zeros stay free for something else.
 */
export function readUuid(text: string, words: Int32Array, at: number): boolean {
  if (text.length !== 36 || !hasDashes(text)) return false;
  const first = quarter(text, 0);
  const second = quarter(text, 4);
  const third = quarter(text, 9);
  const fourth = quarter(text, 14);
  const fifth = quarter(text, 19);
  const sixth = quarter(text, 24);
  const seventh = quarter(text, 28);
  const eighth = quarter(text, 32);
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

/** The text of the UUID that `readUuid` put there. */
export function writeUuid(words: Int32Array, at: number): string {
  let hex = '';
  for (let word = 0; word < uuidWords; word += 1) {
    hex += ((words[at + word] ?? 0) >>> 0).toString(16).padStart(8, '0');
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function hasDashes(text: string): boolean {
  return (
    text.charCodeAt(8) === dash &&
    text.charCodeAt(13) === dash &&
    text.charCodeAt(18) === dash &&
    text.charCodeAt(23) === dash
  );
}

/** Four digits as 16 bits; negative where one is none. */
function quarter(text: string, at: number): number {
  const first = text.charCodeAt(at);
  const second = text.charCodeAt(at + 1);
  const third = text.charCodeAt(at + 2);
  const fourth = text.charCodeAt(at + 3);
  if ((first | second | third | fourth) >= digits.length) return -1;
  return (digitOf(first) << 12) | (digitOf(second) << 8) | (digitOf(third) << 4) | digitOf(fourth);
}

function digitOf(code: number): number {
  return digits[code] ?? -1;
}
