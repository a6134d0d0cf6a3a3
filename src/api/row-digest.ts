import type { Note, Row } from '../model/row.ts';
import type { RowKind } from '../model/row-batch.ts';
import { type Digest, digestOf, type Message } from './digest.ts';

// The order of the fields is the same where a page is scanned (`scan/row-scanner.ts`).

/** The digest of a row that has been put together, over all its fields. */
export function digestOfRow(row: Row): Digest {
  const kind = wordsOfKind(row);
  return digestOf((message) => {
    message.append(kind);
    for (const id of [row.id, row.chargeId, row.orderId]) message.id(id);
    for (const amount of [row.amount, row.fees, row.tax]) message.number(Number(amount));
    message.text(row.timestamp);
    takeNotes(message, row.notes);
  });
}

export function takeNotes(message: Message, notes: readonly Note[]): void {
  for (const { key, value } of notes) {
    message.text(key);
    message.text(value);
  }
}

/** What stands in a message for all that rows of a kind have in common. */
export function wordsOfKind(kind: RowKind): Int32Array {
  const { settlementId, type, paymentType, state, currency, scale } = kind;
  const { high, low } = digestOf((message) => {
    for (const text of [settlementId, type, paymentType, state, currency]) message.text(text);
    message.number(scale);
  });
  return Int32Array.of(high, low);
}
