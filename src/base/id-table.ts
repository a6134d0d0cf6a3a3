import { createHash } from 'node:crypto';
import { grown } from './grown.ts';
import { readUuid, uuidWords } from './uuid.ts';

/** The 32-bit words that stand for an id. */
export const idWords = uuidWords;

/**
 * Puts the words that stand for an id into `words`, from `at` on: a lower-case UUID is exactly its four
 * words, an empty text is four zeros, and for any other text stands the first half of its SHA-256.
 */
export function putIdWords(id: string, words: Int32Array, at: number): void {
  if (readUuid(id, words, at)) return;
  // UTF-8 would make all halves of surrogate pairs, and so different ids, one.
  const hash = id === '' ? undefined : createHash('sha256').update(id, 'utf16le').digest();
  for (let word = 0; word < idWords; word += 1) words[at + word] = hash?.readInt32LE(word * 4) ?? 0;
}

/** Spreads the words of an id over 32 bits (finaliser constants of MurmurHash3). */
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
/** For each id: fewer, and many ids would fall on the same. */
const fewestPlaces = 1.5;
/** What is expected to come is made room for at once, but what a service announces may be anything. */
const mostExpected = 1_000_000;

/**
 * Numbers ids in the order in which they come, from 0, and keeps a few 32-bit values beside each: for
 * millions of ids in little memory.
 */
export class IdTable {
  /** Distinct ids. */
  size = 0;
  readonly #entryWords: number;
  /** An id's words, then its values, by its number. */
  #entries: Int32Array;
  /** At the place that an id falls on, or the next free one behind: its number and 1. 0 is free. */
  #places: Int32Array;

  /** `valueWords`: values kept for each id, 0 at first. `expected`: ids, if it is known. */
  constructor(valueWords: number, expected = 0) {
    this.#entryWords = idWords + valueWords;
    const room = Math.max(fewest, Math.min(expected, mostExpected));
    this.#entries = new Int32Array(room * this.#entryWords);
    this.#places = new Int32Array(placesFor(room));
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

  /** Forgets all ids, and keeps the room for as many. */
  clear(): void {
    this.size = 0;
    this.#entries.fill(0);
    this.#places.fill(0);
  }

  /** Value `value` of the id with a number. */
  get(number: number, value: number): number {
    return this.#entries[number * this.#entryWords + idWords + value] ?? 0;
  }

  set(number: number, value: number, bits: number): void {
    this.#entries[number * this.#entryWords + idWords + value] = bits;
  }

  /** Where the id's number is, or the free place that is for it. */
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
      // None is there twice: it falls on a free place.
      this.#places[this.#place(this.#entries, number * this.#entryWords)] = number + 1;
    }
  }
}

/** A power of two. */
function placesFor(ids: number): number {
  return 2 ** Math.ceil(Math.log2(ids * fewestPlaces));
}

export function areSameIds(
  one: Int32Array,
  at: number,
  other: Int32Array,
  otherAt: number,
): boolean {
  return (
    one[at] === other[otherAt] &&
    one[at + 1] === other[otherAt + 1] &&
    one[at + 2] === other[otherAt + 2] &&
    one[at + 3] === other[otherAt + 3]
  );
}
