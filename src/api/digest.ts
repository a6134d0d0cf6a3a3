import { idWords, putIdWords } from '../base/id-table.ts';
import * as layout from './scan/kernel/layout.ts';
import { type Kernel, theKernel } from './scan/kernel.ts';

/** 64 bits, as two signed halves. */
export interface Digest {
  readonly high: number;
  readonly low: number;
}

export function isSameDigest(one: Digest, other: Digest): boolean {
  return one.high === other.high && one.low === other.low;
}

/**
 * Hands a kernel what a record says, value by value, for its digest. The same values under the same
 * numbers give the same digest, whether they are handed on here or found in the bytes of a page.
 */
export class Message {
  readonly #kernel: Kernel;
  readonly #words: Int32Array;
  readonly #figure: Float64Array;
  /** Of the value that is taken next. */
  #number = 0;

  constructor(kernel: Kernel) {
    const { buffer } = kernel.memory;
    this.#kernel = kernel;
    this.#words = new Int32Array(buffer, layout.message, idWords);
    this.#figure = new Float64Array(buffer, layout.message, 1);
  }

  /** The next values have this number, and those that follow on it. */
  at(number: number): this {
    this.#number = number;
    return this;
  }

  /** Takes an id as `putIdWords` has it. */
  id(id: string): void {
    putIdWords(id, this.#words, 0);
    this.#take(this.#words.byteLength);
  }

  /** Takes a whole number within ±2^53. */
  number(number: number): void {
    this.#figure[0] = number;
    this.#take(this.#figure.byteLength);
  }

  /** Takes a text. */
  text(text: string): void {
    const { memory } = this.#kernel;
    const isAscii = ascii.test(text);
    let from = 0;
    do {
      const piece = text.slice(from, from + longestPiece);
      this.#take(memory.write(piece, layout.message, isAscii ? 'latin1' : 'utf16le'));
      from += longestPiece;
    } while (from < text.length);
    if (!isAscii) this.number(-1);
  }

  #take(bytes: number): void {
    this.#kernel.take(this.#number, layout.message, bytes);
    this.#number += 1;
  }
}

const ascii = /^[\0-\x7f]*$/;
/** As many characters as a page can have, so that a text of a page is one piece. */
const longestPiece = layout.mostBytes;

let message: Message | undefined;

/**
 * A digest of 64 bits over what `take` gives a message, for telling contents apart. Not for secrets:
 * nothing here defends against somebody who looks for collisions.
 */
export function digestOf(take: (message: Message) => void): Digest {
  const { memory } = theKernel();
  message ??= new Message(theKernel());
  const halves = new Int32Array(memory.buffer, layout.digest, 2);
  // A page may be half read.
  const before = halves.slice();
  halves.fill(0);
  take(message.at(0));
  const [high = 0, low = 0] = halves;
  halves.set(before);
  return { high, low };
}
