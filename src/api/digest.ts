import { readUuid, readUuidBytes, uuidLength, uuidWords } from '../base/uuid.ts';

/** 64 bits, as two signed halves. */
export interface Digest {
  readonly high: number;
  readonly low: number;
}

export function isSameDigest(one: Digest, other: Digest): boolean {
  return one.high === other.high && one.low === other.low;
}

// Odd constants of the cyrb53 hash.
const highFactor = 2654435761;
const lowFactor = 1597334677;

/** Where a digest begins. */
const empty: Digest = { high: 0xdeadbeef | 0, low: 0x41c6ce57 };

// What ends a field, beside the lengths of texts: "ab", "c" is not "a", "bc".
const numberEnd = -1;
const uuidEnd = -2;

/**
 * A digest of 64 bits over texts and whole numbers, for telling contents apart, taken in field by
 * field. Not for secrets: nothing here defends against somebody who looks for collisions.
 */
export class Digester {
  #high = 0;
  #low = 0;
  readonly #words = new Int32Array(uuidWords);

  /** Begins anew; or from where another digest had come. */
  start({ high, low }: Digest = empty): void {
    this.#high = high;
    this.#low = low;
  }

  text(text: string): void {
    if (readUuid(text, this.#words, 0)) {
      this.uuid(this.#words, 0);
      return;
    }
    // Four characters at a time; behind the last there is none, which is 0 here.
    for (let at = 0; at < text.length; at += 4) {
      const first = text.charCodeAt(at);
      const second = text.charCodeAt(at + 1);
      const third = text.charCodeAt(at + 2);
      const fourth = text.charCodeAt(at + 3);
      this.#mix(first ^ (second << 8) ^ (third << 16) ^ (fourth << 24));
      if ((first | second | third | fourth) > 0xff) {
        const later = ((third >> 8) << 16) ^ ((fourth >> 8) << 24);
        this.#mix((first >> 8) ^ (second & 0xff00) ^ later);
      }
    }
    this.#mix(text.length);
  }

  /** The text that stands in these bytes, all of them ASCII. */
  ascii(bytes: Uint8Array, from: number, to: number): void {
    if (to - from === uuidLength && readUuidBytes(bytes, from, this.#words, 0)) {
      this.uuid(this.#words, 0);
      return;
    }
    let at = from;
    for (; at + 4 <= to; at += 4) {
      const later = ((bytes[at + 2] ?? 0) << 16) ^ ((bytes[at + 3] ?? 0) << 24);
      this.#mix((bytes[at] ?? 0) ^ ((bytes[at + 1] ?? 0) << 8) ^ later);
    }
    if (at < to) {
      const second = at + 1 < to ? (bytes[at + 1] ?? 0) : 0;
      const third = at + 2 < to ? (bytes[at + 2] ?? 0) : 0;
      this.#mix((bytes[at] ?? 0) ^ (second << 8) ^ (third << 16));
    }
    this.#mix(to - from);
  }

  /** The text whose words `readUuid` has put there. */
  uuid(words: Int32Array, at: number): void {
    for (let word = at; word < at + uuidWords; word += 1) this.#mix(words[word] ?? 0);
    this.#mix(uuidEnd);
  }

  /** A whole number. */
  number(number: number): void {
    this.#mix(number);
    // Mostly the first 32 bits are all of it.
    if (number !== (number | 0)) this.#mix(Math.floor(number / 2 ** 32));
    this.#mix(numberEnd);
  }

  /** How far it has come, for `start`. */
  get state(): Digest {
    return { high: this.#high, low: this.#low };
  }

  /** The digest of all that was taken in. */
  finish(): Digest {
    const one = this.#high;
    const other = this.#low;
    const high =
      Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
    const low =
      Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
    return { high, low };
  }

  #mix(bits: number): void {
    const high = Math.imul(this.#high ^ bits, highFactor);
    this.#high = high ^ (high >>> 15);
    const low = Math.imul(this.#low ^ bits, lowFactor);
    this.#low = low ^ (low >>> 13);
  }
}

const digester = new Digester();

export function digestOf(fields: readonly (string | number)[]): Digest {
  digester.start();
  for (const field of fields) {
    if (typeof field === 'string') digester.text(field);
    else digester.number(field);
  }
  return digester.finish();
}
