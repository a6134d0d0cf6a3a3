import { idWords, putIdWords } from '../base/id-table.ts';

/** 64 bits, as two signed halves. */
export interface Digest {
  readonly high: number;
  readonly low: number;
}

export function isSameDigest(one: Digest, other: Digest): boolean {
  return one.high === other.high && one.low === other.low;
}

/**
 * What a record says, field by field as 32-bit words, for its digest. The same fields in the same order
 * give the same words, whether they are taken from texts or from the bytes of a page.
 */
export class Message {
  /** The first `length` of them. */
  words = new Int32Array(1024);
  length = 0;

  /** Takes an id as `putIdWords` has it. */
  id(id: string): void {
    this.#makeRoom(idWords);
    putIdWords(id, this.words, this.length);
    this.length += idWords;
  }

  /** Takes a whole number within ±2^53. */
  number(number: number): void {
    this.#makeRoom(2);
    this.words[this.length] = number;
    this.words[this.length + 1] = Math.floor(number / 2 ** 32);
    this.length += 2;
  }

  /** Takes a text. */
  text(text: string): void {
    const isAscii = ascii.test(text);
    const bytes = Buffer.from(text, isAscii ? 'latin1' : 'utf16le');
    this.bytes(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length);
    if (!isAscii) this.number(-1);
  }

  /** Takes the text that stands there in ASCII. */
  bytes(bytes: DataView, from: number, to: number): void {
    this.#makeRoom((to - from) / 4 + 2);
    const { words } = this;
    let next = this.length;
    let at = from;
    for (; at + 4 <= to; at += 4) {
      words[next] = bytes.getInt32(at, true);
      next += 1;
    }
    let rest = 0;
    for (let end = to - 1; end >= at; end -= 1) rest = (rest << 8) | bytes.getUint8(end);
    words[next] = rest;
    // "ab", "c" is not "a", "bc".
    words[next + 1] = to - from;
    this.length = next + 2;
  }

  /** Takes words as they are. */
  append(words: Int32Array): void {
    this.#makeRoom(words.length);
    // Of a few words, `set` would take longer than to copy them.
    for (let index = 0; index < words.length; index += 1) {
      this.words[this.length + index] = words[index] ?? 0;
    }
    this.length += words.length;
  }

  /** Puts the digest of all that it has taken into two words from `at` on. */
  digest(into: Int32Array, at: number): void {
    const { words, length } = this;
    let one = 0xdeadbeef | 0;
    let other = 0x41c6ce57;
    for (let index = 0; index < length; index += 1) {
      const word = words[index] ?? 0;
      one = Math.imul(one ^ word, highFactor);
      one ^= one >>> 15;
      other = Math.imul(other ^ word, lowFactor);
      other ^= other >>> 13;
    }
    const high =
      Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
    into[at] = high;
    into[at + 1] =
      Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  }

  #makeRoom(words: number): void {
    if (this.length + words <= this.words.length) return;
    const larger = new Int32Array(2 * (this.length + words));
    larger.set(this.words);
    this.words = larger;
  }
}

// Odd constants of the cyrb53 hash.
const highFactor = 2654435761;
const lowFactor = 1597334677;

const ascii = /^[\0-\x7f]*$/;

const message = new Message();

/**
 * A digest of 64 bits over what `take` gives a message, for telling contents apart. Not for secrets:
 * nothing here defends against somebody who looks for collisions.
 */
export function digestOf(take: (message: Message) => void): Digest {
  message.length = 0;
  take(message);
  const halves = new Int32Array(2);
  message.digest(halves, 0);
  const [high = 0, low = 0] = halves;
  return { high, low };
}
