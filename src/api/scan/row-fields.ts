import { keysOf } from '../../base/lists.ts';
import { isUuid } from '../../base/uuid.ts';
import { currencyForm } from '../../model/forms.ts';
import { type Note, type Row, rowFields } from '../../model/row.ts';
import { type RowKind, textPlace } from '../../model/row-batch.ts';
import { addTexts, type Digest, digestOf } from '../digest.ts';
import * as layout from './kernel/layout.ts';

/** What the kernel reads: a form, its column among the values of this form, its slot in the digest. */
export interface Value {
  readonly form: number;
  readonly column: number;
  readonly slot: number;
}

/** Printable ASCII that stands for itself in JSON. */
export const plain = '[ !#-[\\]-~]*';
const isPlain = (text: string) => new RegExp(`^${plain}$`).test(text);

/** Form and column of the fields that are no part of a kind. */
const ownFields: Readonly<
  Record<Exclude<keyof Row, keyof RowKind | 'notes'>, readonly [form: number, column: number]>
> = {
  id: [layout.formId, textPlace.id],
  chargeId: [layout.formId, textPlace.chargeId],
  orderId: [layout.formId, textPlace.orderId],
  amount: [layout.formAmount, 0],
  fees: [layout.formAmount, 1],
  tax: [layout.formAmount, 2],
  timestamp: [layout.formTimestamp, textPlace.timestamp],
};

/** The fields of a kind: whether a text has the documented form. Their columns follow this order. */
export const isUsual: Readonly<Record<keyof RowKind, (text: string) => boolean>> = {
  settlementId: isUuid,
  type: isPlain,
  paymentType: isPlain,
  state: isPlain,
  currency: (text) => currencyForm.test(text),
  scale: (text) => /^\d$/.test(text),
};

export const kindFields = keysOf(isUsual);
if (kindFields.length !== layout.textFields) {
  throw new Error(`textFields in kernel/layout.ts must be ${kindFields.length}.`);
}

// The slots in the digest: own fields, fields of a kind, notes.
const textFields = [...keysOf(ownFields), ...kindFields];
export const firstKindSlot = keysOf(ownFields).length;
export const firstNoteSlot = textFields.length;

/** All fields of a row (doc 2.8), by the service's names. */
export const values: ReadonlyMap<string, Value> = new Map([
  ...keysOf(ownFields).map((field, slot) => {
    const [form, column] = ownFields[field];
    return [rowFields[field], { form, column, slot }] as const;
  }),
  ...kindFields.map((field, column) => {
    const slot = firstKindSlot + column;
    return [rowFields[field], { form: layout.formKnownText, column, slot }] as const;
  }),
  [rowFields.notes, { form: layout.formPlace, column: textPlace.notes, slot: firstNoteSlot }],
]);

/** The digest of a decoded row, over all its fields. */
export function digestOfRow(row: Row): Digest {
  return digestOf(() => {
    addTexts(
      0,
      textFields.map((field) => String(row[field])),
    );
    addNotes(row.notes);
  });
}

/** Adds the notes of a row to its digest. */
export function addNotes(notes: readonly Note[]): void {
  addTexts(
    firstNoteSlot,
    notes.flatMap(({ key, value }) => [key, value]),
  );
}
