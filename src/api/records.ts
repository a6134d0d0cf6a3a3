import * as z from 'zod';
import { writtenDay } from '../base/calendar.ts';
import { isKeptNumber, isObject } from '../base/json.ts';
import type { Row } from '../model/row.ts';
import type { Settlement } from '../model/settlement.ts';
import type { UnreadableRecord } from '../model/source.ts';
import { addNotes, addTexts, type Digest, digestOf } from './digest.ts';
import {
  type Fields,
  type Form,
  jsonOf,
  liberal,
  minorUnits,
  namesOf,
  notes,
  objectOf,
  readRecord,
  strict,
  text,
  textOf,
} from './fields.ts';
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

// Strict where money is, liberal elsewhere: texts that carry no amount are taken as they come.

const requiredText = 'a non-empty text';
const required = strict(
  z.string(requiredText).refine((one) => /\S/.test(one) && !isKeptNumber(one), requiredText),
  String,
);
const texts = liberal((found) => (Array.isArray(found) ? found.map(textOf) : []));
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
  notes: ['notes', notes],
};

/** The documented names of the fields of records (doc 2.7, 2.8). */
export const recordNames = {
  settlement: namesOf(headerFields),
  transaction: namesOf(rowFields),
};

/** Reads a settlement header record. */
export const decodeHeader = decoder('settlementId', objectOf(headerFields), (header) =>
  digestOfText(sortText(header)),
);

/** Reads a settlement transaction record. */
export const decodeRow = decoder('transactionId', objectOf(rowFields), digestOfRow);

function decoder<Item extends { readonly id: string }>(
  idField: string,
  form: Form<Item>,
  digest: (item: Item) => Digest,
) {
  return (raw: unknown): Listed<Decoded<Item>> => {
    const read = readRecord(form, raw);
    if ('item' in read) return { key: read.item.id, ...digest(read.item), item: read.item };
    const content = jsonOf(raw);
    const id = isObject(raw) && typeof raw[idField] === 'string' ? raw[idField] : '';
    const key = id === '' ? content : id;
    const item = { key, unreadable: { record: id, ...read.fault } };
    return { key, ...digestOfText(content), item };
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
