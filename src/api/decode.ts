import { writtenDay } from '../base/calendar.ts';
import { exactJson, isObject, plainText, type Replacer } from '../base/json.ts';
import type { Secrets } from '../base/secrets.ts';
import type { Note, Row } from '../model/row.ts';
import type { Settlement } from '../model/settlement.ts';
import type { UnreadableRecord } from '../model/source.ts';
import { type Digest, digestOf, takeTexts } from './digest.ts';
import { digestOfRow } from './row-digest.ts';
import type { Listed } from './walk/record-page.ts';
import { isMisread, type Misread, readHeaderRecord, readRowRecord } from './wire.ts';

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

/** A settlement header record (doc 2.7), as it is listed. */
export function decodeHeader(raw: unknown): Listed<Decoded<Settlement>> {
  const record = readHeaderRecord(raw);
  if (isMisread(record)) return unreadable(raw, 'settlementId', record);
  const settlement: Settlement = {
    id: record.settlementId,
    timestamp: record.settlementDate,
    date: writtenDay(record.settlementDate) ?? '',
    accountingToken: record.accountingToken,
    merchantId: textOf(record.merchantId),
    paymentService: textOf(record.paymentService),
    status: textOf(record.settlementStatus),
    currency: record.currencyCode,
    scale: Number(record.decimalPlaces),
    gross: BigInt(record.amountGross),
    fees: BigInt(record.fees),
    tax: BigInt(record.tax),
    payIn: BigInt(record.amountPayIn),
    transactions: record.totalTransactions,
    paymentReferences: texts(record.paymentReferences),
    paymentEndToEndIds: texts(record.paymentEndToEndIds),
  };
  return { key: settlement.id, ...digestOfText(sortText(settlement)), item: settlement };
}

/** A settlement transaction record (doc 2.8), as it is listed. */
export function decodeRow(raw: unknown): Listed<Decoded<Row>> {
  const record = readRowRecord(raw);
  if (isMisread(record)) return unreadable(raw, 'transactionId', record);
  const row: Row = {
    id: record.transactionId,
    chargeId: textOf(record.chargeId),
    orderId: textOf(record.orderId),
    settlementId: record.settlementId,
    timestamp: textOf(record.timestamp),
    type: textOf(record.transactionType),
    paymentType: textOf(record.paymentType),
    state: textOf(record.state),
    currency: record.currencyCode,
    scale: Number(record.decimalPlaces),
    amount: BigInt(record.amount),
    fees: BigInt(record.fees),
    tax: BigInt(record.tax),
    notes: notesOf(record.notes),
  };
  return { key: row.id, ...digestOfRow(row), item: row };
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

function unreadable(raw: unknown, idField: string, misread: Misread): Listed<Decoded<never>> {
  const content = jsonOf(raw);
  const id = isObject(raw) && typeof raw[idField] === 'string' ? raw[idField] : '';
  const key = id === '' ? content : id;
  return {
    key,
    ...digestOfText(content),
    item: { key, unreadable: { record: id, ...misreadField(raw, misread) } },
  };
}

/** The field at fault, what was there, whole, and what should have been. */
export function misreadField(raw: unknown, { field, expected }: Misread, replace?: Replacer) {
  const path = field === '' ? [] : field.split('.');
  const value = path.reduce<unknown>(
    (outer, key) => (typeof outer === 'object' && outer !== null ? Reflect.get(outer, key) : outer),
    raw,
  );
  return {
    field,
    found: value === undefined ? 'nothing' : jsonOf(value, replace),
    expected,
  };
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

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}

/** Keys and values; what is none is left out. */
export function notesOf(value: unknown): readonly Note[] {
  if (!Array.isArray(value)) return [];
  const found: Note[] = [];
  for (const note of value) {
    if (isObject(note)) found.push({ key: textOf(note['key']), value: textOf(note['value']) });
  }
  return found;
}
