import type { Note, Row } from '../model/row.ts';
import { type Digest, digestOf, takeTexts } from './digest.ts';

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
