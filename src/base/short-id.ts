import { createHash } from 'node:crypto';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** 20 of A-Z and 2-7 that stand for a text, or for bytes: 100 bits of their SHA-256. */
export function shortId(contents: string | Uint8Array): string {
  const digest = createHash('sha256').update(contents).digest();
  return [...digest.subarray(0, 20)].map((byte) => letters[byte % letters.length]).join('');
}
