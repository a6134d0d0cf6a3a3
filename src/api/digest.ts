import type { Note, Row } from '../model/row.ts';
import { mostBytes, digest as sum, takenText } from './scan/kernel/layout.ts';
import { theKernel } from './scan/kernel.ts';

/** 64 bits, as two signed halves. */
export interface Digest {
  readonly high: number;
  readonly low: number;
}

export function isSameDigest(one: Digest, other: Digest): boolean {
  return one.high === other.high && one.low === other.low;
}

/**
 * A digest of 64 bits over all texts that `take` hands to `takeTexts`, for telling contents apart. Not
 * for secrets: nothing here defends against somebody who looks for collisions.
 */
export function digestOf(take: () => void): Digest {
  const halves = new Int32Array(theKernel().memory.buffer, sum, 2);
  // A page may be half read.
  const before = halves.slice();
  halves.fill(0);
  take();
  const [high = 0, low = 0] = halves;
  halves.set(before);
  return { high, low };
}

/**
 * Adds texts to the digest under way, under this number and those that follow. The same texts under the
 * same numbers give the same digest, whether they are handed on here or found in the bytes of a page.
 */
export function takeTexts(from: number, texts: readonly string[]): void {
  const { memory, take } = theKernel();
  let number = from;
  for (const text of texts) {
    // A text of a page is one piece.
    for (let start = 0; start === 0 || start < text.length; start += mostBytes) {
      const piece = text.slice(start, start + mostBytes);
      const isAscii = ascii.test(piece);
      take(
        isAscii ? number : ~number,
        takenText,
        memory.write(piece, takenText, isAscii ? 'latin1' : 'utf16le'),
      );
      number += 1;
    }
  }
}

const ascii = /^[\0-\x7f]*$/;

/** The digest of a row that has been put together, over all its fields. */
export function digestOfRow(row: Row): Digest {
  const { id, chargeId, orderId, settlementId, timestamp, type, paymentType, state } = row;
  const figures = [row.amount, row.fees, row.tax].map(String);
  const kind = [settlementId, type, paymentType, state, row.currency, String(row.scale)];
  return digestOf(() => {
    // In the order in which a page is scanned (`scan/row-shape.ts`).
    takeTexts(0, [id, chargeId, orderId, ...figures, timestamp, ...kind]);
    takeNotes(row.notes);
  });
}

/** Adds the notes of a row, which follow on its 13 other fields, to its digest. */
export function takeNotes(notes: readonly Note[]): void {
  const texts = notes.flatMap(({ key, value }) => [key, value]);
  takeTexts(13, texts);
}
