import * as z from 'zod';
import { writtenDay } from '../base/calendar.ts';
import { exactJson, isKeptNumber, isObject, plainText, type Replacer } from '../base/json.ts';
import type { Secrets } from '../base/secrets.ts';
import type { Note, Row } from '../model/row.ts';
import type { Settlement } from '../model/settlement.ts';
import type { OddAnswer, UnreadableRecord } from '../model/source.ts';
import { type Digest, digestOf, digestOfRow, takeTexts } from './digest.ts';
import type { Listed } from './walk/record-page.ts';

/** No more of what was there is quoted. */
const longestFound = 80;

/** A record as it was read, or what kept it from being read. */
export type Decoded<Item extends object> = Item | Unreadable;

interface Unreadable {
  /** Its id, or else its raw content. */
  readonly key: string;
  readonly unreadable: UnreadableRecord;
}

export function isUnreadable(decoded: object): decoded is Unreadable {
  return 'unreadable' in decoded;
}

/** What must stand in a place, and what the model makes of it. */
export interface Form<Value> {
  readonly schema: z.ZodType;
  read(found: unknown): Value;
}

/** The fields of a record as the model has them: each with its name on the wire and its form there. */
export type Fields<Item> = {
  readonly [Field in keyof Item]: readonly [name: string, form: Form<Item[Field]>];
};

/** The names of the fields on the wire. */
export function namesOf(fields: Fields<Record<string, unknown>>): readonly string[] {
  return [...new Set(Object.values(fields).map(([name]) => name))];
}

/** An object that has these fields, and perhaps others, which are ignored. */
export function objectOf<Item>(fields: Fields<Item>): Form<Item> {
  const entries = Object.entries<readonly [string, Form<unknown>]>(fields);
  const schemas = Object.fromEntries(entries.map(([, [name, { schema }]]) => [name, schema]));
  return {
    schema: z.object(schemas, 'an object'),
    read: (found: Readonly<Record<string, unknown>>) => {
      const item: Record<string, unknown> = {};
      for (const [field, [name, form]] of entries) item[field] = form.read(found[name]);
      return item as Item;
    },
  };
}

// Strict where money is, liberal elsewhere: texts that carry no amount are taken as they come. The
// messages say what should have been there.

/** Of any type, or not there at all. */
export const anything = z.unknown().optional();

/** What is taken as it comes. */
export function liberal<Value>(read: (found: unknown) => Value): Form<Value> {
  return { schema: anything, read };
}

/** What must be as the schema says. */
export function strict<Found, Value>(
  schema: z.ZodType<Found>,
  read: (found: Found) => Value,
): Form<Value> {
  return { schema, read };
}

export const text = liberal(textOf);
export const notes = liberal(notesOf);
const texts = liberal((found) => (Array.isArray(found) ? found.map(textOf) : []));

const notEmpty = 'a non-empty text';
const given = strict(
  z.string(notEmpty).refine((one) => /\S/.test(one) && !isKeptNumber(one), notEmpty),
  String,
);
export const minorUnits = z.int('a whole number of minor units within ±(2^53 − 1)');
const amount = strict(minorUnits, (minor) => BigInt(minor));
const count = strict(
  z.int('a whole number, 0 or more').min(0, 'a whole number, 0 or more'),
  Number,
);
/** A number in a header, a text in a row (doc 2.7, 2.8): both are taken in both places. */
const scale = strict(z.unknown().refine(isScale, 'a whole number from 0 to 18'), Number);
const day = 'a timestamp that starts with a date, YYYY-MM-DD or YYYYMMDD';
const dated = z.string(day).refine((one) => writtenDay(one) !== undefined, day);

/** A settlement header record (doc 2.7). */
const headerFields: Fields<Settlement> = {
  id: ['settlementId', given],
  timestamp: ['settlementDate', strict(dated, String)],
  date: ['settlementDate', strict(dated, (one) => writtenDay(one) ?? '')],
  accountingToken: ['accountingToken', given],
  merchantId: ['merchantId', text],
  paymentService: ['paymentService', text],
  status: ['settlementStatus', text],
  currency: ['currencyCode', given],
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
  id: ['transactionId', given],
  chargeId: ['chargeId', text],
  orderId: ['orderId', text],
  settlementId: ['settlementId', given],
  timestamp: ['timestamp', text],
  type: ['transactionType', text],
  paymentType: ['paymentType', text],
  state: ['state', text],
  currency: ['currencyCode', given],
  scale: ['decimalPlaces', scale],
  amount: ['amount', amount],
  fees: ['fees', amount],
  tax: ['tax', amount],
  notes: ['notes', notes],
};

/** The names of the fields of records, whole (doc 2.7, 2.8). */
export const recordNames = {
  settlement: namesOf(headerFields),
  transaction: namesOf(rowFields),
};

const headerForm = objectOf(headerFields);
const rowForm = objectOf(rowFields);

/** A settlement header record, as it is listed. */
export function decodeHeader(raw: unknown): Listed<Decoded<Settlement>> {
  const header = readRecord(headerForm, raw);
  if (isMisread(header)) return unreadable(raw, 'settlementId', header);
  return { key: header.id, ...digestOfText(sortText(header)), item: header };
}

/** A settlement transaction record, as it is listed. */
export function decodeRow(raw: unknown): Listed<Decoded<Row>> {
  const row = readRecord(rowForm, raw);
  if (isMisread(row)) return unreadable(raw, 'transactionId', row);
  return { key: row.id, ...digestOfRow(row), item: row };
}

/** A record by its form, or its first fault. */
export function readRecord<Item extends object>(
  form: Form<Item>,
  record: unknown,
  replace?: Replacer,
): Item | OddAnswer {
  const { data, error } = form.schema.safeParse(record);
  if (!error) return form.read(data);
  const [issue] = error.issues;
  const field = issue?.path.join('.') ?? '';
  return oddField(record, { field, expected: issue?.message ?? '' }, replace);
}

export function isMisread(result: object): result is OddAnswer {
  return 'field' in result && 'expected' in result;
}

function isScale(value: unknown): boolean {
  // Number('') and Number(null) are 0: what is no scale must not become one.
  if (typeof value === 'string') return /^(0?\d|1[0-8])$/.test(value);
  return Number.isInteger(value) && 0 <= Number(value) && Number(value) <= 18;
}

/** Orders the contents of one id by their decoded fields; what is unreadable comes last. */
export function sortTextOf(decoded: Decoded<object>): string {
  return isUnreadable(decoded)
    ? `1${decoded.unreadable.field} ${decoded.unreadable.found}`
    : `0${sortText(decoded)}`;
}

function digestOfText(text: string): Digest {
  return digestOf(() => takeTexts(0, [text]));
}

function sortText(item: object): string {
  return JSON.stringify(item, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

function unreadable(raw: unknown, idField: string, misread: OddAnswer): Listed<Decoded<never>> {
  const content = jsonOf(raw);
  const id = isObject(raw) && typeof raw[idField] === 'string' ? raw[idField] : '';
  const key = id === '' ? content : id;
  return {
    key,
    ...digestOfText(content),
    item: { key, unreadable: { record: id, ...misread } },
  };
}

/** A field, what was there, whole, and what should have been. */
export function oddField(
  raw: unknown,
  { field, expected }: Pick<OddAnswer, 'field' | 'expected'>,
  replace?: Replacer,
): OddAnswer {
  const path = field === '' ? [] : field.split('.');
  const value = path.reduce<unknown>(
    (outer, key) => (typeof outer === 'object' && outer !== null ? Reflect.get(outer, key) : outer),
    raw,
  );
  return { field, found: value === undefined ? 'nothing' : jsonOf(value, replace), expected };
}

/** What was there is quoted without the secrets, and shortened. */
export function quoted<Found extends Pick<UnreadableRecord, 'found'>>(
  one: Found,
  secrets: Secrets,
): Found {
  return { ...one, found: secrets.quote(one.found, longestFound) };
}

/**
 * JSON text, numbers with the digits they came with. A record that is nested too deeply to be
 * written out again is told by that alone.
 */
export function jsonOf(value: unknown, replace?: Replacer): string {
  try {
    return exactJson(value, undefined, replace);
  } catch {
    return '[nested too deeply]';
  }
}

/** A text as it came; other plain values as they read. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return plainText(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Keys and values; what is none is left out. */
export function notesOf(value: unknown): readonly Note[] {
  const found = Array.isArray(value) ? value.filter(isObject) : [];
  return found.map((note) => ({ key: textOf(note['key']), value: textOf(note['value']) }));
}
