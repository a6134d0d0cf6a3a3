import type { Digest } from './walk/page.ts';

/**
 * A digest of 64 bits over texts and numbers, for telling contents apart. Not for secrets: nothing
 * here defends against somebody who looks for collisions (constants of the cyrb53 hash).
 */
export function digestOf(fields: readonly (string | number)[]): Digest {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (const field of fields) {
    const text = typeof field === 'string' ? field : String(field);
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      high = Math.imul(high ^ code, 2654435761);
      low = Math.imul(low ^ code, 1597334677);
    }
    // The length marks the end of a field: "ab", "c" is not "a", "bc".
    high = Math.imul(high ^ (text.length + 0x10000), 2654435761);
    low = Math.imul(low ^ (text.length + 0x10000), 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return { high: high >>> 0, low: low >>> 0 };
}
