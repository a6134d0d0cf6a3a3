import * as z from 'zod';
import { writtenDay } from '../base/calendar.ts';
import { isKeptNumber, isObject } from '../base/json.ts';
import type { Row } from '../model/row.ts';
import type { Settlement } from '../model/settlement.ts';
import type { UnreadableRecord } from '../model/source.ts';
import { addNotes, addTexts, type Digest, digestOf } from './digest.ts';
import { jsonOf, notesOf, oddField, textOf } from './fields.ts';
import type { Listed } from './walk/record-page.ts';

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
  readonly schema: z.ZodType;
  read(found: unknown): Value;
}

/** The fields of a record in the model, each with its name on the wire and its form there. */
type Fields<Item> = {
  readonly [Field in keyof Item]: readonly [name: string, form: Form<Item[Field]>];
};

// Strict where money is, liberal elsewhere: texts that carry no amount are taken as they come.

function liberal<Value>(read: (found: unknown) => Value): Form<Value> {
  return { schema: z.unknown().optional(), read };
}

/** A field that must match a schema; the schema's message says what is expected. */
function strict<Found, Value>(
  schema: z.ZodType<Found>,
  read: (found: Found) => Value,
): Form<Value> {
  return { schema, read };
}

const text = liberal(textOf);
const requiredText = 'a non-empty text';
const required = strict(
  z.string(requiredText).refine((one) => /\S/.test(one) && !isKeptNumber(one), requiredText),
  String,
);
const texts = liberal((found) => (Array.isArray(found) ? found.map(textOf) : []));
const minorUnits = z.int('a whole number of minor units within ±(2^53 − 1)');
const amount = strict(minorUnits, (minor) => BigInt(minor));
const countText = 'a whole number, 0 or more';
const count = strict(z.int(countText).min(0, countText), Number);
/** A number in a header, a text in a row (doc 2.7, 2.8): both are accepted in both. */
const scale = strict(z.unknown().refine(isScale, 'a whole number from 0 to 18'), Number);
const dayText = 'a timestamp that starts with a date, YYYY-MM-DD or YYYYMMDD';
const dated = z.string(dayText).refine((one) => writtenDay(one) !== undefined, dayText);

/** A settlement header record (doc 2.7). */
const headerFields: Fields<Settlement> = {
  id: ['settlementId', required],
  timestamp: ['settlementDate', strict(dated, String)],
  date: ['settlementDate', strict(dated, (one) => writtenDay(one) ?? '')],
  accountingToken: ['accountingToken', required],
  merchantId: ['merchantId', text],
  paymentService: ['paymentService', text],
  status: ['settlementStatus', text],
  currency: ['currencyCode', required],
  scale: ['decimalPlaces', scale],
  gross: ['amountGross', amount],
  fees: ['fees', amount],
  tax: ['tax', amount],
  payIn: ['amountPayIn', amount],
  transactions: ['totalTransactions', count],
  paymentReferences: ['paymentReferences', texts],
  paymentEndToEndIds: ['paymentEndToEndIds', texts],
};

/** A settlement transaction record (doc 2.8). */
const rowFields: Fields<Row> = {
  id: ['transactionId', required],
  chargeId: ['chargeId', text],
  orderId: ['orderId', text],
  settlementId: ['settlementId', required],
  timestamp: ['timestamp', text],
  type: ['transactionType', text],
  paymentType: ['paymentType', text],
  state: ['state', text],
  currency: ['currencyCode', required],
  scale: ['decimalPlaces', scale],
  amount: ['amount', amount],
  fees: ['fees', amount],
  tax: ['tax', amount],
  notes: ['notes', liberal(notesOf)],
};

/** The documented names of the fields of records (doc 2.7, 2.8). */
export const recordNames = {
  settlement: namesOf(headerFields),
  transaction: namesOf(rowFields),
};

function namesOf(fields: Fields<Record<string, unknown>>): readonly string[] {
  return [...new Set(Object.values(fields).map(([name]) => name))];
}

/** Reads a settlement header record. */
export const decodeHeader = decoder('settlementId', headerFields, (header) =>
  digestOfText(sortText(header)),
);

/** Reads a settlement transaction record. */
export const decodeRow = decoder('transactionId', rowFields, digestOfRow);

function decoder<Item extends { readonly id: string }>(
  idField: string,
  fields: Fields<Item>,
  digest: (item: Item) => Digest,
) {
  const entries = Object.entries<readonly [string, Form<unknown>]>(fields);
  const schemas = Object.fromEntries(entries.map(([, [name, { schema }]]) => [name, schema]));
  const record = z.object(schemas, 'an object');
  return (raw: unknown): Listed<Decoded<Item>> => {
    const { data, error } = record.safeParse(raw);
    if (!error) {
      const read: Record<string, unknown> = {};
      for (const [field, [name, form]] of entries) read[field] = form.read(data[name]);
      const item = read as unknown as Item;
      return { key: item.id, ...digest(item), item };
    }
    const [{ path, message } = { path: [], message: '' }] = error.issues;
    const fault = oddField(raw, { field: path.join('.'), expected: message });
    const content = jsonOf(raw);
    const id = isObject(raw) && typeof raw[idField] === 'string' ? raw[idField] : '';
    const key = id === '' ? content : id;
    return { key, ...digestOfText(content), item: { key, unreadable: { record: id, ...fault } } };
  };
}

function isScale(value: unknown): boolean {
  // Number('') and Number(null) are 0: what is no scale must not become one.
  if (typeof value === 'string') return /^(0?\d|1[0-8])$/.test(value);
  return Number.isInteger(value) && 0 <= Number(value) && Number(value) <= 18;
}

/** Orders the contents of one id by their decoded fields; unreadable ones come last. */
export function sortTextOf(decoded: Decoded<object>): string {
  return isUnreadable(decoded)
    ? `1${decoded.unreadable.field} ${decoded.unreadable.found}`
    : `0${sortText(decoded)}`;
}

function digestOfText(content: string): Digest {
  return digestOf(() => addTexts(0, [content]));
}

function sortText(item: object): string {
  return JSON.stringify(item, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

/** The digest of a decoded row, over all its fields. */
function digestOfRow(row: Row): Digest {
  const { id, chargeId, orderId, settlementId, timestamp, type, paymentType, state } = row;
  const amounts = [row.amount, row.fees, row.tax].map(String);
  const kind = [settlementId, type, paymentType, state, row.currency, String(row.scale)];
  return digestOf(() => {
    // The order of `fields` in `scan/learned.ts`.
    addTexts(0, [id, chargeId, orderId, ...amounts, timestamp, ...kind]);
    addNotes(row.notes);
  });
}
