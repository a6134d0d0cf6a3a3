import type { Note } from '../model/row.ts';
import * as layout from './scan/kernel/layout.ts';
import { theKernel } from './scan/kernel.ts';

/** 64 bits, as two signed halves. */
export interface Digest {
  readonly high: number;
  readonly low: number;
}

export function isSameDigest(one: Digest, other: Digest): boolean {
  return one.high === other.high && one.low === other.low;
}

/** A digest, not cryptographic, of all texts that `addAll` passes to `addTexts`. */
export function digestOf(addAll: () => void): Digest {
  const halves = new Int32Array(theKernel().memory.buffer, layout.digest, 2);
  // The kernel may be in the middle of a page, and uses the same sum.
  const before = halves.slice();
  halves.fill(0);
  addAll();
  const [high = 0, low = 0] = halves;
  halves.set(before);
  return { high, low };
}

/** Adds texts to the digest under way, numbered from `first` on, as the kernel does with a page. */
export function addTexts(first: number, texts: readonly string[]): void {
  const { memory, addToDigest } = theKernel();
  const { inputText, mostBytes } = layout;
  let number = first;
  for (const text of texts) {
    // A text that fits into a page is one piece.
    for (let start = 0; start === 0 || start < text.length; start += mostBytes) {
      const piece = text.slice(start, start + mostBytes);
      const isAscii = ascii.test(piece);
      const bytes = memory.write(piece, inputText, isAscii ? 'latin1' : 'utf16le');
      addToDigest(isAscii ? number : ~number, inputText, bytes);
      number += 1;
    }
  }
}

const ascii = /^[\0-\x7f]*$/;

/** Adds the notes of a row to its digest, after its 13 other fields. */
export function addNotes(notes: readonly Note[]): void {
  addTexts(
    13,
    notes.flatMap(({ key, value }) => [key, value]),
  );
}
