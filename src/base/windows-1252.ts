/**
 * What windows-1252 has at 0x80 to 0x9f; all else is as in ISO 8859-1. Node's own decoder gives control
 * characters there (20.18.3 and later), the euro among them.
 */
const specials = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Text of bytes in windows-1252. Every byte is a character there. */
export function decodeWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (character) => specials[character.charCodeAt(0) - 0x80] ?? '');
}

/** A text in windows-1252; a question mark stands for what it doesn't have. */
export function encodeWindows1252(text: string): Uint8Array {
  return Uint8Array.from(text.match(/./gsu) ?? [], (character) => {
    const code = character.codePointAt(0) ?? 0;
    const special = specials.indexOf(character);
    if (special >= 0) return 0x80 + special;
    return code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : 0x3f;
  });
}
