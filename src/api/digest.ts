import type { Digest } from './walk/page.ts';

// Odd constants of the cyrb53 hash.
const highFactor = 2654435761;
const lowFactor = 1597334677;

/**
 * A digest of 64 bits over texts and whole numbers, for telling contents apart. Not for secrets:
 * nothing here defends against somebody who looks for collisions.
 */
export function digestOf(fields: readonly (string | number)[]): Digest {
  let high = 0xdeadbeef | 0;
  let low = 0x41c6ce57;
  for (const field of fields) {
    const length = typeof field === 'string' ? field.length : -1;
    if (typeof field === 'string') {
      // Two characters at a time; behind the last of an odd number there is none, which is 0 here.
      for (let at = 0; at < length; at += 2) {
        const pair = field.charCodeAt(at) | (field.charCodeAt(at + 1) << 16);
        high = Math.imul(high ^ pair, highFactor);
        high ^= high >>> 15;
        low = Math.imul(low ^ pair, lowFactor);
        low ^= low >>> 13;
      }
    } else {
      high = Math.imul(high ^ field, highFactor);
      high ^= high >>> 15;
      low = Math.imul(low ^ field, lowFactor);
      low ^= low >>> 13;
      const rest = Math.floor(field / 2 ** 32);
      high = Math.imul(high ^ rest, highFactor);
      low = Math.imul(low ^ rest, lowFactor);
    }
    // The length marks the end of a field: "ab", "c" is not "a", "bc".
    high = Math.imul(high ^ (length + 0x10000), highFactor);
    high ^= high >>> 15;
    low = Math.imul(low ^ (length + 0x10000), lowFactor);
    low ^= low >>> 13;
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return { high: high >>> 0, low: low >>> 0 };
}
