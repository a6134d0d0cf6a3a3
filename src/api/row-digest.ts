import type { Note, Row } from '../model/row.ts';
import { type Digest, digestOf, takeTexts } from './digest.ts';

/** The digest of a row that has been put together, over all its fields. */
export function digestOfRow(row: Row): Digest {
  const { settlementId, type, paymentType, state, currency, scale } = row;
  // In the order in which a page is scanned (`scan/row-shape.ts`).
  return digestOf(() => {
    takeTexts(0, [row.id, row.chargeId, row.orderId]);
    takeTexts(3, [row.amount, row.fees, row.tax].map(String));
    takeTexts(6, [row.timestamp, settlementId, type, paymentType, state, currency, String(scale)]);
    takeNotes(row.notes);
  });
}

export function takeNotes(notes: readonly Note[]): void {
  takeTexts(
    13,
    notes.flatMap(({ key, value }) => [key, value]),
  );
}
