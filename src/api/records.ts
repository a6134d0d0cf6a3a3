import * as z from 'zod';
import { writtenDay } from '../base/calendar.ts';
import { isKeptNumber, isObject } from '../base/json.ts';
import type { Row } from '../model/row.ts';
import { type Settlement, settlementFields } from '../model/settlement.ts';
import type { FieldForm, UnreadableRecord } from '../model/source.ts';
import { jsonOf, notesOf, oddField, textOf } from './fields.ts';
import { addTexts, type Digest, digestOf } from './scan/kernel.ts';
import { digestOfRow, rowNames } from './scan/learned.ts';
import type { Listed } from './walk/walk-records.ts';

/** A record, or what kept it from being read. */
export type Decoded<Item extends object> = Item | Unreadable;

interface Unreadable {
  /** Its id, or else its raw content. */
  readonly key: string;
  readonly unreadable: UnreadableRecord;
}

export function isUnreadable(decoded: object): decoded is Unreadable {
  return 'unreadable' in decoded;
}

/** Separates the records that could be read from the others. */
export function splitUnreadable<Item extends object>(decoded: readonly Decoded<Item>[]) {
  return {
    items: decoded.flatMap((one) => (isUnreadable(one) ? [] : [one])),
    unreadable: decoded.flatMap((one) => (isUnreadable(one) ? [one.unreadable] : [])),
  };
}

/** What a field must hold, and what the model makes of it. */
interface Form<Value> {
  readonly expected?: FieldForm;
  readonly schema: z.ZodType;
  read(found: unknown): Value;
}

/** The fields of a record in the model, each with its form on the wire. */
type Forms<Item> = { readonly [Field in keyof Item]: Form<Item[Field]> };

// Strict for amounts, liberal for all else: texts without an amount are kept as received.

function liberal<Value>(read: (found: unknown) => Value): Form<Value> {
  return { schema: z.unknown().optional(), read };
}

/** A field that must match a schema. */
function strict<Found, Value>(
  expected: FieldForm,
  schema: z.ZodType<Found>,
  read: (found: Found) => Value,
) {
  return { expected, schema, read };
}

const text = liberal(textOf);
const required = strict(
  'text',
  z.string().refine((one) => /\S/.test(one) && !isKeptNumber(one)),
  String,
);
const texts = liberal((found) => (Array.isArray(found) ? found.map(textOf) : []));
const amount = strict('minor_units', z.int(), (minor) => BigInt(minor));
const count = strict('count', z.int().min(0), Number);
/** A number in a header, a text in a row (doc 2.7, 2.8): both are accepted in both. */
const scale = strict('scale', z.unknown().refine(isScale), Number);
const dated = z.string().refine((one) => writtenDay(one) !== undefined);

/** A settlement header record (doc 2.7). */
const headerForms: Forms<Settlement> = {
  id: required,
  timestamp: strict('date', dated, String),
  date: strict('date', dated, (one) => writtenDay(one) ?? ''),
  accountingToken: required,
  merchantId: text,
  paymentService: text,
  status: text,
  currency: required,
  scale: scale,
  gross: amount,
  fees: amount,
  tax: amount,
  payIn: amount,
  transactions: count,
  paymentReferences: texts,
  paymentEndToEndIds: texts,
};

/** A settlement transaction record (doc 2.8). */
const rowForms: Forms<Row> = {
  id: required,
  chargeId: text,
  orderId: text,
  settlementId: required,
  timestamp: text,
  type: text,
  paymentType: text,
  state: text,
  currency: required,
  scale: scale,
  amount: amount,
  fees: amount,
  tax: amount,
  notes: liberal(notesOf),
};

const headerNames = { id: 'settlementId', ...settlementFields };

/** The documented names of the fields of records (doc 2.7, 2.8). */
export const recordNames = {
  settlement: Object.values(headerNames),
  transaction: Object.values(rowNames),
};

export const decodeHeader = decoder(
  { ...headerNames, date: headerNames.timestamp },
  headerForms,
  (header) => digestOfText(canonicalText(header)),
);

export const decodeRow = decoder(rowNames, rowForms, digestOfRow);

function decoder<Item extends { readonly id: string }>(
  /** The service's. */
  names: Readonly<Record<keyof Item, string>>,
  forms: Forms<Item>,
  digest: (item: Item) => Digest,
) {
  const entries = Object.entries<Form<unknown>>(forms).map(([field, form]) => ({
    field,
    name: names[field as keyof Item],
    form,
  }));
  const schemas = Object.fromEntries(entries.map(({ name, form }) => [name, form.schema]));
  const record = z.object(schemas);
  return (raw: unknown): Listed<Decoded<Item>> => {
    const { data, error } = record.safeParse(raw);
    if (!error) {
      const read: Record<string, unknown> = {};
      for (const { field, name, form } of entries) read[field] = form.read(data[name]);
      const item = read as unknown as Item;
      return { key: item.id, ...digest(item), item };
    }
    const field = error.issues[0]?.path.join('.') ?? '';
    const { expected = 'object' } = entries.find(({ name }) => name === field)?.form ?? {};
    const fault = oddField(raw, { field, expected });
    const content = jsonOf(raw);
    const found = isObject(raw) && raw[names.id];
    const id = typeof found === 'string' ? found : '';
    const key = id === '' ? content : id;
    return { key, ...digestOfText(content), item: { key, unreadable: { record: id, ...fault } } };
  };
}

function isScale(value: unknown): boolean {
  // Number('') and Number(null) are 0, and an invalid value must not become a scale.
  if (typeof value === 'string') return /^(0?\d|1[0-8])$/.test(value);
  return Number.isInteger(value) && 0 <= Number(value) && Number(value) <= 18;
}

/** Orders the contents of one id by their decoded fields; unreadable ones come last. */
export function sortTextOf(decoded: Decoded<object>): string {
  return isUnreadable(decoded)
    ? `1${decoded.unreadable.field} ${decoded.unreadable.found}`
    : `0${canonicalText(decoded)}`;
}

function digestOfText(content: string): Digest {
  return digestOf(() => addTexts(0, [content]));
}

/** A text that is the same for the same fields. */
function canonicalText(item: object): string {
  return JSON.stringify(item, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
