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
