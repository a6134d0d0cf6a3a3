import { type Amount, formatMinor } from '../money/money.ts';

/** What a cell holds until it is written; undefined if it is empty. */
export type Value = string | number | bigint | Amount | readonly string[] | undefined;

/** A value as exact text: `-1234.56`, `12`, `a | b`; empty if it is undefined. */
export function valueText(value: Value): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  return 'minor' in value ? formatMinor(value.minor, value.scale) : value.join(' | ');
}
