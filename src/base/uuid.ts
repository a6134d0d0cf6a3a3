export const uuidWords = 4;

export const uuidLength = 36;

/** A UUID within a text, in upper or lower case. */
export const uuidInText = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i;

const form = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;
const nil = '00000000-0000-0000-0000-000000000000';
const hyphen = 0x2d;

/** Reads a lower-case UUID into `words` at `at`. False for any other text, and for the nil UUID. */
export function readUuid(text: string, words: Int32Array, at: number): boolean {
  if (!isUuid(text)) return false;
  let digits = 0;
  for (let place = 0; place < uuidLength; place += 1) {
    const code = text.charCodeAt(place);
    if (code === hyphen) continue;
    const word = at + (digits >> 3);
    // Letters have bit 6, and `a` ends in 1.
    words[word] = ((words[word] ?? 0) << 4) | ((code & 0xf) + 9 * (code >> 6));
    digits += 1;
  }
  return true;
}

/** Whether a text is a lower-case UUID other than the nil one. */
export function isUuid(text: string): boolean {
  return form.test(text) && text !== nil;
}

/** Whether two texts are the same UUID, in upper or lower case. */
export function isSameUuid(one: string, other: string): boolean {
  return one === other || one.toLowerCase() === other.toLowerCase();
}

export function writeUuid(words: Int32Array, at: number): string {
  let hex = '';
  for (let word = 0; word < uuidWords; word += 1) {
    hex += ((words[at + word] ?? 0) >>> 0).toString(16).padStart(8, '0');
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
