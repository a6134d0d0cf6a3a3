import { createHash } from 'node:crypto';

const partitionBits = 6;
const partitions = 1 << partitionBits;
const firstCapacity = 8;
const growth = 1.25;
const fullest = 0.8;
const keyWords = 4;

/** Open addressing over one block of 32-bit words; an entry is its key, then its values. */
interface Partition {
  words: Uint32Array;
  capacity: number;
  size: number;
}

/**
 * A table from ids to a few 32-bit values, for millions of ids in little memory: an id is kept as
 * 16 bytes (a lower-case UUID is exactly that; any other text by the first half of its SHA-256).
 * Partitions grow one at a time and by a quarter, so that the table never holds twice what it needs.
 */
export class IdTable {
  /** Distinct ids. */
  size = 0;
  readonly #entryWords: number;
  readonly #partitions: (Partition | undefined)[] = new Array(partitions);
  readonly #key = new Uint32Array(keyWords);

  /** `valueWords`: 32-bit values kept for each id, all 0 at first. */
  constructor(valueWords: number) {
    this.#entryWords = keyWords + valueWords;
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
    const hash = this.#hash(id);
    const partition = this.#partition(hash);
    let index = this.#probe(partition, hash);
    if (!this.#isFree(partition, index)) return this.#slot(hash, index);
    if (partition.size + 1 > partition.capacity * fullest) {
      this.#grow(partition);
      index = this.#probe(partition, hash);
    }
    this.#write(partition, index, this.#key);
    partition.size += 1;
    this.size += 1;
    return this.#slot(hash, index);
  }

  /** Bytes in use, free places included. */
  get bytes(): number {
    return this.#partitions.reduce((sum, partition) => sum + (partition?.words.byteLength ?? 0), 0);
  }

  /** Value `word` of a slot. */
  get(slot: number, word: number): number {
    return this.#words(slot)[this.#offset(slot, word)] ?? 0;
  }

  set(slot: number, word: number, value: number): void {
    this.#words(slot)[this.#offset(slot, word)] = value;
  }

  #slot(hash: number, index: number): number {
    return index * partitions + (hash & (partitions - 1));
  }

  #words(slot: number): Uint32Array {
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
    const words = new Uint32Array(firstCapacity * this.#entryWords);
    const partition = { words, capacity: firstCapacity, size: 0 };
    this.#partitions[at] = partition;
    return partition;
  }

  /** The index of the current key, or of the free place where it belongs. */
  #probe(partition: Partition, hash: number): number {
    const { words, capacity } = partition;
    const [a, b, c, d] = this.#key;
    let index = (hash >>> partitionBits) % capacity;
    for (;;) {
      const at = index * this.#entryWords;
      if (words[at] === a && words[at + 1] === b && words[at + 2] === c && words[at + 3] === d) {
        return index;
      }
      if (this.#isFree(partition, index)) return index;
      index = index + 1 === capacity ? 0 : index + 1;
    }
  }

  #isFree({ words }: Partition, index: number): boolean {
    const at = index * this.#entryWords;
    return words[at] === 0 && words[at + 1] === 0 && words[at + 2] === 0 && words[at + 3] === 0;
  }

  #write(partition: Partition, index: number, entry: Uint32Array): void {
    partition.words.set(entry, index * this.#entryWords);
  }

  #grow(partition: Partition): void {
    const key = this.#key.slice();
    const old = partition.words;
    partition.capacity = Math.ceil(partition.capacity * growth);
    partition.words = new Uint32Array(partition.capacity * this.#entryWords);
    for (let at = 0; at < old.length; at += this.#entryWords) {
      const entry = old.subarray(at, at + this.#entryWords);
      this.#key.set(entry.subarray(0, keyWords));
      if (this.#key.every((word) => word === 0)) continue;
      this.#write(partition, this.#probe(partition, this.#mix()), entry);
    }
    this.#key.set(key);
  }

  /** Sets the current key to that of `id` and returns its hash. */
  #hash(id: string): number {
    if (!readUuid(id, this.#key)) {
      // UTF-8 would make all halves of surrogate pairs, and so different ids, one.
      const digest = createHash('sha256').update(id, 'utf16le').digest();
      for (let word = 0; word < keyWords; word += 1) {
        this.#key[word] = digest.readUInt32LE(word * 4);
      }
    }
    return this.#mix();
  }

  /** Spreads the key over 32 bits (finaliser constants of MurmurHash3). */
  #mix(): number {
    let hash = 0;
    for (let word = 0; word < keyWords; word += 1) {
      hash = Math.imul(hash ^ (this.#key[word] ?? 0), 0x85ebca6b);
      hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
      hash ^= hash >>> 16;
    }
    return hash >>> 0;
  }
}

const dash = 45;

/** Reads a lower-case UUID into four words; false for any other text, and for the nil UUID. */
function readUuid(text: string, words: Uint32Array): boolean {
  if (text.length !== 36) return false;
  let word = 0;
  let digits = 0;
  let any = 0;
  for (let at = 0; at < 36; at += 1) {
    const code = text.charCodeAt(at);
    if (at === 8 || at === 13 || at === 18 || at === 23) {
      if (code !== dash) return false;
      continue;
    }
    const digit = code >= 48 && code <= 57 ? code - 48 : code >= 97 && code <= 102 ? code - 87 : -1;
    if (digit < 0) return false;
    word = ((word << 4) | digit) >>> 0;
    digits += 1;
    if (digits % 8 === 0) {
      words[digits / 8 - 1] = word;
      any |= word;
      word = 0;
    }
  }
  // An all-zero key marks a free place: the nil UUID is kept by its hash.
  return any !== 0;
}
