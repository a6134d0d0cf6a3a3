import { createHash, hash as digestOf } from 'node:crypto';
import { grown } from './lists.ts';
import { readUuid, uuidWords } from './uuid.ts';

export const idWords = uuidWords;

/** The words of an empty id. */
export const noId = new Int32Array(idWords);

/** Puts an id into `words`: a UUID, zeros if empty, else half its SHA-256. Whether they give the id back. */
export function putIdWords(id: string, words: Int32Array, at: number): boolean {
  if (readUuid(id, words, at)) return true;
  // UTF-8 would make all lone surrogates, and so different ids, the same.
  const digest = id === '' ? undefined : digestOf('sha256', Buffer.from(id, 'utf16le'), 'buffer');
  for (let word = 0; word < idWords; word += 1)
    words[at + word] = digest?.readInt32LE(word * 4) ?? 0;
  return digest === undefined;
}

/** A hash of an id's words (finaliser constants of MurmurHash3). */
export function spreadId(words: Int32Array, at: number): number {
  let hash = 0;
  for (let word = 0; word < idWords; word += 1) {
    hash = Math.imul(hash ^ (words[at + word] ?? 0), 0x85ebca6b);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

const fewest = 16;
/** For each id: with fewer, too many would collide. */
const fewestPlaces = 1.5;
/** Room made at once; what a service announces may be anything. */
const mostExpected = 1_000_000;

/** Numbers ids from 0 in the order in which they come, with a few 32-bit values each, in little memory. */
export class IdTable {
  size = 0;
  readonly #entryWords: number;
  /** By number, an id's words and values. */
  #entries: Int32Array;
  /** A hash table: numbers plus 1; 0 is a free place. */
  #places: Int32Array;

  /** `valueWords`: values of each id, 0 at first. `expected`: number of ids, if known. */
  constructor(valueWords: number, expected = 0) {
    this.#entryWords = idWords + valueWords;
    const room = Math.max(fewest, Math.min(expected, mostExpected));
    this.#entries = new Int32Array(room * this.#entryWords);
    this.#places = new Int32Array(2 ** Math.ceil(Math.log2(room * fewestPlaces)));
  }

  /** The number of the id whose words are at `at`; a new one is `size`, which grows. */
  add(words: Int32Array, at: number): number {
    const place = this.#place(words, at);
    const known = (this.#places[place] ?? 0) - 1;
    if (known >= 0) return known;
    const number = this.size;
    this.size += 1;
    const from = number * this.#entryWords;
    if (from === this.#entries.length) this.#entries = grown(this.#entries, 2 * from);
    for (let word = 0; word < idWords; word += 1)
      this.#entries[from + word] = words[at + word] ?? 0;
    this.#places[place] = this.size;
    if (this.size * fewestPlaces > this.#places.length) this.#spreadOut();
    return number;
  }

  find(words: Int32Array, at: number): number {
    return (this.#places[this.#place(words, at)] ?? 0) - 1;
  }

  clear(): void {
    this.size = 0;
    this.#entries.fill(0);
    this.#places.fill(0);
  }

  get(number: number, value: number): number {
    return this.#entries[number * this.#entryWords + idWords + value] ?? 0;
  }

  set(number: number, value: number, bits: number): void {
    this.#entries[number * this.#entryWords + idWords + value] = bits;
  }

  #place(words: Int32Array, at: number): number {
    const places = this.#places;
    let place = spreadId(words, at) & (places.length - 1);
    for (;;) {
      const number = (places[place] ?? 0) - 1;
      if (number < 0 || areSameIds(this.#entries, number * this.#entryWords, words, at))
        return place;
      place = (place + 1) & (places.length - 1);
    }
  }

  #spreadOut(): void {
    this.#places = new Int32Array(2 * this.#places.length);
    for (let number = 0; number < this.size; number += 1) {
      this.#places[this.#place(this.#entries, number * this.#entryWords)] = number + 1;
    }
  }
}

export function areSameIds(one: Int32Array, at: number, other: Int32Array, otherAt: number) {
  return (
    one[at] === other[otherAt] &&
    one[at + 1] === other[otherAt + 1] &&
    one[at + 2] === other[otherAt + 2] &&
    one[at + 3] === other[otherAt + 3]
  );
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A short id of a text or bytes: 20 of A-Z and 2-7, 100 bits of the SHA-256. */
export function shortId(contents: string | Uint8Array): string {
  const digest = createHash('sha256').update(contents).digest();
  return [...digest.subarray(0, 20)].map((byte) => letters[byte % letters.length]).join('');
}
