import { createHash } from 'node:crypto';
import { uuidWords as keyWords, readUuid } from './uuid.ts';

const partitionBits = 6;
const partitions = 1 << partitionBits;
const firstCapacity = 8;
const growth = 1.25;
const fullest = 0.8;
/** What is expected to come is made room for at once, but what a service announces may be anything. */
const mostExpected = 1_000_000;

/** Open addressing over one block of 32-bit words; an entry is its key, then its values. */
interface Partition {
  words: Int32Array;
  capacity: number;
  /** The capacity before it was rounded up. */
  room: number;
  size: number;
}

/**
 * A table from ids to a few 32-bit values, for millions of ids in little memory: an id is kept as
 * 16 bytes (a lower-case UUID is exactly that; any other text by the first half of its SHA-256).
 * Partitions grow one at a time and by a quarter, so that the table never holds twice what it needs.
 * Ids fall evenly into them, so they begin with different sizes: else all would grow at once.
 */
export class IdTable {
  /** Distinct ids. */
  size = 0;
  readonly #entryWords: number;
  readonly #firstCapacity: number;
  readonly #partitions: (Partition | undefined)[] = new Array(partitions).fill(undefined);
  readonly #key = new Int32Array(keyWords);

  /** `valueWords`: 32-bit values kept for each id, all 0 at first. `expected`: ids, if it is known. */
  constructor(valueWords: number, expected = 0) {
    this.#entryWords = keyWords + valueWords;
    // Ids don't fall evenly into the partitions: a little more than each one's share.
    const share = Math.min(expected, mostExpected) / partitions;
    this.#firstCapacity = Math.max(firstCapacity, Math.ceil((share * 1.1) / fullest));
  }

  /** The slot of `id`, or -1. A slot is valid until the next `add`. */
  find(id: string): number {
    const hash = this.#hash(id);
    const partition = this.#partitions[hash & (partitions - 1)];
    if (!partition) return -1;
    const index = this.#probe(partition, hash);
    return this.#isFree(partition, index) ? -1 : this.#slot(hash, index);
  }

  /** The slot of `id`, which is added if it is new. */
  add(id: string): number {
    return this.#add(this.#hash(id));
  }

  /** The same for a UUID as `readUuid` has put it. */
  addWords(words: Int32Array, at: number): number {
    for (let word = 0; word < keyWords; word += 1) this.#key[word] = words[at + word] ?? 0;
    return this.#add(mix(this.#key, 0));
  }

  /** The slot of the current key. */
  #add(hash: number): number {
    const partition = this.#partition(hash);
    let index = this.#probe(partition, hash);
    if (!this.#isFree(partition, index)) return this.#slot(hash, index);
    if (partition.size + 1 > partition.capacity * fullest) {
      this.#grow(partition);
      index = this.#probe(partition, hash);
    }
    const at = index * this.#entryWords;
    for (let word = 0; word < keyWords; word += 1)
      partition.words[at + word] = this.#key[word] ?? 0;
    partition.size += 1;
    this.size += 1;
    return this.#slot(hash, index);
  }

  /** Bytes in use, free places included. */
  get bytes(): number {
    return this.#partitions.reduce((sum, partition) => sum + (partition?.words.byteLength ?? 0), 0);
  }

  /** Value `word` of a slot, unsigned. */
  get(slot: number, word: number): number {
    return (this.#words(slot)[this.#offset(slot, word)] ?? 0) >>> 0;
  }

  set(slot: number, word: number, value: number): void {
    this.#words(slot)[this.#offset(slot, word)] = value;
  }

  #slot(hash: number, index: number): number {
    return index * partitions + (hash & (partitions - 1));
  }

  #words(slot: number): Int32Array {
    const partition = this.#partitions[slot % partitions];
    if (!partition) throw new RangeError(`no entry at slot ${slot}`);
    return partition.words;
  }

  #offset(slot: number, word: number): number {
    return Math.floor(slot / partitions) * this.#entryWords + keyWords + word;
  }

  #partition(hash: number): Partition {
    const at = hash & (partitions - 1);
    const known = this.#partitions[at];
    if (known) return known;
    const room = this.#firstCapacity * growth ** (at / partitions);
    const capacity = Math.ceil(room);
    const words = new Int32Array(capacity * this.#entryWords);
    const partition = { words, capacity, room, size: 0 };
    this.#partitions[at] = partition;
    return partition;
  }

  /** The index of the current key, or of the free place where it belongs. */
  #probe({ words, capacity }: Partition, hash: number): number {
    const key = this.#key;
    const entryWords = this.#entryWords;
    let index = (hash >>> partitionBits) % capacity;
    for (;;) {
      const at = index * entryWords;
      if (isKey(words, at, key) || isFree(words, at)) return index;
      index = index + 1 === capacity ? 0 : index + 1;
    }
  }

  #isFree({ words }: Partition, index: number): boolean {
    return isFree(words, index * this.#entryWords);
  }

  #grow(partition: Partition): void {
    const entryWords = this.#entryWords;
    const old = partition.words;
    const room = partition.room * growth;
    const capacity = Math.ceil(room);
    const words = new Int32Array(capacity * entryWords);
    for (let from = 0; from < old.length; from += entryWords) {
      if (isFree(old, from)) continue;
      let index = (mix(old, from) >>> partitionBits) % capacity;
      // No key is there twice: the first free place is the right one.
      while (!isFree(words, index * entryWords)) index = index + 1 === capacity ? 0 : index + 1;
      const to = index * entryWords;
      for (let word = 0; word < entryWords; word += 1) words[to + word] = old[from + word] ?? 0;
    }
    partition.words = words;
    partition.capacity = capacity;
    partition.room = room;
  }

  /** Sets the current key to that of `id` and returns its hash. */
  #hash(id: string): number {
    const key = this.#key;
    if (!readUuid(id, key, 0)) {
      // UTF-8 would make all halves of surrogate pairs, and so different ids, one.
      const digest = createHash('sha256').update(id, 'utf16le').digest();
      for (let word = 0; word < keyWords; word += 1) key[word] = digest.readInt32LE(word * 4);
    }
    return mix(key, 0);
  }
}

function isKey(words: Int32Array, at: number, key: Int32Array): boolean {
  return (
    words[at] === key[0] &&
    words[at + 1] === key[1] &&
    words[at + 2] === key[2] &&
    words[at + 3] === key[3]
  );
}

/** An all-zero key marks a free place. */
function isFree(words: Int32Array, at: number): boolean {
  return words[at] === 0 && words[at + 1] === 0 && words[at + 2] === 0 && words[at + 3] === 0;
}

/** Spreads a key over 32 bits (finaliser constants of MurmurHash3). */
function mix(words: Int32Array, at: number): number {
  let hash = 0;
  for (let word = 0; word < keyWords; word += 1) {
    hash = Math.imul(hash ^ (words[at + word] ?? 0), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}
