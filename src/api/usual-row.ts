import { isObject } from '../base/json.ts';
import type { RowRecord } from './wire.ts';

/**
 * Whether a record is a row as nearly all are: `rowSchema` would accept it too, and change nothing.
 * Rows come by the million; this is a tenth of the schema's work. What it doesn't know is left to
 * the schema, which alone says what a row is.
 */
export function isUsualRow(record: unknown): record is RowRecord {
  return (
    isObject(record) &&
    isUsualText(record['transactionId']) &&
    isUsualText(record['settlementId']) &&
    isUsualText(record['currencyCode']) &&
    isDigit(record['decimalPlaces']) &&
    Number.isSafeInteger(record['amount']) &&
    Number.isSafeInteger(record['fees']) &&
    Number.isSafeInteger(record['tax'])
  );
}

/** A text that begins with a printable character of ASCII, and no space. */
function isUsualText(value: unknown): boolean {
  if (typeof value !== 'string' || value === '') return false;
  const first = value.charCodeAt(0);
  return first > 0x20 && first < 0x7f;
}

function isDigit(value: unknown): boolean {
  if (typeof value !== 'string' || value.length !== 1) return false;
  const code = value.charCodeAt(0);
  return code >= 0x30 && code <= 0x39;
}
