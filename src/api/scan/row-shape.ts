import { type Digest, digestOf } from '../digest.ts';
import * as layout from './kernel/layout.ts';
import { listAt, parseNotes, plainNotes } from './notes.ts';

/** What is read at a step: a form, its place among the values of this form, its number in the digest. */
interface Value {
  readonly form: number;
  readonly place: number;
  readonly number: number;
}

/** The fields of a row (doc 2.8), in the order in which `digestOfRow` takes them. */
const fields: ReadonlyMap<string, Value> = new Map(
  (
    [
      [layout.formId, 'transactionId chargeId orderId'],
      [layout.formAmount, 'amount fees tax'],
      [layout.formTimestamp, 'timestamp'],
      [
        layout.formText,
        'settlementId transactionType paymentType state currencyCode decimalPlaces',
      ],
      [layout.formNotes, 'notes'],
    ] as const
  )
    .flatMap(([form, names]) => names.split(' ').map((name, place) => ({ name, form, place })))
    .map(({ name, ...value }, number) => [name, { ...value, number }]),
);

export const firstTextNumber = fields.get('settlementId')?.number ?? 0;
export const firstNoteNumber = fields.get('notes')?.number ?? 0;

/** Without these, a row is left to those who parse JSON. */
const needed = [
  'transactionId',
  'settlementId',
  'currencyCode',
  'decimalPlaces',
  'amount',
  'fees',
  'tax',
];

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
    const isText = value.form !== layout.formAmount && value.form !== layout.formNotes;
    if (isText !== (quote === '"')) return undefined;
    const begin = opening.lastIndex;
    steps.push({ before: page.slice(from, begin), ...value });
    if (value.form === layout.formNotes) {
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
  steps.push(step(page.slice(from, end), layout.formRowEnd));
  return { steps, digest: digestOfShape(missing, keys), length: end - at };
}

const noteValue = /(?<="value"\s*:\s*")[^"]*/;
const noteKey = /(?<="key"\s*:\s*")[^"]*/g;

/** Notes as the document shows them have a step for each value; all others are one. */
function noteSteps(notes: string): readonly Step[] {
  if (!plainNotes.test(notes)) {
    return [step('', layout.formOtherNotes), step('', layout.formNotesEnd)];
  }
  return notes
    .split(noteValue)
    .map((before, index, { length }) =>
      index === length - 1
        ? step(before, layout.formNotesEnd)
        : step(before, layout.formNoteValue, firstNoteNumber + 2 * index + 1),
    );
}

function step(before: string, form: number, number = 0): Step {
  return { before, form, place: 0, number };
}

function keysIn(notes: string): readonly string[] {
  return plainNotes.test(notes) ? (notes.match(noteKey) ?? []) : [];
}

function digestOfShape(missing: ReadonlyMap<string, Value>, keys: readonly string[]): Digest {
  return digestOf((message) => {
    for (const { form, number } of missing.values()) {
      if (form === layout.formId) message.at(number).id('');
      else if (form !== layout.formNotes) message.at(number).text('');
    }
    for (const [index, key] of keys.entries()) message.at(firstNoteNumber + 2 * index).text(key);
  });
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
