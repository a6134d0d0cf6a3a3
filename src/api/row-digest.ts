import type { Note, Row } from '../model/row.ts';
import { type Digest, digestOf, type Message } from './digest.ts';

// The order of the values is the same where a page is scanned (`scan/row-shape.ts`).

/** The digest of a row that has been put together, over all its fields. */
export function digestOfRow(row: Row): Digest {
  const { settlementId, type, paymentType, state, currency, scale } = row;
  return digestOf((message) => {
    for (const id of [row.id, row.chargeId, row.orderId]) message.id(id);
    for (const amount of [row.amount, row.fees, row.tax]) message.number(Number(amount));
    message.text(row.timestamp);
    for (const text of [settlementId, type, paymentType, state, currency]) message.text(text);
    message.text(String(scale));
    takeNotes(message, row.notes);
  });
}

export function takeNotes(message: Message, notes: readonly Note[]): void {
  for (const { key, value } of notes) {
    message.text(key);
    message.text(value);
  }
}
