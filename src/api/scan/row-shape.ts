import { textPlace } from '../../model/row-batch.ts';
import { type Digest, digestOf, takeTexts } from '../digest.ts';
import * as layout from './kernel/layout.ts';
import { listAt, parseNotes, plainNotes } from './notes.ts';

/** What is read at a step: a form, where it goes to among the values of this form, its number in the digest. */
interface Value {
  readonly form: number;
  readonly place: number;
  readonly number: number;
}

const texts = 'settlementId transactionType paymentType state currencyCode decimalPlaces';

/** The fields of a row (doc 2.8), in the order in which `digestOfRow` takes them. */
const fields: ReadonlyMap<string, Value> = new Map(
  [
    { form: layout.formId, first: textPlace.id, names: 'transactionId chargeId orderId' },
    { form: layout.formAmount, first: 0, names: 'amount fees tax' },
    { form: layout.formTimestamp, first: textPlace.timestamp, names: 'timestamp' },
    { form: layout.formKnownText, first: 0, names: texts },
    { form: layout.formPlace, first: textPlace.notes, names: 'notes' },
  ]
    .flatMap(({ form, first, names }) =>
      names.split(' ').map((name, index) => ({ name, form, place: first + index })),
    )
    .map(({ name, form, place }, number) => [name, { form, place, number }]),
);

export const firstTextNumber = fields.get('settlementId')?.number ?? 0;
const firstNoteNumber = fields.get('notes')?.number ?? 0;

/** Without these, a row is left to those who parse JSON. */
const needed = 'transactionId settlementId currencyCode decimalPlaces amount fees tax'.split(' ');

/** A value, and all bytes before it, from the end of the one before it; quotes are no part of a value. */
interface Step extends Value {
  readonly before: string;
}

/** What rows have in common, to the byte: which fields, in which order, with which white space. */
export interface RowShape {
  readonly steps: readonly Step[];
  /** Of the fields that such a row hasn't, and of the keys of its notes. */
  readonly digest: Digest;
  /** Characters of the row from which it was learned. */
  readonly length: number;
}

const opening = /[ \t\r\n]*([{,])[ \t\r\n]*"(\w+)"[ \t\r\n]*:[ \t\r\n]*("?)/y;
const plainText = /[ !#-[\]-~]*(?=")/y;
const wholeNumber = /-?\d+/y;
const closing = /[ \t\r\n]*\}/y;

/** The shape of the row that begins at `at`; undefined where it has another form. */
export function shapeOf(bytes: Buffer, at: number): RowShape | undefined {
  const page = bytes.toString('latin1');
  const steps: Step[] = [];
  const missing = new Map(fields);
  let keys: readonly string[] = [];
  let from = at;
  let next = at;
  for (;;) {
    const [, sign, name = '', quote] = match(opening, page, next) ?? [];
    const value = missing.get(name);
    if (!value || sign !== (steps.length === 0 ? '{' : ',')) return undefined;
    missing.delete(name);
    const isNotes = name === 'notes';
    const isText = !isNotes && value.form !== layout.formAmount;
    if (isText !== (quote === '"')) return undefined;
    const begin = opening.lastIndex;
    steps.push({ before: page.slice(from, begin), ...value });
    if (isNotes) {
      const list = listAt(bytes, begin);
      if (!list || !parseNotes(list)) return undefined;
      const notes = list.toString('latin1');
      steps.push(...noteSteps(notes));
      keys = keysIn(notes);
      from = begin + notes.length;
    } else {
      const form = isText ? plainText : wholeNumber;
      if (!match(form, page, begin)) return undefined;
      from = form.lastIndex;
    }
    next = isText ? from + 1 : from;
    if (match(closing, page, next)) break;
  }
  if (needed.some((one) => missing.has(one))) return undefined;
  const end = closing.lastIndex;
  steps.push(step(page.slice(from, end), { form: layout.formRowEnd }));
  return { steps, digest: digestOfShape(missing, keys), length: end - at };
}

const noteValue = /(?<="value"\s*:\s*")[^"]*/;
const noteKey = /(?<="key"\s*:\s*")[^"]*/g;

/** Notes as the document shows them have a step for each value; all others are one. */
function noteSteps(notes: string): readonly Step[] {
  const end = { form: layout.formPlace, place: textPlace.notesEnd };
  if (!plainNotes.test(notes)) return [step('', { form: layout.formOtherNotes }), step('', end)];
  return notes.split(noteValue).map((before, index, { length }) => {
    const number = firstNoteNumber + 2 * index + 1;
    return step(before, index === length - 1 ? end : { form: layout.formPlainText, number });
  });
}

function step(before: string, value: Pick<Value, 'form'> & Partial<Value>): Step {
  return { before, place: 0, number: 0, ...value };
}

function keysIn(notes: string): readonly string[] {
  return plainNotes.test(notes) ? (notes.match(noteKey) ?? []) : [];
}

function digestOfShape(missing: ReadonlyMap<string, Value>, keys: readonly string[]): Digest {
  return digestOf(() => {
    for (const [name, { number }] of missing) if (name !== 'notes') takeTexts(number, ['']);
    for (const [index, key] of keys.entries()) takeTexts(firstNoteNumber + 2 * index, [key]);
  });
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
