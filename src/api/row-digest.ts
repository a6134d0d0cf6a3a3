import type { Note, Row } from '../model/row.ts';
import type { RowKind } from '../model/source-row.ts';
import { type Digest, Digester } from './digest.ts';

const digester = new Digester();

/** The digest of a row that has been put together, over all its fields. */
export function digestOfRow(row: Row): Digest {
  digester.start(startOfKind(row));
  for (const amount of [row.amount, row.fees, row.tax]) digester.number(Number(amount));
  for (const text of [row.id, row.chargeId, row.orderId, row.timestamp]) digester.text(text);
  takeInNotes(digester, row.notes);
  return digester.finish();
}

export function takeInNotes(into: Digester, notes: readonly Note[]): void {
  for (const { key, value } of notes) {
    into.text(key);
    into.text(value);
  }
}

/** Where the digests of all rows of a kind begin. */
export function startOfKind(kind: RowKind): Digest {
  digester.start();
  for (const text of [kind.settlementId, kind.type, kind.paymentType, kind.state, kind.currency]) {
    digester.text(text);
  }
  digester.number(kind.scale);
  return digester.state;
}
